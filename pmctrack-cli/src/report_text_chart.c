// SPDX-License-Identifier: GPL-2.0
/*
 * Charts over time (--plot): instructions per cycle if both are counted, the
 * rate of every other event, virtual counters and metrics; a chart for each core
 * type, or each thread.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "series.h"
#include "text_chart.h"

/* Threads that get charts: those with the most samples. */
#define MAX_GROUPS 8

static int begin(struct report *report)
{
	report->data = calloc(1, sizeof(struct series));
	if (!report->data)
		return -1;
	if (!report->o->no_mapping) {
		print_head(report->f, report);
		print_plan(report->f, report);
	}
	return 0;
}

static void sample(struct report *report, uint64_t nr, const struct pmc_reading *r)
{
	int id;

	(void)nr;
	if (report->o->plot == PLOT_CORE_TYPES)
		id = r->core_type;
	else
		id = report->o->syswide ? r->cpu : r->tid;
	if (series_add(report->data, id, -1, report, r))
		report->no_memory = 1;
}

static int is_empty(const double *bins)
{
	int i;

	for (i = 0; i < CHART_WIDTH; i++)
		if (!isnan(bins[i]))
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

static void draw(const struct report *report, const struct series_group *group,
		 const struct series_column *column)
{
	const struct series *series = report->data;
	struct chart chart;
	char text[128];

	series_values(report, series, group, column, chart.values, CHART_WIDTH);
	if (is_empty(chart.values))
		return;
	title(text, sizeof(text), report, group->id, column->title);
	chart.title = text;
	chart.seconds = (series->last - series->first) / 1e9;
	chart.utf8 = chart_utf8();
	chart_draw(&chart, report->f);
}

static int by_id(const void *a, const void *b)
{
	return (*(const struct series_group *const *)a)->id - (*(const struct series_group *const *)b)->id;
}

static int by_samples(const void *a, const void *b)
{
	return (*(const struct series_group *const *)b)->nr - (*(const struct series_group *const *)a)->nr;
}

static void draw_all(const struct report *report)
{
	const struct series *series = report->data;
	int shown = series->nr_groups < MAX_GROUPS ? series->nr_groups : MAX_GROUPS;
	const struct series_group **groups = new_array(series->nr_groups, sizeof(*groups));
	struct series_column *columns;
	int nr = series_columns(report->layout, &columns), g, i;

	for (i = 0; i < series->nr_groups; i++)
		groups[i] = &series->groups[i];
	qsort(groups, series->nr_groups, sizeof(*groups), by_samples);
	qsort(groups, shown, sizeof(*groups), by_id);
	for (g = 0; g < shown; g++)
		for (i = 0; i < nr; i++)
			draw(report, groups[g], &columns[i]);
	free(columns);
	free(groups);
	if (shown < series->nr_groups)
		fprintf(report->f, "(%d of %d %s are shown)\n", shown, series->nr_groups,
			report->o->syswide ? "CPUs" : "threads");
}

static void end(struct report *report, const struct summary *summary)
{
	struct series *series = report->data;

	if (series->nr_points && series->last > series->first)
		draw_all(report);
	else
		fprintf(report->f, "No samples to draw: choose a shorter -T.\n");
	print_summary(report, summary);
	series_free(series);
	free(series);
}

const struct report_ops report_plot = {
	.begin = begin,
	.sample = sample,
	.end = end,
};
