// SPDX-License-Identifier: GPL-2.0
/* The report of pmc-cost: a table, CSV or JSON, and histograms. */
#include <stdio.h>
#include <string.h>

#include "../src/quote.h"
#include "cost_report.h"

/* Columns of the longest bar */
#define BAR_WIDTH 40

/* Names of what is said of a distribution, in all forms */
#define NR_FIGURES 7
static const char *const figures[NR_FIGURES] = {
	"min", "mean", "p50", "p90", "p99", "max", "stddev",
};

static void take_figures(const struct distribution *d, double scale, double figure[NR_FIGURES])
{
	const double values[NR_FIGURES] = {
		d->min, d->mean, distribution_percentile(d, 50), distribution_percentile(d, 90),
		distribution_percentile(d, 99), d->max, d->deviation,
	};
	int i;

	for (i = 0; i < NR_FIGURES; i++)
		figure[i] = values[i] * scale;
}

void cost_report_begin(const struct cost_report *r)
{
	int i;

	if (r->format == FORM_JSON)
		return;
	if (r->format == FORM_CSV)
		printf("call,events,samples,batch,unit");
	else
		printf("%-20s %-6s", "call", "unit");
	for (i = 0; i < NR_FIGURES; i++)
		printf(r->format == FORM_CSV ? ",%s" : " %10s", figures[i]);
	putchar('\n');
}

static void print_row(const char *name, const char *unit, const struct distribution *d,
		      double scale)
{
	double figure[NR_FIGURES];
	int i;

	take_figures(d, scale, figure);
	printf("%-20s %-6s", name, unit);
	for (i = 0; i < NR_FIGURES; i++)
		printf(" %10.1f", figure[i]);
	putchar('\n');
}

static void print_csv(const struct cost_report *r, const char *name, const char *unit,
		      const struct distribution *d, double scale)
{
	double figure[NR_FIGURES];
	int i;

	take_figures(d, scale, figure);
	printf("%s,%d,%zu,%llu,%s", name, r->nr_events, d->nr, r->batch, unit);
	for (i = 0; i < NR_FIGURES; i++)
		printf(",%.2f", figure[i]);
	putchar('\n');
}

static void print_json_figures(const char *unit, const struct distribution *d, double scale)
{
	double figure[NR_FIGURES];
	int i;

	take_figures(d, scale, figure);
	printf(",\"%s\":{", unit);
	for (i = 0; i < NR_FIGURES; i++)
		printf("%s\"%s\":%.2f", i ? "," : "", figures[i], figure[i]);
	putchar('}');
}

static void print_json_bins(const struct cost_report *r, const struct bin *bins, size_t nr)
{
	size_t i;

	printf(",\"histogram_ns\":[");
	for (i = 0; i < nr; i++)
		printf("%s{\"from\":%.2f,\"to\":%.2f,\"samples\":%zu}", i ? "," : "",
		       bins[i].from * r->ns, bins[i].to * r->ns, bins[i].nr);
	putchar(']');
}

static void print_json(const struct cost_report *r, const char *name, const struct distribution *d,
		       const struct bin *bins, size_t nr_bins)
{
	printf("{\"call\":");
	print_json_string(stdout, name);
	printf(",\"events\":%d,\"samples\":%zu,\"batch\":%llu", r->nr_events, d->nr, r->batch);
	print_json_figures("cycles", d, 1);
	print_json_figures("ns", d, r->ns);
	if (nr_bins)
		print_json_bins(r, bins, nr_bins);
	printf("}\n");
}

/* The bars are in ns: a cycle of a slow clock may be longer than a call. */
static void print_bars(const struct cost_report *r, const struct bin *bins, size_t nr)
{
	static const char bar[] = "########################################";
	size_t i, most = 1;
	int width;

	for (i = 0; i < nr; i++)
		if (bins[i].nr > most)
			most = bins[i].nr;
	printf("%24s  %8s\n", "ns", "samples");
	for (i = 0; i < nr; i++) {
		/* Few samples still have a bar. */
		width = (bins[i].nr * BAR_WIDTH + most - 1) / most;
		printf("%10.1f to %10.1f  %8zu%s%.*s\n", bins[i].from * r->ns, bins[i].to * r->ns,
		       bins[i].nr, width ? "  " : "", width, bar);
	}
	putchar('\n');
}

void cost_report_call(const struct cost_report *r, const char *name,
		      const struct distribution *d)
{
	struct bin bins[BINS_MAX];
	size_t nr_bins = r->bins ? distribution_bins(d, bins, r->bins) : 0;

	if (r->format == FORM_JSON) {
		print_json(r, name, d, bins, nr_bins);
	} else if (r->format == FORM_CSV) {
		print_csv(r, name, "cycles", d, 1);
		print_csv(r, name, "ns", d, r->ns);
	} else {
		print_row(name, "cycles", d, 1);
		print_row("", "ns", d, r->ns);
		if (nr_bins)
			print_bars(r, bins, nr_bins);
	}
}
