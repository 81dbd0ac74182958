// SPDX-License-Identifier: GPL-2.0
/*
 * The ring with writers on several threads and a reader at the same time. Signal handlers
 * play interrupts, and a second signal plays NMIs that interrupt those: they write records
 * while the interrupted code is writing one.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <linux/mm.h>

#include "engine/ring.h"
#include "unit.h"

#define NR_WRITERS	3
#define NR_LEVELS	3	/* thread, interrupt, NMI */
#define NR_SOURCES	(NR_WRITERS * NR_LEVELS)
#define NR_COUNTS	5
#define NR_SLOTS	4096	/* in the larger ring */
/* Records with a known pattern. */
#define LEAST 1000

#define MILLISECONDS	700

#ifdef __SANITIZE_THREAD__	/* it holds signals back */
#define NEVER_NESTED	true
#else
#define NEVER_NESTED	false
#endif

/* One level of one thread, which writes records one after the other. */
struct source {
	unsigned int id;
	u64 written;
	u64 lost;
	u64 nested;	/* of those written, inside another's */
};

struct writer {
	pthread_t thread;
	struct source level[NR_LEVELS];
};

static struct pmc_ring ring;
static struct writer writers[NR_WRITERS];
static bool stop, writers_done;

static __thread struct writer *me;
static __thread timer_t timers[2];
static __thread volatile sig_atomic_t in_the_middle;

static u64 expected_count(unsigned int id, u64 number, unsigned int i)
{
	u64 seed = (number * NR_SOURCES + id) * NR_COUNTS + i + 1;

	return next_random(&seed);
}

static void write_record(struct source *source)
{
	struct pmc_record *record;
	bool nested = in_the_middle;
	unsigned int i;
	u64 pos;

	in_the_middle++;
	record = pmc_ring_reserve(&ring, &pos);
	if (!record) {
		source->lost++;
		in_the_middle--;
		return;
	}

	record->time = source->written;
	record->tid = source->id;
	record->nr_counts = source->written % (NR_COUNTS + 1);
	for (i = 0; i < record->nr_counts; i++)
		record->counts[i] = expected_count(source->id, source->written,
						   i);
	source->written++;
	source->nested += nested;
	pmc_ring_commit(&ring, record, pos);
	in_the_middle--;
}

/* Send one signal: the interrupted code makes progress in between, however slow the host is. */
static void set_timer(unsigned int i)
{
	static const long ns[] = { 31000, 43000 };
	const struct itimerspec next = { .it_value.tv_nsec = ns[i] };
	int err = errno;

	/* It fails if the signal came just before the timer was deleted. */
	timer_settime(timers[i], 0, &next, NULL);
	errno = err;
}

static void on_signal(int sig)
{
	unsigned int i = sig == SIGUSR2;

	write_record(&me->level[i + 1]);
	set_timer(i);
}

/* Interrupts come from the thread's own timers, at any point of its work. */
static void start_timer(int sig)
{
	unsigned int i = sig == SIGUSR2;
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = sig,
	};

	event._sigev_un._tid = gettid();
	if (timer_create(CLOCK_MONOTONIC, &event, &timers[i]))
		abort();
	set_timer(i);
}

static void *write_records(void *arg)
{
	u64 lost = 0;

	me = arg;
	start_timer(SIGUSR1);
	start_timer(SIGUSR2);
	while (!READ_ONCE(stop)) {
		write_record(&me->level[0]);
		/* Let the reader run: a ring that is always full tests little. */
		if (me->level[0].lost - lost > 20) {
			lost = me->level[0].lost;
			sched_yield();
		}
	}
	timer_delete(timers[0]);
	timer_delete(timers[1]);

	return NULL;
}

/* The records that the reader has read. */
static struct {
	u64 seq;
	u64 records;
	u64 lost;
	u64 next[NR_SOURCES];
	const char *wrong;
} seen;

/* No cmocka here: its assertions are for the main thread. */
static void check_record(const struct pmc_record *record)
{
	unsigned int i;

	if (record->seq != ++seen.seq)
		seen.wrong = "records out of order";
	if (record->tid >= NR_SOURCES || record->nr_counts > NR_COUNTS) {
		seen.wrong = "garbage";
		return;
	}
	if (record->time != seen.next[record->tid]++)
		seen.wrong = "a source's record missing, doubled or misplaced";
	if (record->nr_counts != record->time % (NR_COUNTS + 1))
		seen.wrong = "length of another record";
	for (i = 0; i < record->nr_counts; i++) {
		if (record->counts[i] !=
		    expected_count(record->tid, record->time, i))
			seen.wrong = "counts of another record";
	}
	seen.records++;
	seen.lost += record->lost;
}

static bool read_by_call(void)
{
	u64 buf[100];
	ssize_t got = pmc_ring_read(&ring, (char *)buf, sizeof(buf));
	char *p = (char *)buf;

	while (p < (char *)buf + got) {
		const struct pmc_record *record = (void *)p;

		check_record(record);
		p += sizeof(*record) + record->nr_counts * sizeof(u64);
	}

	return got > 0;
}

/* Read like the library, from the mapping alone. */
static bool read_by_mapping(void)
{
	const struct pmc_ring_info *info = ring.info;
	u64 tail = ring.user->tail;
	unsigned int n;

	for (n = 0; n < 7; n++) {
		const struct pmc_record *record = (void *)((char *)info +
			info->data_offset +
			(tail & (info->nr_slots - 1)) * info->slot_size);

		/* Nothing of the record is read before its seq. */
		if (smp_load_acquire(&record->seq) != tail + 1)
			break;
		check_record(record);
		tail++;
	}
	/* Nothing of a record is read after its slot is given back. */
	smp_store_release(&ring.user->tail, tail);

	return n;
}

static void *read_records(void *arg)
{
	bool last = false, any;
	unsigned int n = 0;

	for (;;) {
		/* Read once more after all writers have ended. */
		last = READ_ONCE(writers_done);
		do {
			any = n++ % 64 < 32 ? read_by_call() : read_by_mapping();
			if (n % 1024 == 0)
				usleep(300);
		} while (any);
		if (last)
			return NULL;
		sched_yield();
	}
}

static bool any_nested(void)
{
	unsigned int i, level;

	for (i = 0; i < NR_WRITERS; i++)
		for (level = 0; level < NR_LEVELS; level++)
			if (READ_ONCE(writers[i].level[level].nested))
				return true;
	return false;
}

static bool shows_anything(void)
{
	return READ_ONCE(ring.info->head) >= LEAST &&
	       (NEVER_NESTED || any_nested());
}

static void run(u32 nr_slots, void *(*other_side)(void *))
{
	struct sigaction action = { .sa_handler = on_signal };
	pthread_t other;
	unsigned int i, level;

	memset(writers, 0, sizeof(writers));
	memset(&seen, 0, sizeof(seen));
	stop = false;
	writers_done = false;
	assert_int_equal(pmc_ring_alloc(&ring, nr_slots, NR_COUNTS), 0);
	action.sa_flags = SA_RESTART;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);

	pthread_create(&other, NULL, other_side, NULL);
	for (i = 0; i < NR_WRITERS; i++) {
		for (level = 0; level < NR_LEVELS; level++)
			writers[i].level[level].id = i * NR_LEVELS + level;
		pthread_create(&writers[i].thread, NULL, write_records,
			       &writers[i]);
	}

	/* On a busy host the least number of records takes a while. */
	for (i = 0; i < 6000 && (i < MILLISECONDS / 10 || !shows_anything()); i++)
		usleep(10000);
	WRITE_ONCE(stop, true);
	for (i = 0; i < NR_WRITERS; i++)
		pthread_join(writers[i].thread, NULL);
	WRITE_ONCE(writers_done, true);
	pthread_join(other, NULL);
}

static void nothing_lost_in_silence(u32 nr_slots)
{
	u64 written = 0, lost = 0, nested = 0, pos;
	struct pmc_record *record;
	unsigned int i, level;

	run(nr_slots, read_records);

	for (i = 0; i < NR_WRITERS; i++) {
		for (level = 0; level < NR_LEVELS; level++) {
			const struct source *source = &writers[i].level[level];

			written += source->written;
			lost += source->lost;
			nested += source->nested;
			assert_int_equal(source->written, seen.next[source->id]);
		}
	}
	if (seen.wrong)
		fail_msg("%s", seen.wrong);
	assert_int_equal(seen.records, written);
	assert_int_equal(ring.info->head, written);
	assert_int_equal(pmc_ring_pending(&ring), 0);

	/* Losses at the very end are reported by the next record. */
	record = pmc_ring_reserve(&ring, &pos);
	assert_non_null(record);
	assert_int_equal(seen.lost + record->lost, lost);
	assert_int_equal(pmc_ring_lost(&ring), lost);
	pmc_ring_commit(&ring, record, pos);

	print_message("%llu records, %llu of them in the middle of another, %llu lost\n",
		      (unsigned long long)written, (unsigned long long)nested,
		      (unsigned long long)lost);
	assert_in_range(written, LEAST, U64_MAX);
	if (!NEVER_NESTED)
		assert_in_range(nested, 1, written);
	pmc_ring_free(&ring);
}

static void a_small_ring_that_is_often_full(void **state)
{
	nothing_lost_in_silence(4);
}

static void a_larger_ring(void **state)
{
	nothing_lost_in_silence(NR_SLOTS);
}

/*
 * After a writer has read the head, and before it reads the tail, an interrupt writes and a
 * reader reads everything. The tail is then ahead of the head that the writer has read. The
 * ring is empty, not full.
 */
static u64 overtaken;

static void overtake(int sig)
{
	u64 buf[100], before = ring.user->tail;

	write_record(&me->level[1]);
	while (pmc_ring_read(&ring, (char *)buf, sizeof(buf)) > 0)
		;
	overtaken += ring.user->tail - before;
	set_timer(0);
}

static void an_overtaken_writer_loses_nothing(void **state)
{
	struct sigaction action = { .sa_handler = overtake };
	time_t end = time(NULL) + 2;
	unsigned int i;

	memset(writers, 0, sizeof(writers));
	assert_int_equal(pmc_ring_alloc(&ring, NR_SLOTS, NR_COUNTS), 0);
	sigaction(SIGUSR1, &action, NULL);
	me = &writers[0];
	start_timer(SIGUSR1);
	while (time(NULL) < end) {
		for (i = 0; i < 10000; i++) {
			if (pmc_ring_pending(&ring) < NR_SLOTS / 2)
				write_record(&me->level[0]);
		}
	}
	timer_delete(timers[0]);

	assert_in_range(overtaken, 1000, U64_MAX);
	assert_int_equal(pmc_ring_lost(&ring), 0);
	pmc_ring_free(&ring);
}

#ifndef __SANITIZE_THREAD__	/* writers that overwrite each other do race */
/* Write wrong values of all types to the reader's page. */
static void *spoil_tail(void *arg)
{
	u64 seed = 4;

	while (!READ_ONCE(writers_done)) {
		u64 n = next_random(&seed);
		u64 head = READ_ONCE(ring.info->head);

		switch (n & 7) {
		case 0:
			WRITE_ONCE(ring.user->tail, n);
			break;
		case 1:
			WRITE_ONCE(ring.user->tail, -n);
			break;
		default:
			WRITE_ONCE(ring.user->tail,
				   head - 20 + (n >> 8) % 40);
		}
		pmc_ring_pending(&ring);
		pmc_ring_ready(&ring);
	}

	return NULL;
}

static void a_hostile_reader_harms_no_other(void **state)
{
	const char *end;
	char buf[sizeof(struct pmc_record)];
	struct pmc_record *record;
	u64 pos;

	run(16, spoil_tail);

	/* Only slots and counters were written. */
	assert_int_equal(ring.info->nr_slots, 16);
	assert_int_equal(ring.info->data_offset, PAGE_SIZE);
	assert_int_equal(ring.info->threads_missed, 0);
	assert_int_equal(ring.info->throttled, 0);
	end = (char *)ring.info + PAGE_SIZE + 16 * ring.info->slot_size;
	for (; end < (char *)ring.info + ring.size; end++)
		assert_int_equal(*end, 0);

	/* A correct reader can use the ring again. */
	ring.user->tail = ring.info->head;
	record = pmc_ring_reserve(&ring, &pos);
	assert_non_null(record);
	pmc_ring_commit(&ring, record, pos);
	assert_int_equal(pmc_ring_read(&ring, buf, sizeof(buf)), sizeof(buf));
	pmc_ring_free(&ring);
}
#endif

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_small_ring_that_is_often_full),
		cmocka_unit_test(a_larger_ring),
		cmocka_unit_test(an_overtaken_writer_loses_nothing),
#ifndef __SANITIZE_THREAD__
		cmocka_unit_test(a_hostile_reader_harms_no_other),
#endif
	};

	return cmocka_run_group_tests_name("ring_stress", tests, NULL, NULL);
}
