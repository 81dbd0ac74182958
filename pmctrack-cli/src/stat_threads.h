/* SPDX-License-Identifier: GPL-2.0 */
/* The threads of pmctrack stat --per-thread, each with its counts. */
#ifndef PMCTRACK_STAT_THREADS_H
#define PMCTRACK_STAT_THREADS_H

#include "stat.h"
#include "stat_metrics.h"

/**
 * struct stat_thread - a thread
 * @name: "" if it is not known
 * @sets: what each event set counted
 * @flags: PMC_READING_* of its samples
 */
struct stat_thread {
	pid_t tid;
	char name[PMC_THREAD_NAME];
	unsigned int flags;
	int nr_sets;
	struct pmc_set_counts *sets;
	struct stat_counts counts;
	struct stat_metrics metrics;
};

/**
 * struct stat_threads - all threads of a run
 * @newest: the newest thread of each number, as a tree
 */
struct stat_threads {
	int nr;
	struct stat_thread *all;
	void *newest;
};

/* Add the sum of a thread's samples of one event set. */
void stat_threads_add(struct stat_threads *threads, const struct pmc_reading *sum);
/* Add the threads that the process has now. Those that do not run have no sums. */
void stat_threads_of_process(struct stat_threads *threads, pid_t pid);
/*
 * All sums have been added: compute counts and metrics, and put the threads with the largest
 * counts of the first row's event first. @session: with its totals. @plan may be NULL.
 * @counts: the counts of all threads, with the names and rows of each
 */
void stat_threads_end(struct stat_threads *threads, const struct layout *layout,
		      pmc_session_t *session, const pmc_plan_t *plan,
		      const struct summary *summary, const struct stat_counts *counts);
void stat_threads_free(struct stat_threads *threads);

#endif
