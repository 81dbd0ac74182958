// SPDX-License-Identifier: GPL-2.0
/* The threads of the machine: they are counted, and those that ran longest are chosen. */
#include <stdlib.h>

#include "common.h"
#include "openmetrics/threads.h"

static void refuse(const struct thread_list *list, const char *why)
{
	if (list->beside_cpus)
		bad("openmetrics: --threads: %s (CPUs and threads have counters of their own: choose fewer events "
		    "and metrics, or --no-cpus)", why);
	bad("openmetrics: --threads: %s", why);
}

static void start(struct thread_list *list)
{
	char error[256];

	if (counting_start(&list->counting, &list->choice, error, sizeof(error)))
		refuse(list, error);
	counting_look(&list->counting);
	if (list->counting.nr_processes == list->counting.nr_refused)
		refuse(list, list->counting.why);
	counting_sample(&list->counting);
}

void thread_list_start(struct thread_list *list, const pmc_machine_t *machine)
{
	list->counting.verb = "openmetrics";
	list->counting.machine = machine;
	start(list);
}

static int longest_first(const void *x, const void *y)
{
	const struct counted_thread *a = *(struct counted_thread *const *)x, *b = *(struct counted_thread *const *)y;

	if (a->interval.running != b->interval.running)
		return a->interval.running < b->interval.running ? 1 : -1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

void thread_list_choose(struct thread_list *list)
{
	const struct counted_threads *t = &list->counting.threads;
	int i;

	list->all = must_have(realloc(list->all, (t->nr + 1) * sizeof(*list->all)));
	list->nr_ran = 0;
	for (i = 0; i < t->nr; i++)
		if (t->all[i]->interval.running)
			list->all[list->nr_ran++] = t->all[i];
	qsort(list->all, list->nr_ran, sizeof(*list->all), longest_first);
	list->nr = list->nr_ran < list->most ? list->nr_ran : list->most;
	list->nr_refused = counting_refused_threads(&list->counting);
}

void thread_list_take(struct thread_list *list, uint64_t delay_us, uint64_t ns)
{
	counting_end_interval(&list->counting, delay_us, ns);
	thread_list_choose(list);
}

void thread_list_go_on(struct thread_list *list)
{
	if (!list->counting.threads.evicted) {
		counting_look(&list->counting);
		return;
	}
	counting_stop(&list->counting);
	start(list);
}

void thread_list_stop(struct thread_list *list)
{
	counting_stop(&list->counting);
	free(list->all);
}
