// SPDX-License-Identifier: GPL-2.0
/* A table with a row for each run, and the mean. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "common.h"
#include "node/stats.h"
#include "node/summary.h"

/* A column: its heading, and the value of a run */
struct figure {
	char heading[64];
	int decimals;
	double (*value)(const struct run_data *run, const struct figure *figure);
	int type;		/* core type */
	char column[160];	/* of the record */
};

#define FIGURES_MAX 48

struct table {
	int nr;
	struct figure figures[FIGURES_MAX];
};

static double seconds(const struct run_data *run, const struct figure *f)
{
	(void)f;
	return about_number(&run->about, "seconds");
}

static double gflops(const struct run_data *run, const struct figure *f)
{
	(void)f;
	return about_number(&run->about, "gflops");
}

static double frequency(const struct run_data *run, const struct figure *f)
{
	return stats_frequency(run, f->type);
}

static double temperature(const struct run_data *run, const struct figure *f)
{
	(void)f;
	return stats_temperature(run);
}

static double joules(const struct run_data *run, const struct figure *f)
{
	int column = record_find(&run->record, f->column);

	return column < 0 ? NAN : stats_joules(run, column);
}

static double watts(const struct run_data *run, const struct figure *f)
{
	return joules(run, f) / seconds(run, f);
}

static double most_watts(const struct run_data *run, const struct figure *f)
{
	int column = record_find(&run->record, f->column);

	return column < 0 ? NAN : stats_watts_most(run, column);
}

static double throttles(const struct run_data *run, const struct figure *f)
{
	(void)f;
	return stats_throttles(run);
}

static double share(const struct run_data *run, const struct figure *f)
{
	return stats_share(run, f->type, "instr");
}

static double miss_rate(const struct run_data *run, const struct figure *f)
{
	return stats_miss_rate(run, f->type);
}

static int has_value(const struct run_list *list, const struct figure *f)
{
	int i;

	for (i = 0; i < list->nr; i++)
		if (!isnan(f->value(&list->all[i], f)))
			return 1;
	return 0;
}

/* Add a column, if some run has a value for it. */
static void add(struct table *t, const struct run_list *list, struct figure figure)
{
	if (t->nr < FIGURES_MAX && has_value(list, &figure))
		t->figures[t->nr++] = figure;
}

#define FIGURE(value, decimals, ...) ({ \
	struct figure figure_ = { "", decimals, value, 0, "" }; \
	snprintf(figure_.heading, sizeof(figure_.heading), __VA_ARGS__); \
	figure_; \
})

static void add_types(struct table *t, const struct run_list *list)
{
	const struct core_types *types = &list->all[0].types;
	struct figure f;
	int i, which;

	for (which = 0; which < 3; which++)
		for (i = 0; i < types->nr; i++) {
			f = which == 0 ? FIGURE(frequency, 0, "%s MHz", types->names[i]) :
			    which == 1 ? FIGURE(share, 1, "%s instr %%", types->names[i]) :
					 FIGURE(miss_rate, 2, "%s LLC miss %%", types->names[i]);
			f.type = i;
			add(t, list, f);
		}
}

static void add_energies(struct table *t, const struct run_list *list)
{
	const struct record *r = &list->all[0].record;
	struct figure f;
	char where[40];
	int i, which;

	for (i = 1; i < r->nr_columns; i++)
		for (which = 0; which < 3 && record_is(r, i, "energy", where, sizeof(where)); which++) {
			f = which == 0 ? FIGURE(joules, 2, "%s J", where) :
			    which == 1 ? FIGURE(watts, 2, "%s W", where) :
					 FIGURE(most_watts, 2, "%s max W", where);
			snprintf(f.column, sizeof(f.column), "%s", r->names[i]);
			add(t, list, f);
		}
}

static void choose(struct table *t, const struct run_list *list)
{
	add(t, list, FIGURE(seconds, 3, "seconds"));
	add(t, list, FIGURE(gflops, 3, "Gflops"));
	add_types(t, list);
	add(t, list, FIGURE(temperature, 1, "max degC"));
	add_energies(t, list);
	add(t, list, FIGURE(throttles, 0, "throttles"));
}

static void put(struct columns *c, int column, double value, int decimals)
{
	char text[CELL_MAX];

	snprintf(text, sizeof(text), "%.*f", decimals, value);
	columns_text(c, column, isnan(value) ? "-" : text);
}

static void print_row(struct columns *c, const struct table *t, const struct run_data *run, FILE *f)
{
	int i;

	columns_text(c, 0, run->path);
	for (i = 0; i < t->nr; i++)
		put(c, 1 + i, t->figures[i].value(run, &t->figures[i]), t->figures[i].decimals);
	columns_print_row(c, f);
}

/* Over the runs that have the value */
static double mean(const struct run_list *list, const struct figure *f)
{
	double sum = 0, value;
	int i, n = 0;

	for (i = 0; i < list->nr; i++) {
		value = f->value(&list->all[i], f);
		if (isnan(value))
			continue;
		sum += value;
		n++;
	}
	return n ? sum / n : NAN;
}

static void print_means(struct columns *c, const struct table *t, const struct run_list *list, FILE *f)
{
	int i;

	columns_text(c, 0, "mean");
	for (i = 0; i < t->nr; i++)
		put(c, 1 + i, mean(list, &t->figures[i]), t->figures[i].decimals);
	columns_print_row(c, f);
}

static int longest_path(const struct run_list *list)
{
	int i, longest = strlen("mean");

	for (i = 0; i < list->nr; i++)
		if ((int)strlen(list->all[i].path) > longest)
			longest = strlen(list->all[i].path);
	return longest < CELL_MAX ? longest : CELL_MAX - 1;
}

void summary_print(const struct run_list *list, FILE *f, int width)
{
	struct table *t = new_array(1, sizeof(*t));
	struct columns c = { 0 };
	int i, failed;

	choose(t, list);
	failed = columns_add(&c, "run", -longest_path(list)) < 0;
	c.nr_fixed = 1;
	for (i = 0; i < t->nr; i++)
		failed |= columns_add(&c, t->figures[i].heading, 9) < 0;
	if (failed)
		bad("out of memory");
	columns_fit(&c, width, NUMBERS_RAW);
	columns_print_heading(&c, f);
	for (i = 0; i < list->nr; i++)
		print_row(&c, t, &list->all[i], f);
	if (list->nr > 1)
		print_means(&c, t, list, f);
	columns_free(&c);
	free(t);
}
