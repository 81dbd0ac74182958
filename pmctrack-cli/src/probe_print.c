// SPDX-License-Identifier: GPL-2.0
/* The table of pmctrack probe. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "common.h"
#include "probe_trace.h"
#include "quote.h"
#include "report.h"

#define CALL_DIGITS 10

char *probe_name(const struct probe_function *function, const char *also)
{
	size_t size = 4 * strlen(function->name) + 1;

	return quote_name(new_array(size, 1), size, function->name, also);
}

void probe_each_row(FILE *f, const struct probe_report *r,
		    void (*print)(FILE *f, const struct probe_report *r, const struct probe_sum *sum,
				  int id))
{
	int i, id;

	for (i = 0; i < r->sums->nr; i++)
		for (id = PMC_EVERY_CORE_TYPE; id < r->events->nr_core_types; id++)
			if (probe_has_row(r, r->sums->all[i], id))
				print(f, r, r->sums->all[i], id);
}

static const char *core_type_name(const struct probe_report *r, int id)
{
	return id == PMC_EVERY_CORE_TYPE ? "all" : r->layout->core_types[id].info->name;
}

static int has_core_types(const struct probe_report *r)
{
	return r->events->nr_core_types > 1;
}

/* Two columns: all, and without other functions */
static void add_pair(struct columns *c, const char *name, int least)
{
	char *own;

	if (asprintf(&own, "%s,own", name) < 0)
		bad("out of memory");
	columns_must_add(c, name, least);
	columns_must_add(c, own, least);
	free(own);
}

static int longest_function(const struct probe_report *r)
{
	int i, len, longest = 0;
	char *name;

	for (i = 0; i < r->functions->nr; i++) {
		name = probe_name(&r->functions->all[i], "");
		len = text_columns(name);
		longest = len > longest ? len : longest;
		free(name);
	}
	return longest < CELL_MAX ? longest : CELL_MAX - 1;
}

static void set_columns(struct columns *c, const struct probe_report *r)
{
	char label[LABEL_MAX];
	int i;

	c->wide = 15;
	c->narrow = 6;
	columns_must_add(c, "function", -longest_function(r));
	if (r->sums->per_thread)
		columns_must_add(c, "thread", 7);
	if (has_core_types(r))
		columns_must_add(c, "core", -5);
	c->nr_fixed = c->nr;
	columns_must_add(c, "calls", CALL_DIGITS);
	for (i = 0; i < r->layout->nr_names; i++)
		if (!r->layout->hidden[i])
			add_pair(c, r->layout->names[i], 0);
	for (i = 0; i < nr_metrics(r->layout); i++) {
		metric_label(r->layout, i, label, sizeof(label));
		add_pair(c, label, 7);
	}
	columns_fit(c, r->width, r->width ? NUMBERS_AUTO : NUMBERS_GROUPS);
}

static void print_metric(struct columns *c, int column, const struct probe_report *r,
			 const uint64_t *values, int id, int n)
{
	char text[CELL_MAX];

	probe_metric(r, values, id, n, text, sizeof(text));
	columns_text(c, column, text);
}

static struct columns columns;

static void print_row(FILE *f, const struct probe_report *r, const struct probe_sum *sum, int id)
{
	char *name = probe_name(&r->functions->all[sum->function], "");
	struct columns *c = &columns;
	char tid[16];
	int i, n = 0;

	columns_text(c, n++, name);
	free(name);
	snprintf(tid, sizeof(tid), sum->tid ? "%d" : "-", sum->tid);
	if (r->sums->per_thread)
		columns_text(c, n++, tid);
	if (has_core_types(r))
		columns_text(c, n++, core_type_name(r, id));
	columns_number(c, n++, probe_nr_calls(r, sum, id));
	for (i = 0; i < r->layout->nr_names; i++) {
		if (r->layout->hidden[i])
			continue;
		columns_number(c, n++, probe_count(r, sum->inclusive, id, i));
		columns_number(c, n++, probe_count(r, sum->exclusive, id, i));
	}
	for (i = 0; i < nr_metrics(r->layout); i++) {
		print_metric(c, n++, r, sum->inclusive, id, i);
		print_metric(c, n++, r, sum->exclusive, id, i);
	}
	columns_print_row(c, f);
}

static void print_rows(FILE *f, const struct probe_report *r)
{
	memset(&columns, 0, sizeof(columns));
	set_columns(&columns, r);
	columns_print_heading(&columns, f);
	probe_each_row(f, r, print_row);
	columns_free(&columns);
}

/* How much longer a call takes under probes, on the core type where this is most */
static double longest_ns(const struct probe_report *r)
{
	double ns = 0;
	int i;

	for (i = 0; i < r->events->nr_core_types * PROBE_KINDS; i++)
		if (r->costs->all[i].ns > ns)
			ns = r->costs->all[i].ns;
	return ns;
}

static void print_cost(FILE *f, const struct probe_report *r)
{
	double cost, all;
	int i;

	fprintf(f, " What the probes cost in user mode is taken off:");
	for (i = 0; i < r->layout->nr_names; i++) {
		cost = probe_count_cost(r, r->totals, PMC_EVERY_CORE_TYPE, i);
		all = probe_count(r, r->totals, PMC_EVERY_CORE_TYPE, i);
		fprintf(f, "%s %.0f %s", i ? "," : "", cost, r->layout->names[i]);
		if (all > 0)
			fprintf(f, " (%.2f%% of the program's)", 100 * cost / all);
	}
	fprintf(f, ".\n A call takes up to %.1f us longer under probes.\n", longest_ns(r) / 1e3);
}

static void print_refused(FILE *f, const char *before, const struct probe_report *r)
{
	int i, n = 0;
	char *name;

	for (i = 0; i < r->functions->nr; i++) {
		if (!r->functions->all[i].refused)
			continue;
		name = probe_name(&r->functions->all[i], "");
		if (n++)
			fprintf(f, ", %s", name);
		else
			fprintf(f, "%sNot probed, as the kernel refuses their first instructions: %s",
				before, name);
		free(name);
	}
	if (n)
		fprintf(f, "\n");
}

void probe_print_notes(FILE *f, const char *before, const struct probe_report *r)
{
	print_refused(f, before, r);
	if (r->sums->open)
		fprintf(f, "%s%" PRIu64 " %s without a return: by longjmp(), exec, exit or a signal, or more than 64 deep.\n",
			before, r->sums->open, r->sums->open == 1 ? "call ended" : "calls ended");
	if (r->lost)
		fprintf(f, "%s%" PRIu64 " records were lost: calls are missing, and counts are not exact. Probe fewer functions.\n",
			before, r->lost);
	if (r->left_out)
		fprintf(f, "%s%" PRIu64 " %s left out of the trace, which has the first %d. Probe fewer functions.\n",
			before, r->left_out, r->left_out == 1 ? "call was" : "calls were", PROBE_TRACE_CALLS);
}

void probe_print_table(FILE *f, const struct probe_report *r)
{
	fprintf(f, "\n Functions of '");
	print_command_line(f, r->command);
	fprintf(f, "', in user mode:\n\n");
	print_rows(f, r);
	fprintf(f, "\n");
	print_cost(f, r);
	probe_print_notes(f, " ", r);
	fprintf(f, "\n");
}
