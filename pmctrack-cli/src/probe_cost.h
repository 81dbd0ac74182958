/* SPDX-License-Identifier: GPL-2.0 */
/* The cost of a probe. */
#ifndef PMCTRACK_PROBE_COST_H
#define PMCTRACK_PROBE_COST_H

#include "probe.h"

/**
 * struct probe_cost - what the probes of a call of one kind add to the counts of a core type
 * @entry: to those of the call, after the entry
 * @inside: to those of the call, before the return
 * @outside: to those of the caller, after the return
 * @ns: how much longer the call takes
 */
struct probe_cost {
	double entry[PMC_MAX_COUNTS];
	double inside[PMC_MAX_COUNTS];
	double outside[PMC_MAX_COUNTS];
	double ns;
};

/**
 * struct probe_costs - all costs
 * @all: for each core type PROBE_KINDS of them
 */
struct probe_costs {
	const struct probe_events *events;
	struct probe_cost *all;
};

/*
 * Measure calls of pmctrack's own functions, with probes and without. @functions: only kinds of
 * these are measured.
 */
void probe_costs_measure(struct probe_costs *costs, const struct probe_events *events,
			 const struct probe_functions *functions);
void probe_costs_free(struct probe_costs *costs);

/* The part of @values, of one core type, that is the cost of probes. */
double probe_cost_of(const struct probe_costs *costs, const uint64_t *values, int core_type, int event);

#endif
