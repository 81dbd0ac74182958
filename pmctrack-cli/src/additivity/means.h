/* SPDX-License-Identifier: GPL-2.0 */
/* Means of repeated measurements: how sure they are, and what was assumed. */
#ifndef PMCTRACK_ADDITIVITY_MEANS_H
#define PMCTRACK_ADDITIVITY_MEANS_H

/* Confidence of all intervals */
#define CONFIDENCE 0.95
/* Fewer measurements say nothing about a distribution. */
#define DISTRIBUTION_LEAST 8

/**
 * struct mean - the mean of repeated measurements
 * @nr: how many there are
 * @mean: NAN if there are none
 * @variance: of the measurements, with nr - 1 in its denominator
 * @spread: largest distance of a measurement from the mean, as a share of the mean
 * @normal: probability of such a skewness and kurtosis in samples of a normal distribution
 *	(Jarque and Bera, 1980); NAN with less than DISTRIBUTION_LEAST measurements, or if all
 *	are equal
 * @independent: probability of such an autocorrelation in independent samples (Ljung and Box,
 *	1978, lag 1); NAN likewise
 */
struct mean {
	int nr;
	double mean;
	double variance;
	double spread;
	double normal;
	double independent;
};

struct mean mean_of(const double *values, int nr);

/*
 * Half the width of the mean's confidence interval by Student's t, as a share of the mean; 0 if
 * all measurements are equal, infinite with less than two of different ones.
 */
double mean_precision(const struct mean *mean);

/*
 * Half the width of the confidence interval of a sum of means, each by its factor, of independent
 * measurements (Welch, 1947); the probability that it is too narrow is @alpha. The signs of
 * @factors do not matter. Infinite if the variance of one of the means cannot be known.
 */
double sum_half_width(const struct mean *const *means, const double *factors, int nr, double alpha);

#endif
