/* SPDX-License-Identifier: GPL-2.0 */
/* Linear regression with coefficients that are not negative. */
#ifndef PMCTRACK_ADDITIVITY_NNLS_H
#define PMCTRACK_ADDITIVITY_NNLS_H

/* Most predictors */
#define NNLS_MOST 8

/*
 * Find the @x of @nr_columns elements, none below 0, with the least sum of squares of a * x - b.
 * @a has @nr_rows rows; @columns are the numbers of those of its columns, of @width in each row, that
 * are predictors: at most NNLS_MOST. All sets of coefficients that are not 0 are tried, as they
 * are few: the best one that is not negative is the solution.
 */
void nnls(const double *a, int nr_rows, int width, const int *columns, int nr_columns,
	  const double *b, double *x);

#endif
