// SPDX-License-Identifier: GPL-2.0
/* Figure 2: power of each domain and the highest temperature over time, with power limits */
#include <math.h>
#include <string.h>

#include "gnuplot.h"
#include "node/figures.h"
#include "node/stats.h"

/* Columns of the block: time, power of each domain, each limit, temperature */
static int data(const struct run_groups *groups, int number, FILE *f)
{
	const struct run_data *run = &groups->all[number].mean;
	const struct record *r = &run->record;
	int i, nr = 0;
	size_t row;

	fprintf(f, "$power%d << EOD\n", number);
	for (row = 0; row < r->nr_rows; row++) {
		gnuplot_value(record_row(r, row)[0], f);
		for (i = 1; i < r->nr_columns; i++)
			if (record_is(r, i, "energy", NULL, 0)) {
				gnuplot_value(stats_watts_at(run, i, row), f);
				nr++;
			}
		for (i = 1; i < r->nr_columns; i++)
			if (record_is(r, i, "limit", NULL, 0))
				gnuplot_value(record_row(r, row)[i], f);
		gnuplot_value(stats_temperature_at(run, row), f);
		fputc('\n', f);
	}
	fputs("EOD\n", f);
	return nr > 0;
}

/* Lines of one quantity. Return: the column behind them. */
static int plot_lines(const struct record *r, int number, const char *quantity, const char *style,
		      int column, FILE *f)
{
	char where[96], title[112];
	int i, n = 0, is_limit = !strcmp(quantity, "limit");

	for (i = 1; i < r->nr_columns; i++) {
		if (!record_is(r, i, quantity, where, sizeof(where)))
			continue;
		fprintf(f, "$power%d using 1:%d with lines lc rgb '%s' %s title ", number, column,
			gnuplot_colour(n++), style);
		snprintf(title, sizeof(title), "%s%s", is_limit ? "limit " : "", where);
		gnuplot_quote(title, f);
		fputs(", \\\n", f);
		column++;
	}
	return column;
}

static void plot(const struct run_groups *groups, int number, FILE *f)
{
	const struct run_data *run = &groups->all[number].mean;
	double heat = stats_temperature(run);
	int column, has_heat = !isnan(heat);

	figure_panel_title(&groups->all[number], f);
	fputs("set xlabel 'time (s)'\nset ylabel 'power (W)'\nset yrange [0:*]\n", f);
	if (has_heat)
		/* Offsets are of the left axis alone. */
		fprintf(f, "set ytics nomirror\nset y2tics\nset y2label 'temperature (degC)'\n"
			"set y2range [0:%.6g]\n", 1.1 * heat);
	else
		fputs("set ytics mirror\nunset y2tics\nunset y2label\n", f);
	fputs("plot ", f);
	column = plot_lines(&run->record, number, "energy", "lw 2", 2, f);
	column = plot_lines(&run->record, number, "limit", "lw 1.5 dt 2", column, f);
	if (has_heat)
		fprintf(f, "$power%d using 1:%d axes x1y2 with lines lc rgb '#999999' lw 1.5 title 'temperature (right)'",
			number, column);
	fputc('\n', f);
}

const struct figure_kind figure_power = {
	"power and temperature over time", 1, data, plot,
};
