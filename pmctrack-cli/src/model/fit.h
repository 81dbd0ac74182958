/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Additive regression: a constant and terms of one metric each, taken up one
 * after the other, the most useful first, as long as they make estimates of
 * samples that they were not fitted to better.
 */
#ifndef PMC_MODEL_FIT_H
#define PMC_MODEL_FIT_H

#include <stdbool.h>
#include <stddef.h>

/* Terms of a formula; the kernel's take up to 48. */
#define FIT_TERMS_MAX	24

/**
 * struct data - what to fit to
 * @nr_rows: samples
 * @nr_metrics: metrics of each
 * @x: metrics, sample by sample
 * @y: what is to be estimated, greater than 0
 */
struct data {
	size_t nr_rows;
	size_t nr_metrics;
	const double *x;
	const double *y;
};

/**
 * struct fit_term - a x, or, with a bend, a (x - at) where x is greater than at
 * @metric: x
 * @bend: there is one
 * @at: where
 * @a: coefficient
 */
struct fit_term {
	size_t metric;
	bool bend;
	double at;
	double a;
};

/**
 * struct formula - what was found
 * @inverse: it says one over the estimate
 * @constant: what the terms are added to
 * @nr_terms: how many
 * @term: they
 * @correlation: between estimate and truth
 * @mean_error: relative error, mean
 * @max_error: and the greatest
 * @cv_correlation: the same of samples that the coefficients were not fitted to
 * @cv_error: mean relative error of those
 */
struct formula {
	bool inverse;
	double constant;
	size_t nr_terms;
	struct fit_term term[FIT_TERMS_MAX];
	double correlation;
	double mean_error;
	double max_error;
	double cv_correlation;
	double cv_error;
};

/*
 * For the inverse, @inverse. 0; -1: there are too few samples.
 */
int fit(const struct data *data, size_t max_terms, bool inverse, struct formula *formula);

/* What the formula says, or one over that. */
double formula_estimate(const struct formula *formula, const double *metrics);

#endif /* PMC_MODEL_FIT_H */
