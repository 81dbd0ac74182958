// SPDX-License-Identifier: GPL-2.0
/* Figure 3: the median frequency of each core type against the highest temperature */
#include <math.h>

#include "gnuplot.h"
#include "node/figures.h"
#include "node/stats.h"

/* Columns of the block: temperature, frequency of each core type */
static int data(const struct run_groups *groups, int number, FILE *f)
{
	const struct run_data *run = &groups->all[number].mean;
	int type, nr = 0;
	double value;
	size_t row;

	fprintf(f, "$heat%d << EOD\n", number);
	for (row = 0; row < run->record.nr_rows; row++) {
		gnuplot_value(stats_temperature_at(run, row), f);
		for (type = 0; type < run->types.nr; type++) {
			value = stats_frequency_at(run, type, row);
			nr += !isnan(value) && !isnan(stats_temperature_at(run, row));
			gnuplot_value(value / 1e3, f);
		}
		fputc('\n', f);
	}
	fputs("EOD\n", f);
	return nr > 0;
}

static void plot(const struct run_groups *groups, int number, FILE *f)
{
	const struct run_data *run = &groups->all[number].mean;
	int type;

	figure_panel_title(&groups->all[number], f);
	fputs("set xlabel 'highest temperature (degC)'\nset ylabel 'median frequency (GHz)'\n"
	      "set yrange [0:*]\nplot ", f);
	for (type = 0; type < run->types.nr; type++)
		if (!isnan(stats_frequency(run, type)))
			fprintf(f, "$heat%d using 1:%d with points pt 7 ps %s lc rgb '%s' title '%s', \\\n",
				number, type + 2, type ? "0.5" : "0.9", gnuplot_colour(type), run->types.names[type]);
	fputc('\n', f);
}

const struct figure_kind figure_throttling = {
	"frequency and temperature", 1, data, plot,
};
