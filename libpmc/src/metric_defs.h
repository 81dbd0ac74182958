/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Definitions of metrics: the library's own, and those that users write. */
#ifndef LIBPMC_METRIC_DEFS_H
#define LIBPMC_METRIC_DEFS_H

#include "machine.h"

/* Digits after the point, unless a definition says how many */
#define METRIC_DIGITS 2

/* A metric's definition. The strings belong to what it was taken from. */
struct metric_def {
	const char *name;
	const char *expr;
	const char *unit;
	const char *groups;	/* names separated by ; */
	const char *desc;
	const char *source;	/* "built in", or the file */
	double scale;		/* the value is multiplied by it */
	int digits;
};

typedef int (*metric_def_fn)(void *arg, const struct metric_def *def);

/*
 * metric_table.c: the library's own metrics. A row is of the core types that have the event
 * @needs; of several rows of a name the first counts. Rows that only give names to others
 * have no description.
 */
struct metric_row {
	const char *name;
	const char *expr;
	const char *unit;
	int digits;
	double scale;
	const char *needs;	/* or NULL */
	const char *groups;
	const char *desc;
};

extern const struct metric_row metric_rows[];
extern const size_t nr_metric_rows;

/*
 * parse_metric.c: parse NAME[FORMAT UNIT]=EXPRESSION, where the brackets may be missing. @text
 * is changed, and @def refers to it. 0 if it has this form, -1 with an error line if not.
 */
int metric_def_parse(struct metric_def *def, char *text);

/*
 * metric_files.c: call @fn for each metric in the users' files, until it does not return 0;
 * return that. -1 with an error line that names the file and the line, if one is malformed.
 */
int metric_files_each(metric_def_fn fn, void *arg);

/*
 * Look @name up for a core type: in the users' files, the library's table and the tables of the
 * model. Call
 * @fn with it and return what it returns; 0 if there is no such metric, -1 on error.
 */
int metric_def_find(const pmc_machine_t *machine, const struct core_type *ct, const char *name,
		    metric_def_fn fn, void *arg);

/* Call @fn for each metric that has a name, those that count first. */
int metric_def_each(const pmc_machine_t *machine, const struct core_type *ct, metric_def_fn fn,
		    void *arg);

/* metric_list.c: " (did you mean X or Y?)" for the name of a metric, or "". */
void metric_suggest(const pmc_machine_t *machine, const struct core_type *ct, const char *name,
		    char *buf, size_t size);

/* metric_list.c: is @group among @groups, which are separated by ;? */
int metric_in_group(const char *groups, const char *group);

/* 1: @name is a metric that the core type can count, 2: a group of metrics, 0: neither */
int metric_is_known(const pmc_machine_t *machine, const struct core_type *ct, const char *name);

/*
 * metric_event_names.c: the library's spelling of an event in an expression: cpu_core@EVENT,umask=1@
 * becomes EVENT:umask=1. -1 with an error line if it cannot be an event of the core type.
 */
int metric_event_name(const struct core_type *ct, const char *name, char *event, size_t size);

/* 1: the core type has the event; 0: it has not, and there is an error line */
int metric_event_known(const pmc_machine_t *machine, const struct core_type *ct,
		       const char *event);

/* Set the error line that says why the core type has no such event. */
void metric_event_explain(const pmc_machine_t *machine, const struct core_type *ct,
			  const char *event);

/*
 * machine_literals.c: the value of #NAME. @sys is the folder of sysfs. -1 with an error line if it
 * cannot be known.
 */
int literal_value(const char *sys, const struct core_type *ct, const char *name, double *value);

#endif
