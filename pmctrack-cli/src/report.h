/* SPDX-License-Identifier: GPL-2.0 */
/* Reports of pmctrack, in several forms. */
#ifndef PMCTRACK_REPORT_H
#define PMCTRACK_REPORT_H

#include <stdio.h>
#include <sys/resource.h>

#include "layout.h"
#include "options.h"

/* A mean weighted by running time */
struct mean {
	double sum;
	double weight;
};

/**
 * struct virtual_total - a virtual counter over all threads or CPUs
 * @sum: sum of a count
 * @seen: some sample had a value
 * @mean: mean of a level or ratio over the samples that were read
 */
struct virtual_total {
	uint64_t sum;
	int seen;
	struct mean mean;
};

/**
 * struct totals - sums over all threads or CPUs
 * @counts: one for each core type and name of the layout, core type by core
 *	type
 * @valid: 1 if that core type counts that name
 * @virtuals: one for each core type and virtual counter, likewise
 * @covered: ns that a set with that name was loaded, likewise
 * @running: ns that each core type's counters were loaded
 * @nr_threads: threads (or CPUs) counted
 * @exact: the sums are the kernel's, not those of the samples that were read
 */
struct totals {
	uint64_t *counts;
	char *valid;
	uint64_t *covered;
	struct virtual_total *virtuals;
	uint64_t *running;
	uint64_t nr_threads;
	int exact;
};

/**
 * struct summary - data for the end of a report
 * @lost: samples lost because the kernel's buffer was full
 * @throttled: how often sampling by event count was throttled
 * @left_out: samples by event count that were not taken because of that, or because the
 *	period was shorter than an interrupt
 * @missed_threads: threads that could not be counted
 * @counter_lost: samples during which a counter was taken away
 * @evicted: threads and CPUs that are no longer counted, because a privileged session
 *	needed the counters
 * @real_ns: time from the program's start to its end
 * @usage: resource usage of the program; NULL if none was run
 */
struct summary {
	uint64_t nr_samples;
	uint64_t lost;
	uint64_t throttled;
	uint64_t left_out;
	unsigned int missed_threads;
	uint64_t counter_lost;
	unsigned int evicted;
	uint64_t real_ns;
	const struct rusage *usage;
	struct totals totals;
};

struct report {
	const struct report_ops *ops;
	const struct options *o;
	const struct layout *layout;
	FILE *f;
	uint64_t nr;		/* samples shown */
	uint64_t left_out;	/* samples by event count missing before the one to show */
	int marked;		/* a sample was shown before which others are missing */
	int no_memory;		/* there was no memory for the last sample */
	int failed;		/* an error occurred and was printed */
	void *data;
};

/* A form of output. @sample gets the number of the sample, from 1. */
struct report_ops {
	int (*begin)(struct report *report);
	void (*sample)(struct report *report, uint64_t nr, const struct pmc_reading *r);
	void (*end)(struct report *report, const struct summary *summary);
};

extern const struct report_ops report_table;
extern const struct report_ops report_csv;
extern const struct report_ops report_json;
extern const struct report_ops report_plot;
/* For pmctrack stat: the report's data is a struct stat_counts, to which a run is added. */
extern const struct report_ops report_stat;

/* "tick", "ebs", ... */
const char *sample_type_name(sample_type_t type);

/*
 * Sums of an aggregate report (-A), by thread or CPU, core type and set. Each has the time
 * of its last sample. The sum of a thread has no CPU.
 */
struct sums;

static inline int has_cpu(const struct options *o)
{
	return o->syswide || !o->aggregate;
}

struct sums *sums_new(const struct layout *layout);
void sums_free(struct sums *sums);
int sums_add(struct sums *sums, const struct pmc_reading *r);
/* Sum number @n, in the order of appearance; NULL past the last. */
const struct pmc_reading *sums_get(const struct sums *sums, int n);
/* Samples by event count that are missing in sum number @n, which exists */
uint64_t sums_left_out(const struct sums *sums, int n);

void mean_add(struct mean *mean, uint64_t value, uint64_t weight);
/* PMC_NO_VALUE if nothing was added. */
uint64_t mean_get(const struct mean *mean);

int totals_init(struct totals *totals, const struct layout *layout);
void totals_free(struct totals *totals);
/* Read the totals from the kernel; -1: error. */
int totals_ask(struct totals *totals, const struct layout *layout, pmc_session_t *session);

/* Add the virtual counters of a sample. */
void totals_sample(struct totals *totals, const struct layout *layout,
		   const struct pmc_reading *r);
/*
 * Virtual counter @i on a core type, or PMC_EVERY_CORE_TYPE: the sum of a count, the mean
 * of a level or ratio; PMC_NO_VALUE: not known.
 */
uint64_t totals_virtual(const struct totals *totals, const struct layout *layout,
			int core_type, int i);

/* Print a line for each type of loss, with @prefix before it. */
void print_losses(FILE *f, const char *prefix, const struct summary *summary);

/* With -t: real, user and system time of the program, as time(1) prints them. */
void print_times(FILE *f, const struct options *o, const struct summary *summary);

#endif
