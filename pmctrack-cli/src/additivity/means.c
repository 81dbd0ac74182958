// SPDX-License-Identifier: GPL-2.0
/* Means of repeated measurements; GSL has the distributions. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "additivity/means.h"

struct mean mean_of(const double *values, int nr)
{
	struct mean m = { nr, NAN, NAN, NAN, NAN, NAN };
	double d, deviation, skew, kurtosis, r;
	int i;

	if (!nr)
		return m;
	m.mean = gsl_stats_mean(values, 1, nr);
	m.variance = nr > 1 ? gsl_stats_variance_m(values, 1, nr, m.mean) : NAN;
	m.spread = 0;
	for (i = 0; i < nr; i++) {
		d = fabs(values[i] - m.mean);
		if (d > m.spread * fabs(m.mean))
			m.spread = d / fabs(m.mean);
	}
	if (nr < DISTRIBUTION_LEAST || m.variance <= 0)
		return m;
	/* Skewness and kurtosis are those of Jarque and Bera: moments have nr as their denominator. */
	deviation = sqrt(m.variance * (nr - 1) / nr);
	skew = gsl_stats_skew_m_sd(values, 1, nr, m.mean, deviation);
	kurtosis = gsl_stats_kurtosis_m_sd(values, 1, nr, m.mean, deviation);
	m.normal = gsl_cdf_chisq_Q(nr / 6.0 * (skew * skew + kurtosis * kurtosis / 4), 2);
	r = gsl_stats_lag1_autocorrelation(values, 1, nr);
	m.independent = gsl_cdf_chisq_Q(nr * (nr + 2.0) * r * r / (nr - 1), 1);
	return m;
}

double mean_precision(const struct mean *mean)
{
	double half;

	if (mean->nr < 2)
		return INFINITY;
	if (mean->variance <= 0)
		return 0;
	half = gsl_cdf_tdist_Pinv((1 + CONFIDENCE) / 2, mean->nr - 1) * sqrt(mean->variance / mean->nr);
	return half / fabs(mean->mean);
}

double sum_half_width(const struct mean *const *means, const double *factors, int nr, double alpha)
{
	double variance = 0, below = 0, part;
	int i;

	for (i = 0; i < nr; i++) {
		if (means[i]->nr < 2)
			return INFINITY;
		part = factors[i] * factors[i] * means[i]->variance / means[i]->nr;
		variance += part;
		below += part * part / (means[i]->nr - 1);
	}
	if (variance <= 0)
		return 0;
	/* Degrees of freedom by Welch and Satterthwaite */
	return gsl_cdf_tdist_Pinv(1 - alpha / 2, variance * variance / below) * sqrt(variance);
}
