// SPDX-License-Identifier: GPL-2.0
/* One JSON object: the configuration, the samples, the totals (pmctrack-output(5)). */
#include <math.h>
#include <stdlib.h>

#include "json_head.h"
#include "quote.h"
#include "report.h"

static void print_virtuals(FILE *f, const struct layout *layout)
{
	static const char *const kinds[] = {
		[PMC_VIRTUAL_COUNT] = "count",
		[PMC_VIRTUAL_LEVEL] = "level",
		[PMC_VIRTUAL_RATIO] = "ratio",
	};
	int i;

	fprintf(f, "\"virtual_counters\": [");
	for (i = 0; i < layout->nr_virtual; i++) {
		const struct pmc_virtual_info *v = layout->virtuals[i];

		fprintf(f, "%s\n{\"name\": ", i ? "," : "");
		print_json_string(f, v->name);
		fprintf(f, ", \"module\": ");
		print_json_string(f, v->module);
		fprintf(f, ", \"kind\": \"%s\", \"unit\": ", kinds[v->kind]);
		print_json_string(f, v->unit);
		fprintf(f, ", \"estimated\": %s, \"description\": ",
			v->flags & PMC_VIRTUAL_ESTIMATED ? "true" : "false");
		print_json_string(f, v->desc);
		fprintf(f, "}");
	}
	fprintf(f, "\n],\n");
}

static void print_title(const struct report *report)
{
	char *title = report_title(report);

	fprintf(report->f, "\"title\": ");
	print_json_string(report->f, title);
	fprintf(report->f, ",\n");
	free(title);
}

/* The program, what is counted of it, the mode, and the time between samples */
static void print_options(const struct report *report)
{
	const struct options *o = report->o;
	FILE *f = report->f;

	fprintf(f, "{\n");
	json_command(f, o->command);
	print_title(report);
	fprintf(f, "\"mode\": \"%s\", \"period_ns\": ", o->filter ? o->filter : "user");
	json_period(f, o->aggregate || report->layout->uses_ebs ? 0 : o->period_us * 1000);
	fprintf(f, ", \"start_ns\": %llu,\n", (unsigned long long)report->start_ns);
}

static int begin(struct report *report)
{
	const struct layout *layout = report->layout;
	FILE *f = report->f;

	print_options(report);
	json_core_types(f, layout);
	if (layout->nr_virtual)
		print_virtuals(f, layout);
	if (nr_metrics(layout)) {
		json_metrics(f, layout);
		print_plan(stderr, report);
	}
	fprintf(f, "\"samples\": [");
	return 0;
}

/* Samples that are missing, and which event's period has ended */
static void print_ebs(const struct report *report, const struct layout_set *set,
		      const struct pmc_reading *r)
{
	FILE *f = report->f;

	fprintf(f, ", \"left_out\": %llu, \"ebs_event\": ", (unsigned long long)report->left_out);
	if (ended_period(report, set, r))
		print_json_string(f, report->layout->names[set->columns[r->ebs_event]]);
	else
		fprintf(f, "null");
}

static void print_value(FILE *f, const struct pmc_virtual_info *v, uint64_t value, int nth)
{
	char text[32];

	pmc_virtual_format(v, value, text, sizeof(text));
	fprintf(f, "%s", nth ? ", " : "");
	print_json_string(f, v->name);
	fprintf(f, ": %s", value == PMC_NO_VALUE ? "null" : text);
}

/* With all digits: those that its format has are for people. */
static void print_metric(FILE *f, struct metric_value v)
{
	if (isfinite(v.value))
		fprintf(f, "%.15g", v.value);
	else
		fputs("null", f);
}

static void print_sample_metrics(const struct report *report, const struct pmc_reading *r)
{
	const struct layout *layout = report->layout;
	FILE *f = report->f;
	int i;

	fprintf(f, ", \"metrics\": {");
	for (i = 0; i < nr_metrics(layout); i++) {
		fprintf(f, "%s", i ? ", " : "");
		print_json_string(f, pmc_plan_name(layout->plan, i));
		fprintf(f, ": ");
		print_metric(f, metric_sample(report, i, r));
	}
	fputc('}', f);
}

static void print_sample_counts(FILE *f, const struct layout *layout,
				const struct layout_set *set, const struct pmc_reading *r)
{
	int i;

	fprintf(f, ", \"counts\": {");
	for (i = 0; set && i < set->nr && i < r->nr_counts; i++) {
		fprintf(f, "%s", i ? ", " : "");
		print_json_string(f, layout->names[set->columns[i]]);
		fprintf(f, ": %llu", (unsigned long long)r->counts[i]);
	}
	fputc('}', f);
}

static void print_thread(FILE *f, const struct pmc_reading *r)
{
	fprintf(f, ", \"pid\": %d, \"tid\": %d, \"name\": ", r->pid, r->tid);
	print_json_string(f, r->name);
}

static void sample(struct report *report, uint64_t nr, const struct pmc_reading *r)
{
	const struct layout *layout = report->layout;
	const struct layout_set *set = layout_set(layout, r->core_type, r->set);
	FILE *f = report->f;
	int i;

	fprintf(f, "%s\n{\"nsample\": %llu, \"time_ns\": %llu", report->nr++ ? "," : "",
		(unsigned long long)nr, (unsigned long long)r->time);
	if (!report->o->syswide)
		print_thread(f, r);
	if (has_cpu(report->o))
		fprintf(f, ", \"cpu\": %d", r->cpu);
	fprintf(f, ", \"core_type\": %d, \"set\": %d, \"type\": \"%s\"", r->core_type, r->set,
		report->o->aggregate ? "sum" : sample_type_name(r->type));
	fprintf(f, ", \"elapsed_ns\": %llu, \"running_ns\": %llu, \"lost\": %u, \"throttled\": %s",
		(unsigned long long)r->elapsed, (unsigned long long)r->running, r->lost,
		r->flags & PMC_READING_THROTTLED ? "true" : "false");
	if (layout->uses_ebs)
		print_ebs(report, set, r);
	print_sample_counts(f, layout, set, r);
	if (layout->nr_virtual)
		fprintf(f, ", \"virtual\": {");
	for (i = 0; i < layout->nr_virtual; i++)
		print_value(f, layout->virtuals[i],
			    i < r->nr_virtual ? r->virtual_counts[i] : PMC_NO_VALUE, i);
	if (layout->nr_virtual)
		fputc('}', f);
	if (nr_metrics(layout))
		print_sample_metrics(report, r);
	fputc('}', f);
}

/* Totals of virtual counters: sums of counts, or means of the others */
static void print_virtual_totals(FILE *f, const struct layout *layout,
				 const struct totals *totals, int id, int means)
{
	const struct pmc_virtual_info *v;
	int i, n = 0;

	fprintf(f, ", \"%s\": {", means ? "virtual_means" : "virtual");
	for (i = 0; i < layout->nr_virtual; i++) {
		v = layout->virtuals[i];
		if ((v->kind != PMC_VIRTUAL_COUNT) == means)
			print_value(f, v, totals_virtual(totals, layout, id, i), n++);
	}
	fputc('}', f);
}

/* The kinds of numbers that a total has for each event */
enum total { TOTAL_COUNT, TOTAL_COUNTED_NS, TOTAL_ESTIMATE };

static uint64_t total_of(const struct totals *totals, const struct layout *layout, int id, int name,
			 enum total what)
{
	int at = id * layout->nr_names + name;

	if (what == TOTAL_ESTIMATE)
		return totals_estimate(totals, layout, id, name);
	return what == TOTAL_COUNT ? totals->counts[at] : totals->covered[at];
}

/* One kind of number for each event that was counted */
static void print_events(FILE *f, const struct layout *layout, const struct totals *totals, int id,
			 enum total what)
{
	static const char *const names[] = { "counts", "counted_ns", "estimates" };
	int i, n = 0;

	fprintf(f, ", \"%s\": {", names[what]);
	for (i = 0; i < layout->nr_names; i++) {
		if (!totals->valid[id * layout->nr_names + i])
			continue;
		fprintf(f, "%s", n++ ? ", " : "");
		print_json_string(f, layout->names[i]);
		fprintf(f, ": %llu", (unsigned long long)total_of(totals, layout, id, i, what));
	}
	fputc('}', f);
}

static void print_total_metrics(FILE *f, const struct layout *layout, const struct totals *totals,
				int id)
{
	static const char *const accuracies[] = {
		[PMC_EXACT] = "exact",
		[PMC_PARTIAL] = "partial",
		[PMC_ESTIMATED] = "estimated",
		[PMC_NOT_COUNTED] = "not counted",
	};
	struct metric_value v;
	int i;

	fprintf(f, "\"metrics\": {");
	for (i = 0; i < nr_metrics(layout); i++) {
		v = metric_total(layout, i, id, totals);
		fprintf(f, "%s", i ? ", " : "");
		print_json_string(f, pmc_plan_name(layout->plan, i));
		fprintf(f, ": {\"value\": ");
		print_metric(f, v);
		fprintf(f, ", \"accuracy\": \"%s\"}", accuracies[v.accuracy]);
	}
	fputc('}', f);
}

static void print_total(const struct report *report, const struct totals *totals, int id)
{
	const struct layout *layout = report->layout;
	FILE *f = report->f;

	fprintf(f, "%s\n{\"core_type\": %d, \"running_ns\": %llu", id ? "," : "", id,
		(unsigned long long)totals->running[id]);
	print_events(f, layout, totals, id, TOTAL_COUNT);
	print_events(f, layout, totals, id, TOTAL_COUNTED_NS);
	if (report->o->estimate)
		print_events(f, layout, totals, id, TOTAL_ESTIMATE);
	if (layout->nr_virtual) {
		print_virtual_totals(f, layout, totals, id, 0);
		print_virtual_totals(f, layout, totals, id, 1);
	}
	if (nr_metrics(layout)) {
		fprintf(f, ", ");
		print_total_metrics(f, layout, totals, id);
	}
	fputc('}', f);
}

/* The metrics of all core types together; the counts are the sums of those of the core types. */
static void print_all(const struct report *report, const struct totals *totals)
{
	if (!totals->exact || !nr_metrics(report->layout))
		return;
	fprintf(report->f, "\"all\": {");
	print_total_metrics(report->f, report->layout, totals, PMC_EVERY_CORE_TYPE);
	fprintf(report->f, "},\n");
}

static void end(struct report *report, const struct summary *summary)
{
	const struct rusage *u = summary->usage;
	FILE *f = report->f;
	int id;

	fprintf(f, "\n],\n\"totals\": [");
	for (id = 0; summary->totals.exact && id < report->layout->nr_core_types; id++)
		print_total(report, &summary->totals, id);
	fprintf(f, "\n],\n");
	print_all(report, &summary->totals);
	fprintf(f, "\"threads\": %llu, \"lost\": %llu, \"throttled\": %llu, \"left_out\": %llu, \"missed_threads\": %u, ",
		(unsigned long long)summary->totals.nr_threads,
		(unsigned long long)summary->lost, (unsigned long long)summary->throttled,
		(unsigned long long)summary->left_out, summary->missed_threads);
	losses_print_json(f, summary->losses);
	if (u)
		fprintf(f, ",\n\"real_s\": %.6f, \"user_s\": %.6f, \"sys_s\": %.6f",
			summary->real_ns / 1e9, u->ru_utime.tv_sec + u->ru_utime.tv_usec / 1e6,
			u->ru_stime.tv_sec + u->ru_stime.tv_usec / 1e6);
	fprintf(f, "\n}\n");
}

const struct report_ops report_json = {
	.name = "json",
	.endings = ".json",
	.begin = begin,
	.sample = sample,
	.end = end,
};
