// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Samples of a session without the kernel module: a thread reads the counts at each end of
 * the period and when a process has ended, and writes records into a
 * pipe. The reader gets them as it gets those of the kernel module, and the end of the pipe
 * tells that no more will come.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "error.h"
#include "perf_accuracy.h"
#include "perf_session.h"
#include "thread_comm.h"

/* The sampler waits for two files, and then for processes. */
#define FIRST_PROCESS	2
/* A reading is tried for 10 ms. */
#define READ_TRIES	100

struct record {
	struct pmc_record head;
	__u64 counts[PMC_MAX_COUNTS + PMC_NAME_LEN / sizeof(__u64)];
};

/* A pipe takes so few bytes as a whole, or none. */
_Static_assert(sizeof(struct record) <= PIPE_BUF, "a record is larger than PIPE_BUF");

static size_t record_size(unsigned int nr_counts, int has_name)
{
	return offsetof(struct record, counts[nr_counts]) + (has_name ? PMC_NAME_LEN : 0);
}

static void write_record(struct perf_session *s, struct record *r)
{
	size_t size = record_size(r->head.nr_counts, r->head.flags & PMC_REC_NAME);

	if (s->out < 0)
		return;
	r->head.seq = s->seq + 1;
	r->head.lost = s->lost;
	if (write(s->out, r, size) != (ssize_t)size) {
		s->lost++;
		__atomic_store_n(&s->all_lost, s->all_lost + 1, __ATOMIC_RELAXED);
		return;
	}
	s->seq++;
	s->lost = 0;
}

static int first_cpu(const struct perf_session *s, int core_type)
{
	return atoi(pmc_machine_core_type(s->machine, core_type)->cpus);
}

/* The record of a set. Return: has it counted anything since the last sample? */
static int fill_record(const struct perf_session *s, const struct perf_subject *subject,
		       const struct perf_set *set, const struct perf_values *now,
		       const struct perf_values *last, struct record *r)
{
	int i, seen;

	memset(r, 0, sizeof(*r));
	r->head.running = now->running - last->running;
	r->head.pid = subject->process;
	r->head.tid = subject->pid;
	r->head.cpu = subject->cpu < 0 ? first_cpu(s, set->core_type) : subject->cpu;
	r->head.core_type = set->core_type;
	r->head.set = set->index;
	r->head.nr_counts = set->nr;
	r->head.flags = subject->cpu < 0 ? 0 : PMC_REC_SYSWIDE;
	seen = r->head.running > 0;
	for (i = 0; i < set->nr; i++) {
		r->counts[i] = now->counts[i] - last->counts[i];
		seen |= r->counts[i] > 0;
	}
	return seen;
}

/* A process that has ended has its name until the parent has waited for it. */
static void put_name(const struct perf_session *s, struct record *r)
{
	char name[PMC_THREAD_NAME];

	if (!s->names || r->head.flags & PMC_REC_SYSWIDE)
		return;
	names_read(name, r->head.pid, r->head.tid);
	if (!*name)
		return;
	memcpy(r->counts + r->head.nr_counts, name, sizeof(name));
	r->head.flags |= PMC_REC_NAME;
}

/* One record for each set that has counted; the very last one has a mark. */
static void write_records(struct perf_session *s, const struct perf_subject *subject,
			  const struct perf_values *now, sample_type_t type, int last)
{
	struct record records[2], *waiting = NULL, *r = records;
	__u64 time = perf_now();
	int i, set, first = -1;

	for (i = 0; i <= s->nr_sets; i++) {
		/* At the end: a record without counts, if no set has any. */
		set = i < s->nr_sets ? i : first;
		if (set < 0 || s->sets[set].index < 0 || (i == s->nr_sets && (waiting || !last)))
			continue;
		if (first < 0 && (subject->cpu < 0 || subject->threads[0].groups[set].nr))
			first = set;
		if (!fill_record(s, subject, &s->sets[set], &now[set], &subject->last[set], r) &&
		    i < s->nr_sets)
			continue;
		r->head.time = time;
		r->head.elapsed = time - subject->last_time;
		r->head.event = type;
		if (waiting)
			write_record(s, waiting);
		waiting = r;
		r = r == records ? records + 1 : records;
	}
	if (!waiting)
		return;
	if (last) {
		waiting->head.flags |= PMC_REC_LAST;
		put_name(s, waiting);
	}
	write_record(s, waiting);
}

/* Times of one group need no slack. */
static void note_losses(struct perf_session *s, struct perf_subject *subject,
			const struct perf_values *now)
{
	__u64 missed = perf_missed(s->sets, now, s->nr_sets);
	__u64 slack = s->by_cpu || s->nr_sets == 1 ? 0 : s->slack;

	if (missed <= subject->missed + slack)
		return;
	subject->missed = missed;
	__atomic_store_n(&s->losses, s->losses + 1, __ATOMIC_RELAXED);
}

/* perf refuses to read counts while a thread that inherited the counters ends. */
static int read_again(const struct perf_session *s, const struct perf_subject *subject,
		      struct perf_values *now)
{
	static const struct timespec pause = { .tv_nsec = 100000 };
	int rc, tries = READ_TRIES;

	while ((rc = perf_subject_read(s, subject, now)) < 0 && errno == EAGAIN && --tries)
		nanosleep(&pause, NULL);
	return rc;
}

/* No later reading has what the last one lacks: what was counted since the one before is lost. */
static void lose_last_counts(struct perf_session *s, struct perf_subject *subject,
			     struct perf_values *now)
{
	memcpy(now, subject->last, s->nr_sets * sizeof(*now));
	__atomic_store_n(&s->losses, s->losses + 1, __ATOMIC_RELAXED);
}

static void sample(struct perf_session *s, struct perf_subject *subject, sample_type_t type,
		   int last)
{
	struct perf_values *now = subject->now;
	int rc;

	if (subject->done)
		return;
	rc = read_again(s, subject, now);
	subject->incomplete = rc != 0;
	if (rc < 0 && !last)
		return;
	if (rc < 0)
		lose_last_counts(s, subject, now);
	write_records(s, subject, now, type, last);
	note_losses(s, subject, now);
	subject->now = subject->last;
	subject->last = now;
	subject->last_time = perf_now();
}

void perf_sample(struct perf_session *s, struct perf_subject *subject, sample_type_t type)
{
	sample(s, subject, type, 0);
}

void perf_sample_last(struct perf_session *s, struct perf_subject *subject)
{
	sample_type_t type = perf_subject_ended(subject) ? PMC_EXIT_SAMPLE : PMC_SELF_SAMPLE;

	if (subject->done)
		return;
	perf_subject_disable(s, subject);
	sample(s, subject, type, 1);
	subject->done = 1;
}

/* The files that the sampler waits for; @room: how many fit into @all */
struct files {
	struct pollfd *all;
	int room;
};

static int nr_files(struct perf_session *s)
{
	int nr;

	pthread_mutex_lock(&s->lock);
	nr = FIRST_PROCESS + s->nr_subjects;
	pthread_mutex_unlock(&s->lock);
	return nr;
}

static void make_room(struct files *files, int nr)
{
	struct pollfd *all = nr > files->room ? realloc(files->all, nr * sizeof(*all)) : NULL;

	if (!all)
		return;
	files->all = all;
	files->room = nr;
}

/*
 * Processes that have not ended; the sampler is woken when there are more than there is room for.
 * Return: how many files there are.
 */
static int list_processes(struct perf_session *s, struct files *files)
{
	int i, n = FIRST_PROCESS;

	pthread_mutex_lock(&s->lock);
	for (i = 0; i < s->nr_subjects && n < files->room; i++)
		if (s->subjects[i].pidfd >= 0)
			files->all[n++] = (struct pollfd){ .fd = s->subjects[i].pidfd,
							   .events = POLLIN };
	pthread_mutex_unlock(&s->lock);
	return n;
}

/* Return: is anything still counted? */
static int take_ends(struct perf_session *s)
{
	int i, alive = 0;

	for (i = 0; i < s->nr_subjects; i++) {
		struct perf_subject *subject = &s->subjects[i];

		if (subject->done)
			continue;
		if (!perf_subject_ended(subject)) {
			alive++;
			continue;
		}
		perf_sample_last(s, subject);
		perf_subject_close(s, subject);
	}
	return alive;
}

static void take_ticks(struct perf_session *s, int timer)
{
	__u64 expirations;
	int i;

	if (read(timer, &expirations, sizeof(expirations)) != sizeof(expirations))
		return;
	for (i = 0; i < s->nr_subjects; i++)
		perf_sample(s, &s->subjects[i], PMC_TICK_SAMPLE);
}

/* The sessions that have a pipe to write to */
static pthread_mutex_t streams_lock = PTHREAD_MUTEX_INITIALIZER;
static struct perf_session *streams;

static void lock_streams(void)
{
	pthread_mutex_lock(&streams_lock);
}

static void unlock_streams(void)
{
	pthread_mutex_unlock(&streams_lock);
}

/* A child of fork(): as long as it had the pipe, its reader would wait for samples. */
static void leave_streams(void)
{
	for (; streams; streams = streams->next_stream) {
		close(streams->out);
		streams->out = -1;
	}
	unlock_streams();
}

__attribute__((constructor)) static void prepare_forks(void)
{
	pthread_atfork(lock_streams, unlock_streams, leave_streams);
}

/* @open_end: open the pipe @fd to write to. No child is made meanwhile, which would have it. */
static int begin_stream(struct perf_session *s, int fd, int (*open_end)(int fd))
{
	lock_streams();
	s->out = open_end(fd);
	if (s->out >= 0) {
		s->next_stream = streams;
		streams = s;
	}
	unlock_streams();
	return s->out < 0 ? -1 : 0;
}

void perf_sampler_end_stream(struct perf_session *s)
{
	struct perf_session **link = &streams;

	lock_streams();
	while (*link && *link != s)
		link = &(*link)->next_stream;
	if (*link) {
		*link = s->next_stream;
		close(s->out);
		s->out = -1;
	}
	unlock_streams();
}

static int start_timer(__u64 period)
{
	struct itimerspec t = {
		.it_interval = { period / 1000000000, period % 1000000000 },
		.it_value = { period / 1000000000, period % 1000000000 },
	};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd >= 0)
		timerfd_settime(fd, 0, &t, NULL);
	return fd;
}

/* Wait for the end of the period, for the end of a process, or to be woken. */
static void wait_event(struct perf_session *s, int timer, struct files *files)
{
	struct pollfd few[FIRST_PROCESS] = {
		{ .fd = s->wake, .events = POLLIN }, { .fd = timer, .events = POLLIN },
	};
	__u64 value;
	int nr;

	make_room(files, nr_files(s));
	nr = list_processes(s, files);
	if (files->all)
		memcpy(files->all, few, sizeof(few));
	poll(files->all ? files->all : few, nr, -1);
	if (read(s->wake, &value, sizeof(value)) < 0)
		return;
}

static void *run(void *data)
{
	struct perf_session *s = data;
	int timer = s->period ? start_timer(s->period) : -1, quit = 0;
	struct files files = { 0 };

	s->sampler_tid = gettid();
	sem_post(&s->sampler_has_tid);
	while (!quit) {
		wait_event(s, timer, &files);
		pthread_mutex_lock(&s->lock);
		quit = s->quit;
		if (!quit && !take_ends(s))
			perf_sampler_end_stream(s);
		if (!quit && timer >= 0)
			take_ticks(s, timer);
		pthread_mutex_unlock(&s->lock);
	}
	perf_sampler_end_stream(s);
	free(files.all);
	if (timer >= 0)
		close(timer);
	return NULL;
}

void perf_sampler_wake(struct perf_session *s)
{
	static const __u64 one = 1;

	if (write(s->wake, &one, sizeof(one)) < 0)
		return;
}

/* The thread takes no signals of the program. */
static int start_thread(struct perf_session *s)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	err = pthread_create(&s->sampler, NULL, run, s);
	if (!err)
		sem_wait(&s->sampler_has_tid);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

/* The file @fd becomes a pipe. */
static int make_pipe(int fd)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return pmc_fail(errno, "cannot make a pipe for samples: %m");
	dup3(ends[0], fd, O_CLOEXEC);
	close(ends[0]);
	return ends[1];
}

static int open_pipe(int fd)
{
	char path[64];
	int out;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	out = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
	return out < 0 ? pmc_fail(errno, "cannot open the pipe for samples again: %m") : out;
}

/* The size of a pipe that has room for the samples of `ring`: a page has whole records only. */
static __u64 size_for_ring(const struct perf_session *s)
{
	unsigned int nr_counts = 0, in_page;
	int i;

	for (i = 0; i < s->nr_sets; i++)
		if (s->sets[i].nr > (int)nr_counts)
			nr_counts = s->sets[i].nr;
	in_page = PIPE_BUF / record_size(nr_counts, s->names);
	return (s->ring + (__u64)in_page - 1) / in_page * PIPE_BUF;
}

static int set_size(int fd, __u64 size)
{
	/* The kernel would take the low 32 bits. */
	if (size > INT_MAX) {
		errno = ENOMEM;
		return -1;
	}
	return fcntl(fd, F_SETPIPE_SZ, (int)size);
}

static int make_room_for_samples(const struct perf_session *s)
{
	__u64 size = size_for_ring(s);

	/* EBUSY: the pipe is larger, and has samples of the last run. */
	if (!s->ring || set_size(s->out, size) >= 0 || errno == EBUSY)
		return 0;
	return pmc_fail(errno, "ring: %u samples need %llu KiB: %m; without CAP_SYS_RESOURCE /proc/sys/fs/pipe-max-size is the limit for one session, pipe-user-pages-soft for all pipes of a user",
			s->ring, (unsigned long long)size / 1024);
}

static int start_sampler(struct perf_session *s)
{
	int err;

	if (make_room_for_samples(s))
		return -1;
	s->quit = 0;
	err = start_thread(s);
	return err ? pmc_fail(err, "cannot start a thread for samples: %m") : 0;
}

/* Another run continues in the pipe of the last one, which may have samples. */
int perf_sampler_start(struct perf_session *s, int fd)
{
	int is_pipe = fcntl(fd, F_GETPIPE_SZ) >= 0;

	if (begin_stream(s, fd, is_pipe ? open_pipe : make_pipe))
		return -1;
	if (start_sampler(s)) {
		perf_sampler_end_stream(s);
		return -1;
	}
	s->has_sampler = 1;
	return 0;
}

int perf_sampler_resume(struct perf_session *s, int fd)
{
	return s->out >= 0 ? 0 : begin_stream(s, fd, open_pipe);
}

void perf_sampler_quit(struct perf_session *s)
{
	s->quit = 1;
	perf_sampler_wake(s);
}

void perf_sampler_join(struct perf_session *s)
{
	if (s->has_sampler)
		pthread_join(s->sampler, NULL);
	s->has_sampler = 0;
	s->sampler_tid = 0;
}
