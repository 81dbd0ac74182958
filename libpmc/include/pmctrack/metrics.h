/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Metrics, such as instructions per cycle, by name or by formula: formulas on counts,
 * compiled once and evaluated on samples and totals
 */
#ifndef LIBPMCTRACK_METRICS_H
#define LIBPMCTRACK_METRICS_H

#include <stddef.h>

#include <pmctrack/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pmc_metric pmc_metric_t;

/**
 * struct pmc_metric_info - a metric that has a name
 * @name: its name, for pmc_metric_compile()
 * @expr: its formula
 * @unit: its unit, "" if it has none
 * @groups: names of the groups that it belongs to, separated by ;
 * @desc: one line about it
 * @source: "built in", or the file or table that it is defined in
 */
struct pmc_metric_info {
	const char *name;
	const char *expr;
	const char *unit;
	const char *groups;
	const char *desc;
	const char *source;
};

/**
 * pmc_metric_compile - a metric on a core type
 * @core_type: a core type; the events of the formula are its events
 * @spec: the name of a metric: one that the user or the administrator has defined, one
 *	of the library, or one of the model's table; or a definition, NAME[FORMAT UNIT]=EXPRESSION, as in
 *	"llcmr[%.1f per 1000]=1000*llc_misses/instr". FORMAT is %.0f to %.9f (%.2f);
 *	FORMAT, UNIT and the brackets may be missing. pmc_metric_compile(3) has the
 *	language of expressions
 *
 * Return: an object for pmc_metric_free(), which does not change; NULL on failure.
 * ENOENT: there is no metric of this name. EINVAL: @spec is wrong, or the core type
 * lacks an event; the error line names metric, event and core type. ELOOP: the metric
 * depends on itself.
 */
PMC_API pmc_metric_t *pmc_metric_compile(const pmc_machine_t *machine, int core_type,
					 const char *spec);
PMC_API void pmc_metric_free(pmc_metric_t *metric);

/**
 * pmc_metric_name - the name of a metric
 * pmc_metric_unit - its unit, "" if it has none
 * pmc_metric_expr - its formula, as it was written
 * pmc_metric_desc - one line about it
 *
 * Return: a string that belongs to @metric.
 */
PMC_API const char *pmc_metric_name(const pmc_metric_t *metric);
PMC_API const char *pmc_metric_unit(const pmc_metric_t *metric);
PMC_API const char *pmc_metric_expr(const pmc_metric_t *metric);
PMC_API const char *pmc_metric_desc(const pmc_metric_t *metric);

/** pmc_metric_nr_events - number of events that a metric is computed from */
PMC_API int pmc_metric_nr_events(const pmc_metric_t *metric);

/**
 * pmc_metric_event - event number @n of a metric, from 0
 *
 * The name can be part of an event set, except "duration_time", which is no event: it
 * stands for the time in seconds that the counts are of.
 *
 * Return: a string that belongs to @metric; NULL past the last.
 */
PMC_API const char *pmc_metric_event(const pmc_metric_t *metric, int n);

/**
 * pmc_metric_value - the value of a metric
 * @counts: the counts of its events, in the order of pmc_metric_event()
 *
 * Return: the value in @metric's unit; NAN if it is not defined, as after a division by
 * zero, or if a count that matters is NAN.
 */
PMC_API double pmc_metric_value(const pmc_metric_t *metric, const double *counts);

/**
 * pmc_metric_format - a value with the metric's number of digits, "-" for NAN
 * @buf: out: at most @size bytes, with the terminating zero
 */
PMC_API void pmc_metric_format(const pmc_metric_t *metric, double value, char *buf,
			       size_t size);

/**
 * pmc_machine_each_metric - call @fn for each metric that a core type has the events of
 * @fn: called with @arg and a metric, which is valid only during the call. A return
 *	value other than 0 ends the listing
 *
 * Metrics that users have defined come first, then those of the library and of the
 * model's table.
 *
 * Return: the last return value of @fn; -1 if there is no such core type, or a file of
 * metrics is malformed.
 */
PMC_API int pmc_machine_each_metric(const pmc_machine_t *machine, int core_type,
				    int (*fn)(void *arg, const struct pmc_metric_info *info),
				    void *arg);

#ifdef __cplusplus
}
#endif

#endif
