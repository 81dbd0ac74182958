/* SPDX-License-Identifier: GPL-2.0 */
/* The session that counts threads: metrics, and virtual counters, of all processes that it may count. */
#ifndef PMCTRACK_THREADS_COUNTING_H
#define PMCTRACK_THREADS_COUNTING_H

#include "options.h"
#include "threads/threads.h"

/* A process; @refused: it may not be counted; @others: and is another user's */
struct counted_process {
	pid_t pid;
	int refused;
	int others;
};

/**
 * struct thread_counting - what is counted
 * @filter: mode in which events are counted: "user", "kernel" or "all"; NULL: the user's rights
 *	decide on it
 * @pids, @nr_pids: -p, or none for all processes
 * @processes: those that were there at the last look, by number
 * @nr_refused: number of those that may not be counted
 * @nr_others: refused processes of other users
 * @why: the error line of the process that was refused last
 */
struct thread_counting {
	const pmc_machine_t *machine;
	const char *filter;
	const pid_t *pids;
	int nr_pids;
	pmc_plan_t *plan;
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
 * @metrics: @nr_metrics lists of metrics, as of -m, which follow those that are always counted
 * @virtuals: @nr_virtuals lists of virtual counters, as of -V
 * @error: out: an error line of at most @size bytes
 *
 * Return: 0; -1 with @error, and nothing is counted.
 */
int counting_start(struct thread_counting *c, const char *const *metrics, int nr_metrics,
		   const char *const *virtuals, int nr_virtuals, char *error, size_t size);
void counting_stop(struct thread_counting *c);

/* Have all threads sampled: those that run now at once, the others when they run next. */
void counting_sample(struct thread_counting *c);

/* Count processes that are new. */
void counting_look(struct thread_counting *c);

/* Add the samples that were taken to the threads. */
void counting_drain(struct thread_counting *c);

#endif
