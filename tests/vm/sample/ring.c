// SPDX-License-Identifier: GPL-2.0
/*
 * Samples from the module to the reader: by read() and by mapping, all at once and in
 * parts, with too little room, and with a reader that writes wrong values.
 *
 * Start and stop take a sample, so the number of samples is known. The event is page
 * faults, which every machine counts.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"

#define RECORD_SIZE	(sizeof(struct pmc_record) + 2 * sizeof(uint64_t))
#define EVENTS		"events sw=minor_faults,sw=major_faults"
#define LATE		10000	/* ms */

/* A sample whose first count is at least @pages. */
static void make_sample(int fd, int pages)
{
	start(fd);
	touch_pages(pages);
	stop(fd);
}

struct map {
	const struct pmc_ring_info *info;
	struct pmc_ring_user *user;
	size_t size;
};

static struct map map_ring(int fd)
{
	struct map m;

	m.info = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, PMC_MMAP_RING);
	if (m.info == MAP_FAILED)
		die("mmap of the head: %s", strerror(errno));
	m.size = m.info->data_offset + (size_t)m.info->nr_slots * m.info->slot_size;
	munmap((void *)m.info, 4096);
	m.info = mmap(NULL, m.size, PROT_READ, MAP_SHARED, fd, PMC_MMAP_RING);
	m.user = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, PMC_MMAP_CONSUMER);
	if (m.info == MAP_FAILED || m.user == MAP_FAILED)
		die("mmap of the ring: %s", strerror(errno));
	return m;
}

static void unmap(struct map *m)
{
	munmap((void *)m->info, m->size);
	munmap(m->user, 4096);
}

static const struct pmc_record *slot(const struct map *m, uint64_t n)
{
	return (void *)((char *)m->info + m->info->data_offset +
			(n & (m->info->nr_slots - 1)) * m->info->slot_size);
}

/* The mapping contains the same records as read(). */
static void mapping_and_read(void)
{
	int fd = open_session(), i;
	struct records records = { };
	struct map m;

	command(fd, "ring 20\n" EVENTS);
	m = map_ring(fd);
	same(m.info->nr_slots, 32, "slots of a ring of 20");
	if (m.info->slot_size < RECORD_SIZE)
		fail("slots of %u bytes", m.info->slot_size);
	for (i = 1; i <= 30; i++)
		make_sample(fd, i);
	same(m.info->head, 30, "records in the ring");
	same(m.info->lost, 0, "lost records");
	same(m.user->tail, 0, "records consumed");
	read_records(fd, &records);
	same(records.nr, 30, "records read");
	same(m.user->tail, 30, "records consumed by read()");
	for (i = 0; i < 30; i++) {
		same(slot(&m, i)->seq, i + 1, "seq of slot %d", i);
		if (memcmp(slot(&m, i), &records.all[i], RECORD_SIZE))
			fail("record %d differs between mapping and read()", i);
		within(records.all[i].counts[0], i + 1, i + 12, "faults in sample %d", i);
		same(records.all[i].head.event, PMC_SAMPLE_SELF, "event");
		same(records.all[i].head.tid, gettid(), "tid");
		same(records.all[i].head.pid, getpid(), "pid");
		same(records.all[i].head.nr_counts, 2, "counts in a record");
	}
	check_records(&records);
	/* By the mapping alone: the reader moves the tail. */
	make_sample(fd, 1);
	same(slot(&m, 30)->seq, 31, "seq of the next");
	m.user->tail = 31;
	same(read_records(fd, &records), 0, "records for read() behind the mapping's reader");
	unmap(&m);
	forget_records(&records);
	close(fd);
}

/* A full ring loses samples and reports how many and where; no counts are lost. */
static void overflowing(void)
{
	long long lost = proc_value("stats", "lost");
	int fd = open_session(), i;
	struct records records = { };
	uint64_t all = 0, reported;
	struct map m;

	command(fd, "ring 16\n" EVENTS);
	m = map_ring(fd);
	for (i = 0; i < 50; i++)
		make_sample(fd, 3);
	all = own_count(fd, -1, 0, 0);
	same(m.info->lost, 34, "lost samples in the ring's head");
	same(proc_value("stats", "lost") - lost, 34, "lost samples in /proc/pmc/stats");
	read_records(fd, &records);
	same(records.nr, 16, "records that found room");
	same(records.all[15].head.seq, 16, "seq of the last of them");
	reported = sum_records(&records, 0, -1, -1, 0);
	if (reported >= all)
		fail("%llu faults in the samples, %llu in all",
		     (unsigned long long)reported, (unsigned long long)all);
	same(total(fd, -1, 0, 0), all, "session's total in spite of loss");
	make_sample(fd, 1);
	make_sample(fd, 1);
	same(read_records(fd, &records), 2, "records when there is room again");
	same(records.all[16].head.lost, 34, "lost before the first of them");
	same(records.all[16].head.seq, 17, "its seq");
	same(records.all[17].head.lost, 0, "lost before the second");
	unmap(&m);
	forget_records(&records);
	close(fd);
}

/* Any tail that the reader writes is harmless for the module. */
static void hostile_tail(void)
{
	static const uint64_t tails[] = {
		1, 15, 16, 17, 1000000, ~0ULL, ~0ULL - 15, 1ULL << 63, (1ULL << 63) - 1,
		1ULL << 32, 0xffffffff, 0xfffffff0,
	};
	int fd = open_session(), round;
	struct records records = { };
	unsigned int i;
	struct map m;

	command(fd, "ring 16\n" EVENTS);
	m = map_ring(fd);
	for (round = 0; round < 200; round++) {
		for (i = 0; i < sizeof(tails) / sizeof(*tails); i++) {
			m.user->tail = tails[i] + round;
			if (round % 3)
				make_sample(fd, 1);
			m.user->tail = tails[i] * (round + 1);
			read_records(fd, &records);
			forget_records(&records);
		}
	}
	/* With a correct tail the ring works again. */
	m.user->tail = m.info->head;
	make_sample(fd, 5);
	same(read_records(fd, &records), 1, "records after a hostile reader");
	within(sum_records(&records, 0, -1, -1, 0), 5, 16, "faults in it");
	forget_records(&records);
	unmap(&m);
	close(fd);
}

static void map_refused(int fd, int prot, int flags, size_t size, long long offset,
			int error, const char *what)
{
	void *p = mmap(NULL, size, prot, flags, fd, offset);

	if (p != MAP_FAILED) {
		fail("mmap: %s: it worked", what);
		munmap(p, size);
	} else {
		same(errno, error, "mmap: %s: errno", what);
	}
}

static void mappings(void)
{
	int fd = open_session(), read_only;
	struct map m;

	command(fd, "ring 16\n" EVENTS);
	m = map_ring(fd);
	map_refused(fd, PROT_READ | PROT_WRITE, MAP_SHARED, m.size, PMC_MMAP_RING, EPERM, "writable ring");
	map_refused(fd, PROT_READ, MAP_PRIVATE, m.size, PMC_MMAP_RING, EINVAL, "private ring");
	map_refused(fd, PROT_READ, MAP_SHARED, m.size + 8192, PMC_MMAP_RING, EINVAL, "more than the ring");
	map_refused(fd, PROT_READ, MAP_SHARED, 4096, 4096, EINVAL, "the middle of the ring");
	map_refused(fd, PROT_READ, MAP_SHARED, 8192, PMC_MMAP_CONSUMER, EINVAL, "more than the tail's page");
	map_refused(fd, PROT_READ, MAP_PRIVATE, 4096, PMC_MMAP_CONSUMER, EINVAL, "private tail");
	map_refused(fd, PROT_READ, MAP_SHARED, 4096, PMC_MMAP_CALIPER, ESRCH, "page of a thread not counted");
	map_refused(fd, PROT_READ, MAP_SHARED, 4096, 0x60000000, EINVAL, "nothing");
	start(fd);
	map_refused(fd, PROT_READ | PROT_WRITE, MAP_SHARED, 4096, PMC_MMAP_CALIPER, EINVAL, "writable page");
	map_refused(fd, PROT_READ, MAP_SHARED, 8192, PMC_MMAP_CALIPER, EINVAL, "two pages");
	/* The mapping cannot be made writable later. */
	same(mprotect((void *)m.info, m.size, PROT_READ | PROT_WRITE), -1, "mprotect of the ring");
	same(errno, EACCES, "errno of it");
	/* Children cannot be made to inherit the mapping, and keep the session by it. */
	same(madvise((void *)m.info, m.size, MADV_DOFORK), -1, "MADV_DOFORK of the ring");
	same(errno, EINVAL, "errno of it");
	same(madvise(m.user, 4096, MADV_DOFORK), -1, "MADV_DOFORK of the tail's page");
	same(errno, EINVAL, "errno of it");
	read_only = open("/proc/pmc/monitor", O_RDONLY);
	if (read_only >= 0) {
		map_refused(read_only, PROT_READ | PROT_WRITE, MAP_SHARED, 4096,
			    PMC_MMAP_CONSUMER, EACCES, "writable tail of a file open to read");
		close(read_only);
	}
	unmap(&m);
	close(fd);
}

/* ---- read() and poll() ---- */

static void short_buffers(void)
{
	void *volatile nowhere = (void *)8;
	int fd = open("/proc/pmc/monitor", O_RDONLY), i;
	char buf[8 * RECORD_SIZE + 16];

	same(read(fd, buf, sizeof(buf)), -1, "read() of a file that takes no commands");
	same(errno, ENODATA, "errno of it");
	close(fd);
	fd = open_session();
	command(fd, EVENTS);
	same(read(fd, buf, sizeof(buf)), -1, "read() before anything was counted");
	same(errno, EAGAIN, "errno of it");
	for (i = 0; i < 7; i++)
		make_sample(fd, 1);
	same(read(fd, buf, RECORD_SIZE - 1), -1, "read() of less than a record");
	same(errno, EINVAL, "errno of it");
	same(read(fd, buf, 0), -1, "read() of nothing");
	same(read(fd, buf, RECORD_SIZE), RECORD_SIZE, "read() of one");
	same(((struct pmc_record *)buf)->seq, 1, "its seq");
	same(read(fd, buf, 3 * RECORD_SIZE - 1), 2 * RECORD_SIZE, "read() of nearly three");
	same(((struct pmc_record *)buf)->seq, 2, "seq of the first");
	same(read(fd, nowhere, 4 * RECORD_SIZE), -1, "read() to nowhere");
	same(errno, EFAULT, "errno of it");
	same(read(fd, buf, sizeof(buf)), 4 * RECORD_SIZE, "read() of the rest");
	same(((struct pmc_record *)buf)->seq, 4, "seq of the first");
	same(read(fd, buf, sizeof(buf)), -1, "read() of an empty ring");
	same(errno, EAGAIN, "errno of it");
	command(fd, "stop");
	same(read(fd, buf, sizeof(buf)), RECORD_SIZE, "read() of the stop's record");
	if (!(((struct pmc_record *)buf)->flags & PMC_REC_LAST))
		fail("the last record does not say so");
	same(read(fd, buf, sizeof(buf)), 0, "read() at the end");
	close(fd);
}

static int poll_now(int fd, int timeout)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int ret = poll(&p, 1, timeout);

	if (ret < 0)
		die("poll: %s", strerror(errno));
	return ret ? p.revents : 0;
}

static void polls(void)
{
	int fd = open("/proc/pmc/monitor", O_RDONLY), i;
	struct records records = { };

	same(poll_now(fd, 0), POLLERR, "poll() of a file that takes no commands");
	close(fd);
	fd = open_session();
	command(fd, "wakeup 5\n" EVENTS);
	same(poll_now(fd, 0), 0, "poll() before anything is counted");
	for (i = 1; i <= 5; i++) {
		make_sample(fd, 1);
		same(poll_now(fd, 0), i < 5 ? 0 : POLLIN, "poll() with %d of 5 records", i);
	}
	read_records(fd, &records);
	same(poll_now(fd, 0), 0, "poll() when they are read");
	make_sample(fd, 1);
	command(fd, "stop");
	same(poll_now(fd, 0), POLLIN | POLLHUP, "poll() after stop, with records");
	read_records(fd, &records);
	same(records.nr, 7, "records");
	same(poll_now(fd, 0), POLLHUP, "poll() after stop, all read");
	forget_records(&records);
	close(fd);
}

static void *wait_for_records(void *fd)
{
	same(poll_now(*(int *)fd, LATE), POLLIN, "poll() of a reader that waits");
	return NULL;
}

/* A reader waits for more records than there are, until fewer are enough. */
static void fewer_are_enough(void)
{
	struct timespec before, after;
	int fd = open_session(), i;
	pthread_t id;
	long ms;

	command(fd, "wakeup 5\n" EVENTS);
	for (i = 0; i < 3; i++)
		make_sample(fd, 1);
	clock_gettime(CLOCK_MONOTONIC, &before);
	if (pthread_create(&id, NULL, wait_for_records, &fd))
		die("no thread");
	usleep(100000);
	command(fd, "wakeup 4");
	usleep(100000);
	command(fd, "wakeup 3");
	pthread_join(id, NULL);
	clock_gettime(CLOCK_MONOTONIC, &after);
	ms = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
	/* At its timeout poll() would look once more. */
	within(ms, 195, LATE - 1, "ms until a reader is woken by another wakeup");
	close(fd);
}

struct sampling {
	int fd;
	int seen;
};

/* The thread's end adds a record, so the thread waits until the first record was read. */
static void *sampler(void *arg)
{
	struct sampling *s = arg;
	char c;

	usleep(100000);
	make_sample(s->fd, 2);
	if (read(s->seen, &c, 1) != 1)
		die("read: %s", strerror(errno));
	return NULL;
}

/* A waiting reader is woken by a sample, by the end, and by a signal. */
static void waiting(void)
{
	struct timespec before, after;
	struct pmc_record *r;
	struct sampling s;
	pthread_t id;
	char buf[4096];
	ssize_t len;
	int fd, i, seen[2];
	long ms;

	if (pipe(seen))
		die("pipe: %s", strerror(errno));
	for (i = 0; i < 2; i++) {
		fd = open_session();
		fcntl(fd, F_SETFL, 0);
		command(fd, EVENTS);
		clock_gettime(CLOCK_MONOTONIC, &before);
		s = (struct sampling){ fd, seen[0] };
		pthread_create(&id, NULL, sampler, &s);
		if (i) {
			same(poll_now(fd, 5000), POLLIN, "poll() that waits");
			fcntl(fd, F_SETFL, O_NONBLOCK);
		}
		len = read(fd, buf, sizeof(buf));
		clock_gettime(CLOCK_MONOTONIC, &after);
		fcntl(fd, F_SETFL, 0);
		ms = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
		r = (void *)buf;
		same(len, RECORD_SIZE, "read() that waits");
		same(r->event, PMC_SAMPLE_SELF, "event of what it waited for");
		CHECK(ms >= 90, "it waited for %ld ms", ms);
		if (write(seen[1], "", 1) != 1)
			die("write: %s", strerror(errno));
		len = read(fd, buf, sizeof(buf));
		same(len, RECORD_SIZE, "read() that waits for the end of a thread");
		same(r->event, PMC_SAMPLE_EXIT, "event of that");
		same(read(fd, buf, sizeof(buf)), 0, "read() when all have ended");
		pthread_join(id, NULL);
		close(fd);
	}
	close(seen[0]);
	close(seen[1]);
}

static void nothing(int signal)
{
	(void)signal;
}

static void interrupted(void)
{
	struct sigaction action = { .sa_handler = nothing };
	int fd = open_session();
	char buf[4096];

	sigaction(SIGALRM, &action, NULL);
	fcntl(fd, F_SETFL, 0);
	command(fd, EVENTS);
	start(fd);
	/* The first signal may come before read(). */
	ualarm(50000, 50000);
	same(read(fd, buf, sizeof(buf)), -1, "read() that a signal interrupts");
	same(errno, EINTR, "errno of it");
	ualarm(0, 0);
	stop(fd);
	same(read(fd, buf, sizeof(buf)), RECORD_SIZE, "read() after that");
	close(fd);
}

static void ring_sizes(void)
{
	int fd = open_session(), other;

	refused(fd, EINVAL, "0", "ring 0");
	refused(fd, EINVAL, "-1", "ring -1");
	refused(fd, EINVAL, "many", "ring many");
	command(fd, "ring 1000000000");
	command(fd, EVENTS);
	other = try_command(fd, "attach %d", getpid());
	if (!other)
		fail("a ring of 1000000000 samples was made");
	mentions(why(fd), "ring", "the refusal of a ring too big");
	command(fd, "ring 1\nattach %d\nstop", getpid());
	close(fd);
}

int main(void)
{
	read_machine();
	/* On another core type, in the middle of a sample, it would be two. */
	pin(0, 0);
	mapping_and_read();
	overflowing();
	hostile_tail();
	mappings();
	short_buffers();
	polls();
	fewer_are_enough();
	waiting();
	interrupted();
	ring_sizes();
	unpin(0);
	wait_until_idle();
	return result();
}
