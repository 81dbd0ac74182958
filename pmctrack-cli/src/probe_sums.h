/* SPDX-License-Identifier: GPL-2.0 */
/* Sums over the calls of each function, by thread and core type. */
#ifndef PMCTRACK_PROBE_SUMS_H
#define PMCTRACK_PROBE_SUMS_H

#include "probe_calls.h"

/**
 * struct probe_sum - the calls of a function
 * @tid: in this thread; 0: in all
 * @calls: for each core type, those that were entered there
 * @inclusive: values of all core types, as in struct probe_call. Of recursive calls, the
 *	outermost ones have all
 */
struct probe_sum {
	int function;
	pid_t tid;
	uint64_t *calls;
	uint64_t *inclusive;
	uint64_t *exclusive;
};

/**
 * struct probe_sums - all functions
 * @open: calls without a return
 * @tree: the sums, by function and thread
 * @all: after probe_sums_sort(): those with the largest exclusive counts first
 */
struct probe_sums {
	const struct probe_events *events;
	int per_thread;
	uint64_t open;
	void *tree;
	int nr;
	struct probe_sum **all;
};

/* @arg is a struct probe_sums. */
void probe_sums_add(void *arg, const struct probe_call *call);
/* All functions have sums, those that were not called, too. */
void probe_sums_sort(struct probe_sums *sums, const struct probe_functions *functions);
void probe_sums_free(struct probe_sums *sums);

#endif
