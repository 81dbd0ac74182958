// SPDX-License-Identifier: GPL-2.0
/* Families of threads in the OpenMetrics text: a sample has the labels pid, tid and name. */
#include <math.h>

#include "openmetrics/openmetrics.h"
#include "openmetrics/threads.h"

static void begin_thread(FILE *f, const char *sample, const struct counted_thread *t)
{
	fprintf(f, "%s{pid=\"%d\",tid=\"%d\",", sample, t->pid, t->tid);
	openmetrics_label(f, "name", t->name);
}

static void print_core_type(FILE *f, const struct thread_list *list, int id)
{
	fputc(',', f);
	openmetrics_label(f, "core_type", list->counting.threads.core_types[id].info->name);
}

static void print_cpu_time(const struct thread_list *list, FILE *f)
{
	int i;

	openmetrics_family(f, "pmctrack_thread_cpu_seconds", "counter", "seconds",
			   "Time for which the thread ran, since it has been counted.");
	for (i = 0; i < list->nr; i++) {
		begin_thread(f, "pmctrack_thread_cpu_seconds_total", list->all[i]);
		fprintf(f, "} %.9f\n", list->all[i]->total.running / 1e9);
	}
}

static void print_counted(const struct thread_list *list, FILE *f)
{
	const struct thread_sums *total;
	int i, n;

	openmetrics_family(f, "pmctrack_thread_counted_seconds", "counter", "seconds",
			   "Time for which the thread ran on a core type while the event set was counted.");
	for (i = 0; i < list->nr; i++) {
		total = &list->all[i]->total;
		for (n = 0; n < total->nr; n++) {
			begin_thread(f, "pmctrack_thread_counted_seconds_total", list->all[i]);
			print_core_type(f, list, total->sets[n].core_type);
			fprintf(f, ",set=\"%d\"} %.9f\n", total->sets[n].set, total->sets[n].running / 1e9);
		}
	}
}

static void print_set(const struct thread_list *list, const struct counted_thread *t,
		      const struct pmc_set_counts *s, FILE *f)
{
	int event;

	for (event = 0; event < s->nr_counts; event++) {
		begin_thread(f, "pmctrack_thread_events_total", t);
		print_core_type(f, list, s->core_type);
		fprintf(f, ",set=\"%d\",", s->set);
		openmetrics_label(f, "event",
				  pmc_config_event(list->counting.config, s->core_type, s->set, event));
		fprintf(f, "} %llu\n", (unsigned long long)s->counts[event]);
	}
}

static void print_events(const struct thread_list *list, FILE *f)
{
	int i, n;

	openmetrics_family(f, "pmctrack_thread_events", "counter", NULL,
			   "Events of the thread on a core type while the event set was counted.");
	for (i = 0; i < list->nr; i++)
		for (n = 0; n < list->all[i]->total.nr; n++)
			print_set(list, list->all[i], &list->all[i]->total.sets[n], f);
}

static void print_metric(const struct thread_list *list, const struct counted_thread *t, int n, int id, FILE *f)
{
	const pmc_metric_t *metric = pmc_plan_metric(list->counting.plan, n, id);
	double value;

	if (!metric)
		return;
	value = thread_metric_value(&list->counting.threads, n, id, id, &t->interval);
	/* A thread that was not on this core type in the last interval has no metrics of it. */
	if (isnan(value))
		return;
	begin_thread(f, "pmctrack_thread_metric", t);
	print_core_type(f, list, id);
	fputc(',', f);
	openmetrics_label(f, "metric", pmc_metric_name(metric));
	fputc(',', f);
	openmetrics_label(f, "metric_unit", pmc_metric_unit(metric));
	fprintf(f, "} %.9g\n", value);
}

static void print_metrics(const struct thread_list *list, FILE *f)
{
	const struct counted_threads *t = &list->counting.threads;
	int i, n, id;

	openmetrics_family(f, "pmctrack_thread_metric", "gauge", NULL,
			   "A metric of the thread on a core type, of the last interval.");
	for (i = 0; i < list->nr; i++)
		for (n = 0; n < t->nr_metrics; n++)
			for (id = 0; id < t->nr_core_types; id++)
				print_metric(list, list->all[i], n, id, f);
}

static void print_numbers(const struct thread_list *list, FILE *f)
{
	openmetrics_family(f, "pmctrack_threads", "gauge", NULL,
			   "Threads that ran and are written, that ran and are not, and that may not be counted.");
	fprintf(f, "pmctrack_threads{state=\"written\"} %d\n", list->nr);
	fprintf(f, "pmctrack_threads{state=\"further\"} %d\n", list->nr_ran - list->nr);
	fprintf(f, "pmctrack_threads{state=\"refused\"} %d\n", list->nr_refused);
	openmetrics_family(f, "pmctrack_thread_lost_samples", "counter", NULL,
			   "Samples of threads that were lost. Counts of some threads are too low by them.");
	fprintf(f, "pmctrack_thread_lost_samples_total %llu\n",
		(unsigned long long)list->counting.threads.lost);
}

void thread_list_write(const struct thread_list *list, FILE *f)
{
	print_cpu_time(list, f);
	print_counted(list, f);
	print_events(list, f);
	print_metrics(list, f);
	print_numbers(list, f);
}
