// SPDX-License-Identifier: GPL-2.0
/*
 * The table: a line for each sample, a column for each event, and totals by core type at the end.
 * With -r the columns are PMCTrack's: one for each counter.
 */
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "quote.h"
#include "report.h"

/* Terminals from this width on have room for the whole names of threads. */
#define WIDE_TERMINAL 120

enum field {
	FIELD_SAMPLE,
	FIELD_TIME,
	FIELD_TID,
	FIELD_NAME,
	FIELD_PID,
	FIELD_CPU,
	FIELD_CORE,
	FIELD_CORE_NUMBER,
	FIELD_SET,
	FIELD_TYPE,
	FIELD_COUNT,	/* @index: of a name */
	FIELD_SLOT,	/* @index: number of a counter */
	FIELD_ELAPSED,
	FIELD_VIRTUAL,	/* @index: of a virtual counter */
	FIELD_METRIC,	/* @index: of a metric */
};

struct cell {
	enum field field;
	int index;
};

/* What each column shows */
struct table {
	struct columns c;
	struct cell *cells;
	int left_out, throttled;	/* marks that need an explanation */
};

static int add(struct table *t, enum field field, int index, const char *heading, int least)
{
	struct cell *cells = realloc(t->cells, (t->c.nr + 1) * sizeof(*cells));

	if (!cells)
		return -1;
	t->cells = cells;
	cells[t->c.nr] = (struct cell){ field, index };
	return columns_add(&t->c, heading, least);
}

static int core_type_width(const struct layout *layout)
{
	int id, width = strlen("core");

	for (id = 0; id < layout->nr_core_types; id++)
		if ((int)strlen(layout->core_types[id].info->name) > width)
			width = strlen(layout->core_types[id].info->name);
	return width;
}

/* In a narrow terminal there is more need of room for counts. */
static int name_width(const struct report *report)
{
	return report->width && report->width < WIDE_TERMINAL ? 8 : PMC_THREAD_NAME - 1;
}

/* The first columns say which sample, of whom and why. */
static int add_fixed(struct table *t, const struct report *report)
{
	const struct options *o = report->o;
	const struct layout *layout = report->layout;
	int rc = add(t, FIELD_SAMPLE, 0, "sample", 6);

	if (o->time)
		rc |= add(t, FIELD_TIME, 0, "time_s", 10);
	if (!o->syswide)
		rc |= add(t, FIELD_TID, 0, "tid", 6) | add(t, FIELD_NAME, 0, "name", -name_width(report));
	if (o->extended && !o->syswide)
		rc |= add(t, FIELD_PID, 0, "pid", 6);
	if (o->syswide || (o->extended && has_cpu(o)))
		rc |= add(t, FIELD_CPU, 0, "cpu", 3);
	if (layout->nr_core_types > 1)
		rc |= add(t, FIELD_CORE, 0, "core", core_type_width(layout));
	if (o->extended || layout_most_sets(layout) > 1)
		rc |= add(t, FIELD_SET, 0, "set", 3);
	return rc | add(t, FIELD_TYPE, 0, "type", o->aggregate ? 4 : 10);
}

/* PMCTrack's */
static int add_raw_fixed(struct table *t, const struct report *report)
{
	const struct options *o = report->o;
	int rc = add(t, FIELD_SAMPLE, 0, "nsample", 7);

	rc |= add(t, o->syswide ? FIELD_CPU : FIELD_TID, 0, o->syswide ? "cpu" : "pid", 6);
	if (o->extended && !o->syswide) {
		rc |= add(t, FIELD_PID, 0, "process", 7);
		rc |= add(t, FIELD_CPU, 0, "cpu", 3);
	}
	if (o->extended || layout_most_sets(report->layout) > 1) {
		rc |= add(t, FIELD_CORE_NUMBER, 0, "coretype", 8);
		rc |= add(t, FIELD_SET, 0, "expid", 5);
	}
	return rc | add(t, FIELD_TYPE, 0, "event", 10);
}

static int add_counts(struct table *t, const struct layout *layout)
{
	int i, rc = 0;

	for (i = 0; i < layout->nr_names; i++)
		if (!layout->hidden[i])
			rc |= add(t, FIELD_COUNT, i, layout->names[i], 0);
	return rc;
}

static int add_slots(struct table *t, const struct layout *layout)
{
	char heading[16];
	int slot, rc = 0;

	for (slot = 0; slot < 64; slot++) {
		if (!(layout->slots & 1ULL << slot))
			continue;
		snprintf(heading, sizeof(heading), "pmc%d", slot);
		rc |= add(t, FIELD_SLOT, slot, heading, 0);
	}
	return rc;
}

static int add_virtuals(struct table *t, const struct layout *layout)
{
	char label[LABEL_MAX];
	int i, rc = 0;

	for (i = 0; i < layout->nr_virtual; i++) {
		pmc_virtual_label(layout->virtuals[i], label, sizeof(label));
		rc |= add(t, FIELD_VIRTUAL, i, label,
			  layout->virtuals[i]->kind == PMC_VIRTUAL_COUNT ? 0 : 8);
	}
	return rc;
}

static int add_metrics(struct table *t, const struct layout *layout)
{
	char label[LABEL_MAX];
	int i, rc = 0;

	for (i = 0; i < nr_metrics(layout); i++) {
		metric_label(layout, i, label, sizeof(label));
		rc |= add(t, FIELD_METRIC, i, label, 7);
	}
	return rc;
}

static int add_columns(struct table *t, const struct report *report)
{
	int raw = report->o->raw, rc;

	rc = raw ? add_raw_fixed(t, report) : add_fixed(t, report);
	t->c.nr_fixed = t->c.nr;
	rc |= raw ? add_slots(t, report->layout) : add_counts(t, report->layout);
	if (report->o->elapsed)
		rc |= add(t, FIELD_ELAPSED, 0, "etime_us", raw ? 12 : 0);
	rc |= add_virtuals(t, report->layout);
	return rc | add_metrics(t, report->layout);
}

static void print_virtuals(FILE *f, const struct layout *layout)
{
	char label[LABEL_MAX];
	int i;

	for (i = 0; i < layout->nr_virtual; i++) {
		const struct pmc_virtual_info *v = layout->virtuals[i];

		pmc_virtual_label(v, label, sizeof(label));
		fprintf(f, "%s: %s%s\n", label, v->desc,
			v->flags & PMC_VIRTUAL_ESTIMATED ? " (estimated)" : "");
	}
}

static int begin(struct report *report)
{
	const struct options *o = report->o;
	struct table *t = calloc(1, sizeof(*t));

	report->data = t;
	if (!t || add_columns(t, report))
		return -1;
	t->c.wide = 13;
	t->c.narrow = 6;
	if (o->raw)
		columns_fit(&t->c, 0, NUMBERS_RAW);
	else
		columns_fit(&t->c, report->width, o->numbers);
	if (!o->no_mapping && !o->raw) {
		print_head(report->f, report);
		print_plan(report->f, report);
		print_virtuals(report->f, report->layout);
	}
	columns_print_heading(&t->c, report->f);
	return 0;
}

/* The event of a set in a column, or on a counter; -1: none */
static int find_event(const struct layout_set *set, const struct cell *cell)
{
	int i;

	for (i = 0; set && i < set->nr; i++)
		if (cell->field == FIELD_COUNT ? set->columns[i] == cell->index :
						 set->slots[i] == cell->index)
			return i;
	return -1;
}

static void put_count(struct table *t, int column, const struct layout_set *set,
		      const struct pmc_reading *r)
{
	int i = find_event(set, &t->cells[column]);

	if (i >= 0 && i < r->nr_counts)
		columns_number(&t->c, column, r->counts[i]);
	else
		columns_text(&t->c, column, "-");
}

static void put_int(struct table *t, int column, long long value)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", value);
	columns_text(&t->c, column, text);
}

/* "ebs*": samples are missing before this one; "ebs!": because of throttling. */
static void put_type(struct table *t, int column, const struct report *report,
		     const struct pmc_reading *r)
{
	int throttled = !!(r->flags & PMC_READING_THROTTLED);
	char text[16];

	snprintf(text, sizeof(text), "%s%s",
		 report->o->aggregate ? "sum" : sample_type_name(r->type),
		 throttled ? "!" : report->left_out ? "*" : "");
	t->throttled |= throttled;
	t->left_out |= !throttled && report->left_out;
	columns_text(&t->c, column, text);
}

static void put_time(struct table *t, int column, const struct report *report,
		     const struct pmc_reading *r)
{
	char text[32];

	snprintf(text, sizeof(text), "%.6f", (int64_t)(r->time - report->start_ns) / 1e9);
	columns_text(&t->c, column, text);
}

static void put_name(struct table *t, int column, const struct report *report, const char *name)
{
	char text[NAME_QUOTED];

	quote_name(text, sizeof(text), *name ? name : "-", "");
	if (report->width)
		shorten_name(text, t->c.all[column].width);
	columns_text(&t->c, column, text);
}

static void put_metric(struct table *t, int column, const struct report *report, int n,
		       const struct pmc_reading *r)
{
	struct metric_value v = metric_sample(report, n, r);
	char text[CELL_MAX] = "~";

	if (metric_format(report->layout, n, r->core_type, v, text + 1, sizeof(text) - 1) &&
	    v.accuracy == PMC_ESTIMATED)
		columns_text(&t->c, column, text);
	else
		columns_text(&t->c, column, text + 1);
}

static void put(struct table *t, int column, const struct report *report, uint64_t nr,
		const struct pmc_reading *r)
{
	const struct layout *layout = report->layout;
	const struct cell *cell = &t->cells[column];

	switch (cell->field) {
	case FIELD_SAMPLE:
		put_int(t, column, nr);
		break;
	case FIELD_TIME:
		put_time(t, column, report, r);
		break;
	case FIELD_TID:
		put_int(t, column, r->tid);
		break;
	case FIELD_NAME:
		put_name(t, column, report, r->name);
		break;
	case FIELD_PID:
		put_int(t, column, r->pid);
		break;
	case FIELD_CPU:
		if (has_cpu(report->o))
			put_int(t, column, r->cpu);
		else
			columns_text(&t->c, column, "-");
		break;
	case FIELD_CORE:
		columns_text(&t->c, column, layout_core_type_name(layout, r->core_type));
		break;
	case FIELD_CORE_NUMBER:
		put_int(t, column, r->core_type);
		break;
	case FIELD_SET:
		put_int(t, column, r->set);
		break;
	case FIELD_TYPE:
		put_type(t, column, report, r);
		break;
	case FIELD_COUNT:
	case FIELD_SLOT:
		put_count(t, column, layout_set(layout, r->core_type, r->set), r);
		break;
	case FIELD_ELAPSED:
		columns_number(&t->c, column, r->elapsed / 1000);
		break;
	case FIELD_VIRTUAL:
		columns_virtual(&t->c, column, layout->virtuals[cell->index],
				cell->index < r->nr_virtual ? r->virtual_counts[cell->index] :
							      PMC_NO_VALUE);
		break;
	case FIELD_METRIC:
		put_metric(t, column, report, cell->index, r);
		break;
	}
}

static void sample(struct report *report, uint64_t nr, const struct pmc_reading *r)
{
	struct table *t = report->data;
	int i;

	for (i = 0; i < t->c.nr; i++)
		put(t, i, report, nr, r);
	columns_print_row(&t->c, report->f);
}

static void end(struct report *report, const struct summary *summary)
{
	struct table *t = report->data;

	if (t->left_out)
		fprintf(report->f, "(*: samples by event count are missing before this one, which has their counts)\n");
	if (t->throttled)
		fprintf(report->f, "(!: sampling was throttled before this sample, which has the counts of the pause)\n");
	print_summary(report, summary);
	columns_free(&t->c);
	free(t->cells);
	free(t);
}

const struct report_ops report_table = {
	.name = "table",
	.begin = begin,
	.sample = sample,
	.end = end,
};
