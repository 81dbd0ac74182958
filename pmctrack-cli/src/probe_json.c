// SPDX-License-Identifier: GPL-2.0
/* pmctrack probe's JSON: one object (pmctrack-probe(1)). */
#include <inttypes.h>

#include "json_head.h"
#include "probe_print.h"
#include "quote.h"
#include "report.h"

static void print_counts(FILE *f, const char *member, const struct probe_report *r,
			 const uint64_t *values, int id)
{
	int i, n = 0;

	fprintf(f, ", \"%s\": {", member);
	for (i = 0; i < r->layout->nr_names; i++) {
		if (id != PMC_EVERY_CORE_TYPE && !layout_has_event(r->layout, id, i))
			continue;
		fprintf(f, "%s", n++ ? ", " : "");
		print_json_string(f, r->layout->names[i]);
		fprintf(f, ": %" PRIu64, probe_count(r, values, id, i));
	}
	fputc('}', f);
}

static void print_metrics(FILE *f, const char *member, const struct probe_report *r,
			  const uint64_t *values, int id)
{
	char text[64];
	int i, known;

	fprintf(f, ", \"%s\": {", member);
	for (i = 0; i < nr_metrics(r->layout); i++) {
		known = probe_metric(r, values, id, i, text, sizeof(text));
		fprintf(f, "%s", i ? ", " : "");
		print_json_string(f, pmc_plan_name(r->layout->plan, i));
		fprintf(f, ": %s", known ? text : "null");
	}
	fputc('}', f);
}

static void print_values(FILE *f, const struct probe_report *r, const struct probe_sum *sum, int id)
{
	fprintf(f, "\"calls\": %" PRIu64, probe_nr_calls(r, sum, id));
	print_counts(f, "counts", r, sum->inclusive, id);
	print_counts(f, "own_counts", r, sum->exclusive, id);
	if (nr_metrics(r->layout)) {
		print_metrics(f, "metrics", r, sum->inclusive, id);
		print_metrics(f, "own_metrics", r, sum->exclusive, id);
	}
	fputc('}', f);
}

static void print_function(FILE *f, const struct probe_report *r, const struct probe_sum *sum)
{
	const struct probe_function *function = &r->functions->all[sum->function];
	int id;

	fprintf(f, "{\"function\": ");
	print_json_string(f, function->name);
	fprintf(f, ", \"file\": ");
	print_json_string(f, function->path);
	if (sum->tid)
		fprintf(f, ", \"tid\": %d", sum->tid);
	fprintf(f, ",\n\"all\": {");
	print_values(f, r, sum, PMC_EVERY_CORE_TYPE);
	fprintf(f, ",\n\"totals\": [");
	for (id = 0; id < r->events->nr_core_types; id++) {
		fprintf(f, "%s\n{\"core_type\": %d, ", id ? "," : "", id);
		print_values(f, r, sum, id);
	}
	fprintf(f, "]}");
}

static void print_refused(FILE *f, const struct probe_report *r)
{
	int i, n = 0;

	fprintf(f, "\"refused\": [");
	for (i = 0; i < r->functions->nr; i++) {
		if (!r->functions->all[i].refused)
			continue;
		fprintf(f, "%s", n++ ? ", " : "");
		print_json_string(f, r->functions->all[i].name);
	}
	fprintf(f, "], ");
}

/* The cost of the probes, which no count includes */
static void print_cost(FILE *f, const struct probe_report *r)
{
	int i;

	fprintf(f, "\"cost\": {");
	for (i = 0; i < r->layout->nr_names; i++) {
		fprintf(f, "%s", i ? ", " : "");
		print_json_string(f, r->layout->names[i]);
		fprintf(f, ": %.0f", probe_count_cost(r, r->totals, PMC_EVERY_CORE_TYPE, i));
	}
	fprintf(f, "},\n");
}

void probe_print_json(FILE *f, const struct probe_report *r)
{
	int i;

	fprintf(f, "{\n");
	json_command(f, r->command);
	fprintf(f, "\"mode\": \"user\",\n");
	json_core_types(f, r->layout);
	if (nr_metrics(r->layout))
		json_metrics(f, r->layout);
	fprintf(f, "\"functions\": [");
	for (i = 0; i < r->sums->nr; i++) {
		fprintf(f, "%s\n", i ? "," : "");
		print_function(f, r, r->sums->all[i]);
	}
	fprintf(f, "\n],\n");
	print_cost(f, r);
	print_refused(f, r);
	fprintf(f, "\"unfinished\": %" PRIu64 ", \"lost\": %" PRIu64 "\n}\n", r->sums->open, r->lost);
}
