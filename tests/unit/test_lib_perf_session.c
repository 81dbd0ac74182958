// SPDX-License-Identifier: GPL-2.0
/*
 * Without the kernel module: sessions whose files are pipes, of which each read() returns what the test
 * wrote, and what children of fork() do with them
 */
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib.h"
#include "perf_protocol.h"
#include "perf_session.h"
#include "perf_set.h"

/* What read() of a group of one event returns */
static void count(int fd, uint64_t running, uint64_t counted)
{
	const uint64_t values[] = { 1, running, running, counted };

	assert_int_equal(write(fd, values, sizeof(values)), sizeof(values));
}

static void check_total(pmc_session_t *session, uint64_t expected, int accuracy)
{
	uint64_t counts[PMC_MAX_COUNTS];

	assert_int_equal(pmc_session_totals(session, PMC_EVERY_CORE_TYPE, 0, counts, NULL, NULL), 1);
	assert_int_equal(counts[0], expected);
	assert_int_equal(pmc_session_accuracy(session, PMC_EVERY_CORE_TYPE, 0, 0, NULL), accuracy);
}

/* A session that counts a set and a clock, of which each read() returns what one write() wrote */
struct by_hand {
	pmc_session_t *session;
	struct perf_session *s;
	struct perf_group *groups;
	int set[2], clock[2];
};

static void begin_by_hand(struct by_hand *by)
{
	struct perf_session *s;

	by->session = perf_session_open();
	assert_non_null(by->session);
	by->s = s = by->session->data;
	assert_int_equal(pipe2(by->set, O_DIRECT | O_NONBLOCK), 0);
	assert_int_equal(pipe2(by->clock, O_DIRECT | O_NONBLOCK), 0);
	s->nr_sets = 2;
	s->sets = calloc(2, sizeof(*s->sets));
	s->sums = calloc(2, sizeof(*s->sums));
	s->sets[0].nr = 1;
	s->sets[1].index = -1;
	s->nr_subjects = 1;
	s->subjects = calloc(1, sizeof(*s->subjects));
	s->subjects[0].pidfd = -1;
	s->subjects[0].values = calloc(6, sizeof(struct perf_values));
	s->subjects[0].last = s->subjects[0].values;
	s->subjects[0].now = s->subjects[0].values + 2;
	s->subjects[0].second = s->subjects[0].values + 4;
	s->subjects[0].nr_threads = 1;
	s->subjects[0].threads = calloc(1, sizeof(struct perf_thread));
	by->groups = calloc(2, sizeof(*by->groups));
	s->subjects[0].threads[0].groups = by->groups;
	by->groups[0].nr = by->groups[1].nr = 1;
	by->groups[0].fds[0] = by->set[0];
	by->groups[1].fds[0] = by->clock[0];
}

static void end_by_hand(struct by_hand *by)
{
	pmc_session_close(by->session);
	close(by->set[1]);
	close(by->clock[1]);
}

/*
 * The kernel returns no bytes for a pinned clock that it has no counter for. The other groups are
 * read all the same. Totals are not called exact while a group cannot be read.
 */
static void test_unreadable(void **state)
{
	pmc_session_t *session;
	struct by_hand by;

	begin_by_hand(&by);
	session = by.session;
	count(by.set[1], 1000, 5);
	count(by.clock[1], 1000, 7);
	assert_int_equal(pmc_session_command(session, "sample"), 0);
	check_total(session, 5, PMC_EXACT);
	assert_int_equal(pmc_session_command(session, "sample"), 0);
	check_total(session, 5, PMC_PARTIAL);
	close(by.clock[1]);
	count(by.set[1], 2000, 11);
	assert_int_equal(pmc_session_command(session, "sample"), 0);
	check_total(session, 11, PMC_PARTIAL);
	/* The clock has not gone back. */
	assert_int_equal(by.s->subjects[0].last[1].running, 1000);
	by.groups[1].nr = 0;
	close(by.clock[0]);
	count(by.set[1], 3000, 12);
	assert_int_equal(pmc_session_command(session, "sample"), 0);
	check_total(session, 12, PMC_EXACT);
	close(by.set[1]);
	pmc_session_close(session);
}

/* So many calls of read() fail, as perf's do while a thread that inherited counters ends. */
static int nr_refused;

ssize_t __real_read(int fd, void *buf, size_t size);
ssize_t __wrap_read(int fd, void *buf, size_t size);
ssize_t __wrap_read(int fd, void *buf, size_t size)
{
	if (!nr_refused)
		return __real_read(fd, buf, size);
	nr_refused--;
	errno = ECHILD;
	return -1;
}

static void stop_after(int refused, uint64_t expected, int accuracy, uint64_t losses)
{
	struct by_hand by;

	begin_by_hand(&by);
	count(by.set[1], 1000, 5);
	count(by.clock[1], 1000, 7);
	assert_int_equal(pmc_session_command(by.session, "sample"), 0);
	count(by.set[1], 2000, 11);
	count(by.clock[1], 2000, 14);
	nr_refused = refused;
	assert_int_equal(pmc_session_command(by.session, "stop"), 0);
	nr_refused = 0;
	check_total(by.session, expected, accuracy);
	assert_int_equal(pmc_session_losses(by.session), losses);
	end_by_hand(&by);
}

/* A last reading that is refused is made again; if that does not help, counts are lost and that is said. */
static void test_last_reading(void **state)
{
	stop_after(0, 11, PMC_EXACT, 0);
	stop_after(3, 11, PMC_EXACT, 0);
	stop_after(INT_MAX, 5, PMC_PARTIAL, 1);
}

/* A reading in between is made again, too; the next one has what it lacks. */
static void test_refused_in_between(void **state)
{
	struct by_hand by;

	begin_by_hand(&by);
	count(by.set[1], 1000, 5);
	count(by.clock[1], 1000, 7);
	nr_refused = 3;
	assert_int_equal(pmc_session_command(by.session, "sample"), 0);
	check_total(by.session, 5, PMC_EXACT);
	nr_refused = INT_MAX;
	assert_int_equal(pmc_session_command(by.session, "sample"), 0);
	nr_refused = 0;
	check_total(by.session, 5, PMC_PARTIAL);
	count(by.set[1], 2000, 11);
	count(by.clock[1], 2000, 14);
	assert_int_equal(pmc_session_command(by.session, "sample"), 0);
	check_total(by.session, 11, PMC_EXACT);
	assert_int_equal(pmc_session_losses(by.session), 0);
	end_by_hand(&by);
}

/* The largest pipe that the user may have */
static unsigned int largest_pipe = -1;

int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...)
{
	unsigned int arg;
	va_list ap;

	/* The kernel takes 32 bits of the argument, too. */
	va_start(ap, command);
	arg = va_arg(ap, unsigned int);
	va_end(ap);
	if (command != F_SETPIPE_SZ || arg <= largest_pipe)
		return __real_fcntl(fd, command, arg);
	errno = EPERM;
	return -1;
}

static int start_with_ring(struct by_hand *by, unsigned int ring)
{
	begin_by_hand(by);
	by->s->ring = ring;
	return perf_sampler_start(by->s, by->session->fd);
}

/* A record of one count has 72 bytes, and 56 of them are in a page. */
static void ring_has_room(unsigned int ring, int size)
{
	struct by_hand by;

	if (start_with_ring(&by, ring))
		fail_msg("ring %u: %s", ring, pmc_last_error());
	assert_true(fcntl(by.s->out, F_GETPIPE_SZ) >= size);
	end_by_hand(&by);
}

static void ring_is_refused(unsigned int ring, int err, const char *why)
{
	struct by_hand by;

	assert_int_equal(start_with_ring(&by, ring), -1);
	assert_int_equal(errno, err);
	check_error(why);
	assert_int_equal(by.s->out, -1);
	end_by_hand(&by);
}

/* The pipe has room for as many samples as `ring` asks for, or counting does not begin. */
static void test_ring(void **state)
{
	largest_pipe = 1 << 20;
	ring_has_room(1, 72);
	ring_has_room(4096, 4096 * 72);
	ring_has_room(256 * 56, 1 << 20);
	ring_is_refused(256 * 56 + 1, EPERM, "ring: 14337 samples need 1028 KiB");
	ring_is_refused(100000, EPERM, "/proc/sys/fs/pipe-max-size");
	/* All pipes of a user may be too large together. */
	largest_pipe = 4096;
	ring_is_refused(57, EPERM, "ring: 57 samples need 8 KiB: Operation not permitted; "
			"without CAP_SYS_RESOURCE /proc/sys/fs/pipe-max-size is the limit for "
			"one session, pipe-user-pages-soft for all pipes of a user");
	/* 4 GiB and a page */
	ring_is_refused(((1 << 20) + 1) * 56, ENOMEM, "ring: 58720312 samples need 4194308 KiB");
	ring_is_refused(INT_MAX, ENOMEM, "ring: 2147483647 samples");
	largest_pipe = -1;
}

/* Children of fork() close this session; the test forks at one of its next calls of close(). */
static struct {
	pmc_session_t *session;
	int at;			/* two for each call, before and after it; 0: at none */
	int in_child;
} forks;

static void fork_and_close(void)
{
	int status;
	pid_t pid;

	if (!forks.at || --forks.at)
		return;
	pid = fork();
	if (!pid) {
		forks.in_child = 1;
		pmc_session_close(forks.session);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
	int rc;

	fork_and_close();
	rc = __real_close(fd);
	/* The number may be another file's. */
	if (rc && forks.in_child)
		_exit(EBADF);
	fork_and_close();
	return rc;
}

#define THREADS	3

/* More threads, and a file for the process */
static void add_threads(struct by_hand *by)
{
	struct perf_subject *subject = &by->s->subjects[0];
	int i, set;

	subject->threads = realloc(subject->threads, THREADS * sizeof(*subject->threads));
	for (i = 1; i < THREADS; i++) {
		subject->threads[i].groups = calloc(2, sizeof(struct perf_group));
		for (set = 0; set < 2; set++) {
			subject->threads[i].groups[set].nr = 1;
			subject->threads[i].groups[set].fds[0] = dup(by->set[0]);
		}
	}
	subject->nr_threads = THREADS;
	subject->pidfd = dup(by->set[0]);
}

/*
 * The sampler closes a process that has ended while another thread calls fork(), which does not
 * wait for it. The child may close the session, whatever the sampler has just done.
 */
static void test_forks_meanwhile(void **state)
{
	const int nr_files = 2 * THREADS + 1;
	struct by_hand by;
	int at;

	for (at = 1; at <= 2 * nr_files; at++) {
		begin_by_hand(&by);
		add_threads(&by);
		forks.session = by.session;
		forks.at = at;
		perf_subject_close(by.s, &by.s->subjects[0]);
		assert_int_equal(forks.at, 0);
		end_by_hand(&by);
	}
}

/* As between the two stores that make a reading the last one */
static void test_fork_at_a_sample(void **state)
{
	struct by_hand by;

	begin_by_hand(&by);
	by.s->subjects[0].now = by.s->subjects[0].last;
	end_by_hand(&by);
}

/* <sanitizer/allocator_interface.h>, which not every compiler has */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
					      void (*on_free)(const volatile void *));

#define FREED	((void *)1)

static int nr_allocations;
static const volatile void *fork_before_free;

/* fork() follows when this memory has been freed, at the next call of malloc() or free(). */
static const volatile void *fork_after_free;

static void fork_if_freed(void)
{
	if (fork_after_free != FREED)
		return;
	fork_after_free = NULL;
	forks.at = 1;
	fork_and_close();
}

static void on_malloc(const volatile void *ptr, size_t size)
{
	nr_allocations++;
	fork_if_freed();
}

static void on_free(const volatile void *ptr)
{
	nr_allocations++;
	fork_if_freed();
	if (ptr && ptr == fork_after_free)
		fork_after_free = FREED;
	if (!ptr || ptr != fork_before_free)
		return;
	fork_before_free = NULL;
	forks.at = 1;
	fork_and_close();
}

static void hook_allocations(void)
{
	static int hooked;

	hooked = hooked || __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
	assert_true(hooked);
}

/* fork() while a thread forgets two processes, of which one is gone already */
static void test_fork_at_clear(void **state)
{
	struct perf_subject *subjects;
	struct by_hand by;

	hook_allocations();
	begin_by_hand(&by);
	subjects = realloc(by.s->subjects, 2 * sizeof(*subjects));
	subjects[1] = (struct perf_subject){
		.pidfd = -1, .values = calloc(4, sizeof(struct perf_values)),
	};
	by.s->subjects = subjects;
	by.s->nr_subjects = 2;
	forks.session = by.session;
	fork_before_free = subjects[1].values;
	assert_int_equal(pmc_session_command(by.session, "clear"), 0);
	assert_null(fork_before_free);
	end_by_hand(&by);
}

/* fork() while a thread adds an event set */
static void test_fork_at_events(void **state)
{
	struct by_hand by;

	hook_allocations();
	begin_by_hand(&by);
	by.s->sets[1].index = 0;
	forks.session = by.session;
	fork_after_free = by.s->sets;
	assert_int_equal(pmc_session_command(by.session, "events sw=page_faults"), 0);
	assert_null(fork_after_free);
	assert_int_equal(by.s->nr_sets, 3);
	end_by_hand(&by);
}

/* Handlers of signals, which may interrupt malloc(), read sessions and stop them. */
static void test_takes_no_memory(void **state)
{
	struct pmc_reading reading;
	struct by_hand by;
	int before;

	hook_allocations();
	begin_by_hand(&by);
	assert_true(nr_allocations > 0);
	/* As attach does */
	assert_int_equal(session_take_buffer(by.session), 0);
	count(by.set[1], 1000, 5);
	count(by.clock[1], 1000, 7);
	count(by.set[1], 2000, 11);
	count(by.clock[1], 2000, 14);
	before = nr_allocations;
	assert_int_equal(pmc_session_command(by.session, "sample"), 0);
	assert_int_equal(pmc_session_next(by.session, &reading), 0);
	check_total(by.session, 5, PMC_EXACT);
	assert_int_equal(pmc_session_command(by.session, "stop"), 0);
	check_total(by.session, 11, PMC_EXACT);
	assert_int_equal(nr_allocations, before);
	end_by_hand(&by);
}

/* Nor do they if the process has ended, whose children may still count. */
static void test_end_takes_no_memory(void **state)
{
	struct by_hand by;
	int before, i;

	hook_allocations();
	begin_by_hand(&by);
	by.s->subjects[0].pidfd = eventfd(1, 0);
	for (i = 0; i < 3; i++) {
		count(by.set[1], 2000, 11);
		count(by.clock[1], 2000, 14);
	}
	before = nr_allocations;
	assert_int_equal(pmc_session_command(by.session, "stop"), 0);
	check_total(by.session, 11, PMC_EXACT);
	assert_int_equal(nr_allocations, before);
	end_by_hand(&by);
}

/* Totals of perf's turns are scaled; the counts that differences are scaled of are not. */
static void test_unscaled(void **state)
{
	pmc_session_t *session = perf_session_open();
	struct pmc_set_counts sets[2];
	struct perf_session *s;
	int i;

	assert_non_null(session);
	s = session->data;
	s->nr_sets = 2;
	s->sets = calloc(2, sizeof(*s->sets));
	s->sums = calloc(2, sizeof(*s->sums));
	s->nr_subjects = 1;
	s->subjects = calloc(1, sizeof(*s->subjects));
	s->subjects[0].pidfd = -1;
	s->subjects[0].done = 1;
	s->subjects[0].values = calloc(4, sizeof(struct perf_values));
	s->subjects[0].last = s->subjects[0].values;
	for (i = 0; i < 2; i++) {
		s->sets[i].index = i;
		s->sets[i].nr = 1;
		s->subjects[0].last[i].enabled = 100;
	}
	s->subjects[0].last[0].running = 25;
	s->subjects[0].last[0].counts[0] = 7;
	s->subjects[0].last[1].running = 100;
	s->subjects[0].last[1].counts[0] = 9;
	check_total(session, 28, PMC_ESTIMATED);
	assert_int_equal(pmc_session_unscaled(session, 0, sets, 2), 0);
	assert_int_equal(sets[0].nr_counts, 1);
	assert_int_equal(sets[0].counts[0], 7);
	assert_int_equal(sets[0].running, 25);
	assert_int_equal(sets[0].available, 100);
	assert_int_equal(sets[1].set, 1);
	assert_int_equal(sets[1].counts[0], 9);
	assert_int_equal(sets[1].running, 100);
	assert_int_equal(sets[1].available, 100);
	assert_int_equal(pmc_session_unscaled(session, 1, sets, 1), -1);
	assert_int_equal(errno, EINVAL);
	pmc_session_close(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_last_reading),
		cmocka_unit_test(test_refused_in_between),
		cmocka_unit_test(test_takes_no_memory),
		cmocka_unit_test(test_end_takes_no_memory),
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_forks_meanwhile),
		cmocka_unit_test(test_fork_at_clear),
		cmocka_unit_test(test_fork_at_events),
		cmocka_unit_test(test_fork_at_a_sample),
		cmocka_unit_test(test_unscaled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
