/* SPDX-License-Identifier: GPL-2.0 */
/* The metrics of pmctrack stat -m, compiled for each core type. */
#ifndef PMCTRACK_STAT_METRICS_H
#define PMCTRACK_STAT_METRICS_H

#include "stat.h"
#include "stat_events.h"

/**
 * struct stat_metrics - the metrics of -m
 * @nr: how many there are
 * @nr_core_types: of the machine
 * @compiled: for each metric and core type; NULL if the core type lacks an event
 */
struct stat_metrics {
	int nr;
	int nr_core_types;
	pmc_metric_t **compiled;
};

/**
 * struct stat_value - a metric on a core type, or on all
 * @metric: as it is compiled there, or NULL: it is not defined there
 * @value: NAN if it is not known
 * @accuracy: that of its worst count
 */
struct stat_value {
	const pmc_metric_t *metric;
	double value;
	enum accuracy accuracy;
};

/*
 * Compile the metrics of -m: names or definitions, separated by commas, or the name of a group
 * of metrics, as tma. bad() if no core type has one of them.
 */
void stat_metrics_add(struct stat_metrics *metrics, const pmc_machine_t *machine, const char *text);
void stat_metrics_free(struct stat_metrics *metrics);

/* Add the events that core type @id needs: those of a metric are a group. */
void stat_metrics_events(const struct stat_metrics *metrics, int id, struct stat_events *events);

/*
 * Metric number @n on core type @id, or PMC_EVERY_CORE_TYPE: there it is defined if the formula
 * is the same on all of them, and computed from the sums of their counts.
 */
struct stat_value stat_metrics_value(const struct stat_metrics *metrics, int n, int id,
				     const struct stat_counts *c);

#endif
