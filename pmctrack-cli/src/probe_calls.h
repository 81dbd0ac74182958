/* SPDX-License-Identifier: GPL-2.0 */
/* Calls of functions, from the records of threads. */
#ifndef PMCTRACK_PROBE_CALLS_H
#define PMCTRACK_PROBE_CALLS_H

#include "probe_rings.h"

/**
 * struct probe_call - a call
 * @nr: its number among all calls, in the order of their beginnings; from 0
 * @thread: the number of its thread, in the order of first calls; from 0
 * @start: when the function was entered; ns, as @end
 * @core_type: where the function was entered
 * @is_outermost: the function was not being called already
 * @is_whole: its return was seen; else it ended by longjmp(), exec or exit
 * @inclusive: what was counted in it, for each core type struct probe_events's @width values
 * @exclusive: the same without other calls in it
 */
struct probe_call {
	uint64_t nr;
	unsigned int thread;
	uint64_t start;
	uint64_t end;
	int function;
	pid_t pid;
	pid_t tid;
	int core_type;
	int is_outermost;
	int is_whole;
	const uint64_t *inclusive;
	const uint64_t *exclusive;
};

typedef void probe_call_fn(void *arg, const struct probe_call *call);

/**
 * struct probe_calls - all threads of a program and of its children
 * @done: called with @arg for each call that has ended
 * @entered: NULL, or called with @arg for each call when it begins: what it counts, its end and how
 *	it ends are not known
 * @nr: calls that have begun
 * @nr_callers: threads with calls
 * @totals: what all threads have counted in calls and outside
 * @threads: a tree of them, by number
 */
struct probe_calls {
	const struct probe_events *events;
	const struct probe_functions *functions;
	probe_call_fn *done;
	probe_call_fn *entered;
	void *arg;
	uint64_t nr;
	unsigned int nr_callers;
	uint64_t *totals;
	void *threads;
};

void probe_calls_init(struct probe_calls *calls, const struct probe_events *events,
		      const struct probe_functions *functions, pid_t pid,
		      probe_call_fn *done, void *arg);
/* @arg is a struct probe_calls. */
void probe_calls_take(void *arg, const struct probe_record *record);
/* End all calls. @totals stay. */
void probe_calls_end(struct probe_calls *calls);
void probe_calls_free(struct probe_calls *calls);

#endif
