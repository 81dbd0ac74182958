/* SPDX-License-Identifier: GPL-2.0 */
/* Reports of pmctrack, in several forms. */
#ifndef PMCTRACK_REPORT_H
#define PMCTRACK_REPORT_H

#include <stdio.h>
#include <sys/resource.h>

#include "incomplete_counts.h"
#include "options.h"
#include "report_layout.h"

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
 * @sets: the counts of each event set of each core type
 * @elapsed: ns from the start of counting to its end
 * @nr_threads: threads (or CPUs) counted
 * @exact: the sums are the kernel's, not those of the samples that were read
 */
struct totals {
	uint64_t *counts;
	char *valid;
	uint64_t *covered;
	struct virtual_total *virtuals;
	uint64_t *running;
	struct pmc_set_counts *sets;
	int nr_sets;
	uint64_t elapsed;
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
 * @losses: samples whose counts are incomplete, by number of pmc_loss_info()
 * @limited: counting stopped because of -n or -K, and so after the last sample that is shown
 * @real_ns: time from the program's start to its end
 * @usage: resource usage of the program; NULL if none was run
 */
struct summary {
	uint64_t nr_samples;
	uint64_t lost;
	uint64_t throttled;
	uint64_t left_out;
	unsigned int missed_threads;
	uint64_t losses[MAX_LOSSES];
	int limited;
	uint64_t real_ns;
	const struct rusage *usage;
	struct totals totals;
};

struct report {
	const struct report_ops *ops;
	const struct options *o;
	const struct layout *layout;
	FILE *f;
	int width;		/* of the terminal that @f is, or 0 */
	uint64_t start_ns;	/* when counting began */
	uint64_t nr;		/* samples shown */
	uint64_t left_out;	/* samples by event count missing before the one to show */
	/* With -A, if the row to show is the last of a thread on a core type: the counts of all its sets */
	const struct pmc_set_counts *sets;
	int nr_sets;
	uint64_t sets_elapsed;
	const char *title;	/* of a recorded run, or NULL */
	/* Of a recorded run: virtual counters and then metrics of the sample to show; or NULL */
	const double *recorded;
	int no_memory;		/* there was no memory for the last sample */
	int failed;		/* an error occurred and was printed */
	int signal;		/* the first signal to end pmctrack that came while it counted, or 0 */
	void *data;
};

/**
 * struct report_ops - a form of output
 * @name: what --format calls it; NULL: the ending of a file's name alone asks for it
 * @endings: of names of files that ask for it, with a blank between them; NULL: none
 * @needs_samples: its name for people, if it shows samples; NULL: sums (-A) will do
 * @plots: it is what --plot draws, for a file with such an ending
 * @check: bad() if it cannot be written to a file, or to none (NULL); NULL: it always can
 * @prepare: before the program is started; NULL: there is nothing to do
 * @begin: -1: there is no memory
 * @sample: its number is that of the sample, from 1
 */
struct report_ops {
	const char *name;
	const char *endings;
	const char *needs_samples;
	int plots;
	void (*check)(const char *path);
	void (*prepare)(void);
	int (*begin)(struct report *report);
	void (*sample)(struct report *report, uint64_t nr, const struct pmc_reading *r);
	void (*end)(struct report *report, const struct summary *summary);
};

/* All forms that --format and names of files choose: a row for each. The first is the default. */
#define REPORT_FORMS(FORM)	\
	FORM(report_table)	\
	FORM(report_csv)	\
	FORM(report_json)	\
	FORM(report_perfetto)	\
	FORM(report_image)	\
	FORM(report_page)

#define DECLARE_FORM(form) extern const struct report_ops form;
REPORT_FORMS(DECLARE_FORM)
#undef DECLARE_FORM

/* --plot on a terminal */
extern const struct report_ops report_plot;
/* For pmctrack stat: the report's data is a struct stat_counts, to which a run is added. */
extern const struct report_ops report_stat;

/* "tick", "ebs", ... */
const char *sample_type_name(sample_type_t type);

/* The sum of a thread has no CPU. */
static inline int has_cpu(const struct options *o)
{
	return o->syswide || !o->aggregate;
}

/* Has the sampling period of event @r->ebs_event ended with this sample, which is no sum? */
static inline int ended_period(const struct report *report, const struct layout_set *set,
			       const struct pmc_reading *r)
{
	return !report->o->aggregate && r->type == PMC_EBS_SAMPLE && set && r->ebs_event >= 0 &&
	       r->ebs_event < set->nr;
}

/*
 * Sums of an aggregate report (-A), by thread or CPU, core type and set. Each has the time
 * of its last sample.
 */
struct sums;

struct sums *sums_new(const struct layout *layout);
void sums_free(struct sums *sums);
int sums_add(struct sums *sums, const struct pmc_reading *r);
/*
 * Sort them: by process and thread, or CPU, then by core type and set. This is done once, after
 * the last sample.
 */
void sums_sort(struct sums *sums);
/* Sum number @n, in the order of appearance, or sorted; NULL past the last. */
const struct pmc_reading *sums_get(const struct sums *sums, int n);
/*
 * When sums are sorted: if number @n is the last of its thread on its core type, the counts of
 * all event sets of that thread and core type, at most @max. Return: their number, or 0.
 */
int sums_sets(const struct sums *sums, int n, struct pmc_set_counts *sets, int max,
	      uint64_t *elapsed);
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

/*
 * A count of a core type, as it would be if it had been counted whenever the core type counted:
 * event sets may take turns.
 */
uint64_t totals_estimate(const struct totals *totals, const struct layout *layout, int core_type,
			 int name);

/**
 * struct metric_value - a metric of a sample or a total
 * @value: NAN if it is not known
 * @accuracy: how far it can be relied on
 */
struct metric_value {
	double value;
	enum pmc_accuracy accuracy;
};

/* report_metrics.c */
int nr_metrics(const struct layout *layout);
/* Metric number @n on a core type; on PMC_EVERY_CORE_TYPE, of the first that has it. Or NULL */
const pmc_metric_t *metric_of(const struct layout *layout, int n, int core_type);
/* 1 if its events are in several sets, on some core type */
int metric_is_estimated(const struct layout *layout, int n);
/* A heading: "branch_miss_rate[%]" */
void metric_label(const struct layout *layout, int n, char *buf, size_t size);
struct metric_value metric_sample(const struct report *report, int n, const struct pmc_reading *r);
struct metric_value metric_total(const struct layout *layout, int n, int core_type,
				 const struct totals *totals);
/* The value as text, "-" if it is not known. Return: 1 if it is known */
int metric_format(const struct layout *layout, int n, int core_type, struct metric_value v,
		  char *buf, size_t size);

/* The first line: what is counted, of what, in which mode, when, and on which core types */
void print_head(FILE *f, const struct report *report);
/* The same as one line, whatever the terminal's width. It is the caller's. */
char *report_title(const struct report *report);
/* With -m: from which events metrics are computed, and in how many event sets they are */
void print_plan(FILE *f, const struct report *report);

/* The table of totals. -1: no memory */
int print_totals(const struct report *report, const struct totals *totals, int lost);

/* Print a line for each type of loss, with @prefix before it. */
void print_losses(FILE *f, const char *prefix, const struct summary *summary);

/*
 * Print a line, with @prefix before it, if all counts are 0 because only user mode was counted.
 */
void print_hint(FILE *f, const char *prefix, const struct report *report,
		const struct summary *summary);

/* With -t: real, user and system time of the program, as time(1) prints them. */
void print_times(FILE *f, const struct options *o, const struct summary *summary);

/* What reports for persons end with: totals, losses, a hint, times */
void print_summary(const struct report *report, const struct summary *summary);

#endif
