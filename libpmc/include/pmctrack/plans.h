/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Plans: the events of several metrics, in as few event sets as possible
 */
#ifndef LIBPMCTRACK_PLANS_H
#define LIBPMCTRACK_PLANS_H

#include <pmctrack/metrics.h>
#include <pmctrack/samples.h>
#include <pmctrack/totals.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pmc_plan pmc_plan_t;

/**
 * pmc_fits_fn - can the counters of a core type count an event set?
 * @events: the set in the kernel's form
 *
 * Return: 1 or 0; -1 with an error line if it cannot be known.
 */
typedef int (*pmc_fits_fn)(void *arg, int core_type, const char *events);

/**
 * struct pmc_set_counts - what one event set of a core type has counted
 * @running: ns that its counters were loaded
 * @nr_counts: how many of @counts are valid
 * @available: 0 if the sets of the core type take turns. Without the kernel module they are
 *	counted at the same time: ns that the threads ran on the core type, to which @counts
 *	are scaled if @running is less
 */
struct pmc_set_counts {
	int core_type;
	int set;
	uint64_t running;
	int nr_counts;
	uint64_t counts[PMC_MAX_COUNTS];
	uint64_t available;
};

/**
 * pmc_plan_new - an empty plan
 *
 * Return: an object for pmc_plan_free(), before @machine is closed; NULL without memory.
 */
PMC_API pmc_plan_t *pmc_plan_new(const pmc_machine_t *machine);
PMC_API void pmc_plan_free(pmc_plan_t *plan);

/**
 * pmc_plan_add_metrics - add metrics to the plan
 * @specs: names, groups ("tma") and definitions of metrics, see pmc_metric_compile(), with
 *	commas between
 * @core_type: the core type they are for, or PMC_EVERY_CORE_TYPE: those that have the
 *	events; one at least has to
 *
 * On failure free the plan.
 */
PMC_API int pmc_plan_add_metrics(pmc_plan_t *plan, const char *specs, int core_type);

/**
 * pmc_plan_add_set - add an event set, whose events stay together
 * pmc_plan_add_events - add events, which may be put into any set
 * @events: as for pmc_config_add(), by name
 * @core_type: as for pmc_plan_add_metrics()
 *
 * Sets come first and in this order; metrics may add events to them. Events that the kernel
 * itself counts take no counters, and are in each set. A set, or a single event, that no
 * core type has (EINVAL, ENOENT) is not added; after other failures free the plan.
 */
PMC_API int pmc_plan_add_set(pmc_plan_t *plan, const char *events, int core_type);
PMC_API int pmc_plan_add_events(pmc_plan_t *plan, const char *events, int core_type);

/**
 * pmc_plan_make - arrange the events in sets, and add these to a configuration
 * @fits: called with @arg. pmc_plan_fits() asks the kernel, and @arg is a session that does
 *	not count, whose event sets are lost. Its filter is that for the events
 *
 * The events of a metric are put into one set where the counters allow. An event that
 * several metrics need is counted once in a set.
 *
 * Call this once, after all additions: afterwards it fails with EBUSY, as they do. On
 * failure free the plan.
 */
PMC_API int pmc_plan_make(pmc_plan_t *plan, pmc_config_t *config, pmc_fits_fn fits, void *arg);
PMC_API int pmc_plan_fits(void *session, int core_type, const char *events);

/** pmc_plan_nr_metrics - number of metrics of a plan, those of groups one by one */
PMC_API int pmc_plan_nr_metrics(const pmc_plan_t *plan);

/** pmc_plan_name - name of metric number @n; NULL past the last */
PMC_API const char *pmc_plan_name(const pmc_plan_t *plan, int n);

/** pmc_plan_metric - metric number @n on a core type; NULL if the core type does not have it */
PMC_API const pmc_metric_t *pmc_plan_metric(const pmc_plan_t *plan, int n, int core_type);

/** pmc_plan_is_estimated - 1 if the metric's events had to be put into several sets */
PMC_API int pmc_plan_is_estimated(const pmc_plan_t *plan, int n, int core_type);

/**
 * pmc_plan_value - a metric's value from the counts of event sets
 * @core_type: a core type, or PMC_EVERY_CORE_TYPE for all together: the value is that of the
 *	sums of their counts, and is not defined unless all have the same formula
 * @sets: of one thread, or sums; sets of other core types are ignored
 * @elapsed: ns, for metrics of duration_time
 * @accuracy: out: PMC_EXACT; PMC_PARTIAL: the value is that of the part of the time in which
 *	its set was counted; PMC_ESTIMATED: counts are scaled by the running time of their
 *	sets; PMC_NOT_COUNTED: there is no value. May be NULL
 *
 * Return: the value; NAN if it is not defined, or if a set that is needed was not counted.
 */
PMC_API double pmc_plan_value(const pmc_plan_t *plan, int n, int core_type,
			      const struct pmc_set_counts *sets, int nr_sets, uint64_t elapsed,
			      enum pmc_accuracy *accuracy);

/**
 * pmc_plan_reading - a metric's value in one sample
 *
 * Return: the value; NAN if the sample is of another set, or the metric's events are in
 * several sets.
 */
PMC_API double pmc_plan_reading(const pmc_plan_t *plan, int n, const struct pmc_reading *reading);

/**
 * pmc_session_set_counts - the totals of an event set, for pmc_plan_value()
 *
 * Return: number of counts, as of pmc_session_totals().
 */
PMC_API int pmc_session_set_counts(pmc_session_t *session, int core_type, int set,
				   struct pmc_set_counts *counts);

/**
 * pmc_session_unscaled - what the event sets of a core type have counted, as it was counted
 * @core_type: a core type, not PMC_EVERY_CORE_TYPE
 * @sets: out: sets 0 to @nr - 1; @available is that of pmc_session_accuracy(), also if sets take
 *	turns
 *
 * For programs that scale the differences of two readings: totals that are scaled already cannot
 * be subtracted. As pmc_session_totals(), this does not include counts since the last sample.
 *
 * Return: 0; -1: the core type has no such set (EINVAL), ...
 */
PMC_API int pmc_session_unscaled(pmc_session_t *session, int core_type,
				 struct pmc_set_counts *sets, int nr);

/** pmc_plan_total - a metric's value from the totals of a session, see pmc_plan_value() */
PMC_API double pmc_plan_total(const pmc_plan_t *plan, int n, int core_type,
			      pmc_session_t *session, uint64_t elapsed,
			      enum pmc_accuracy *accuracy);

#ifdef __cplusplus
}
#endif

#endif
