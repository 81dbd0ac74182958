// SPDX-License-Identifier: GPL-2.0
/*
 * Charts over time (--plot): instructions per cycle if both are counted, the
 * rate of every other event, virtual counters and metrics; a chart for each core
 * type, or each thread.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "report.h"

/* Threads that get charts: those with the most samples. */
#define MAX_GROUPS 8

struct point {
	int id;			/* id of its group */
	struct pmc_reading r;
};

struct group {
	int id;			/* core type, thread or CPU */
	int nr_points;
};

struct plot_data {
	struct point *points;
	int nr_points;
	int room;
	struct group *groups;
	int nr_groups;
	uint64_t first;		/* time the first sample began */
	uint64_t last;
};

static int begin(struct report *report)
{
	report->data = calloc(1, sizeof(struct plot_data));
	if (!report->data)
		return -1;
	if (!report->o->no_mapping) {
		print_head(report->f, report);
		print_plan(report->f, report);
	}
	return 0;
}

/* NULL: no memory. */
static struct group *find_group(struct plot_data *d, int id)
{
	struct group *groups;
	int i;

	for (i = 0; i < d->nr_groups; i++)
		if (d->groups[i].id == id)
			return &d->groups[i];
	groups = realloc(d->groups, (d->nr_groups + 1) * sizeof(*groups));
	if (!groups)
		return NULL;
	d->groups = groups;
	groups[d->nr_groups].id = id;
	groups[d->nr_groups].nr_points = 0;
	return &groups[d->nr_groups++];
}

static void sample(struct report *report, uint64_t nr, const struct pmc_reading *r)
{
	struct plot_data *d = report->data;
	struct point *points;
	uint64_t start = r->time - r->elapsed;
	struct group *group;
	int id, room;

	if (report->o->plot == PLOT_CORE_TYPES)
		id = r->core_type;
	else
		id = report->o->syswide ? r->cpu : r->tid;
	if (d->nr_points == d->room) {
		room = d->room ? 2 * d->room : 256;
		points = realloc(d->points, room * sizeof(*points));
		if (!points) {
			report->no_memory = 1;
			return;
		}
		d->points = points;
		d->room = room;
	}
	group = find_group(d, id);
	if (!group) {
		report->no_memory = 1;
		return;
	}
	d->points[d->nr_points].id = id;
	d->points[d->nr_points].r = *r;
	group->nr_points++;
	d->nr_points++;
	if (nr == 1 || start < d->first)
		d->first = start;
	if (r->time > d->last)
		d->last = r->time;
}

/* Add @value to @bins, spread over the time of sample @r. */
static void spread_sample(const struct plot_data *d, const struct pmc_reading *r, double value,
			  double *bins)
{
	double width = (double)(d->last - d->first) / CHART_WIDTH;
	double to = (r->time - d->first) / width, from = to - r->elapsed / width, share;
	int bin;

	for (bin = from; bin < CHART_WIDTH && bin < to; bin++) {
		share = (to < bin + 1 ? to : bin + 1) - (from > bin ? from : bin);
		if (bins[bin] < 0)
			bins[bin] = 0;
		if (to > from)
			bins[bin] += value * share / (to - from);
	}
}

/* Position of an event in a set, or -1 */
static int place(const struct layout_set *set, int column)
{
	int i;

	for (i = 0; set && i < set->nr; i++)
		if (set->columns[i] == column)
			return i;
	return -1;
}

/* Does a set of this core type have the event? */
static int has_event(const struct layout *layout, int core_type, int column)
{
	const struct layout_set *set;
	int n;

	for (n = 0; (set = layout_set(layout, core_type, n)); n++)
		if (place(set, column) >= 0)
			return 1;
	return 0;
}

/*
 * The same for all counts of an event in a group. With multiplexed sets, the counts are
 * scaled to the running time of all sets: the event is assumed to have the same rate while
 * a set without it was loaded. Running time is used because a thread may sleep during the
 * time of one set only.
 */
static void spread(const struct report *report, int id, int column, double *bins)
{
	double loaded[CHART_WIDTH] = { 0 }, all[CHART_WIDTH] = { 0 };
	const struct plot_data *d = report->data;
	int n, i;

	for (n = 0; n < d->nr_points; n++) {
		const struct pmc_reading *r = &d->points[n].r;

		if (d->points[n].id != id || !has_event(report->layout, r->core_type, column))
			continue;
		spread_sample(d, r, r->running, all);
		i = place(layout_set(report->layout, r->core_type, r->set), column);
		if (i < 0 || i >= r->nr_counts)
			continue;
		spread_sample(d, r, r->running, loaded);
		spread_sample(d, r, r->counts[i], bins);
	}
	for (i = 0; i < CHART_WIDTH; i++)
		if (loaded[i] > 0)
			bins[i] *= all[i] / loaded[i];
}

/*
 * The same for the values of a virtual counter in a group. If @weights is given, values are
 * weighted by the samples' running times, which are added up there.
 */
static void spread_virtual(const struct report *report, int id, int index, double *bins,
			   double *weights)
{
	const struct pmc_virtual_info *v = report->layout->virtuals[index];
	const struct plot_data *d = report->data;
	double value;
	int n;

	for (n = 0; n < d->nr_points; n++) {
		const struct pmc_reading *r = &d->points[n].r;

		if (d->points[n].id != id || index >= r->nr_virtual ||
		    r->virtual_counts[index] == PMC_NO_VALUE)
			continue;
		value = pmc_virtual_value(v, r->virtual_counts[index]);
		spread_sample(d, r, weights ? value * r->running : value, bins);
		if (weights)
			spread_sample(d, r, r->running, weights);
	}
}

/* The same for the values of a metric */
static void spread_metric(const struct report *report, int id, int index, double *bins,
			  double *weights)
{
	const struct plot_data *d = report->data;
	struct metric_value v;
	int n;

	for (n = 0; n < d->nr_points; n++) {
		const struct pmc_reading *r = &d->points[n].r;

		v = metric_sample(report, index, r);
		if (d->points[n].id != id || !isfinite(v.value))
			continue;
		spread_sample(d, r, v.value * r->running, bins);
		spread_sample(d, r, r->running, weights);
	}
}

static void clear(double *bins)
{
	int i;

	for (i = 0; i < CHART_WIDTH; i++)
		bins[i] = -1;
}

static int is_empty(const double *bins)
{
	int i;

	for (i = 0; i < CHART_WIDTH; i++)
		if (bins[i] >= 0)
			return 0;
	return 1;
}

static void title(char *buf, size_t size, const struct report *report, int id,
		  const char *what)
{
	if (report->o->plot == PLOT_THREADS)
		snprintf(buf, size, "%s, %s %d", what, report->o->syswide ? "CPU" : "thread",
			 id);
	else if (report->layout->nr_core_types > 1)
		snprintf(buf, size, "%s, core type %d (%s)", what, id,
			 report->layout->core_types[id].info->name);
	else
		snprintf(buf, size, "%s", what);
}

static void draw(const struct report *report, int id, const char *what, double *bins)
{
	const struct plot_data *d = report->data;
	struct chart chart;
	char text[128];

	if (is_empty(bins))
		return;
	title(text, sizeof(text), report, id, what);
	chart.title = text;
	memcpy(chart.values, bins, sizeof(chart.values));
	chart.seconds = (d->last - d->first) / 1e9;
	chart.utf8 = chart_utf8();
	chart_draw(&chart, report->f);
}

static void draw_ipc(const struct report *report, int id, int instr, int cycles)
{
	double a[CHART_WIDTH], b[CHART_WIDTH];
	int i;

	clear(a);
	clear(b);
	spread(report, id, instr, a);
	spread(report, id, cycles, b);
	for (i = 0; i < CHART_WIDTH; i++)
		a[i] = a[i] >= 0 && b[i] > 0 ? a[i] / b[i] : -1;
	draw(report, id, "instructions per cycle", a);
}

static void draw_rate(const struct report *report, int id, int column)
{
	const struct plot_data *d = report->data;
	const char *name = report->layout->names[column];
	double bins[CHART_WIDTH], seconds = (d->last - d->first) / 1e9 / CHART_WIDTH;
	char what[96];
	int i, clock = !strcmp(name, "task_clock");

	clear(bins);
	spread(report, id, column, bins);
	for (i = 0; i < CHART_WIDTH; i++)
		if (bins[i] > 0)
			bins[i] /= clock ? seconds * 1e9 : seconds;
	snprintf(what, sizeof(what), clock ? "CPUs in use" : "%s per second", name);
	draw(report, id, what, bins);
}

/* A count as its rate, a level or ratio as it is. */
static void draw_virtual(const struct report *report, int id, int index)
{
	const struct plot_data *d = report->data;
	const struct pmc_virtual_info *v = report->layout->virtuals[index];
	double bins[CHART_WIDTH], weights[CHART_WIDTH];
	double seconds = (d->last - d->first) / 1e9 / CHART_WIDTH;
	int i, count = v->kind == PMC_VIRTUAL_COUNT;
	char what[LABEL_MAX + 16], label[LABEL_MAX];

	clear(bins);
	clear(weights);
	spread_virtual(report, id, index, bins, count ? NULL : weights);
	for (i = 0; i < CHART_WIDTH; i++) {
		if (count && bins[i] > 0)
			bins[i] /= seconds;
		else if (!count)
			bins[i] = weights[i] > 0 ? bins[i] / weights[i] : -1;
	}
	pmc_virtual_label(v, label, sizeof(label));
	snprintf(what, sizeof(what), "%s%s", label, count ? " per second" : "");
	draw(report, id, what, bins);
}

/* Means over running time */
static void draw_metric(const struct report *report, int id, int index)
{
	double bins[CHART_WIDTH], weights[CHART_WIDTH];
	char label[LABEL_MAX];
	int i;

	clear(bins);
	clear(weights);
	spread_metric(report, id, index, bins, weights);
	for (i = 0; i < CHART_WIDTH; i++)
		bins[i] = weights[i] > 0 ? bins[i] / weights[i] : -1;
	metric_label(report->layout, index, label, sizeof(label));
	draw(report, id, label, bins);
}

static int by_id(const void *a, const void *b)
{
	return ((const struct group *)a)->id - ((const struct group *)b)->id;
}

static int by_points(const void *a, const void *b)
{
	return ((const struct group *)b)->nr_points - ((const struct group *)a)->nr_points;
}

/* The first event of this name, whatever its modifiers; or -1. */
static int find_event(const struct layout *layout, const char *name)
{
	size_t len = strlen(name);
	int i;

	for (i = 0; i < layout->nr_names; i++)
		if (!strncmp(layout->names[i], name, len) &&
		    (!layout->names[i][len] || layout->names[i][len] == ':'))
			return i;
	return -1;
}

static void draw_all(const struct report *report)
{
	const struct plot_data *d = report->data;
	const struct layout *layout = report->layout;
	int instr = find_event(layout, "instr"), cycles = find_event(layout, "cycles");
	int ipc = instr >= 0 && cycles >= 0 && !layout->hidden[instr] && !layout->hidden[cycles];
	int shown = d->nr_groups < MAX_GROUPS ? d->nr_groups : MAX_GROUPS;
	int g, i;

	qsort(d->groups, d->nr_groups, sizeof(*d->groups), by_points);
	qsort(d->groups, shown, sizeof(*d->groups), by_id);
	for (g = 0; g < shown; g++) {
		if (ipc)
			draw_ipc(report, d->groups[g].id, instr, cycles);
		for (i = 0; i < layout->nr_names; i++)
			if (!layout->hidden[i] && (!ipc || (i != instr && i != cycles)))
				draw_rate(report, d->groups[g].id, i);
		for (i = 0; i < layout->nr_virtual; i++)
			draw_virtual(report, d->groups[g].id, i);
		for (i = 0; i < nr_metrics(layout); i++)
			draw_metric(report, d->groups[g].id, i);
	}
	if (shown < d->nr_groups)
		fprintf(report->f, "(%d of %d %s are shown)\n", shown, d->nr_groups,
			report->o->syswide ? "CPUs" : "threads");
}

static void end(struct report *report, const struct summary *summary)
{
	struct plot_data *d = report->data;

	if (d->nr_points && d->last > d->first)
		draw_all(report);
	else
		fprintf(report->f, "No samples to draw: choose a shorter -T.\n");
	print_summary(report, summary);
	free(d->points);
	free(d->groups);
	free(d);
}

const struct report_ops report_plot = { begin, sample, end };
