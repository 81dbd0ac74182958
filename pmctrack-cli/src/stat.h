/* SPDX-License-Identifier: GPL-2.0 */
/* pmctrack stat: the counts of a program over its runs, and how they are printed. */
#ifndef PMCTRACK_STAT_H
#define PMCTRACK_STAT_H

#include <stdio.h>

#include "report.h"

struct stat_metrics;
struct stat_threads;

/* How far a count can be trusted; the worst of several is the greatest. */
enum accuracy {
	ACCURACY_EXACT,		/* each event was counted */
	ACCURACY_PARTIAL,	/* some events were not counted: the count is a lower limit */
	ACCURACY_ESTIMATED,	/* counted for a part of the time, and scaled */
};

/* Mean and spread of a value over several runs: Welford's method (Knuth, volume 2, 4.2.2) */
struct spread {
	unsigned int nr;
	double mean;
	double m2;	/* sum of the squared differences from the mean */
};

void spread_add(struct spread *s, double value);
/* The mean's standard error in percent of the mean, as perf prints it; 0 for one run. */
double spread_percent(const struct spread *s);
/* The mean's standard error. */
double spread_error(const struct spread *s);

/**
 * struct stat_count - an event on one core type, or on all
 * @value: its count
 * @last: that of the last run, to the event
 * @covered: ns during which it was counted
 * @running: ns that the counters of that core type were loaded
 * @supported: some core type can count it
 * @counted: there is a value
 */
struct stat_count {
	struct spread value;
	uint64_t last;
	struct spread covered;
	struct spread running;
	int supported;
	int counted;
	enum accuracy accuracy;
};

/**
 * struct stat_counts - all counts, over all runs
 * @names: the layout's names, and other spellings that the user typed for the same events
 * @columns: for each name and core type, the index of the event in the layout; -1: it has none
 * @order: the names, by index, in the order of their rows
 * @counts: for each name, nr_core_types counts and one of all core types
 * @is_software: 1 for names of events that the kernel itself counts
 * @elapsed, @user, @sys: seconds of the program
 * @last_ns: time of the last run
 * @is_partial: in the last run some threads, or some of the time, were not counted
 * @has_times: @user and @sys are known
 * @lost: samples that were lost, of all runs: the counts of threads do not have theirs
 */
struct stat_counts {
	int nr_names;
	int nr_core_types;
	char **names;
	int *columns;
	int *order;
	char *is_software;
	char **core_types;	/* the kernel's names of the PMUs */
	char **labels;		/* 0:P */
	struct stat_count *counts;
	struct spread elapsed;
	struct spread user;
	struct spread sys;
	int has_times;
	uint64_t last_ns;
	int is_partial;
	uint64_t lost;
	struct summary losses;	/* of all runs; without totals, usage and @lost */
};

void stat_counts_init(struct stat_counts *c, const struct layout *layout);
/* The same names and rows as @other has, and no counts yet */
void stat_counts_like(struct stat_counts *c, const struct stat_counts *other);
void stat_counts_free(struct stat_counts *c);
/*
 * The index of @name, which is added if it is new. It stands for the layout's event @columns[id] on
 * core type id; -1: for none.
 */
int stat_counts_name(struct stat_counts *c, const char *name, const int *columns);
/*
 * The rows of event @name come next, behind the @nr_before that were put first before. Return:
 * how many have been put first.
 */
int stat_counts_next(struct stat_counts *c, int nr_before, int name);
/* Add a run. */
void stat_counts_add(struct stat_counts *c, const struct layout *layout,
		     const struct summary *summary);
/* The layout's event @column on core type @id, and its sum, are not better than @accuracy. */
void stat_counts_mark(struct stat_counts *c, int column, int id, enum pmc_accuracy accuracy);
/* The counts are a part of @all, and on core types on which they ran not better than those. */
void stat_counts_mark_part(struct stat_counts *c, const struct stat_counts *all);
/* Event @name on core type @id, or on all with PMC_EVERY_CORE_TYPE. */
const struct stat_count *stat_count(const struct stat_counts *c, int name, int id);

/**
 * struct stat_metric - the number beside a count
 * @value: the metric
 * @unit: its unit, or NULL if there is none
 */
struct stat_metric {
	double value;
	const char *unit;
};

/* The metric that perf prints beside event @name, on core type @id or PMC_EVERY_CORE_TYPE. */
struct stat_metric stat_metric(const struct stat_counts *c, int name, int id);
/* Is the event a time in ns, which is printed in ms? */
int stat_is_time(const char *event);

/**
 * struct stat_form - how to print
 * @title: the command, the process or the CPUs, as in "for 'true'"
 * @runs: number of runs, of -r
 * @suffix: behind each event's name: ":u" if only user mode was counted
 * @separator: of -x
 * @per_core_type: rows for core types only
 * @metrics: of -m, or NULL
 * @threads: rows are those of these threads, or NULL
 * @missing: events without -e that no core type can count, as "cycles, branches"; or NULL
 * @forbidden: events without -e that the user may not count; or NULL
 * @has_pmu: some core type has hardware counters
 * @width: columns of the terminal; 0: there is none
 */
struct stat_form {
	const char *title;
	unsigned int runs;
	const char *suffix;
	const char *separator;
	int per_core_type;
	const struct stat_metrics *metrics;
	const struct stat_threads *threads;
	const char *missing;
	const char *forbidden;
	int has_pmu;
	int width;
};

void stat_print_table(FILE *f, const struct stat_form *form, const struct stat_counts *c);
void stat_print_csv(FILE *f, const struct stat_form *form, const struct stat_counts *c);
void stat_print_json(FILE *f, const struct stat_form *form, const struct stat_counts *c);

#endif
