/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How good formulae are for programs that they were not fitted to. Windows of one program
 * resemble each other, so that whole programs are left out, one group after the other. All
 * decisions are taken without the programs that are left out: which terms a formula has, how
 * many, where they bend, and whether it gives the factor or its inverse.
 */
#ifndef PMC_MODEL_VALIDATE_H
#define PMC_MODEL_VALIDATE_H

#include "fit.h"

/* With fewer programs there is no telling what a formula is worth. */
#define VALIDATE_PROGRAMS_MIN	5

/**
 * struct errors - errors of estimates
 * @mean: of each program: the mean relative error of its windows
 * @correlation: of each program: correlation of estimates and truth; NAN if the truth varies
 *	by less than one percent, or if all estimates are the same
 * @worst: the program with the greatest mean error
 * @all_mean: mean of @mean
 * @all_max: greatest relative error of a window
 * @all_correlation: correlation over all windows; all programs have the same weight
 */
struct errors {
	double *mean;
	double *correlation;
	size_t worst;
	double all_mean;
	double all_max;
	double all_correlation;
};

/**
 * struct validation - what a formula is worth
 * @fitted: errors for the programs that the formula was fitted to
 * @left_out: errors of the same procedure for programs that were left out
 * @constant: errors of the best constant for programs that were left out
 * @chance: probability that metrics that say nothing about the truth do as well against the
 *	constant
 */
struct validation {
	struct errors fitted;
	struct errors left_out;
	struct errors constant;
	double chance;
};

/* Fit a formula to the programs in @in; as many terms, at most @max_terms, as prove good. */
void fit_best(const struct data *d, const bool *in, size_t max_terms, struct formula *formula);

/* Fit @formula to all programs, and validate it. */
void validate(const struct data *d, size_t max_terms, struct formula *formula,
	      struct validation *v);
void validation_free(struct validation *v);

/* Do the estimates contain more than a constant would? */
bool validation_passed(const struct validation *v);

/* The number of terms that so many programs are good for */
size_t default_terms(size_t nr_programs);

/*
 * The signed-rank test of Wilcoxon: the probability that differences whose signs are chance
 * are as positive as these. Differences of 0 do not count.
 */
double signed_rank(const double *difference, size_t nr);

#endif /* PMC_MODEL_VALIDATE_H */
