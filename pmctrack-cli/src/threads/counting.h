/* SPDX-License-Identifier: GPL-2.0 */
/* The session that counts threads: metrics, and virtual counters, of all processes that it may count. */
#ifndef PMCTRACK_THREADS_COUNTING_H
#define PMCTRACK_THREADS_COUNTING_H

#include "options.h"
#include "threads/thread_counts.h"

/**
 * struct counted_process - a process
 * @refused: it is not counted
 * @again: the next look asks for it again: the reason may pass, as a lack of memory, or its last sample
 *	has come, and what has the number now may be another program or process
 * @owner: the user that it belonged to when it was asked for: root, if it may not be looked into
 * @others: it is refused, and another user's
 */
struct counted_process {
	pid_t pid;
	int refused;
	int again;
	uid_t owner;
	int others;
};

/**
 * struct counting_choice - lists of events, as of -c, of metrics, as of -m, and of virtual counters,
 * as of -V
 * @usual: metrics in front of the others, or NULL
 */
struct counting_choice {
	const char *usual;
	const char *const *events;
	const char *const *metrics;
	const char *const *virtuals;
	int nr_events;
	int nr_metrics;
	int nr_virtuals;
};

/**
 * struct thread_counting - what is counted
 * @verb: that of the command, for messages
 * @filter: mode in which events are counted: "user", "kernel" or "all"; NULL: the user's rights
 *	decide on it
 * @pids, @nr_pids: -p, or none for all processes
 * @nr_usual: number of metrics that nobody asked for; they are the first
 * @processes: those that were there at the last look, by number
 * @nr_refused: number of those that are not counted
 * @nr_others: refused processes of other users
 * @why: the error line of the process that was refused last
 */
struct thread_counting {
	const char *verb;
	const pmc_machine_t *machine;
	const char *filter;
	const pid_t *pids;
	int nr_pids;
	pmc_plan_t *plan;
	int nr_usual;
	pmc_config_t *config;
	pmc_session_t *session;
	struct counted_process *processes;
	int nr_processes;
	int nr_refused;
	int nr_others;
	char why[256];
	struct counted_threads threads;
};

/**
 * counting_start - begin to count
 * @choice: what
 * @error: out: an error line of at most @size bytes
 *
 * Return: 0; -1 with @error, and nothing is counted.
 */
int counting_start(struct thread_counting *c, const struct counting_choice *choice, char *error,
		   size_t size);
void counting_stop(struct thread_counting *c);

/* Have all threads sampled: those that run now at once, the others when they run next. */
void counting_sample(struct thread_counting *c);

/*
 * Count processes that are new, and those that could not be counted for a while. Without a session, all are
 * refused.
 */
void counting_look(struct thread_counting *c);

/* Add the samples that were taken to the threads. */
void counting_drain(struct thread_counting *c);

/*
 * End the interval, which took @ns: have samples taken, wait for some of those of threads that sleep,
 * and compute its values. @delay_us: the usual length of an interval
 */
void counting_end_interval(struct thread_counting *c, uint64_t delay_us, uint64_t ns);

/* Wait until @end, on the clock of monotonic_ns(), or a signal; samples are taken from the kernel. */
void counting_sleep_until(struct thread_counting *c, uint64_t end);

/* Threads of the processes that may not be counted */
int counting_refused_threads(const struct thread_counting *c);

#endif
