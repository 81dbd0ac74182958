/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Additive regression: a constant and terms of one metric each. Terms are added one after
 * the other, the most useful first. validate.h decides how many of them are good.
 */
#ifndef PMC_MODEL_FIT_H
#define PMC_MODEL_FIT_H

#include <stdbool.h>
#include <stddef.h>

/* Most terms of a formula; the kernel accepts up to 48. */
#define FIT_TERMS_MAX	24

/**
 * struct data - the windows to fit a formula to
 * @nr_rows: number of windows
 * @nr_metrics: metrics of each window
 * @nr_programs: number of programs; each of them has a window
 * @x: metrics, window by window
 * @y: the truth: values to estimate, greater than 0
 * @program: the program of each window, from 0
 */
struct data {
	size_t nr_rows;
	size_t nr_metrics;
	size_t nr_programs;
	const double *x;
	const double *y;
	const size_t *program;
};

static inline const double *data_metrics(const struct data *d, size_t row)
{
	return d->x + row * d->nr_metrics;
}

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
 * @least: no estimate is less
 * @most: no estimate is greater
 */
struct formula {
	bool inverse;
	double constant;
	size_t nr_terms;
	struct fit_term term[FIT_TERMS_MAX];
	double least;
	double most;
};

/*
 * Fit formulae for the truth, or for its inverse, with 0, 1, ... and @max_terms terms; the
 * last of them have less if further terms do not help. @in says which programs to use. All
 * programs have the same weight, and errors are relative to the truth.
 */
void fit(const struct data *d, const bool *in, size_t max_terms, bool inverse,
	 struct formula *formula);

/* The estimate, as the kernel computes it: within the range of the formula. */
double formula_estimate(const struct formula *formula, const double *metrics);

#endif /* PMC_MODEL_FIT_H */
