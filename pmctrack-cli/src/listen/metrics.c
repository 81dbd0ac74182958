// SPDX-License-Identifier: GPL-2.0
/* Metrics of samples, by the names of their counts. */
#include <math.h>
#include <string.h>

#include "common.h"
#include "listen/listen.h"
#include "options.h"

#define CORE_TYPES_MAX 16

/* By core type, NULL where it lacks an event */
static pmc_metric_t *compiled[MAX_CONFIGS][CORE_TYPES_MAX];

void listen_metrics_check(const struct listen_print *p)
{
	int n, id, nr = pmc_machine_nr_core_types(p->machine), suits;

	for (n = 0; n < p->nr_metrics; n++) {
		for (id = suits = 0; id < nr && id < CORE_TYPES_MAX; id++) {
			compiled[n][id] = pmc_metric_compile(p->machine, id, p->metrics[n]);
			suits += !!compiled[n][id];
		}
		if (!suits)
			bad("listen: %s", pmc_last_error());
	}
}

static const pmc_metric_t *any(int n)
{
	int id = 0;

	while (!compiled[n][id])
		id++;
	return compiled[n][id];
}

const char *listen_metric_heading(int n)
{
	return pmc_metric_name(any(n));
}

static double count_of(const struct listen_counts *counts, const char *name)
{
	int i;

	for (i = 0; i < counts->nr; i++)
		if (!strcmp(counts->names[i], name) && counts->values[i] != PMC_NO_VALUE)
			return counts->values[i];
	return NAN;
}

void listen_metric_print(int n, int core_type, const struct listen_counts *counts, char *buf,
			 size_t size)
{
	const pmc_metric_t *metric = core_type < CORE_TYPES_MAX ? compiled[n][core_type] : NULL;
	double values[PMC_MAX_COUNTS] = { 0 };
	int i, nr = metric ? pmc_metric_nr_events(metric) : 0;

	snprintf(buf, size, "-");
	for (i = 0; i < nr && i < PMC_MAX_COUNTS; i++)
		values[i] = count_of(counts, pmc_metric_event(metric, i));
	if (nr && nr <= PMC_MAX_COUNTS)
		pmc_metric_format(metric, pmc_metric_value(metric, values), buf, size);
}
