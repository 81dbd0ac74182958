// SPDX-License-Identifier: GPL-2.0
/*
 * The samples that all CPUs take at the end of a period, in the order of their CPUs. They come
 * in any order, as the timers of the CPUs do.
 */
#include <stdlib.h>

#include "syswide_samples.h"

int interval_add(struct interval *interval, const struct pmc_reading *r)
{
	int room = interval->room ? 2 * interval->room : 16;
	struct pmc_reading *all;

	if (interval->nr == interval->room) {
		all = realloc(interval->all, room * sizeof(*all));
		if (!all)
			return -1;
		interval->all = all;
		interval->room = room;
	}
	interval->all[interval->nr++] = *r;
	return 0;
}

int interval_is_over(const struct interval *interval, const struct pmc_reading *r,
		     uint64_t period_ns)
{
	int i;

	for (i = 0; i < interval->nr; i++)
		if (interval->all[i].cpu == r->cpu)
			return 1;
	return interval->nr && r->time > interval->all[0].time + period_ns / 2;
}

static int compare(const void *one, const void *other)
{
	const struct pmc_reading *a = one, *b = other;

	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

void interval_sort(struct interval *interval)
{
	if (interval->nr)
		qsort(interval->all, interval->nr, sizeof(*interval->all), compare);
}

void interval_free(struct interval *interval)
{
	free(interval->all);
}
