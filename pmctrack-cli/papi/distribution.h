/* SPDX-License-Identifier: GPL-2.0 */
/* The distribution of measured values: mean, percentiles, histogram. */
#ifndef PMCTRACK_PAPI_DISTRIBUTION_H
#define PMCTRACK_PAPI_DISTRIBUTION_H

#include <stddef.h>

/**
 * struct distribution - what is said of values
 * @values: the values, sorted
 * @deviation: standard deviation of the sample; 0 for one value
 */
struct distribution {
	const double *values;
	size_t nr;
	double min;
	double mean;
	double max;
	double deviation;
};

/* Sort @values, which stay the caller's, and compute the rest. @nr is at least 1. */
void distribution_make(struct distribution *d, double *values, size_t nr);

/* The least value that at least @percent of all values do not exceed */
double distribution_percentile(const struct distribution *d, double percent);

/**
 * struct bin - a bar of a histogram
 * @from: the values that belong to it are above, or equal in the first bin
 * @to: greatest value that belongs to it
 * @nr: number of values
 */
struct bin {
	double from;
	double to;
	size_t nr;
};

/*
 * Fill @bins: all but the last are equally wide, from the least value to the 99th percentile; the
 * last one has the values above. Return: how many bins; 1 if all values are equal
 */
size_t distribution_bins(const struct distribution *d, struct bin *bins, size_t most);

#endif
