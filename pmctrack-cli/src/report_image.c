// SPDX-License-Identifier: GPL-2.0
/*
 * A figure (-o NAME.svg, NAME.png): a panel for each quantity over time, in each a line for each
 * thread or CPU on each core type; with --plot=coretype one for each core type. gnuplot draws it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "gnuplot.h"
#include "quote.h"
#include "series.h"

#define WIDTH		1000
#define HEIGHT		260	/* of a panel */
#define TITLE		40
#define BINS		500
/* Threads that get lines: those whose counters were loaded for the longest time. */
#define MAX_THREADS	6

static int begin(struct report *report)
{
	report->data = calloc(1, sizeof(struct series));
	if (!report->data)
		return -1;
	print_plan(stderr, report);
	return 0;
}

static int by_core_type(const struct report *report)
{
	return report->o->plot == PLOT_CORE_TYPES;
}

static void sample(struct report *report, uint64_t nr, const struct pmc_reading *r)
{
	int id = by_core_type(report) ? 0 : report->o->syswide ? r->cpu : r->tid;

	(void)nr;
	if (series_add(report->data, id, r->core_type, report, r))
		report->no_memory = 1;
}

/* ---- which lines ---- */

/**
 * struct line - the samples of a thread or CPU on a core type
 * @colour: number of its colour
 * @running: ns that the thread's counters were loaded, on all core types
 */
struct line {
	const struct series_group *group;
	int colour;
	uint64_t running;
};

/* A line for each group, in no order. Return: the array */
static struct line *all_lines(const struct series *series)
{
	struct line *lines = new_array(series->nr_groups, sizeof(*lines));
	uint64_t *running = new_array(series->nr_ids, sizeof(*running));
	const struct series_group *group;
	int i;

	for (i = 0; i < series->nr_groups; i++)
		running[series->groups[i].nr_id] += series->groups[i].running;
	for (i = 0; i < series->nr_groups; i++) {
		group = &series->groups[i];
		lines[i] = (struct line){ group, 0, running[group->nr_id] };
	}
	free(running);
	return lines;
}

/* Threads with the most time first, and their lines together */
static int compare(const void *one, const void *other)
{
	const struct line *a = one, *b = other;

	if (a->running != b->running)
		return a->running < b->running ? 1 : -1;
	if (a->group->id != b->group->id)
		return a->group->id - b->group->id;
	if (a->group->nr_id != b->group->nr_id)
		return a->group->nr_id - b->group->nr_id;
	return a->group->core_type - b->group->core_type;
}

/* Threads have colours; if there is one, or none, core types have. Return: number of lines */
static int choose_lines(const struct series *series, struct line *lines)
{
	int i, threads = 0;

	qsort(lines, series->nr_groups, sizeof(*lines), compare);
	for (i = 0; i < series->nr_groups; i++) {
		threads += !i || lines[i].group->nr_id != lines[i - 1].group->nr_id;
		if (threads > MAX_THREADS)
			break;
		lines[i].colour = threads - 1;
	}
	if (threads == 1)
		for (i = 0; i < series->nr_groups; i++)
			lines[i].colour = lines[i].group->core_type;
	return i;
}

/* ---- gnuplot's commands ---- */

struct figure {
	const struct report *report;
	const struct series *series;
	const struct series_column *columns;
	int nr_columns;
	const struct line *lines;
	int nr_lines;
};

/* A text of users or programs: an SVG has neither control characters nor bytes that are no UTF-8. */
static void write_text(const char *text, FILE *f)
{
	size_t size = 4 * strlen(text) + 1;
	char *quoted = new_array(size, 1);

	gnuplot_quote(quote_name(quoted, size, text, ""), f);
	free(quoted);
}

static void write_key(const struct figure *figure, const struct series_group *group, FILE *f)
{
	const struct layout *layout = figure->report->layout;
	const char *core_type = layout_core_type_name(layout, group->core_type);
	char text[PMC_THREAD_NAME + 80];

	if (by_core_type(figure->report))
		snprintf(text, sizeof(text), "%s", core_type);
	else if (figure->report->o->syswide)
		snprintf(text, sizeof(text), "CPU %d (%s)", group->id, core_type);
	else
		snprintf(text, sizeof(text), "%s %d on %s", group->name, group->id, core_type);
	write_text(text, f);
}

/* The least and the largest value of a line; NAN: the line has none, and is left out. */
struct range {
	double min, max;
};

/* A bin's value is valid from its beginning to its end. */
static struct range write_data(const struct figure *figure, const struct series_column *column,
			       const struct line *line, int number, FILE *f)
{
	const struct series *series = figure->series;
	double values[BINS], width = (series->last - series->first) / 1e9 / BINS;
	struct range range = { NAN, NAN };
	int i;

	series_values(figure->report, series, line->group, column, values, BINS);
	fprintf(f, "$line%d << end\n", number);
	for (i = 0; i < BINS; i++) {
		fprintf(f, "%.6g", i * width);
		gnuplot_value(values[i], f);
		fprintf(f, "\n%.6g", (i + 1) * width);
		gnuplot_value(values[i], f);
		fputc('\n', f);
		range.min = fmin(range.min, values[i]);
		range.max = fmax(range.max, values[i]);
	}
	fputs("end\n", f);
	return range;
}

static void write_panel(const struct figure *figure, const struct series_column *column, FILE *f)
{
	struct range ranges[figure->nr_lines], all = { 0, 0 };
	int i, nr = 0;

	for (i = 0; i < figure->nr_lines; i++) {
		ranges[i] = write_data(figure, column, &figure->lines[i], i, f);
		nr += !isnan(ranges[i].max);
		all.min = fmin(all.min, ranges[i].min);
		all.max = fmax(all.max, ranges[i].max);
	}
	fprintf(f, "set format y '%s'\nset title ",
		fmax(all.max, -all.min) < 1000 ? "%g" : "%.1s%c");
	write_text(column->title, f);
	if (!nr) {
		fputs("\nset key off\nplot [][0:1] NaN notitle\n", f);
		return;
	}
	fprintf(f, "\nset key outside right top\nplot [][%s:] ", all.min < 0 ? "*" : "0");
	for (i = 0; i < figure->nr_lines; i++) {
		if (isnan(ranges[i].max))
			continue;
		fprintf(f, "$line%d using 1:2 with lines lw 2 dt %d lc rgb '%s' title ", i,
			figure->lines[i].group->core_type + 1, gnuplot_colour(figure->lines[i].colour));
		write_key(figure, figure->lines[i].group, f);
		fputs(--nr ? ", \\\n" : "\n", f);
	}
}

/* The first line of other reports says what is counted of which program. */
static void write_head(const struct report *report, FILE *f)
{
	char *text = report_title(report);

	write_text(text, f);
	free(text);
}

static void write_figure(const void *arg, FILE *f)
{
	const struct figure *figure = arg;
	int i;

	fprintf(f, "set lmargin 10\nset rmargin 34\nset xrange [0:%.6g]\nset multiplot layout %d,1 title ",
		(figure->series->last - figure->series->first) / 1e9, figure->nr_columns);
	write_head(figure->report, f);
	fputc('\n', f);
	for (i = 0; i < figure->nr_columns; i++) {
		if (i == figure->nr_columns - 1)
			fputs("set xlabel 'seconds'\n", f);
		write_panel(figure, &figure->columns[i], f);
	}
	fputs("unset multiplot\n", f);
}

static void draw(const struct report *report, const struct series *series)
{
	struct line *lines = all_lines(series);
	struct series_column *columns;
	int nr = series_columns(report->layout, &columns);
	struct figure figure = { report, series, columns, nr, lines, choose_lines(series, lines) };
	struct picture picture = { WIDTH, HEIGHT * nr + TITLE, write_figure, &figure };

	if (nr > 0)
		gnuplot_draw(&picture, report->o->output);
	free(columns);
	free(lines);
}

static void end(struct report *report, const struct summary *summary)
{
	struct series *series = report->data;

	if (series->nr_points && series->last > series->first)
		draw(report, series);
	else
		fprintf(stderr, "pmctrack: no samples to draw: choose a shorter -T\n");
	print_losses(stderr, "pmctrack: ", summary);
	print_hint(stderr, "pmctrack: ", report, summary);
	print_times(stderr, report->o, summary);
	series_free(series);
	free(series);
}

const struct report_ops report_image = {
	.endings = ".svg .png .gp",
	.needs_samples = "a figure",
	.plots = 1,
	.check = gnuplot_check,
	.begin = begin,
	.sample = sample,
	.end = end,
};
