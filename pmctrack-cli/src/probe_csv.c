// SPDX-License-Identifier: GPL-2.0
/* pmctrack probe's fields with a character between them, and its CSV (pmctrack-probe(1)). */
#include <inttypes.h>
#include <stdlib.h>

#include "probe_print.h"
#include "quote.h"
#include "report.h"

/* FUNCTION,THREAD,CORE TYPE,CALLS,EVENT */
/* Room for an event's or a metric's name */
#define QUOTED_MAX	1024

static void print_start(FILE *f, const struct probe_report *r, const struct probe_sum *sum, int id,
			const char *event)
{
	char *name = probe_name(&r->functions->all[sum->function], r->separator);
	char quoted[QUOTED_MAX];
	const char *s = r->separator;

	fprintf(f, "%s%s", name, s);
	free(name);
	if (sum->tid)
		fprintf(f, "%d", sum->tid);
	fprintf(f, "%s%s%s%" PRIu64 "%s%s%s", s,
		id == PMC_EVERY_CORE_TYPE ? "all" : layout_core_type_name(r->layout, id), s,
		probe_nr_calls(r, sum, id), s, quote_name(quoted, sizeof(quoted), event, s), s);
}

static void print_fields(FILE *f, const struct probe_report *r, const struct probe_sum *sum, int id)
{
	char in[64], own[64];
	int i;

	for (i = 0; i < r->layout->nr_names; i++) {
		if (r->layout->hidden[i])
			continue;
		print_start(f, r, sum, id, r->layout->names[i]);
		fprintf(f, "%" PRIu64 "%s%" PRIu64 "\n", probe_count(r, sum->inclusive, id, i),
			r->separator, probe_count(r, sum->exclusive, id, i));
	}
	for (i = 0; i < nr_metrics(r->layout); i++) {
		probe_metric(r, sum->inclusive, id, i, in, sizeof(in));
		probe_metric(r, sum->exclusive, id, i, own, sizeof(own));
		print_start(f, r, sum, id, pmc_plan_name(r->layout->plan, i));
		fprintf(f, "%s%s%s\n", in, r->separator, own);
	}
}

void probe_print_fields(FILE *f, const struct probe_report *r)
{
	probe_each_row(f, r, print_fields);
	probe_print_notes(stderr, "pmctrack: ", r);
}

/* NAME,own_NAME */
static void print_pair(FILE *f, const char *name)
{
	char own[LABEL_MAX + 8];

	fputc(',', f);
	print_csv_string(f, name);
	snprintf(own, sizeof(own), "own_%s", name);
	fputc(',', f);
	print_csv_string(f, own);
}

static void print_heading(FILE *f, const struct probe_report *r)
{
	char label[LABEL_MAX];
	int i;

	fprintf(f, "function,tid,coretype,calls");
	for (i = 0; i < r->layout->nr_names; i++)
		print_pair(f, r->layout->names[i]);
	for (i = 0; i < nr_metrics(r->layout); i++) {
		metric_label(r->layout, i, label, sizeof(label));
		print_pair(f, label);
	}
	fputc('\n', f);
}

/* The field of a count that the core type does not have is empty. */
static void print_count(FILE *f, const struct probe_report *r, const uint64_t *values, int id, int name)
{
	fputc(',', f);
	if (id == PMC_EVERY_CORE_TYPE || layout_has_event(r->layout, id, name))
		fprintf(f, "%" PRIu64, probe_count(r, values, id, name));
}

static void print_metric(FILE *f, const struct probe_report *r, const uint64_t *values, int id, int n)
{
	char text[64];

	fputc(',', f);
	if (probe_metric(r, values, id, n, text, sizeof(text)))
		fputs(text, f);
}

static void print_line(FILE *f, const struct probe_report *r, const struct probe_sum *sum, int id)
{
	char *name = probe_name(&r->functions->all[sum->function], "");
	int i;

	print_csv_string(f, name);
	free(name);
	fputc(',', f);
	if (sum->tid)
		fprintf(f, "%d", sum->tid);
	fprintf(f, id == PMC_EVERY_CORE_TYPE ? ",all" : ",%d", id);
	fprintf(f, ",%" PRIu64, probe_nr_calls(r, sum, id));
	for (i = 0; i < r->layout->nr_names; i++) {
		print_count(f, r, sum->inclusive, id, i);
		print_count(f, r, sum->exclusive, id, i);
	}
	for (i = 0; i < nr_metrics(r->layout); i++) {
		print_metric(f, r, sum->inclusive, id, i);
		print_metric(f, r, sum->exclusive, id, i);
	}
	fputc('\n', f);
}

void probe_print_csv(FILE *f, const struct probe_report *r)
{
	print_heading(f, r);
	probe_each_row(f, r, print_line);
	probe_print_notes(stderr, "pmctrack: ", r);
}
