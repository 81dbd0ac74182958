/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plans: which events of metrics are in which event set. */
#ifndef LIBPMC_PLAN_H
#define LIBPMC_PLAN_H

#include "format_event.h"
#include "metric.h"

/* An event set of the plan: numbers of events of the core type */
struct plan_set {
	int nr;
	int events[PMC_MAX_COUNTS];
};

/* An event of a core type. Events that are encoded alike are one. */
struct plan_event {
	struct event wanted;	/* as it was asked for */
	char *raw;
	int software;	/* the kernel itself counts it, without a counter */
};

/* A metric on a core type */
struct plan_metric {
	pmc_metric_t *metric;	/* NULL: the core type does not have it */
	int nr_events;
	int *events;		/* numbers of events, or -1 for duration_time */
	int home;		/* the set that has all of them, or -1 */
};

/* Events that are to be in one set, in any of them, or in several if one has no room */
struct plan_group {
	int metric;		/* its number, or -1: events that were asked for */
	int alone;		/* a set of its own is made of them */
	int nr;
	int *events;
};

struct plan_core_type {
	int nr_events;
	struct plan_event *events;
	int nr_groups;
	struct plan_group *groups;
	int nr_sets;
	struct plan_set *sets;
	short *places;		/* for each set, one for each event: its place in the set, or -1 */
	int first_set;		/* number of the first set in the configuration */
};

struct pmc_plan {
	const pmc_machine_t *machine;
	int made;			/* pmc_plan_make() was called: nothing is added any more */
	int nr_metrics;
	char **names;
	struct plan_metric *metrics;	/* for each name, one for each core type */
	char *same;			/* for each name: all core types have the same formula */
	struct plan_core_type *core_types;
};

static inline struct plan_metric *plan_metric(const pmc_plan_t *plan, int n, int core_type)
{
	return &plan->metrics[n * plan->machine->nr_core_types + core_type];
}

/* plan_evsets.c: put the groups of a core type into sets. */
int plan_place(pmc_plan_t *plan, int core_type, pmc_fits_fn fits, void *arg);

#endif
