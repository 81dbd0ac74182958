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

/* Return: 0; -1 with @error: no thread is counted */
static int start(struct thread_list *list, char *error, size_t size)
{
	struct thread_counting *c = &list->counting;

	if (counting_start(c, &list->choice, error, size))
		return -1;
	counting_look(c);
	counting_sample(c);
	if (c->nr_processes > c->nr_refused)
		return 0;
	snprintf(error, size, "%s", c->why);
	return -1;
}

void thread_list_start(struct thread_list *list, const pmc_machine_t *machine)
{
	char error[256];

	list->counting.verb = "openmetrics";
	list->counting.machine = machine;
	if (start(list, error, sizeof(error)))
		refuse(list, error);
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
	if (list->counting.session)
		counting_end_interval(&list->counting, delay_us, ns);
	thread_list_choose(list);
}

/* With an error that stays, texts have no threads, and it is tried again after each of them. */
static void restart(struct thread_list *list)
{
	struct thread_counting *c = &list->counting;
	int counted = !!c->session;
	char error[256];

	counting_stop(c);
	if (!start(list, error, sizeof(error)))
		return;
	if (counted)
		fprintf(stderr, "pmctrack openmetrics: --threads: no thread is counted for now: %s\n", error);
	/* The text has the number of threads that are not counted. */
	if (!c->session)
		counting_look(c);
}

void thread_list_go_on(struct thread_list *list)
{
	if (list->counting.session && !list->counting.threads.evicted)
		counting_look(&list->counting);
	else
		restart(list);
}

void thread_list_stop(struct thread_list *list)
{
	counting_stop(&list->counting);
	free(list->all);
}
