// SPDX-License-Identifier: GPL-2.0
/*
 * Windows of the same program, with the same number of instructions, are matched by their
 * order. The truth for a pair of windows is the quotient of their times on the two core
 * types (the speedup factor), or of the products of energy and time (the efficiency
 * factor; PMCTrack, The Computer Journal 2017, equations 3 to 7).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common.h"
#include "training_pairs.h"

/* The folder of @path, with its slash. */
static int folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash - path + 1 : 0;
}

static struct table *read_file(const char *list, const char *name, char *error, size_t len)
{
	struct table *t;
	char path[1024];
	FILE *f;

	snprintf(path, sizeof(path), "%.*s%s", name[0] == '/' ? 0 : folder_length(list), list, name);
	f = fopen(path, "r");
	if (!f) {
		snprintf(error, len, "%s: can't be read", path);
		return NULL;
	}
	t = table_read(f, path, error, len);
	fclose(f);
	return t;
}

static struct run *find(struct runs *runs, const char *program)
{
	size_t i;

	for (i = 0; i < runs->nr; i++)
		if (!strcmp(runs->run[i].program, program))
			return &runs->run[i];
	runs->run = must_have(realloc(runs->run, (runs->nr + 1) * sizeof(*runs->run)));
	runs->run[runs->nr] = (struct run){ .program = must_have(strdup(program)) };
	return &runs->run[runs->nr++];
}

/* Parse a line; 0 if it is right. */
static int read_line(struct runs *runs, const struct shape *shape, const char *path, int nr,
		     char *line, char *error, size_t len)
{
	char *program = strtok(line, " \t\r\n"), *type = strtok(NULL, " \t\r\n"), *file;
	struct table *t, **to;
	size_t core;

	if (!program || program[0] == '#')
		return 0;
	for (core = 0; type && core < 2; core++)
		if (!strcmp(type, shape->core[core].name))
			break;
	file = strtok(NULL, " \t\r\n");
	if (!type || core == 2 || !file) {
		snprintf(error, len, "%s:%d: a run is PROGRAM CORETYPE FILE..., with %s or %s for CORETYPE",
			 path, nr, shape->core[0].name, shape->core[1].name);
		return -1;
	}
	to = &find(runs, program)->on[core];
	for (; file; file = strtok(NULL, " \t\r\n")) {
		t = read_file(path, file, error, len);
		if (!t)
			return -1;
		if (!*to) {
			*to = t;
			continue;
		}
		if (t->period != (*to)->period) {
			snprintf(error, len, "%s: windows of %.0f events, but of %.0f in another run of %s",
				 file, t->period, (*to)->period, program);
			table_free(t);
			return -1;
		}
		table_join(*to, t);
		table_free(t);
	}
	return 0;
}

void runs_free(struct runs *runs)
{
	size_t i, core;

	for (i = 0; i < runs->nr; i++) {
		free(runs->run[i].program);
		for (core = 0; core < 2; core++)
			if (runs->run[i].on[core])
				table_free(runs->run[i].on[core]);
	}
	free(runs->run);
	free(runs);
}

struct runs *runs_read(FILE *f, const char *path, const struct shape *shape, char *error,
		       size_t len)
{
	struct runs *runs = new_array(1, sizeof(*runs));
	char *line = NULL;
	size_t size = 0;
	int nr = 0, bad = 0;

	while (!bad && getline(&line, &size, f) >= 0)
		bad = read_line(runs, shape, path, ++nr, line, error, len);
	free(line);
	if (!bad && !runs->nr) {
		snprintf(error, len, "%s: no run in it", path);
		bad = -1;
	}
	if (!bad)
		return runs;
	runs_free(runs);
	return NULL;
}

/* Find a column, or fail. */
static int need(const struct run *run, int core, const char *type, const char *name,
		char *error, size_t len)
{
	int column = table_column(run->on[core], name);

	if (column < 0)
		snprintf(error, len, "%s on %s: '%s' was not counted; run pmc-train-model with it, by -c or -V",
			 run->program, type, name);
	return column;
}

/* Compute the metrics of a window; a metric without a value is not finite. */
static int window_metrics(const struct run *run, const struct shape *shape, int core, size_t row,
			  double *to, char *error, size_t len)
{
	const struct shape_core *c = &shape->core[core];
	size_t i;

	for (i = 0; i < c->nr_metrics; i++) {
		const struct shape_metric *m = &c->metric[i];
		int over = need(run, core, c->name, m->over, error, len);
		int under = over < 0 ? -1 : need(run, core, c->name, m->under, error, len);

		if (under < 0)
			return -1;
		to[i] = table_value(run->on[core], row, over) * m->factor /
			table_value(run->on[core], row, under);
	}
	return 0;
}

/* The quotient of a column's values on the slow and the fast core type */
static double excess(const struct run *run, const int *column, size_t row, int fast)
{
	return table_value(run->on[!fast], row, column[!fast]) /
	       table_value(run->on[fast], row, column[fast]);
}

static bool all_finite(const double *x, size_t nr)
{
	while (nr--)
		if (!isfinite(*x++))
			return false;
	return true;
}

static int add_window(struct training *t, const struct run *run, size_t program,
		      const struct shape *shape, size_t row, double truth, char *error, size_t len)
{
	bool finite = isfinite(truth) && truth > 0;
	int core;

	for (core = 0; core < 2; core++) {
		size_t nr = shape->core[core].nr_metrics;
		double *to;

		t->metrics[core] = must_have(realloc(t->metrics[core],
						  (t->nr_rows + 1) * nr * sizeof(double)));
		to = t->metrics[core] + t->nr_rows * nr;
		if (window_metrics(run, shape, core, row, to, error, len))
			return -1;
		finite = finite && all_finite(to, nr);
	}
	t->truth = must_have(realloc(t->truth, (t->nr_rows + 1) * sizeof(*t->truth)));
	t->truth[t->nr_rows] = truth;
	t->program = must_have(realloc(t->program, (t->nr_rows + 1) * sizeof(*t->program)));
	t->program[t->nr_rows] = program;
	t->nr_rows += finite;
	return 0;
}

static int add_run(struct training *t, const struct run *run, size_t program,
		   const struct shape *shape, const struct truth *what, char *error, size_t len)
{
	int time_column[2], energy_column[2], core;
	size_t row, nr, before = t->nr_rows;

	for (core = 0; core < 2; core++) {
		const char *type = shape->core[core].name;

		if (!run->on[core]) {
			snprintf(error, len, "%s: no run on %s", run->program, type);
			return -1;
		}
		time_column[core] = need(run, core, type, what->time, error, len);
		if (time_column[core] < 0)
			return -1;
		energy_column[core] = what->energy ?
			need(run, core, type, what->energy, error, len) : 0;
		if (energy_column[core] < 0)
			return -1;
	}
	if (run->on[0]->period != run->on[1]->period) {
		snprintf(error, len, "%s: windows of %.0f events on %s, and of %.0f on %s",
			 run->program, run->on[0]->period, shape->core[0].name,
			 run->on[1]->period, shape->core[1].name);
		return -1;
	}
	nr = run->on[0]->nr_rows < run->on[1]->nr_rows ? run->on[0]->nr_rows : run->on[1]->nr_rows;
	for (row = what->skip; row < nr; row++) {
		double truth = excess(run, time_column, row, what->fast);

		if (what->energy)
			truth *= excess(run, energy_column, row, what->fast);
		if (add_window(t, run, program, shape, row, truth, error, len))
			return -1;
	}
	if (t->nr_rows > before)
		return 0;
	snprintf(error, len, "%s: no window on both core types is left; run it for longer, or use smaller windows",
		 run->program);
	return -1;
}

void training_free(struct training *t)
{
	free(t->metrics[0]);
	free(t->metrics[1]);
	free(t->truth);
	free(t->program);
	free(t);
}

struct training *train(const struct runs *runs, const struct shape *shape,
		       const struct truth *truth, char *error, size_t len)
{
	struct training *t = new_array(1, sizeof(*t));
	size_t i;

	for (i = 0; i < runs->nr; i++) {
		if (add_run(t, &runs->run[i], i, shape, truth, error, len)) {
			training_free(t);
			return NULL;
		}
	}
	return t;
}
