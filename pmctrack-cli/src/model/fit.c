// SPDX-License-Identifier: GPL-2.0
/*
 * Additive regression.
 *
 * Terms are chosen by forward selection. Each step takes the candidate that explains most
 * of the remaining error, after its projection on the chosen terms was removed. The
 * coefficients are those of least squares: the chosen columns are made orthogonal one after
 * the other (modified Gram-Schmidt), and the triangular system is solved backwards.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common.h"
#include "fit.h"

/* Candidates for the bend of a metric: so many quantiles of its values */
#define BENDS		15
/* Below this share of its squared length a column counts as a sum of others. */
#define DEPENDENT	1e-9
/* Below this share of the truth, squared, the remaining error counts as none. */
#define EXACT		1e-20
/* The constant has a column, too. */
#define COLUMNS_MAX	(FIT_TERMS_MAX + 1)

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
	if (f->inverse)
		sum = sum > 0 ? 1 / sum : f->most;
	return fmin(fmax(sum, f->least), f->most);
}

/**
 * struct search - state of a forward selection
 * @d: the data
 * @row: the windows that are used
 * @weight: weight of each of them
 * @nr_rows: number of these windows
 * @nr: number of candidates
 * @term: the candidates
 * @column: their weighted values in all windows
 * @size: squared length of each column
 * @length: the same without the column's projection on the chosen ones
 * @unit: the chosen columns, made orthogonal, of length 1; the first is the constant's
 * @share: share of each unit in each chosen column: triangular
 * @explained: share of each unit in the truth
 * @left: remaining part of the truth
 */
struct search {
	const struct data *d;
	size_t *row;
	double *weight;
	size_t nr_rows;
	size_t nr;
	struct fit_term *term;
	double *column;
	double *size;
	double *length;
	double *unit;
	double share[COLUMNS_MAX][COLUMNS_MAX];
	double explained[COLUMNS_MAX];
	double *left;
};

static double dot(const double *a, const double *b, size_t nr)
{
	double sum = 0;

	while (nr--)
		sum += *a++ * *b++;
	return sum;
}

/*
 * Windows of the programs in @in. Weights make errors relative to the truth, or to its
 * inverse, and the squared errors of each program's windows a mean.
 */
static void take_rows(struct search *s, const bool *in, bool inverse)
{
	const struct data *d = s->d;
	size_t *nr_of = new_array(d->nr_programs, sizeof(*nr_of)), row;

	for (row = 0; row < d->nr_rows; row++)
		nr_of[d->program[row]]++;
	s->row = new_array(d->nr_rows, sizeof(*s->row));
	s->weight = new_array(d->nr_rows, sizeof(*s->weight));
	for (row = 0; row < d->nr_rows; row++) {
		if (!in[d->program[row]])
			continue;
		s->weight[s->nr_rows] = (inverse ? d->y[row] : 1 / d->y[row]) /
			sqrt(nr_of[d->program[row]]);
		s->row[s->nr_rows++] = row;
	}
	free(nr_of);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The candidates: each metric itself, and bent at quantiles of its values. */
static void make_candidates(struct search *s)
{
	double *sorted = new_array(s->nr_rows, sizeof(*sorted));
	size_t metric, i;

	s->term = new_array(s->d->nr_metrics * (BENDS + 1), sizeof(*s->term));
	for (metric = 0; metric < s->d->nr_metrics; metric++) {
		s->term[s->nr++] = (struct fit_term){ .metric = metric };
		for (i = 0; i < s->nr_rows; i++)
			sorted[i] = data_metrics(s->d, s->row[i])[metric];
		qsort(sorted, s->nr_rows, sizeof(*sorted), compare);
		for (i = 1; i <= BENDS; i++)
			s->term[s->nr++] = (struct fit_term){
				.metric = metric,
				.bend = true,
				.at = sorted[i * (s->nr_rows - 1) / (BENDS + 1)],
			};
	}
	free(sorted);
}

/* Make @column orthogonal to the first @nr units, in place; twice, for what rounding leaves. */
static void make_orthogonal(struct search *s, double *column, size_t nr)
{
	size_t rows = s->nr_rows, pass, i, row;

	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < nr; i++) {
			const double *unit = s->unit + i * rows;
			double share = dot(column, unit, rows);

			s->share[i][nr] += share;
			for (row = 0; row < rows; row++)
				column[row] -= share * unit[row];
		}
	}
}

/* Choose @column, whose squared length is @size, as number @nr; false: it depends on others. */
static bool choose(struct search *s, const double *column, double size, size_t nr)
{
	double *unit = s->unit + nr * s->nr_rows, length;
	size_t i;

	for (i = 0; i <= nr; i++)
		s->share[i][nr] = 0;
	memcpy(unit, column, s->nr_rows * sizeof(*unit));
	make_orthogonal(s, unit, nr);
	length = sqrt(dot(unit, unit, s->nr_rows));
	if (length * length <= size * DEPENDENT)
		return false;
	for (i = 0; i < s->nr_rows; i++)
		unit[i] /= length;
	s->share[nr][nr] = length;
	s->explained[nr] = dot(unit, s->left, s->nr_rows);
	for (i = 0; i < s->nr_rows; i++)
		s->left[i] -= s->explained[nr] * unit[i];
	for (i = 0; i < s->nr; i++) {
		double share = dot(s->column + i * s->nr_rows, unit, s->nr_rows);

		s->length[i] -= share * share;
	}
	return true;
}

/* The candidate that explains most of the remaining part; s->nr: there is none. */
static size_t best(const struct search *s)
{
	double most = 0, share;
	size_t i, found = s->nr;

	for (i = 0; i < s->nr; i++) {
		if (s->length[i] <= s->size[i] * DEPENDENT)
			continue;
		/* The remaining part is orthogonal to what was chosen. */
		share = dot(s->column + i * s->nr_rows, s->left, s->nr_rows);
		if (share * share / s->length[i] > most) {
			most = share * share / s->length[i];
			found = i;
		}
	}
	return found;
}

static void begin(struct search *s, const bool *in, size_t max_terms, bool inverse)
{
	size_t row, i;

	take_rows(s, in, inverse);
	make_candidates(s);
	s->column = new_array(s->nr * s->nr_rows, sizeof(double));
	s->size = new_array(s->nr, sizeof(double));
	s->length = new_array(s->nr, sizeof(double));
	s->unit = new_array((max_terms + 1) * s->nr_rows, sizeof(double));
	s->left = new_array(s->nr_rows, sizeof(double));
	for (i = 0; i < s->nr; i++) {
		double *column = s->column + i * s->nr_rows;

		for (row = 0; row < s->nr_rows; row++)
			column[row] = s->weight[row] *
				column_value(&s->term[i], data_metrics(s->d, s->row[row]));
		s->size[i] = s->length[i] = dot(column, column, s->nr_rows);
	}
	/* The truth times its weight: 1 divided by the root of the program's number of windows */
	for (row = 0; row < s->nr_rows; row++)
		s->left[row] = s->weight[row] *
			(inverse ? 1 / s->d->y[s->row[row]] : s->d->y[s->row[row]]);
}

static void end(struct search *s)
{
	free(s->left);
	free(s->unit);
	free(s->length);
	free(s->size);
	free(s->column);
	free(s->term);
	free(s->weight);
	free(s->row);
}

/* Coefficients of the chosen columns: the constant's and those of the terms */
static void solve(const struct search *s, struct formula *f)
{
	double value[COLUMNS_MAX] = { 0 };
	size_t i, j;

	for (i = f->nr_terms + 1; i-- > 0;) {
		value[i] = s->explained[i];
		for (j = i + 1; j <= f->nr_terms; j++)
			value[i] -= s->share[i][j] * value[j];
		value[i] /= s->share[i][i];
	}
	f->constant = value[0];
	for (i = 0; i < f->nr_terms; i++)
		f->term[i].a = value[i + 1];
}

/* Estimates are limited to the range of the truth and a little more. */
static void set_range(const struct search *s, struct formula *f)
{
	size_t i;

	f->least = INFINITY;
	for (i = 0; i < s->nr_rows; i++) {
		f->least = fmin(f->least, s->d->y[s->row[i]]);
		f->most = fmax(f->most, s->d->y[s->row[i]]);
	}
	f->least = floor(f->least * 95) / 100;
	f->most = ceil(f->most * 105) / 100;
}

void fit(const struct data *d, const bool *in, size_t max_terms, bool inverse,
	 struct formula *formula)
{
	struct search s = { .d = d };
	struct formula f = { .inverse = inverse };
	double all;
	size_t i, nr;

	begin(&s, in, max_terms, inverse);
	set_range(&s, &f);
	all = dot(s.left, s.left, s.nr_rows);
	choose(&s, s.weight, dot(s.weight, s.weight, s.nr_rows), 0);
	solve(&s, &f);
	formula[0] = f;
	for (nr = 1; nr <= max_terms; nr++) {
		while (dot(s.left, s.left, s.nr_rows) > all * EXACT) {
			i = best(&s);
			if (i == s.nr)
				break;
			if (!choose(&s, s.column + i * s.nr_rows, s.size[i], f.nr_terms + 1)) {
				s.length[i] = 0;
				continue;
			}
			f.term[f.nr_terms++] = s.term[i];
			solve(&s, &f);
			break;
		}
		formula[nr] = f;
	}
	end(&s);
}
