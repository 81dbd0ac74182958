/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sessions that perf_event_open() serves, where the kernel module is not loaded. */
#ifndef LIBPMC_PERF_SESSION_H
#define LIBPMC_PERF_SESSION_H

#include <pthread.h>
#include <semaphore.h>

#include "perf_group.h"
#include "session.h"

/* A thread or a CPU (@tid is -1), with a group for each set */
struct perf_thread {
	pid_t tid;
	struct perf_group *groups;
};

/**
 * struct perf_subject - a process or a CPU, of which samples are taken
 * @pid: process, or a thread of one; 0: a CPU
 * @process: the process that it is of
 * @whole: all threads of the process are counted, not one
 * @cpu: CPU; -1: a process
 * @pidfd: a file that is readable when the process has ended; -1: a CPU
 * @values: room for three readings: @last, what each set had counted at the last sample; @now,
 *	the next one; @second, which shows whether anything still counts
 * @last_time: when that was
 * @missed: ns without counters that are among the session's losses
 * @incomplete: the last reading failed, or was without a group that found no counter
 * @done: it is not counted any more
 */
struct perf_subject {
	pid_t pid;
	pid_t process;
	int whole;
	int cpu;
	int pidfd;
	int nr_threads;
	struct perf_thread *threads;
	struct perf_values *values;
	struct perf_values *last;
	struct perf_values *now;
	struct perf_values *second;
	__u64 last_time;
	__u64 missed;
	int incomplete;
	int done;
};

/**
 * struct perf_session - a session without the kernel module
 * @lock: held while subjects are used; the sampler runs beside the caller. Its holder takes no
 *	memory to read counts: libpmcpapi's handlers of signals do so, and interrupt malloc()
 * @sets: the sets of all core types, then those that only measure time
 * @sums: room for what each of them has counted
 * @names: the last record of a process has its name
 * @counting: the configuration is final
 * @by_cpu: CPUs are counted
 * @slack: ns by which times of sets may differ
 * @sampler: thread that takes samples
 * @sampler_tid: its number; 0: there is none
 * @sampler_has_tid: the sampler has written it
 * @wake: eventfd for the sampler
 * @quit: the sampler has to end
 * @out: where samples are written, or -1
 * @next_stream: of the sessions that have it
 * @lost: samples that found no room since the last record
 * @all_lost: the same in all; others than the sampler read it without the lock
 * @losses: how often a subject was found to have had no counters for some time; likewise
 */
struct perf_session {
	pthread_mutex_t lock;
	pmc_machine_t *machine;
	__u64 period;
	unsigned int filter;
	unsigned int follow;
	unsigned int enable;
	unsigned int ring;
	int names;
	int nr_sets;
	struct perf_set *sets;
	struct perf_values *sums;
	int nr_subjects;
	struct perf_subject *subjects;
	int counting;
	int by_cpu;
	__u64 slack;
	pthread_t sampler;
	pid_t sampler_tid;
	sem_t sampler_has_tid;
	int has_sampler;
	int wake;
	int quit;
	int out;
	struct perf_session *next_stream;
	__u64 seq;
	__u32 lost;
	__u64 all_lost;
	__u64 losses;
};

/* A session without the kernel module; NULL with the error line set */
pmc_session_t *perf_session_open(void);

/*
 * perf_subject.c: fork() in another thread does not wait for the sampler, nor for commands, and the
 * child frees what its copy of the session has. So the memory that is freed here, and the files
 * that are closed, are out of the session before.
 */
void perf_free_apart(void *ptr);

/*
 * perf_subject.c: count a process with its threads, one thread (@whole is 0), or a CPU. Threads
 * of a process that are counted already are left out. EEXIST: the one thread is.
 */
int perf_subject_attach(struct perf_session *s, pid_t pid, int whole);
int perf_subject_attach_cpu(struct perf_session *s, int cpu, int core_type);
void perf_subject_free(struct perf_session *s, struct perf_subject *subject);
/* Stop its groups; close them, after the last sample is taken. */
void perf_subject_disable(struct perf_session *s, struct perf_subject *subject);
void perf_subject_close(struct perf_session *s, struct perf_subject *subject);
/*
 * Read the counts of all sets, as sums over its threads; @values has one for each set. Return: 0;
 * 1: some sets have their last values, as a group of theirs found no counter; -1.
 */
int perf_subject_read(const struct perf_session *s, const struct perf_subject *subject,
		      struct perf_values *values);

/* Has the process ended? */
int perf_subject_ended(const struct perf_subject *subject);

/* perf_sampler.c: take samples of a subject, or the last ones, and stop its groups. */
void perf_sample(struct perf_session *s, struct perf_subject *subject, sample_type_t type);
void perf_sample_last(struct perf_session *s, struct perf_subject *subject);
/*
 * Begin to deliver samples in the file @fd; the sampler takes them from when it is woken first. The
 * reader keeps those of the last run.
 */
int perf_sampler_start(struct perf_session *s, int fd);
/* Samples come again if the stream has ended; the reader keeps those that are in the file @fd. */
int perf_sampler_resume(struct perf_session *s, int fd);
/* The sampler has to look at the subjects: some are new, or are not counted any more. */
void perf_sampler_wake(struct perf_session *s);
/* The lock is held: the sampler ends the stream, and itself. */
void perf_sampler_quit(struct perf_session *s);
/* Wait for that. */
void perf_sampler_join(struct perf_session *s);
/* No more samples come. */
void perf_sampler_end_stream(struct perf_session *s);

__u64 perf_now(void);

#endif
