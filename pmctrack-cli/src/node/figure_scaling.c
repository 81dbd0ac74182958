// SPDX-License-Identifier: GPL-2.0
/* Figure 4: performance against the number of cores, a line for each program and kind of cores */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "gnuplot.h"
#include "node/figures.h"
#include "node/stats.h"

/* "pmc-lu: P+E": the program, and the core types that it used */
static void line_title(const struct run_group *group, char *text, size_t size)
{
	const struct run_data *run = &group->mean;
	size_t n = snprintf(text, size, "%s:", group->name);
	int type, first = 1;

	for (type = 0; type < run->types.nr && n < size; type++)
		if (stats_cpus(run, type)) {
			n += snprintf(text + n, size - n, "%s%s", first ? " " : "+", run->types.names[type]);
			first = 0;
		}
}

static int same_line(const struct run_group *a, const struct run_group *b)
{
	char one[160], other[160];

	line_title(a, one, sizeof(one));
	line_title(b, other, sizeof(other));
	return !strcmp(one, other);
}

static int by_threads(const void *a, const void *b)
{
	const struct run_group *one = *(const struct run_group *const *)a;
	const struct run_group *other = *(const struct run_group *const *)b;

	return about_number(&one->mean.about, "threads") - about_number(&other->mean.about, "threads");
}

/* Is the group the first of its line? Then it has the line's block. */
static int begins_line(const struct run_groups *groups, int number)
{
	int i;

	for (i = 0; i < number; i++)
		if (same_line(&groups->all[i], &groups->all[number]))
			return 0;
	return 1;
}

static int data(const struct run_groups *groups, int number, FILE *f)
{
	const struct run_group **line = new_array(groups->nr, sizeof(*line));
	int i, nr = 0;

	for (i = number; i < groups->nr; i++)
		if (same_line(&groups->all[i], &groups->all[number]))
			line[nr++] = &groups->all[i];
	qsort(line, nr, sizeof(*line), by_threads);
	if (begins_line(groups, number)) {
		fprintf(f, "$cores%d << EOD\n", number);
		for (i = 0; i < nr; i++) {
			gnuplot_value(about_number(&line[i]->mean.about, "threads"), f);
			gnuplot_value(about_number(&line[i]->mean.about, "gflops"), f);
			fputc('\n', f);
		}
		fputs("EOD\n", f);
	}
	free(line);
	return !isnan(about_number(&groups->all[number].mean.about, "gflops"));
}

static void plot(const struct run_groups *groups, int number, FILE *f)
{
	char title[160];
	int i, line = 0;

	(void)number;
	fputs("set title 'Performance against cores'\nset xlabel 'number of cores'\n"
	      "set ylabel 'performance (Gflops)'\nset xtics 1\nset xrange [0:*]\nset yrange [0:*]\n"
	      "plot ", f);
	for (i = 0; i < groups->nr; i++) {
		if (!begins_line(groups, i))
			continue;
		line_title(&groups->all[i], title, sizeof(title));
		fprintf(f, "$cores%d using 1:2 with linespoints pt 7 lw 2 lc rgb '%s' title ", i,
			gnuplot_colour(line++));
		gnuplot_quote(title, f);
		fputs(", \\\n", f);
	}
	fputc('\n', f);
}

const struct figure_kind figure_cores = {
	"the performance of programs", 0, data, plot,
};
