// SPDX-License-Identifier: GPL-2.0
/*
 * Additive regression.
 *
 * Terms are chosen by forward selection. Each step takes the candidate that explains most
 * of the remaining error, after its projection on the chosen terms was removed. The
 * coefficients are then computed by least squares. Errors are relative to the truth.
 * Cross-validation in ten parts decides when to stop.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_multifit.h>
#include <gsl/gsl_statistics_double.h>

#include "fit.h"

/* Candidates for the bend of a metric: so many quantiles of its values */
#define BENDS		15
#define PARTS		10
/* A term has to reduce the error by at least this factor. */
#define WORTH		0.98
/* Below this share of its length a column counts as a sum of others. */
#define DEPENDENT	1e-9

static double column_value(const struct fit_term *term, const double *metrics)
{
	double x = metrics[term->metric];

	return !term->bend ? x : x > term->at ? x - term->at : 0;
}

double formula_estimate(const struct formula *f, const double *metrics)
{
	double sum = f->constant;
	size_t i;

	for (i = 0; i < f->nr_terms; i++)
		sum += f->term[i].a * column_value(&f->term[i], metrics);
	return f->inverse ? 1 / sum : sum;
}

/* Weight of a row that makes its error relative to the truth, or to its inverse */
static double weight_of(double truth, bool inverse)
{
	return inverse ? truth : 1 / truth;
}

/*
 * Compute coefficients by least squares of the relative error, without the rows of one part
 * (PARTS: with all rows).
 */
static void solve(const struct data *d, struct formula *f, size_t part)
{
	size_t nr = 0, row, i, cols = f->nr_terms + 1;
	gsl_multifit_linear_workspace *work;
	gsl_matrix *x, *cov;
	gsl_vector *y, *c;
	double chisq;

	for (row = 0; row < d->nr_rows; row++)
		nr += row % PARTS != part;
	work = gsl_multifit_linear_alloc(nr, cols);
	x = gsl_matrix_alloc(nr, cols);
	cov = gsl_matrix_alloc(cols, cols);
	y = gsl_vector_alloc(nr);
	c = gsl_vector_alloc(cols);
	for (row = 0, nr = 0; row < d->nr_rows; row++) {
		double weight = weight_of(d->y[row], f->inverse);

		if (row % PARTS == part)
			continue;
		gsl_matrix_set(x, nr, 0, weight);
		for (i = 0; i < f->nr_terms; i++)
			gsl_matrix_set(x, nr, i + 1, weight *
				       column_value(&f->term[i], d->x + row * d->nr_metrics));
		gsl_vector_set(y, nr++, 1);
	}
	gsl_multifit_linear(x, y, c, cov, &chisq, work);
	f->constant = gsl_vector_get(c, 0);
	for (i = 0; i < f->nr_terms; i++)
		f->term[i].a = gsl_vector_get(c, i + 1);
	gsl_vector_free(c);
	gsl_vector_free(y);
	gsl_matrix_free(cov);
	gsl_matrix_free(x);
	gsl_multifit_linear_free(work);
}

static double mean_error(const struct data *d, const double *estimate, double *max)
{
	double sum = 0, error;
	size_t row;

	*max = 0;
	for (row = 0; row < d->nr_rows; row++) {
		error = fabs(estimate[row] / d->y[row] - 1);
		sum += error;
		*max = fmax(*max, error);
	}
	return sum / d->nr_rows;
}

/* Cross-validation: each part is estimated by a fit to the others. Root mean square error. */
static double cross_validate(const struct data *d, const struct formula *f, double *estimate)
{
	struct formula other = *f;
	double sum = 0, error;
	size_t part, row;

	for (part = 0; part < PARTS; part++) {
		solve(d, &other, part);
		for (row = part; row < d->nr_rows; row += PARTS) {
			estimate[row] = formula_estimate(&other, d->x + row * d->nr_metrics);
			error = estimate[row] / d->y[row] - 1;
			sum += error * error;
		}
	}
	return sqrt(sum / d->nr_rows);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The candidates: each metric itself, and bent at quantiles of its values. */
static size_t make_candidates(const struct data *d, struct fit_term *to)
{
	double *sorted = malloc(d->nr_rows * sizeof(*sorted));
	size_t metric, row, i, nr = 0;

	for (metric = 0; metric < d->nr_metrics; metric++) {
		to[nr++] = (struct fit_term){ .metric = metric };
		for (row = 0; row < d->nr_rows; row++)
			sorted[row] = d->x[row * d->nr_metrics + metric];
		qsort(sorted, d->nr_rows, sizeof(*sorted), compare);
		for (i = 1; i <= BENDS; i++)
			to[nr++] = (struct fit_term){
				.metric = metric,
				.bend = true,
				.at = sorted[i * (d->nr_rows - 1) / (BENDS + 1)],
			};
	}
	free(sorted);
	return nr;
}

static double dot(const double *a, const double *b, size_t nr)
{
	double sum = 0;

	while (nr--)
		sum += *a++ * *b++;
	return sum;
}

/* Remove the projection of @column on @unit. */
static void remove_part(double *column, const double *unit, size_t nr)
{
	double share = dot(column, unit, nr);
	size_t i;

	for (i = 0; i < nr; i++)
		column[i] -= share * unit[i];
}

/**
 * struct search - state of a forward selection
 * @nr: number of candidates
 * @term: the candidates
 * @column: their weighted values in all rows, without their projection on chosen terms
 * @size: squared length of the original column
 * @left: remaining part of the truth
 */
struct search {
	size_t nr;
	struct fit_term *term;
	double *column;
	double *size;
	double *left;
};

static void explain(struct search *s, const double *column, size_t rows)
{
	double *unit = malloc(rows * sizeof(*unit)), length = sqrt(dot(column, column, rows));
	size_t i;

	for (i = 0; i < rows; i++)
		unit[i] = column[i] / length;
	for (i = 0; i < s->nr; i++)
		remove_part(s->column + i * rows, unit, rows);
	remove_part(s->left, unit, rows);
	free(unit);
}

/* The candidate that explains most of the remaining part; s->nr: there is none. */
static size_t best(const struct search *s, size_t rows)
{
	double most = 0, share, length;
	size_t i, found = s->nr;

	for (i = 0; i < s->nr; i++) {
		const double *column = s->column + i * rows;

		length = dot(column, column, rows);
		if (length <= s->size[i] * DEPENDENT)
			continue;
		share = dot(column, s->left, rows);
		if (share * share / length > most) {
			most = share * share / length;
			found = i;
		}
	}
	return found;
}

static void begin(struct search *s, const struct data *d, bool inverse)
{
	size_t rows = d->nr_rows, row, i;
	double *ones;

	s->term = calloc(d->nr_metrics * (BENDS + 1), sizeof(*s->term));
	s->nr = make_candidates(d, s->term);
	s->column = malloc(s->nr * rows * sizeof(double));
	s->size = malloc(s->nr * sizeof(double));
	s->left = malloc(rows * sizeof(double));
	ones = malloc(rows * sizeof(double));
	for (row = 0; row < rows; row++) {
		ones[row] = weight_of(d->y[row], inverse);
		s->left[row] = 1;
		for (i = 0; i < s->nr; i++)
			s->column[i * rows + row] = ones[row] *
				column_value(&s->term[i], d->x + row * d->nr_metrics);
	}
	for (i = 0; i < s->nr; i++)
		s->size[i] = dot(s->column + i * rows, s->column + i * rows, rows);
	explain(s, ones, rows);
	free(ones);
}

static void end(struct search *s)
{
	free(s->left);
	free(s->size);
	free(s->column);
	free(s->term);
}

int fit(const struct data *d, size_t max_terms, bool inverse, struct formula *f)
{
	double error, next_error, *estimate;
	struct formula next;
	struct search s;
	size_t row, i;

	memset(f, 0, sizeof(*f));
	f->inverse = inverse;
	if (max_terms > FIT_TERMS_MAX)
		max_terms = FIT_TERMS_MAX;
	if (d->nr_rows < 2 * PARTS || d->nr_rows < 3 * max_terms)
		return -1;
	estimate = malloc(d->nr_rows * sizeof(*estimate));
	error = cross_validate(d, f, estimate);
	next = *f;
	begin(&s, d, inverse);
	while (next.nr_terms < max_terms) {
		i = best(&s, d->nr_rows);
		if (i == s.nr)
			break;
		next.term[next.nr_terms++] = s.term[i];
		explain(&s, s.column + i * d->nr_rows, d->nr_rows);
		next_error = cross_validate(d, &next, estimate);
		/* A term that does not help alone may help together with the next one. */
		if (next_error < error * WORTH) {
			error = next_error;
			*f = next;
		}
	}
	end(&s);
	cross_validate(d, f, estimate);
	f->cv_error = mean_error(d, estimate, &f->max_error);
	f->cv_correlation = gsl_stats_correlation(estimate, 1, d->y, 1, d->nr_rows);
	solve(d, f, PARTS);
	for (row = 0; row < d->nr_rows; row++)
		estimate[row] = formula_estimate(f, d->x + row * d->nr_metrics);
	f->mean_error = mean_error(d, estimate, &f->max_error);
	f->correlation = gsl_stats_correlation(estimate, 1, d->y, 1, d->nr_rows);
	free(estimate);
	return 0;
}
