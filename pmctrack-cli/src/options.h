/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of pmctrack. */
#ifndef PMCTRACK_OPTIONS_H
#define PMCTRACK_OPTIONS_H

#include <sched.h>
#include <stdint.h>
#include <sys/types.h>

#include "format_count.h"

#define MAX_CONFIGS 64
#define MAX_PIDS 64

struct report_ops;

enum plot {
	PLOT_NONE,
	PLOT_CORE_TYPES,	/* a chart for each core type */
	PLOT_THREADS,		/* a chart for each thread */
};

struct options {
	const char *configs[MAX_CONFIGS];	/* -c */
	int nr_configs;
	const char *virtuals[MAX_CONFIGS];	/* -V */
	int nr_virtuals;
	const char *metrics[MAX_CONFIGS];	/* -m */
	int nr_metrics;
	uint64_t period_us;			/* -T */
	int syswide;				/* -S */
	int aggregate;				/* -A */
	cpu_set_t count_cpus;			/* -C */
	const char *cpus;			/* -C as the user wrote it, or NULL: all CPUs */
	pid_t pids[MAX_PIDS];			/* -p */
	int nr_pids;
	const char *pmu;			/* -P */
	cpu_set_t bind;				/* -b */
	int has_bind;
	cpu_set_t bind_monitor;			/* -B */
	int has_bind_monitor;
	uint64_t max_samples;			/* -n, 0: no limit */
	uint64_t max_ebs_samples;		/* -K, 0: no limit */
	uint64_t limit_us;			/* -N, 0: no limit */
	const char *output;			/* -o */
	int extended;				/* -e */
	int elapsed;				/* -E */
	unsigned int ring;			/* -k, 0: the default */
	int raw;				/* -r */
	int split;				/* --split */
	int per_thread;				/* stat --per-thread */
	int times;				/* -t */
	int plain_seconds;			/* -s */
	int no_mapping;				/* -L */
	int time;				/* --time */
	int estimate;				/* --estimate */
	enum numbers numbers;			/* --numbers */
	const struct report_ops *format;	/* --format; NULL: not chosen yet */
	enum plot plot;
	const char *filter;			/* user, kernel or all */
	char **command;				/* program and arguments, or NULL */
};

/* Exits for --help, --version and wrong options. */
void options_parse(struct options *o, int argc, char **argv);

/* What several verbs take, for their tables; each ends in bad() if @text has another form. */
/* -p: add the process ids in @text, with commas between them. */
void options_take_pids(struct options *o, const char *text);
/* -C, -b */
void options_take_cpus(struct options *o, const char *text);
void options_take_bind(struct options *o, const char *text);
/* -T */
void options_take_period(struct options *o, const char *text);
/* --format */
void options_take_format(struct options *o, const char *text);
/* --filter */
void options_take_filter(struct options *o, const char *text);

/* parse_time.c: parse a time: seconds, which may have a fraction, or 100ms, 500us. Return: microseconds. */
uint64_t options_seconds(const char *option, const char *text);

/* Parse "3", "0-2,5" or a mask "0x2f"; -1 if @text has another form. */
int cpus_parse(const char *text, cpu_set_t *set);

#endif
