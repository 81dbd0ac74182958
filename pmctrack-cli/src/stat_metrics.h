/* SPDX-License-Identifier: GPL-2.0 */
/* The metrics of pmctrack stat -m: their values over the runs. */
#ifndef PMCTRACK_STAT_METRICS_H
#define PMCTRACK_STAT_METRICS_H

#include "stat.h"

/**
 * struct stat_value - a metric on a core type, or on all
 * @value: over the runs; of no run if it is not known
 * @accuracy: the worst of the runs
 */
struct stat_value {
	struct spread value;
	enum pmc_accuracy accuracy;
};

/**
 * struct stat_metrics - the values of all metrics of a plan
 * @values: for each metric, nr_core_types values and one of all core types
 */
struct stat_metrics {
	const pmc_plan_t *plan;
	int nr_core_types;
	struct stat_value *values;
};

void stat_metrics_init(struct stat_metrics *metrics, const pmc_plan_t *plan, int nr_core_types);
void stat_metrics_free(struct stat_metrics *metrics);

/*
 * Add a run of @elapsed ns. @is_partial: some threads, or some of the time, are missing in its
 * counts, of which there are no metrics then.
 */
void stat_metrics_add(struct stat_metrics *metrics, const struct pmc_set_counts *sets, int nr_sets,
		      uint64_t elapsed, int is_partial);

/*
 * Metric number @n, as it is compiled for core type @id, or NULL: it is not defined there. With
 * PMC_EVERY_CORE_TYPE it is defined if the formula is the same on all of them.
 */
const pmc_metric_t *stat_metric_of(const pmc_plan_t *plan, int nr_core_types, int n, int id);
const struct stat_value *stat_metrics_value(const struct stat_metrics *metrics, int n, int id);

#endif
