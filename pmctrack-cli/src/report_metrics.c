// SPDX-License-Identifier: GPL-2.0
/* Metrics (-m) in reports: their values in samples, sums and totals. */
#include <math.h>
#include <string.h>

#include "report.h"

int nr_metrics(const struct layout *layout)
{
	return layout->plan ? pmc_plan_nr_metrics(layout->plan) : layout->nr_recorded;
}

const pmc_metric_t *metric_of(const struct layout *layout, int n, int core_type)
{
	const pmc_metric_t *metric = NULL;
	int id;

	if (core_type != PMC_EVERY_CORE_TYPE)
		return pmc_plan_metric(layout->plan, n, core_type);
	for (id = 0; id < layout->nr_core_types && !metric; id++)
		metric = pmc_plan_metric(layout->plan, n, id);
	return metric;
}

int metric_is_estimated(const struct layout *layout, int n)
{
	int id;

	for (id = 0; id < layout->nr_core_types; id++)
		if (pmc_plan_metric(layout->plan, n, id) && pmc_plan_is_estimated(layout->plan, n, id))
			return 1;
	return 0;
}

static struct recorded_metric name_and_unit(const struct layout *layout, int n)
{
	if (layout->recorded)
		return layout->recorded[n];
	return (struct recorded_metric){
		pmc_plan_name(layout->plan, n),
		pmc_metric_unit(metric_of(layout, n, PMC_EVERY_CORE_TYPE)),
	};
}

void metric_label(const struct layout *layout, int n, char *buf, size_t size)
{
	struct recorded_metric metric = name_and_unit(layout, n);

	snprintf(buf, size, *metric.unit ? "%s[%s]" : "%s", metric.name, metric.unit);
}

struct metric_value metric_sample(const struct report *report, int n, const struct pmc_reading *r)
{
	struct pmc_set_counts set = {
		.core_type = r->core_type, .set = r->set, .running = r->running,
		.nr_counts = r->nr_counts,
	};
	struct metric_value v;

	memcpy(set.counts, r->counts, sizeof(set.counts));
	v.value = pmc_plan_value(report->layout->plan, n, r->core_type, &set, 1, r->elapsed,
				 &v.accuracy);
	/* With -A the last row of a thread on a core type has the metrics of several sets. */
	if (isnan(v.value) && report->nr_sets)
		v.value = pmc_plan_value(report->layout->plan, n, r->core_type, report->sets,
					 report->nr_sets, report->sets_elapsed, &v.accuracy);
	return v;
}

struct metric_value metric_total(const struct layout *layout, int n, int core_type,
				 const struct totals *totals)
{
	struct metric_value v;

	v.value = pmc_plan_value(layout->plan, n, core_type, totals->sets, totals->nr_sets,
				 totals->elapsed, &v.accuracy);
	return v;
}

int metric_format(const struct layout *layout, int n, int core_type, struct metric_value v,
		  char *buf, size_t size)
{
	const pmc_metric_t *metric = metric_of(layout, n, core_type);

	if (metric && isfinite(v.value))
		pmc_metric_format(metric, v.value, buf, size);
	else
		snprintf(buf, size, "-");
	return metric && isfinite(v.value);
}
