/* SPDX-License-Identifier: GPL-2.0 */
/* pmctrack openmetrics: counts of all CPUs, and how they are written. */
#ifndef PMCTRACK_OPENMETRICS_H
#define PMCTRACK_OPENMETRICS_H

#include <stdio.h>

#include "openmetrics/threads.h"
#include "pmctrack.h"

/**
 * struct machine_set - an event set of a core type
 * @total: its counts since the start
 * @interval: its counts in the last interval
 */
struct machine_set {
	struct pmc_set_counts total;
	struct pmc_set_counts interval;
};

/**
 * struct machine_counts - the counts of all CPUs
 * @plan: the metrics, and with them the event sets of @config
 * @filter: the modes
 * @delay_us: length of a turn of event sets
 * @evicted: a privileged session has taken the counters of @session
 * @stopped: they are not free again; nothing is counted
 * @interval_ns: length of the last interval
 * @lost: samples lost so far
 * @nr_sets, @sets: the event sets of all core types
 * @sums: sums of virtual counters that are counts, PMC_NO_VALUE for others
 * @levels: by CPU and virtual counter: the last value of those that are levels or ratios
 */
struct machine_counts {
	const pmc_machine_t *machine;
	pmc_plan_t *plan;
	pmc_config_t *config;
	pmc_session_t *session;
	const char *filter;
	uint64_t delay_us;
	int evicted;
	int stopped;
	uint64_t interval_ns;
	uint64_t lost;
	int nr_sets;
	struct machine_set *sets;
	uint64_t sums[PMC_MAX_VIRTUALS];
	int nr_cpus;
	uint64_t (*levels)[PMC_MAX_VIRTUALS];
};

/* collect.c: count all CPUs, by a plan and a configuration that are complete; bad() on failure */
void machine_counts_start(struct machine_counts *c);
/* End the interval, which took @ns, and compute its counts. */
void machine_counts_take(struct machine_counts *c, uint64_t ns);
/* After the text was written: count anew if the counters were taken, as soon as possible. */
void machine_counts_go_on(struct machine_counts *c);
void machine_counts_free(struct machine_counts *c);

/* text.c: everything, in the OpenMetrics text format 1.0. One of both may be NULL. */
void openmetrics_write(const struct machine_counts *c, const struct thread_list *threads, FILE *f);
/* file.c: bad() if there is something with this name that is no regular file */
void openmetrics_file_check(const char *name);
/* Write everything to a new file, which takes this name when it is whole; bad() on failure. */
void openmetrics_file_replace(const struct machine_counts *c, const struct thread_list *threads, const char *name);
/* A label, its value between quotes */
void openmetrics_label(FILE *f, const char *name, const char *value);
/* The lines in front of the samples of a family; @unit: or NULL */
void openmetrics_family(FILE *f, const char *name, const char *type, const char *unit, const char *help);

#endif
