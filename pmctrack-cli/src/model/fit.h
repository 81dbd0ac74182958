/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Additive regression: a constant and terms of one metric each. Terms are added one after
 * the other, the most useful first, as long as they improve the estimates of samples that
 * the formula was not fitted to.
 */
#ifndef PMC_MODEL_FIT_H
#define PMC_MODEL_FIT_H

#include <stdbool.h>
#include <stddef.h>

/* Most terms of a formula; the kernel accepts up to 48. */
#define FIT_TERMS_MAX	24

/**
 * struct data - the samples to fit a formula to
 * @nr_rows: number of samples
 * @nr_metrics: metrics of each sample
 * @x: metrics, sample by sample
 * @y: the truth: values to estimate, greater than 0
 */
struct data {
	size_t nr_rows;
	size_t nr_metrics;
	const double *x;
	const double *y;
};

/**
 * struct fit_term - a x, or, with a bend, a (x - at) for x greater than at
 * @metric: x
 * @bend: the term has a bend
 * @at: position of the bend
 * @a: coefficient
 */
struct fit_term {
	size_t metric;
	bool bend;
	double at;
	double a;
};

/**
 * struct formula - a fitted formula
 * @inverse: the formula gives the inverse of the estimate
 * @constant: its constant
 * @nr_terms: number of terms
 * @term: the terms
 * @correlation: correlation between estimate and truth
 * @mean_error: mean relative error
 * @max_error: greatest relative error
 * @cv_correlation: @correlation in cross-validation: for samples left out of the fit
 * @cv_error: @mean_error in cross-validation
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
 * Fit a formula for the truth, or for its inverse. 0; -1: there are too few samples.
 */
int fit(const struct data *data, size_t max_terms, bool inverse, struct formula *formula);

/* The estimate: the value of the formula, or its inverse. */
double formula_estimate(const struct formula *formula, const double *metrics);

#endif /* PMC_MODEL_FIT_H */
