// SPDX-License-Identifier: GPL-2.0
/* The distribution of measured values: mean, percentiles, histogram. */
#include <math.h>
#include <stdlib.h>

#include "distribution.h"

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void distribution_make(struct distribution *d, double *values, size_t nr)
{
	double sum = 0, squares = 0;
	size_t i;

	qsort(values, nr, sizeof(*values), compare);
	for (i = 0; i < nr; i++)
		sum += values[i];
	*d = (struct distribution){
		.values = values, .nr = nr,
		.min = values[0], .mean = sum / nr, .max = values[nr - 1],
	};
	for (i = 0; i < nr; i++)
		squares += (values[i] - d->mean) * (values[i] - d->mean);
	if (nr > 1)
		d->deviation = sqrt(squares / (nr - 1));
}

double distribution_percentile(const struct distribution *d, double percent)
{
	size_t rank = ceil(percent / 100 * d->nr);

	return d->values[rank ? rank - 1 : 0];
}

/* Few values are far above the others: equally wide bars would put the rest into one. */
size_t distribution_bins(const struct distribution *d, struct bin *bins, size_t most)
{
	double top = distribution_percentile(d, 99), width;
	size_t i, bin = 0, nr = d->max > d->min ? most : 1;

	width = nr > 1 ? (top - d->min) / (nr - 1) : 0;
	/* 99 of 100 values are equal. */
	if (nr > 1 && width <= 0)
		nr = 2;
	for (i = 0; i < nr; i++)
		bins[i] = (struct bin){
			.from = d->min + i * width,
			.to = i + 1 == nr ? d->max : d->min + (i + 1) * width,
		};
	for (i = 0; i < d->nr; i++) {
		while (bin + 1 < nr && d->values[i] > bins[bin].to)
			bin++;
		bins[bin].nr++;
	}
	return nr;
}
