// SPDX-License-Identifier: GPL-2.0
/* Counts and metrics of functions without the cost of probes. */
#include <math.h>

#include "probe_print.h"
#include "report.h"

/* Index of an event among those of a core type; -1: it has none of this name. */
static int event_of(const struct probe_report *r, int id, int name)
{
	return layout_place(layout_set(r->layout, id, 0), name);
}

static const uint64_t *of_core_type(const struct probe_report *r, const uint64_t *values, int id)
{
	return values + id * r->events->width;
}

/* A call whose probes cost less than others' may seem to have less than nothing. */
static uint64_t net(const struct probe_report *r, const uint64_t *values, int id, int event)
{
	const uint64_t *own = of_core_type(r, values, id);
	double value = own[event] - probe_cost_of(r->costs, own, id, event);

	return value > 0 ? llround(value) : 0;
}

uint64_t probe_count(const struct probe_report *r, const uint64_t *values, int id, int name)
{
	uint64_t sum = 0;
	int event, i;

	for (i = 0; i < r->events->nr_core_types; i++) {
		event = event_of(r, i, name);
		if (event >= 0 && (id == i || id == PMC_EVERY_CORE_TYPE))
			sum += net(r, values, i, event);
	}
	return sum;
}

double probe_count_cost(const struct probe_report *r, const uint64_t *values, int id, int name)
{
	double sum = 0;
	int event, i;

	for (i = 0; i < r->events->nr_core_types; i++) {
		event = event_of(r, i, name);
		if (event >= 0 && (id == i || id == PMC_EVERY_CORE_TYPE))
			sum += probe_cost_of(r->costs, of_core_type(r, values, i), i, event);
	}
	return sum;
}

int probe_metric(const struct probe_report *r, const uint64_t *values, int id, int n, char *buf,
		 size_t size)
{
	int nr = r->events->nr_core_types, i, event;
	struct metric_value v = { .value = NAN };
	struct pmc_set_counts sets[nr];

	for (i = 0; i < nr; i++) {
		sets[i] = (struct pmc_set_counts){
			.core_type = i, .running = 1, .nr_counts = r->events->core_types[i].nr,
		};
		for (event = 0; event < sets[i].nr_counts; event++)
			sets[i].counts[event] = net(r, values, i, event);
	}
	v.value = pmc_plan_value(r->layout->plan, n, id, sets, nr, 0, NULL);
	return metric_format(r->layout, n, id, v, buf, size);
}

uint64_t probe_nr_calls(const struct probe_report *r, const struct probe_sum *sum, int id)
{
	uint64_t calls = 0;
	int i;

	for (i = 0; i < r->events->nr_core_types; i++)
		calls += id == i || id == PMC_EVERY_CORE_TYPE ? sum->calls[i] : 0;
	return calls;
}

int probe_has_row(const struct probe_report *r, const struct probe_sum *sum, int id)
{
	int i, first;

	if (id == PMC_EVERY_CORE_TYPE)
		return 1;
	first = id * r->events->width;
	for (i = first; i < first + r->events->most; i++)
		if (sum->inclusive[i] || sum->exclusive[i])
			return r->events->nr_core_types > 1;
	return sum->calls[id] && r->events->nr_core_types > 1;
}
