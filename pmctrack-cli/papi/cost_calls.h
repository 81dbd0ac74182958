/* SPDX-License-Identifier: GPL-2.0 */
/* The calls of PAPI that pmc-cost measures. */
#ifndef PMCTRACK_PAPI_COST_CALLS_H
#define PMCTRACK_PAPI_COST_CALLS_H

#include <stddef.h>

/**
 * struct call_state - what the calls work on
 * @set: the EventSet
 * @values: room for its counts
 * @error: PAPI's code of a call that failed, or 0
 */
struct call_state {
	int set;
	long long *values;
	int error;
};

/**
 * struct call - a call
 * @option: its name in -c
 * @name: its name in reports
 * @run: does it once
 * @is_running: the EventSet counts meanwhile
 * @is_timer: it needs no EventSet
 */
struct call {
	const char *option;
	const char *name;
	void (*run)(struct call_state *s);
	int is_running;
	int is_timer;
};

extern const struct call calls[];
extern const size_t calls_nr;

/* A call that does nothing: what it seems to cost is the cost of measuring. */
extern const struct call call_nothing;

#endif
