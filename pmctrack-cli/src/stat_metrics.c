// SPDX-License-Identifier: GPL-2.0
/* The metrics of pmctrack stat -m: their values over the runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "stat_metrics.h"

void stat_metrics_init(struct stat_metrics *metrics, const pmc_plan_t *plan, int nr_core_types)
{
	metrics->plan = plan;
	metrics->nr_core_types = nr_core_types;
	metrics->values = new_array((size_t)pmc_plan_nr_metrics(plan) * (nr_core_types + 1),
				    sizeof(*metrics->values));
}

void stat_metrics_free(struct stat_metrics *metrics)
{
	free(metrics->values);
	metrics->values = NULL;
}

static int same_metric(const pmc_metric_t *a, const pmc_metric_t *b)
{
	int i;

	if (strcmp(pmc_metric_expr(a), pmc_metric_expr(b)) ||
	    pmc_metric_nr_events(a) != pmc_metric_nr_events(b))
		return 0;
	for (i = 0; i < pmc_metric_nr_events(a); i++)
		if (strcmp(pmc_metric_event(a, i), pmc_metric_event(b, i)))
			return 0;
	return 1;
}

const pmc_metric_t *stat_metric_of(const pmc_plan_t *plan, int nr_core_types, int n, int id)
{
	const pmc_metric_t *first, *m;
	int i;

	if (id != PMC_EVERY_CORE_TYPE)
		return pmc_plan_metric(plan, n, id);
	first = pmc_plan_metric(plan, n, 0);
	for (i = 1; first && i < nr_core_types; i++) {
		m = pmc_plan_metric(plan, n, i);
		if (!m || !same_metric(first, m))
			return NULL;
	}
	return first;
}

static struct stat_value *at(const struct stat_metrics *metrics, int n, int id)
{
	if (id == PMC_EVERY_CORE_TYPE)
		id = metrics->nr_core_types;
	return &metrics->values[n * (metrics->nr_core_types + 1) + id];
}

const struct stat_value *stat_metrics_value(const struct stat_metrics *metrics, int n, int id)
{
	return at(metrics, n, id);
}

void stat_metrics_add(struct stat_metrics *metrics, const struct pmc_set_counts *sets, int nr_sets,
		      uint64_t elapsed, int is_partial)
{
	enum pmc_accuracy accuracy;
	struct stat_value *v;
	double value;
	int n, id;

	for (n = 0; n < pmc_plan_nr_metrics(metrics->plan) && !is_partial; n++)
		for (id = PMC_EVERY_CORE_TYPE; id < metrics->nr_core_types; id++) {
			value = pmc_plan_value(metrics->plan, n, id, sets, nr_sets, elapsed,
					       &accuracy);
			if (isnan(value))
				continue;
			v = at(metrics, n, id);
			spread_add(&v->value, value);
			if (accuracy > v->accuracy)
				v->accuracy = accuracy;
		}
}
