// SPDX-License-Identifier: LGPL-2.1-or-later
/* Processes and CPUs that a session without the kernel module counts. */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "error.h"
#include "perf_protocol.h"
#include "perf_session.h"

/* How often a process is attached anew if it starts threads meanwhile */
#define TRIES	20

__u64 perf_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

void perf_free_apart(void *ptr)
{
	/* The compiler leaves the stores before it there. */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	free(ptr);
}

static void close_last_thread(struct perf_session *s, struct perf_subject *subject)
{
	struct perf_thread *thread = &subject->threads[subject->nr_threads - 1];
	int set;

	for (set = 0; set < s->nr_sets; set++)
		perf_group_close(&thread->groups[set]);
	subject->nr_threads--;
	perf_free_apart(thread->groups);
}

static void close_threads(struct perf_session *s, struct perf_subject *subject)
{
	struct perf_thread *threads = subject->threads;

	while (subject->nr_threads)
		close_last_thread(s, subject);
	subject->threads = NULL;
	perf_free_apart(threads);
}

void perf_subject_close(struct perf_session *s, struct perf_subject *subject)
{
	int pidfd = subject->pidfd;

	close_threads(s, subject);
	subject->pidfd = -1;
	if (pidfd >= 0)
		close(pidfd);
	subject->done = 1;
}

void perf_subject_free(struct perf_session *s, struct perf_subject *subject)
{
	struct perf_values *values = subject->values;

	perf_subject_close(s, subject);
	subject->values = NULL;
	perf_free_apart(values);
}

int perf_subject_ended(const struct perf_subject *subject)
{
	struct pollfd p = { .fd = subject->pidfd, .events = POLLIN };

	return subject->pidfd >= 0 && poll(&p, 1, 0) == 1;
}

/* Sets of one thread do not start and stop at the same time. */
static void enable(struct perf_session *s, struct perf_subject *subject, int on)
{
	__u64 start = perf_now();
	int i, set;

	for (i = 0; i < subject->nr_threads; i++)
		for (set = 0; set < s->nr_sets; set++)
			perf_group_enable(&subject->threads[i].groups[set], on);
	s->slack += perf_now() - start;
}

/* Does anything of it still count: the process itself, or its children? */
static int is_counting(struct perf_session *s, const struct perf_subject *subject)
{
	struct perf_values *first = subject->now, *second = subject->second;

	return perf_subject_read(s, subject, first) || perf_subject_read(s, subject, second) ||
	       memcmp(first, second, s->nr_sets * sizeof(*first));
}

void perf_subject_disable(struct perf_session *s, struct perf_subject *subject)
{
	if (!perf_subject_ended(subject) || is_counting(s, subject))
		enable(s, subject, 0);
}

/* Open the groups of one more thread, or of a CPU (of @core_type). */
static int add_thread(struct perf_session *s, struct perf_subject *subject,
		      const struct perf_target *target, int core_type)
{
	struct perf_thread *all, *thread;
	int set;

	all = realloc(subject->threads, (subject->nr_threads + 1) * sizeof(*all));
	if (!all)
		return pmc_fail_nomem();
	subject->threads = all;
	thread = &all[subject->nr_threads];
	thread->tid = target->tid;
	thread->groups = calloc(s->nr_sets, sizeof(*thread->groups));
	if (!thread->groups)
		return pmc_fail_nomem();
	subject->nr_threads++;
	for (set = 0; set < s->nr_sets; set++)
		if ((core_type < 0 || s->sets[set].core_type == core_type) &&
		    perf_group_open(&thread->groups[set], &s->sets[set], target))
			return -1;
	return 0;
}

/* The process that a thread belongs to */
static pid_t process_of(pid_t tid)
{
	char path[64], line[256];
	pid_t pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Tgid: %d", &pid) == 1)
			break;
	if (f)
		fclose(f);
	return pid;
}

static int open_pidfd(struct perf_subject *subject)
{
	pid_t pid = process_of(subject->pid);

	subject->process = pid;
	subject->pidfd = pid ? syscall(SYS_pidfd_open, pid, 0) : -1;
	return subject->pidfd < 0 ? pmc_fail(ESRCH, "there is no process %d", subject->pid) : 0;
}

struct tids {
	int nr;
	pid_t *all;
};

static int list_threads(pid_t pid, struct tids *tids)
{
	struct dirent *entry;
	char path[64];
	pid_t *all;
	DIR *dir;

	tids->nr = 0;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return pmc_fail(ESRCH, "there is no process %d", pid);
	while ((entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		all = realloc(tids->all, (tids->nr + 1) * sizeof(*all));
		if (!all) {
			closedir(dir);
			return pmc_fail_nomem();
		}
		tids->all = all;
		all[tids->nr++] = atoi(entry->d_name);
	}
	closedir(dir);
	return 0;
}

static int has_tid(const struct tids *tids, pid_t tid)
{
	int i;

	for (i = 0; i < tids->nr; i++)
		if (tids->all[i] == tid)
			return 1;
	return 0;
}

/* Has the process a thread that it did not have before? */
static int has_new_threads(pid_t pid, const struct tids *before)
{
	struct tids now = { 0 };
	int i, new = 0;

	if (!list_threads(pid, &now))
		for (i = 0; i < now.nr; i++)
			new |= !has_tid(before, now.all[i]);
	free(now.all);
	return new;
}

static int has_thread(const struct perf_subject *subject, pid_t tid)
{
	int i;

	for (i = 0; i < subject->nr_threads; i++)
		if (subject->threads[i].tid == tid)
			return 1;
	return 0;
}

/* Does the session count the thread? Threads that a process has started since are inherited. */
static int counts_thread(const struct perf_session *s, pid_t process, pid_t tid)
{
	int i;

	for (i = 0; i < s->nr_subjects; i++) {
		const struct perf_subject *subject = &s->subjects[i];

		if (!subject->done && subject->process == process &&
		    ((subject->whole && s->follow != FOLLOW_NONE) || has_thread(subject, tid)))
			return 1;
	}
	return 0;
}

/* Open those of the threads that are not counted. */
static int open_threads(struct perf_session *s, struct perf_subject *subject,
			const struct tids *tids)
{
	struct perf_target target = {
		.cpu = -1,
		.inherit = s->follow != FOLLOW_NONE,
		.inherit_threads = s->follow == FOLLOW_THREADS,
		.on_exec = s->enable == ENABLE_EXEC,
	};
	int i, counted = 0;

	for (i = 0; i < tids->nr; i++) {
		target.tid = tids->all[i];
		/* The session's own thread, if the process is the caller's */
		if (target.tid == s->sampler_tid)
			continue;
		if (counts_thread(s, subject->process, target.tid)) {
			counted++;
			continue;
		}
		if (!add_thread(s, subject, &target, -1))
			continue;
		if (errno != ESRCH)
			return -1;
		/* It has ended meanwhile. */
		close_last_thread(s, subject);
	}
	return subject->nr_threads || counted ? 0 :
	       pmc_fail(ESRCH, "process %d has just ended", subject->pid);
}

/*
 * A thread that another one starts meanwhile is counted by inheritance or not at all, which
 * nothing tells: all is done anew. A reading fails if a new thread has a part of a group.
 */
static int open_process(struct perf_session *s, struct perf_subject *subject, int whole)
{
	struct tids tids = { 0 };
	int tries, rc = -1;

	if (!whole && counts_thread(s, subject->process, subject->pid))
		return pmc_fail(EEXIST, "thread %d is counted by this session already",
				subject->pid);
	subject->whole = whole;
	for (tries = 0; tries < TRIES; tries++) {
		close_threads(s, subject);
		rc = whole ? list_threads(subject->pid, &tids) : 0;
		if (!whole) {
			tids.nr = 1;
			tids.all = tids.all ? tids.all : malloc(sizeof(*tids.all));
			if (!tids.all)
				return pmc_fail_nomem();
			tids.all[0] = subject->pid;
		}
		rc = rc ? rc : open_threads(s, subject, &tids);
		if (rc || ((!whole || !has_new_threads(subject->pid, &tids)) &&
			   !perf_subject_read(s, subject, subject->last)))
			break;
		rc = pmc_fail(EAGAIN, "process %d starts threads too fast: try again", subject->pid);
	}
	free(tids.all);
	return rc;
}

/* A new subject; it is in the session once it is counted. */
static struct perf_subject *new_subject(struct perf_session *s, pid_t pid, int cpu)
{
	struct perf_subject *old = s->subjects, *all, *subject;

	all = calloc(s->nr_subjects + 1, sizeof(*all));
	if (!all) {
		pmc_fail_nomem();
		return NULL;
	}
	if (old)
		memcpy(all, old, s->nr_subjects * sizeof(*all));
	s->subjects = all;
	perf_free_apart(old);
	subject = &all[s->nr_subjects];
	subject->pid = pid;
	subject->cpu = cpu;
	subject->pidfd = -1;
	subject->values = calloc(3 * s->nr_sets, sizeof(*subject->values));
	if (!subject->values) {
		pmc_fail_nomem();
		return NULL;
	}
	subject->last = subject->values;
	subject->now = subject->values + s->nr_sets;
	subject->second = subject->values + 2 * s->nr_sets;
	return subject;
}

/*
 * @rc: could its groups be opened? @now: they count from now on. A process of which nothing was
 * left to open is no subject.
 */
static int begin(struct perf_session *s, struct perf_subject *subject, int rc, int now)
{
	int err = errno;

	if (rc || !subject->nr_threads) {
		perf_subject_free(s, subject);
		errno = err;
		return rc;
	}
	if (now)
		enable(s, subject, 1);
	subject->last_time = perf_now();
	s->nr_subjects++;
	return 0;
}

int perf_subject_attach(struct perf_session *s, pid_t pid, int whole)
{
	struct perf_subject *subject = new_subject(s, pid, -1);

	if (!subject)
		return -1;
	return begin(s, subject, open_pidfd(subject) ? -1 : open_process(s, subject, whole),
		     s->enable == ENABLE_NOW);
}

int perf_subject_attach_cpu(struct perf_session *s, int cpu, int core_type)
{
	const struct perf_target target = { .tid = -1, .cpu = cpu };
	struct perf_subject *subject = new_subject(s, 0, cpu);

	return subject ? begin(s, subject, add_thread(s, subject, &target, core_type), 1) : -1;
}

/* Read a set on all threads. Counts must not decrease, even if those of a thread are not known. */
static int read_set(const struct perf_session *s, const struct perf_subject *subject, int set,
		    struct perf_values *sum)
{
	struct perf_values one;
	int i, n, rc;

	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < subject->nr_threads; i++) {
		rc = perf_group_read(&subject->threads[i].groups[set], &s->sets[set], &one);
		if (rc > 0)
			*sum = subject->last[set];
		if (rc)
			return rc;
		sum->enabled += one.enabled;
		sum->running += one.running;
		for (n = 0; n < s->sets[set].nr; n++)
			sum->counts[n] += one.counts[n];
	}
	return 0;
}

int perf_subject_read(const struct perf_session *s, const struct perf_subject *subject,
		      struct perf_values *values)
{
	int set, rc, incomplete = 0;

	for (set = 0; set < s->nr_sets; set++) {
		rc = read_set(s, subject, set, &values[set]);
		if (rc < 0)
			return -1;
		incomplete |= rc;
	}
	return incomplete;
}
