// SPDX-License-Identifier: GPL-2.0
/*
 * The OpenMetrics text format, version 1.0 (prometheus/OpenMetrics, specification/OpenMetrics.md):
 * families of samples, each with its type, unit and help, and "# EOF" at the end.
 */
#include <math.h>
#include <string.h>

#include "openmetrics/openmetrics.h"
#include "quote.h"

void openmetrics_label(FILE *f, const char *name, const char *value)
{
	fprintf(f, "%s=", name);
	print_openmetrics_string(f, value);
}

void openmetrics_family(FILE *f, const char *name, const char *type, const char *unit, const char *help)
{
	fprintf(f, "# TYPE %s %s\n", name, type);
	if (unit)
		fprintf(f, "# UNIT %s %s\n", name, unit);
	fprintf(f, "# HELP %s %s\n", name, help);
}

static void begin_sample(FILE *f, const char *name, const char *core_type)
{
	fprintf(f, "%s{", name);
	openmetrics_label(f, "core_type", core_type);
}

static const char *core_type_name(const struct machine_counts *c, int id)
{
	return pmc_machine_core_type(c->machine, id)->name;
}

static void print_events(const struct machine_counts *c, FILE *f)
{
	const struct pmc_set_counts *s;
	int i, event;

	openmetrics_family(f, "pmctrack_events", "counter", NULL,
		     "Events on the CPUs of a core type while the event set was counted.");
	for (i = 0; i < c->nr_sets; i++) {
		s = &c->sets[i].total;
		for (event = 0; event < s->nr_counts; event++) {
			begin_sample(f, "pmctrack_events_total", core_type_name(c, s->core_type));
			fprintf(f, ",set=\"%d\",", s->set);
			openmetrics_label(f, "event", pmc_config_event(c->config, s->core_type, s->set, event));
			fprintf(f, "} %llu\n", (unsigned long long)s->counts[event]);
		}
	}
	openmetrics_family(f, "pmctrack_counted_seconds", "counter", "seconds",
		     "Time for which an event set was counted, of all CPUs of a core type together.");
	for (i = 0; i < c->nr_sets; i++) {
		s = &c->sets[i].total;
		begin_sample(f, "pmctrack_counted_seconds_total", core_type_name(c, s->core_type));
		fprintf(f, ",set=\"%d\"} %.9f\n", s->set, s->running / 1e9);
	}
}

/* Event sets of one core type in the last interval. Return: how many */
static int sets_of(const struct machine_counts *c, int id, struct pmc_set_counts *sets, int most)
{
	int i, nr = 0;

	for (i = 0; i < c->nr_sets && nr < most; i++)
		if (c->sets[i].interval.core_type == id && c->sets[i].interval.running)
			sets[nr++] = c->sets[i].interval;
	return nr;
}

static void print_metric(const struct machine_counts *c, int n, int id, FILE *f)
{
	const pmc_metric_t *metric = pmc_plan_metric(c->plan, n, id);
	struct pmc_set_counts sets[32];
	double value;

	if (!metric)
		return;
	value = pmc_plan_value(c->plan, n, id, sets, sets_of(c, id, sets, 32), c->interval_ns, NULL);
	/* A metric that is not defined, as of CPUs that were idle, has no sample. */
	if (isnan(value))
		return;
	begin_sample(f, "pmctrack_metric", core_type_name(c, id));
	fputc(',', f);
	openmetrics_label(f, "metric", pmc_metric_name(metric));
	fputc(',', f);
	openmetrics_label(f, "metric_unit", pmc_metric_unit(metric));
	fprintf(f, "} %.9g\n", value);
}

static void print_metrics(const struct machine_counts *c, FILE *f)
{
	int n, id;

	if (!pmc_plan_nr_metrics(c->plan))
		return;
	openmetrics_family(f, "pmctrack_metric", "gauge", NULL, "A metric of the last interval, on the CPUs of a core type.");
	for (n = 0; n < pmc_plan_nr_metrics(c->plan); n++)
		for (id = 0; id < pmc_machine_nr_core_types(c->machine); id++)
			print_metric(c, n, id, f);
}

static void print_virtual(FILE *f, const char *name, const struct pmc_virtual_info *v, int cpu, uint64_t value)
{
	fprintf(f, "%s{", name);
	openmetrics_label(f, "name", v->name);
	fputc(',', f);
	openmetrics_label(f, "value_unit", v->unit);
	if (v->flags & PMC_VIRTUAL_ESTIMATED)
		fputs(",estimated=\"yes\"", f);
	if (cpu >= 0)
		fprintf(f, ",cpu=\"%d\"", cpu);
	/* A sum that grows for months still has its last digits. */
	fprintf(f, "} %.*g\n", v->kind == PMC_VIRTUAL_COUNT ? 15 : 9, pmc_virtual_value(v, value));
}

static int has_virtual(const struct machine_counts *c, int is_count)
{
	const struct pmc_virtual_info *v;
	int i;

	for (i = 0; (v = pmc_config_virtual(c->config, i)); i++)
		if ((v->kind == PMC_VIRTUAL_COUNT) == is_count)
			return 1;
	return 0;
}

static void print_virtuals(const struct machine_counts *c, FILE *f)
{
	const struct pmc_virtual_info *v;
	int i, cpu;

	if (has_virtual(c, 1))
		openmetrics_family(f, "pmctrack_virtual", "counter", NULL, "Virtual counters that count, of the whole machine.");
	for (i = 0; (v = pmc_config_virtual(c->config, i)); i++)
		if (v->kind == PMC_VIRTUAL_COUNT && c->sums[i] != PMC_NO_VALUE)
			print_virtual(f, "pmctrack_virtual_total", v, -1, c->sums[i]);
	if (has_virtual(c, 0))
		openmetrics_family(f, "pmctrack_virtual_level", "gauge", NULL,
			     "Virtual counters that are levels or ratios, as of the last sample of a CPU.");
	for (i = 0; (v = pmc_config_virtual(c->config, i)); i++)
		for (cpu = 0; cpu < c->nr_cpus; cpu++)
			if (v->kind != PMC_VIRTUAL_COUNT && c->levels[cpu][i] != PMC_NO_VALUE)
				print_virtual(f, "pmctrack_virtual_level", v, cpu, c->levels[cpu][i]);
}

static void print_machine(const struct machine_counts *c, FILE *f)
{
	print_events(c, f);
	print_metrics(c, f);
	print_virtuals(c, f);
}

static void print_lost(const struct machine_counts *c, FILE *f)
{
	openmetrics_family(f, "pmctrack_lost_samples", "counter", NULL,
			   "Samples that were lost. Counts are complete nevertheless.");
	fprintf(f, "pmctrack_lost_samples_total %llu\n", (unsigned long long)c->lost);
}

void openmetrics_write(const struct machine_counts *c, const struct thread_list *threads, FILE *f)
{
	uint64_t ns = c ? c->interval_ns : threads->counting.threads.interval_ns;

	if (c && !c->stopped)
		print_machine(c, f);
	if (threads)
		thread_list_write(threads, f);
	openmetrics_family(f, "pmctrack_interval_seconds", "gauge", "seconds", "Length of the last interval.");
	fprintf(f, "pmctrack_interval_seconds %.9f\n", ns / 1e9);
	if (c)
		print_lost(c, f);
	fputs("# EOF\n", f);
}
