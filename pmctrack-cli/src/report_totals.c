// SPDX-License-Identifier: GPL-2.0
/* The totals by core type below a table. */
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "report.h"

/* "~sf (mean)" */
static void total_label(const struct pmc_virtual_info *v, char *buf, size_t size)
{
	char label[LABEL_MAX];

	pmc_virtual_label(v, label, sizeof(label));
	snprintf(buf, size, "%s%s", label, v->kind == PMC_VIRTUAL_COUNT ? "" : " (mean)");
}

static int label_width(const struct layout *layout)
{
	char label[LABEL_MAX + 8];
	int i, width = strlen("running");

	for (i = 0; i < layout->nr_names; i++)
		if (!layout->hidden[i] && (int)strlen(layout->names[i]) > width)
			width = strlen(layout->names[i]);
	for (i = 0; i < layout->nr_virtual; i++) {
		total_label(layout->virtuals[i], label, sizeof(label));
		if ((int)strlen(label) > width)
			width = strlen(label);
	}
	for (i = 0; i < nr_metrics(layout); i++) {
		metric_label(layout, i, label, sizeof(label));
		if ((int)strlen(label) > width)
			width = strlen(label);
	}
	return width;
}

static void print_virtual_totals(struct columns *c, FILE *f, const struct layout *layout,
				 const struct totals *totals)
{
	char label[LABEL_MAX + 8];
	int i, id;

	for (i = 0; i < layout->nr_virtual; i++) {
		total_label(layout->virtuals[i], label, sizeof(label));
		columns_text(c, 0, label);
		for (id = 0; id <= layout->nr_core_types; id++) {
			int all = id == layout->nr_core_types;

			columns_virtual(c, 1 + id, layout->virtuals[i],
					totals_virtual(totals, layout,
						       all ? PMC_EVERY_CORE_TYPE : id, i));
		}
		columns_print_row(c, f);
	}
}

/* Instructions and cycles on a core type, or on all */
struct work {
	double instructions;
	double cycles;
};

static void put_ratio(struct columns *c, int i, const struct work *work)
{
	char text[32] = "-";

	if (work->cycles > 0)
		snprintf(text, sizeof(text), "%.3f", work->instructions / work->cycles);
	columns_text(c, i, text);
}

/*
 * Instructions per cycle, without being asked. If the two were counted at different times, the
 * ratio is an estimate: ~ipc.
 */
static void print_ipc(struct columns *c, FILE *f, const struct layout *layout,
		      const struct totals *totals)
{
	struct work work[layout->nr_core_types], all = { 0 };
	int instr, cycles, id, estimated = 0;

	if (!layout_find_ipc(layout, &instr, &cycles))
		return;
	for (id = 0; id < layout->nr_core_types; id++) {
		work[id] = (struct work){ 0 };
		if (!layout_has_event(layout, id, instr) || !layout_has_event(layout, id, cycles))
			continue;
		work[id].instructions = totals_estimate(totals, layout, id, instr);
		work[id].cycles = totals_estimate(totals, layout, id, cycles);
		all.instructions += work[id].instructions;
		all.cycles += work[id].cycles;
		estimated |= totals->covered[id * layout->nr_names + instr] !=
			     totals->covered[id * layout->nr_names + cycles];
	}
	if (!(all.cycles > 0))
		return;
	columns_text(c, 0, estimated ? "~ipc" : "ipc");
	for (id = 0; id < layout->nr_core_types; id++)
		put_ratio(c, 1 + id, &work[id]);
	put_ratio(c, 1 + id, &all);
	columns_print_row(c, f);
}

static void put_metric(struct columns *c, int i, const struct layout *layout, int n, int core_type,
		       const struct totals *totals)
{
	struct metric_value v = metric_total(layout, n, core_type, totals);
	char text[CELL_MAX] = "~";

	if (metric_format(layout, n, core_type, v, text + 1, sizeof(text) - 1) &&
	    v.accuracy == PMC_ESTIMATED)
		columns_text(c, i, text);
	else
		columns_text(c, i, text + 1);
}

static void print_metrics(struct columns *c, FILE *f, const struct layout *layout,
			  const struct totals *totals)
{
	char label[LABEL_MAX];
	int n, id;

	for (n = 0; n < nr_metrics(layout); n++) {
		metric_label(layout, n, label, sizeof(label));
		columns_text(c, 0, label);
		for (id = 0; id < layout->nr_core_types; id++)
			put_metric(c, 1 + id, layout, n, id, totals);
		put_metric(c, 1 + id, layout, n, PMC_EVERY_CORE_TYPE, totals);
		columns_print_row(c, f);
	}
}

/* The part of the time for which an event was counted, on all core types that have it */
static void put_counted(struct columns *c, const struct layout *layout, const struct totals *totals,
			int name)
{
	double covered = 0, running = 0;
	char text[32] = "-";
	int id;

	for (id = 0; id < layout->nr_core_types; id++) {
		if (!layout_has_event(layout, id, name))
			continue;
		covered += totals->covered[id * layout->nr_names + name];
		running += totals->running[id];
	}
	if (running > 0)
		snprintf(text, sizeof(text), "%.1f%%", 100 * covered / running);
	columns_text(c, 2 + layout->nr_core_types, text);
}

/* A count, or with --estimate what it would be if it had been counted all the time: ~120 */
static void put_total(struct columns *c, int i, int valid, uint64_t count, uint64_t estimate)
{
	char text[NUMBER_MAX + 1] = "-";

	if (valid && estimate != count) {
		text[0] = '~';
		number_format(text + 1, estimate, c->numbers);
	} else if (valid) {
		number_format(text, count, c->numbers);
	}
	columns_text(c, i, text);
}

static void print_event(struct columns *c, const struct report *report,
			const struct totals *totals, int name, int multiplexed)
{
	const struct layout *layout = report->layout;
	uint64_t sum = 0, scaled = 0, estimate;
	int id, at, valid = 0;

	columns_text(c, 0, layout->names[name]);
	for (id = 0; id < layout->nr_core_types; id++) {
		at = id * layout->nr_names + name;
		estimate = report->o->estimate ? totals_estimate(totals, layout, id, name) :
						 totals->counts[at];
		sum += totals->counts[at];
		scaled += estimate;
		valid |= totals->valid[at];
		put_total(c, 1 + id, totals->valid[at], totals->counts[at], estimate);
	}
	put_total(c, 1 + id, valid, sum, scaled);
	if (multiplexed)
		put_counted(c, layout, totals, name);
	columns_print_row(c, report->f);
}

static void put_seconds(struct columns *c, int i, uint64_t ns)
{
	char text[32];

	snprintf(text, sizeof(text), "%.*f s", c->numbers == NUMBERS_UNITS ? 3 : 6, ns / 1e9);
	columns_text(c, i, text);
}

static void print_running(struct columns *c, FILE *f, const struct layout *layout,
			  const struct totals *totals)
{
	uint64_t sum = 0;
	int id;

	columns_text(c, 0, "running");
	for (id = 0; id < layout->nr_core_types; id++) {
		sum += totals->running[id];
		put_seconds(c, 1 + id, totals->running[id]);
	}
	put_seconds(c, 1 + id, sum);
	columns_print_row(c, f);
}

static int add_columns(struct columns *c, const struct layout *layout, int multiplexed)
{
	char heading[64];
	int id, rc = columns_add(c, "event", -label_width(layout));

	for (id = 0; id < layout->nr_core_types && !rc; id++) {
		snprintf(heading, sizeof(heading), "%d:%s", id, layout->core_types[id].info->name);
		rc = columns_add(c, heading, 0);
	}
	if (!rc)
		rc = columns_add(c, "all", 0);
	if (!rc && multiplexed)
		rc = columns_add(c, "counted", 7);
	c->nr_fixed = 1;
	return rc;
}

/* Was some event that is shown not counted at any time, although its core type was? */
static int has_no_turn(const struct layout *layout, const struct totals *totals)
{
	int i, id;

	for (i = 0; i < layout->nr_names; i++)
		for (id = 0; id < layout->nr_core_types && !layout->hidden[i]; id++)
			if (layout_has_event(layout, id, i) && totals->running[id] &&
			    !totals->covered[id * layout->nr_names + i])
				return 1;
	return 0;
}

static void print_notes(FILE *f, const struct report *report, const struct totals *totals,
			int multiplexed, int lost)
{
	if (multiplexed && report->o->estimate)
		fprintf(f, "(~: estimated from the part of the time that is in column counted, as event sets took turns)\n");
	else if (multiplexed)
		fprintf(f, "(event sets took turns: a count is of the part of the time in column counted; --estimate scales it)\n");
	if (multiplexed && !report->layout->uses_ebs && has_no_turn(report->layout, totals))
		fprintf(f, "(an event set had no turn on some core type: a shorter -T lets more sets have one)\n");
	if (layout_has_means(report->layout))
		fprintf(f, "(means are over running time%s)\n",
			lost ? ", of the samples that were not lost" : "");
}

int print_totals(const struct report *report, const struct totals *totals, int lost)
{
	const struct layout *layout = report->layout;
	struct columns c = { .wide = 15, .narrow = 10 };
	int multiplexed = layout_most_sets(layout) > 1 && !layout->without_module &&
			  layout_nr_visible(layout), i, rc;

	rc = add_columns(&c, layout, multiplexed);
	if (!rc) {
		columns_fit(&c, report->width, report->o->numbers);
		fprintf(report->f, "[Totals by core type]\n");
		columns_print_heading(&c, report->f);
		for (i = 0; i < layout->nr_names; i++)
			if (!layout->hidden[i])
				print_event(&c, report, totals, i, multiplexed);
		if (nr_metrics(layout))
			print_metrics(&c, report->f, layout, totals);
		else
			print_ipc(&c, report->f, layout, totals);
		print_virtual_totals(&c, report->f, layout, totals);
		print_running(&c, report->f, layout, totals);
		print_notes(report->f, report, totals, multiplexed, lost);
	}
	columns_free(&c);
	return rc;
}
