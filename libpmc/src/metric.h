/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A compiled metric: a list of operations, each on the results of earlier ones. */
#ifndef LIBPMC_METRIC_H
#define LIBPMC_METRIC_H

#include "expr.h"
#include "machine.h"

/* Time in seconds; the caller supplies it like the count of an event. */
#define DURATION_TIME "duration_time"

/* Most operations of a metric, with those of the metrics that it names */
#define METRIC_STEPS	8192

/* @op is EXPR_NUMBER, or EXPR_NAME for the count of event arg[0], or an operator. */
struct metric_step {
	enum expr_op op;
	int arg[3];
	double number;
};

struct pmc_metric {
	char *name;
	char *expr;
	char *unit;
	char *desc;
	double scale;
	int digits;
	int nr_events;
	char **events;		/* in the library's spelling */
	int nr_steps;
	int result;		/* number of the step that has the value */
	struct metric_step *steps;
};

/* Compile a metric that is to be listed; NULL without an error line if its events are missing. */
pmc_metric_t *metric_compile_listed(const pmc_machine_t *machine, const struct core_type *ct,
				    const char *name);

/* Return: it is a definition, NAME=EXPRESSION, not the name of a metric. */
int metric_is_definition(const char *spec);

/* Have both the same formula, on events of the same names? */
int metric_same(const pmc_metric_t *a, const pmc_metric_t *b);

#endif
