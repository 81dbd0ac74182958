// SPDX-License-Identifier: GPL-2.0
/* The largest error of each event as a bar, with the tolerance */
#include <math.h>

#include "additivity/verdicts.h"
#include "gnuplot.h"

#define WIDTH		1000
#define ROW_HEIGHT	16
#define EDGES		150
/* Smaller errors, which a logarithmic axis cannot show, are drawn as this one. */
#define ERROR_LEAST	0.0001

static int colour_of(enum verdict verdict)
{
	static const int colours[VERDICTS] = {
		[NON_ADDITIVE] = 1, [NOT_REPRODUCIBLE] = 3, [UNDECIDED] = 4, [POTENTIALLY_ADDITIVE] = 2,
	};

	return colours[verdict];
}

static void write_names(const struct verdicts *v, FILE *f)
{
	int i;

	fputs("set ytics (", f);
	for (i = 0; i < v->nr; i++) {
		fputs(i ? ", " : "", f);
		gnuplot_quote(judge_name(v->results, v->events[i]->variable), f);
		fprintf(f, " %d", i);
	}
	fputs(") font ',9'\n", f);
}

/* Columns of a block: number of the event, error in percent */
static int write_block(const struct verdicts *v, enum verdict verdict, FILE *f)
{
	int i, n = 0;

	fprintf(f, "$verdict%d << EOD\n", verdict);
	for (i = 0; i < v->nr; i++) {
		if (v->events[i]->verdict != verdict)
			continue;
		fprintf(f, "%d %.6g\n", i, 100 * fmax(judge_error(v->events[i]), ERROR_LEAST));
		n++;
	}
	fputs("EOD\n", f);
	return n;
}

static void write_plot(const void *arg, FILE *f)
{
	const struct verdicts *v = arg;
	const char *core_type = about_get(&v->results->about, CORE_TYPE_FACT);
	int verdict, nr[VERDICTS];
	char title[160];

	for (verdict = 0; verdict < VERDICTS; verdict++)
		nr[verdict] = write_block(v, verdict, f);
	write_names(v, f);
	snprintf(title, sizeof(title), "Additivity of events on core type %s: %d base programs, %d compounds",
		 core_type ? core_type : "?", v->results->programs.nr_bases,
		 v->results->programs.nr - v->results->programs.nr_bases);
	fputs("set title ", f);
	gnuplot_quote(title, f);
	fprintf(f, "\nset xlabel 'largest error of a compound [%%]; errors below %g %% are drawn as that'\n",
		100 * ERROR_LEAST);
	fprintf(f, "set logscale x\nset format x '%%g'\nset xrange [%g:*]\nset yrange [%d:-1]\nset key above\nset boxwidth 0.7\nset style fill solid\n",
		50 * ERROR_LEAST, v->nr);
	fprintf(f, "set arrow from %g, graph 0 to %g, graph 1 nohead front dashtype 2\nplot ", 100 * v->tolerance,
		100 * v->tolerance);
	for (verdict = 0; verdict < VERDICTS; verdict++)
		if (nr[verdict])
			fprintf(f, "$verdict%d using 2:1:(%g):2:($1-0.35):($1+0.35) with boxxyerror linecolor rgb '%s' title '%s (%d)', ",
				verdict, 50 * ERROR_LEAST, gnuplot_colour(colour_of(verdict)),
				verdict_names[verdict], nr[verdict]);
	fprintf(f, "NaN with lines linecolor rgb 'black' dashtype 2 title 'tolerance %.4g %%'\n", 100 * v->tolerance);
}

void verdicts_draw(const struct verdicts *v, const char *path)
{
	struct picture picture = { WIDTH, EDGES + ROW_HEIGHT * v->nr, write_plot, v };

	gnuplot_draw(&picture, path);
}
