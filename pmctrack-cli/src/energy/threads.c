// SPDX-License-Identifier: GPL-2.0
/* The threads of a program, and the energy of each on each core type. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "energy/threads.h"

/* Another thread may have the number of one that has ended. */
static int is_of(const struct energy_thread *t, const struct pmc_reading *sum)
{
	return t->pid == sum->pid && t->tid == sum->tid && t->last < sum->core_type;
}

/* @array with room for the values of one more thread, which are 0 */
static void *more(const struct energy_threads *threads, void *array, size_t size)
{
	size_t row = threads->nr_core_types * size;
	char *longer = must_have(realloc(array, (threads->nr + 1) * row));

	memset(longer + threads->nr * row, 0, row);
	return longer;
}

static struct energy_thread *new_thread(struct energy_threads *threads, const struct pmc_reading *sum)
{
	struct energy_thread *t;

	threads->all = must_have(realloc(threads->all, (threads->nr + 1) * sizeof(*threads->all)));
	threads->estimates = more(threads, threads->estimates, sizeof(*threads->estimates));
	threads->running = more(threads, threads->running, sizeof(*threads->running));
	t = &threads->all[threads->nr++];
	*t = (struct energy_thread){ .pid = sum->pid, .tid = sum->tid };
	return t;
}

void energy_threads_add(struct energy_threads *threads, const struct pmc_reading *sum,
			double microjoules)
{
	struct energy_thread *t = threads->nr ? &threads->all[threads->nr - 1] : NULL;
	size_t at;

	if (!t || !is_of(t, sum))
		t = new_thread(threads, sum);
	if (*sum->name)
		memcpy(t->name, sum->name, sizeof(t->name));
	t->last = sum->core_type;
	at = (size_t)(threads->nr - 1) * threads->nr_core_types + sum->core_type;
	threads->running[at] += sum->running;
	threads->estimates[at] += microjoules;
}

void energy_threads_free(struct energy_threads *threads)
{
	free(threads->all);
	free(threads->estimates);
	free(threads->running);
}
