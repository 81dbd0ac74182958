// SPDX-License-Identifier: GPL-2.0
/*
 * Comma-separated values: a line for each sample, a column for each event or virtual
 * counter, then lines with totals, and with means of levels and ratios.
 */
#include "quote.h"
#include "report.h"

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

static int begin(struct report *report)
{
	FILE *f = report->f;
	char label[LABEL_MAX];
	int i;

	fprintf(f, "nsample,time_s,pid,tid,cpu,coretype,set,event,elapsed_us,running_us%s",
		report->layout->uses_ebs ? ",left_out" : "");
	for (i = 0; i < report->layout->nr_names; i++) {
		fputc(',', f);
		print_csv_string(f, report->layout->names[i]);
	}
	for (i = 0; i < report->layout->nr_virtual; i++) {
		fputc(',', f);
		pmc_virtual_label(report->layout->virtuals[i], label, sizeof(label));
		print_csv_string(f, label);
	}
	fputc('\n', f);
	return 0;
}

static void sample(struct report *report, uint64_t nr, const struct pmc_reading *r)
{
	const struct layout_set *set = layout_set(report->layout, r->core_type, r->set);
	FILE *f = report->f;
	int column, i;

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
	if (report->layout->uses_ebs)
		fprintf(f, ",%llu", (unsigned long long)report->left_out);
	for (column = 0; column < report->layout->nr_names; column++) {
		fputc(',', f);
		for (i = 0; set && i < set->nr && i < r->nr_counts; i++)
			if (set->columns[i] == column)
				fprintf(f, "%llu", (unsigned long long)r->counts[i]);
	}
	for (i = 0; i < report->layout->nr_virtual; i++)
		print_value(f, report->layout->virtuals[i],
			    i < r->nr_virtual ? r->virtual_counts[i] : PMC_NO_VALUE);
	fputc('\n', f);
}

/* The first fields of a line about a core type */
static void print_totals_head(const struct report *report, const struct totals *totals, int id,
			      const char *what)
{
	fprintf(report->f, ",,,,,%d,,%s,,%.3f%s", id, what, totals->running[id] / 1e3,
		report->layout->uses_ebs ? "," : "");
}

/* Totals of virtual counters: sums of counts, or means of the others */
static void print_virtual_totals(FILE *f, const struct layout *layout,
				 const struct totals *totals, int id, int means)
{
	const struct pmc_virtual_info *v;
	int i;

	for (i = 0; i < layout->nr_virtual; i++) {
		v = layout->virtuals[i];
		print_value(f, v, (v->kind != PMC_VIRTUAL_COUNT) == means ?
			    totals_virtual(totals, layout, id, i) : PMC_NO_VALUE);
	}
	fputc('\n', f);
}

static void print_totals(struct report *report, const struct totals *totals, int id)
{
	const struct layout *layout = report->layout;
	int i, at;

	print_totals_head(report, totals, id, "total");
	for (i = 0; i < layout->nr_names; i++) {
		at = id * layout->nr_names + i;
		fputc(',', report->f);
		if (totals->valid[at])
			fprintf(report->f, "%llu", (unsigned long long)totals->counts[at]);
	}
	print_virtual_totals(report->f, layout, totals, id, 0);
	if (!layout_has_means(layout))
		return;
	print_totals_head(report, totals, id, "mean");
	for (i = 0; i < layout->nr_names; i++)
		fputc(',', report->f);
	print_virtual_totals(report->f, layout, totals, id, 1);
}

static void end(struct report *report, const struct summary *summary)
{
	int id;

	for (id = 0; summary->totals.exact && id < report->layout->nr_core_types; id++)
		print_totals(report, &summary->totals, id);
	fflush(report->f);
	print_losses(stderr, "pmctrack: ", summary);
	print_times(stderr, report->o, summary);
}

const struct report_ops report_csv = { begin, sample, end };
