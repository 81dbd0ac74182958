// SPDX-License-Identifier: GPL-2.0
/* Sums over the calls of each function, by thread and core type. */
#include <search.h>
#include <stdlib.h>

#include "common.h"
#include "probe_sums.h"

static int compare(const void *a, const void *b)
{
	const struct probe_sum *one = a, *other = b;

	if (one->function != other->function)
		return one->function - other->function;
	return (one->tid > other->tid) - (one->tid < other->tid);
}

static struct probe_sum *find(struct probe_sums *sums, int function, pid_t tid)
{
	const struct probe_sum wanted = { .function = function, .tid = tid };
	struct probe_sum **found = tfind(&wanted, &sums->tree, compare), *sum;
	int nr = probe_nr_values(sums->events);

	if (found)
		return *found;
	sum = new_array(1, sizeof(*sum));
	*sum = wanted;
	sum->calls = new_array(sums->events->nr_core_types, sizeof(*sum->calls));
	sum->inclusive = new_array(2 * nr, sizeof(*sum->inclusive));
	sum->exclusive = sum->inclusive + nr;
	sums->all = must_have(realloc(sums->all, (sums->nr + 1) * sizeof(*sums->all)));
	sums->all[sums->nr++] = sum;
	must_have(tsearch(sum, &sums->tree, compare));
	return sum;
}

void probe_sums_add(void *arg, const struct probe_call *call)
{
	struct probe_sums *sums = arg;
	struct probe_sum *sum = find(sums, call->function, sums->per_thread ? call->tid : 0);
	int i;

	sum->calls[call->core_type]++;
	sums->open += !call->is_whole;
	for (i = 0; i < probe_nr_values(sums->events); i++) {
		sum->exclusive[i] += call->exclusive[i];
		if (call->is_outermost)
			sum->inclusive[i] += call->inclusive[i];
	}
}

static int width;
static int nr_core_types;

static uint64_t first_event(const struct probe_sum *sum)
{
	uint64_t n = 0;
	int id;

	for (id = 0; id < nr_core_types; id++)
		n += sum->exclusive[id * width];
	return n;
}

static int by_count(const void *a, const void *b)
{
	const struct probe_sum *one = *(struct probe_sum **)a, *other = *(struct probe_sum **)b;
	uint64_t x = first_event(one), y = first_event(other);

	return x != y ? (x < y) - (x > y) : compare(one, other);
}

/* Functions that were not called have a sum, too. */
static void add_uncalled(struct probe_sums *sums, const struct probe_functions *functions)
{
	char *called = new_array(functions->nr + 1, sizeof(*called));
	int i;

	for (i = 0; i < sums->nr; i++)
		called[sums->all[i]->function] = 1;
	for (i = 0; i < functions->nr; i++)
		if (!functions->all[i].refused && !called[i])
			find(sums, i, 0);
	free(called);
}

void probe_sums_sort(struct probe_sums *sums, const struct probe_functions *functions)
{
	add_uncalled(sums, functions);
	width = sums->events->width;
	nr_core_types = sums->events->nr_core_types;
	if (sums->nr)
		qsort(sums->all, sums->nr, sizeof(*sums->all), by_count);
}

static void keep(void *sum)
{
	(void)sum;
}

void probe_sums_free(struct probe_sums *sums)
{
	tdestroy(sums->tree, keep);
	while (sums->nr) {
		free(sums->all[--sums->nr]->calls);
		free(sums->all[sums->nr]->inclusive);
		free(sums->all[sums->nr]);
	}
	free(sums->all);
}
