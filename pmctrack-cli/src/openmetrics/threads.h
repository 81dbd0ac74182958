/* SPDX-License-Identifier: GPL-2.0 */
/* pmctrack openmetrics --threads: the threads that ran longest in the last interval. */
#ifndef PMCTRACK_OPENMETRICS_THREADS_H
#define PMCTRACK_OPENMETRICS_THREADS_H

#include <stdio.h>

#include "threads/counting.h"

/* Most threads of a text: those who store texts keep each thread that was ever in one. */
#define THREAD_LIST_MAX 1000

/**
 * struct thread_list - the threads of a text
 * @most: at most so many
 * @choice: their events and metrics
 * @beside_cpus: CPUs are counted, too, whose counters threads cannot share
 * @nr, @all: those of the last interval, the one that ran longest first
 * @nr_ran: number of threads that ran in it, which @all has, too
 * @nr_refused: number of threads that may not be counted
 */
struct thread_list {
	int most;
	struct counting_choice choice;
	int beside_cpus;
	struct thread_counting counting;
	int nr;
	int nr_ran;
	int nr_refused;
	const struct counted_thread **all;
};

/* threads.c: count threads, of a list with @most, @choice and the mode; bad() on failure */
void thread_list_start(struct thread_list *list, const pmc_machine_t *machine);
/* End the interval, which took @ns, and choose its threads. @delay_us: the usual length */
void thread_list_take(struct thread_list *list, uint64_t delay_us, uint64_t ns);
/* Choose the threads of the interval that has ended. */
void thread_list_choose(struct thread_list *list);
/* After the text was written: count new processes; count anew if the counters were taken, as soon as possible. */
void thread_list_go_on(struct thread_list *list);
void thread_list_stop(struct thread_list *list);

/* thread_text.c: the families of threads */
void thread_list_write(const struct thread_list *list, FILE *f);

#endif
