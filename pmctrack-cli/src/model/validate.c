// SPDX-License-Identifier: GPL-2.0
/* Cross-validation by programs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common.h"
#include "validate.h"

/* Programs are left out in so many groups, or one by one if there are fewer. */
#define GROUPS		10
/* Improvements that chance makes with this probability count as none. */
#define CHANCE		0.05
/* Each term takes this many programs, so that a formula cannot name each program. */
#define PROGRAMS_A_TERM	3
#define DEFAULT_MOST	12
/* Values whose standard deviation is a smaller share of them count as the same. */
#define STEADY		0.01
#define ALL		((size_t)-1)

/*
 * Groups of the programs in @in, from 0. Neighbours in a list are often variants of one
 * program: they are in the same group. Returns how many groups there are.
 */
static size_t make_groups(const struct data *d, const bool *in, size_t *group)
{
	size_t nr = 0, nr_groups, program, i = 0;

	for (program = 0; program < d->nr_programs; program++)
		nr += in[program];
	nr_groups = nr < GROUPS ? nr : GROUPS;
	for (program = 0; program < d->nr_programs; program++)
		if (in[program])
			group[program] = i++ * nr_groups / nr;
	return nr_groups;
}

/* Without the programs of one group */
static void leave_out(const struct data *d, const bool *in, const size_t *group, size_t nr,
		      bool *rest)
{
	size_t program;

	for (program = 0; program < d->nr_programs; program++)
		rest[program] = in[program] && group[program] != nr;
}

/* Weight of each window such that those of a program make 1 */
static double *weights(const struct data *d)
{
	double *nr = new_array(d->nr_programs, sizeof(*nr));
	double *weight = new_array(d->nr_rows, sizeof(*weight));
	size_t row;

	for (row = 0; row < d->nr_rows; row++)
		nr[d->program[row]]++;
	for (row = 0; row < d->nr_rows; row++)
		weight[row] = 1 / nr[d->program[row]];
	free(nr);
	return weight;
}

/* Add the errors of a formula to the mean error of each program that was left out. */
static void add_errors(const struct data *d, const double *weight, const bool *in,
		       const bool *rest, const struct formula *f, double *error)
{
	size_t row, program;

	for (row = 0; row < d->nr_rows; row++) {
		program = d->program[row];
		if (in[program] && !rest[program])
			error[program] += weight[row] *
				fabs(formula_estimate(f, data_metrics(d, row)) / d->y[row] - 1);
	}
}

/*
 * Mean errors of the programs in @in, each left out, by formulae of 0 to @max_terms terms:
 * error[(inverse * (max_terms + 1) + terms) * nr_programs + program]
 */
static double *cross_validate(const struct data *d, const bool *in, size_t max_terms)
{
	size_t lines = max_terms + 1, *group = new_array(d->nr_programs, sizeof(*group)), i, terms;
	double *error = new_array(2 * lines * d->nr_programs, sizeof(*error));
	struct formula *f = new_array(lines, sizeof(*f));
	bool *rest = new_array(d->nr_programs, sizeof(*rest));
	size_t nr_groups = make_groups(d, in, group), inverse;
	double *weight = weights(d);

	for (i = 0; i < nr_groups; i++) {
		leave_out(d, in, group, i, rest);
		for (inverse = 0; inverse < 2; inverse++) {
			fit(d, rest, max_terms, inverse, f);
			for (terms = 0; terms < lines; terms++)
				add_errors(d, weight, in, rest, &f[terms],
					   error + (inverse * lines + terms) * d->nr_programs);
		}
	}
	free(weight);
	free(rest);
	free(f);
	free(group);
	return error;
}

static double mean_of(const double *error, const bool *in, size_t nr_programs)
{
	double sum = 0;
	size_t program, nr = 0;

	for (program = 0; program < nr_programs; program++) {
		sum += in[program] ? error[program] : 0;
		nr += in[program];
	}
	return sum / nr;
}

/* Are the errors of @simple, on average, within the standard error of those of @best? */
static bool as_good(const double *simple, const double *best, const bool *in, size_t nr_programs)
{
	double sum = 0, squares = 0, difference;
	size_t program, nr = 0;

	for (program = 0; program < nr_programs; program++) {
		if (!in[program])
			continue;
		difference = simple[program] - best[program];
		sum += difference;
		squares += difference * difference;
		nr++;
	}
	squares -= sum * sum / nr;
	return sum / nr <= sqrt(fmax(squares, 0) / (nr - 1) / nr);
}

void fit_best(const struct data *d, const bool *in, size_t max_terms, struct formula *formula)
{
	size_t lines = max_terms + 1, nr = d->nr_programs, best = 0, terms, inverse, i;
	double *error = cross_validate(d, in, max_terms);
	struct formula *f = new_array(lines, sizeof(*f));

	for (i = 1; i < 2 * lines; i++)
		if (mean_of(error + i * nr, in, nr) < mean_of(error + best * nr, in, nr))
			best = i;
	/* Of formulae that are about as good, that with the fewest terms */
	for (terms = 0, inverse = 0; terms < best % lines; terms++) {
		inverse = mean_of(error + (lines + terms) * nr, in, nr) <
			  mean_of(error + terms * nr, in, nr);
		if (as_good(error + (inverse * lines + terms) * nr, error + best * nr, in, nr))
			break;
	}
	if (terms == best % lines)
		inverse = best / lines;
	/* A constant is one either way. */
	inverse = inverse && terms;
	fit(d, in, max_terms, inverse, f);
	*formula = f[terms];
	free(f);
	free(error);
}

/* Correlation over the windows of one program, or of all (ALL) */
static double correlation(const struct data *d, const double *weight, const double *estimate,
			  size_t program)
{
	double sum = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
	size_t row;

	for (row = 0; row < d->nr_rows; row++) {
		if (program != ALL && d->program[row] != program)
			continue;
		sum += weight[row];
		x += weight[row] * estimate[row];
		y += weight[row] * d->y[row];
	}
	x /= sum;
	y /= sum;
	for (row = 0; row < d->nr_rows; row++) {
		if (program != ALL && d->program[row] != program)
			continue;
		xx += weight[row] * (estimate[row] - x) * (estimate[row] - x);
		yy += weight[row] * (d->y[row] - y) * (d->y[row] - y);
		xy += weight[row] * (estimate[row] - x) * (d->y[row] - y);
	}
	if (sqrt(yy / sum) < STEADY * y || !xx)
		return NAN;
	return xy / sqrt(xx * yy);
}

/* Errors of the estimates for all windows */
static void make_errors(const struct data *d, const double *estimate, struct errors *e)
{
	double *weight = weights(d), error;
	size_t row, program;

	memset(e, 0, sizeof(*e));
	e->mean = new_array(d->nr_programs, sizeof(*e->mean));
	e->correlation = new_array(d->nr_programs, sizeof(*e->correlation));
	for (row = 0; row < d->nr_rows; row++) {
		error = fabs(estimate[row] / d->y[row] - 1);
		e->mean[d->program[row]] += weight[row] * error;
		e->all_max = fmax(e->all_max, error);
	}
	for (program = 0; program < d->nr_programs; program++) {
		e->correlation[program] = correlation(d, weight, estimate, program);
		e->all_mean += e->mean[program] / d->nr_programs;
		if (e->mean[program] > e->mean[e->worst])
			e->worst = program;
	}
	e->all_correlation = correlation(d, weight, estimate, ALL);
	free(weight);
}

/* Estimate the windows of programs that are in @in, and not in @rest. */
static void estimate(const struct data *d, const bool *in, const bool *rest,
		     const struct formula *f, double *to)
{
	size_t row;

	for (row = 0; row < d->nr_rows; row++)
		if (in[d->program[row]] && !(rest && rest[d->program[row]]))
			to[row] = formula_estimate(f, data_metrics(d, row));
}

void validate(const struct data *d, size_t max_terms, struct formula *formula,
	      struct validation *v)
{
	size_t *group = new_array(d->nr_programs, sizeof(*group)), nr_groups, i;
	bool *all = new_array(d->nr_programs, sizeof(*all));
	bool *rest = new_array(d->nr_programs, sizeof(*rest));
	double *by_formula = new_array(d->nr_rows, sizeof(*by_formula));
	double *by_constant = new_array(d->nr_rows, sizeof(*by_constant));
	struct formula f;

	memset(all, true, d->nr_programs * sizeof(*all));
	nr_groups = make_groups(d, all, group);
	for (i = 0; i < nr_groups; i++) {
		leave_out(d, all, group, i, rest);
		fit_best(d, rest, max_terms, &f);
		estimate(d, all, rest, &f, by_formula);
		fit(d, rest, 0, false, &f);
		estimate(d, all, rest, &f, by_constant);
	}
	make_errors(d, by_formula, &v->left_out);
	make_errors(d, by_constant, &v->constant);
	fit_best(d, all, max_terms, formula);
	estimate(d, all, NULL, formula, by_formula);
	make_errors(d, by_formula, &v->fitted);
	for (i = 0; i < d->nr_programs; i++)
		by_constant[i] = v->constant.mean[i] - v->left_out.mean[i];
	v->chance = signed_rank(by_constant, d->nr_programs);
	free(by_constant);
	free(by_formula);
	free(rest);
	free(all);
	free(group);
}

static void errors_free(struct errors *e)
{
	free(e->mean);
	free(e->correlation);
}

void validation_free(struct validation *v)
{
	errors_free(&v->fitted);
	errors_free(&v->left_out);
	errors_free(&v->constant);
}

bool validation_passed(const struct validation *v)
{
	return v->chance <= CHANCE && v->left_out.all_mean < v->constant.all_mean;
}

size_t default_terms(size_t nr_programs)
{
	size_t nr = nr_programs / PROGRAMS_A_TERM;

	return nr < 1 ? 1 : nr > DEFAULT_MOST ? DEFAULT_MOST : nr;
}
