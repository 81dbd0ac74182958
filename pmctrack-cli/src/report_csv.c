// SPDX-License-Identifier: GPL-2.0
/*
 * Comma-separated values: a line for each sample, a column for each event, virtual counter and
 * metric, then lines with totals, estimates, and means of levels and ratios (pmctrack-output(5)).
 */
#include <math.h>

#include "quote.h"
#include "report.h"

/* Columns if an event has a sampling period */
#define EBS_COLUMNS ",left_out,throttled,ebs_event,ebs_period"

/* The field of an unknown value is empty. */
static void print_value(FILE *f, const struct pmc_virtual_info *v, uint64_t value)
{
	char text[32];

	fputc(',', f);
	if (value == PMC_NO_VALUE)
		return;
	pmc_virtual_format(v, value, text, sizeof(text));
	fputs(text, f);
}

static void print_metric(FILE *f, const struct layout *layout, int n, int core_type,
			 struct metric_value v)
{
	char text[64];

	fputc(',', f);
	if (metric_format(layout, n, core_type, v, text, sizeof(text)))
		fputs(text, f);
}

static int begin(struct report *report)
{
	const struct layout *layout = report->layout;
	FILE *f = report->f;
	char label[LABEL_MAX];
	int i;

	fprintf(f, "nsample,time_s,pid,tid,cpu,coretype,set,event,elapsed_us,running_us%s",
		layout->uses_ebs ? EBS_COLUMNS : "");
	for (i = 0; i < layout->nr_names; i++) {
		fputc(',', f);
		print_csv_string(f, layout->names[i]);
	}
	for (i = 0; i < layout->nr_virtual; i++) {
		fputc(',', f);
		pmc_virtual_label(layout->virtuals[i], label, sizeof(label));
		print_csv_string(f, label);
	}
	for (i = 0; i < nr_metrics(layout); i++) {
		fputc(',', f);
		metric_label(layout, i, label, sizeof(label));
		print_csv_string(f, label);
	}
	fputs(report->o->syswide ? "\n" : ",name\n", f);
	print_plan(stderr, report);
	return 0;
}

/* Samples that are missing, why, and which event's period has ended */
static void print_ebs(const struct report *report, const struct layout_set *set,
		      const struct pmc_reading *r)
{
	FILE *f = report->f;

	fprintf(f, ",%llu,%d,", (unsigned long long)report->left_out,
		!!(r->flags & PMC_READING_THROTTLED));
	if (!ended_period(report, set, r)) {
		fputc(',', f);
		return;
	}
	print_csv_string(f, report->layout->names[set->columns[r->ebs_event]]);
	fprintf(f, ",%llu", (unsigned long long)set->periods[r->ebs_event]);
}

static void print_counts(FILE *f, const struct layout *layout, const struct layout_set *set,
			 const struct pmc_reading *r)
{
	int column, i;

	for (column = 0; column < layout->nr_names; column++) {
		fputc(',', f);
		for (i = 0; set && i < set->nr && i < r->nr_counts; i++)
			if (set->columns[i] == column)
				fprintf(f, "%llu", (unsigned long long)r->counts[i]);
	}
}

/* The last field is the name of the thread. */
static void print_name(const struct report *report, const char *name)
{
	char text[NAME_QUOTED];

	if (report->o->syswide)
		return;
	fputc(',', report->f);
	print_csv_string(report->f, quote_name(text, sizeof(text), name, ""));
}

static void sample(struct report *report, uint64_t nr, const struct pmc_reading *r)
{
	const struct layout *layout = report->layout;
	const struct layout_set *set = layout_set(layout, r->core_type, r->set);
	FILE *f = report->f;
	int i;

	fprintf(f, "%llu,%.6f,", (unsigned long long)nr, r->time / 1e9);
	if (report->o->syswide)
		fprintf(f, ",,");
	else
		fprintf(f, "%d,%d,", r->pid, r->tid);
	if (has_cpu(report->o))
		fprintf(f, "%d", r->cpu);
	fprintf(f, ",%d,%d,%s,%.3f,%.3f", r->core_type, r->set,
		report->o->aggregate ? "sum" : sample_type_name(r->type),
		r->elapsed / 1e3, r->running / 1e3);
	if (layout->uses_ebs)
		print_ebs(report, set, r);
	print_counts(f, layout, set, r);
	for (i = 0; i < layout->nr_virtual; i++)
		print_value(f, layout->virtuals[i],
			    i < r->nr_virtual ? r->virtual_counts[i] : PMC_NO_VALUE);
	for (i = 0; i < nr_metrics(layout); i++)
		print_metric(f, layout, i, r->core_type, metric_sample(report, i, r));
	print_name(report, r->name);
	fputc('\n', f);
}

/* The lines at the end of the file, one of each kind for a core type */
enum line { LINE_TOTAL, LINE_ESTIMATE, LINE_MEAN };

/* The first fields of such a line */
static void print_line_head(const struct report *report, const struct totals *totals, int id,
			    enum line line)
{
	static const char *const names[] = { "total", "estimate", "mean" };

	fprintf(report->f, ",,,,,%d,,%s,,%.3f%s", id, names[line], totals->running[id] / 1e3,
		report->layout->uses_ebs ? ",,,," : "");
}

/* Virtual counters: sums of counts in the total, means of the others in a line of their own */
static void print_virtual_totals(FILE *f, const struct layout *layout,
				 const struct totals *totals, int id, enum line line)
{
	const struct pmc_virtual_info *v;
	int i;

	for (i = 0; i < layout->nr_virtual; i++) {
		v = layout->virtuals[i];
		print_value(f, v, line == (v->kind == PMC_VIRTUAL_COUNT ? LINE_TOTAL : LINE_MEAN) ?
			    totals_virtual(totals, layout, id, i) : PMC_NO_VALUE);
	}
}

static void print_line(struct report *report, const struct totals *totals, int id, enum line line)
{
	const struct metric_value none = { NAN, PMC_NOT_COUNTED };
	const struct layout *layout = report->layout;
	int i;

	print_line_head(report, totals, id, line);
	for (i = 0; i < layout->nr_names; i++) {
		fputc(',', report->f);
		if (line != LINE_MEAN && totals->valid[id * layout->nr_names + i])
			fprintf(report->f, "%llu", (unsigned long long)(line == LINE_TOTAL ?
				totals->counts[id * layout->nr_names + i] :
				totals_estimate(totals, layout, id, i)));
	}
	print_virtual_totals(report->f, layout, totals, id, line);
	for (i = 0; i < nr_metrics(layout); i++)
		print_metric(report->f, layout, i, id,
			     line == LINE_TOTAL ? metric_total(layout, i, id, totals) : none);
	print_name(report, "");
	fputc('\n', report->f);
}

static void end(struct report *report, const struct summary *summary)
{
	int id;

	for (id = 0; summary->totals.exact && id < report->layout->nr_core_types; id++) {
		print_line(report, &summary->totals, id, LINE_TOTAL);
		if (report->o->estimate)
			print_line(report, &summary->totals, id, LINE_ESTIMATE);
		if (layout_has_means(report->layout))
			print_line(report, &summary->totals, id, LINE_MEAN);
	}
	fflush(report->f);
	print_losses(stderr, "pmctrack: ", summary);
	print_hint(stderr, "pmctrack: ", report, summary);
	print_times(stderr, report->o, summary);
}

const struct report_ops report_csv = {
	.name = "csv",
	.endings = ".csv",
	.begin = begin,
	.sample = sample,
	.end = end,
};
