// SPDX-License-Identifier: GPL-2.0
/* Figure 1: the frequency of each core over time, and the median of each core type */
#include <math.h>

#include "gnuplot.h"
#include "node/figures.h"
#include "node/stats.h"

/* Columns of the block: time, frequency of each CPU, core type by core type, then the medians */
static int each_frequency(const struct run_data *run, int type, FILE *f, size_t row)
{
	int i, n = 0;

	for (i = 1; i < run->record.nr_columns; i++) {
		if (!stats_is_frequency(run, i, type))
			continue;
		n++;
		if (f)
			gnuplot_value(record_row(&run->record, row)[i] / 1e3, f);
	}
	return n;
}

static int data(const struct run_groups *groups, int number, FILE *f)
{
	const struct run_data *run = &groups->all[number].mean;
	int type, nr = 0;
	size_t row;

	fprintf(f, "$frequency%d << EOD\n", number);
	for (row = 0; row < run->record.nr_rows; row++) {
		gnuplot_value(record_row(&run->record, row)[0], f);
		for (type = 0; type < run->types.nr; type++)
			nr += each_frequency(run, type, f, row);
		for (type = 0; type < run->types.nr; type++)
			gnuplot_value(stats_frequency_at(run, type, row) / 1e3, f);
		fputc('\n', f);
	}
	fputs("EOD\n", f);
	return nr > 0;
}

static void plot_cores(const struct run_data *run, int number, int type, int column, FILE *f)
{
	int i, nr = each_frequency(run, type, NULL, 0);

	/* The colour is mostly transparent: behind the medians. */
	for (i = 0; i < nr; i++) {
		fprintf(f, "$frequency%d using 1:%d with lines lc rgb '#a0%s' lw 0.8 ", number,
			column + i, gnuplot_colour(type) + 1);
		if (i)
			fputs("notitle", f);
		else
			fprintf(f, "title '%s: each core'", run->types.names[type]);
		fputs(", \\\n", f);
	}
}

static void plot(const struct run_groups *groups, int number, FILE *f)
{
	const struct run_data *run = &groups->all[number].mean;
	int type, column = 2;

	figure_panel_title(&groups->all[number], f);
	fputs("set xlabel 'time (s)'\nset ylabel 'frequency (GHz)'\nset yrange [0:*]\nplot ", f);
	for (type = 0; type < run->types.nr; type++) {
		plot_cores(run, number, type, column, f);
		column += each_frequency(run, type, NULL, 0);
	}
	for (type = 0; type < run->types.nr; type++, column++)
		if (!isnan(stats_frequency(run, type)))
			fprintf(f, "$frequency%d using 1:%d with lines lc rgb '%s' lw %d title '%s: median (%.2f GHz)', \\\n",
				number, column, gnuplot_colour(type), type ? 2 : 4, run->types.names[type],
				stats_frequency(run, type) / 1e3);
	fputc('\n', f);
}

const struct figure_kind figure_frequency = {
	"the frequency of each core over time", 1, data, plot,
};
