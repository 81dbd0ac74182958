// SPDX-License-Identifier: GPL-2.0-only
/* Comma-separated values: a line a sample, a column an event, then totals. */
#include "quote.h"
#include "report.h"

static int begin(struct report *report)
{
	FILE *f = report->f;
	int i;

	fprintf(f, "nsample,time_s,pid,tid,cpu,coretype,set,event,elapsed_us,running_us");
	for (i = 0; i < report->layout->nr_names; i++) {
		fputc(',', f);
		print_csv_string(f, report->layout->names[i]);
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
		fprintf(f, ",,%d", r->cpu);
	else
		fprintf(f, "%d,%d,%d", r->pid, r->tid, r->cpu);
	fprintf(f, ",%d,%d,%s,%.3f,%.3f", r->core_type, r->set,
		report->o->aggregate ? "sum" : sample_type_name(r->type),
		r->elapsed / 1e3, r->running / 1e3);
	for (column = 0; column < report->layout->nr_names; column++) {
		fputc(',', f);
		for (i = 0; set && i < set->nr && i < r->nr_counts; i++)
			if (set->columns[i] == column)
				fprintf(f, "%llu", (unsigned long long)r->counts[i]);
	}
	fputc('\n', f);
}

static void end(struct report *report, const struct summary *summary)
{
	const struct layout *layout = report->layout;
	int id, i, at;

	for (id = 0; summary->totals.exact && id < layout->nr_core_types; id++) {
		fprintf(report->f, ",,,,,%d,,total,,%.3f", id,
			summary->totals.running[id] / 1e3);
		for (i = 0; i < layout->nr_names; i++) {
			at = id * layout->nr_names + i;
			fputc(',', report->f);
			if (summary->totals.valid[at])
				fprintf(report->f, "%llu",
					(unsigned long long)summary->totals.counts[at]);
		}
		fputc('\n', report->f);
	}
	fflush(report->f);
	print_losses(stderr, "pmctrack: ", summary);
}

const struct report_ops report_csv = { begin, sample, end };
