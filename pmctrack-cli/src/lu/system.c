// SPDX-License-Identifier: GPL-2.0
/*
 * The system of equations: the same random numbers in each run; and a check of its solution by
 * HPL's scaled residual (https://www.netlib.org/benchmark/hpl, "HPL Algorithm", Check):
 * |Ax - b| / (eps (|A| |x| + |b|) n), in the maximum norm.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "lu/system.h"

#define SEED 20241117

/* D. E. Knuth, The Art of Computer Programming, volume 2, 3.3.4, table 1, line 26 */
static double next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (*state >> 11) / 9007199254740992.0 - 0.5;
}

int system_init(struct matrix *m, int n, int nb)
{
	uint64_t state = SEED;
	long i;

	*m = (struct matrix){ .n = n, .nb = nb };
	m->a = malloc((size_t)n * n * sizeof(*m->a));
	m->pivots = malloc(n * sizeof(*m->pivots));
	if (!m->a || !m->pivots)
		return -1;
	for (i = 0; i < (long)n * n; i++)
		m->a[i] = next_random(&state);
	return 0;
}

void system_free(struct matrix *m)
{
	free(m->a);
	free(m->pivots);
}

/* NAN if one of the values is: fmax() would leave it out. */
static double largest(const double *values, int nr)
{
	double most = 0;
	int i;

	for (i = 0; i < nr && !isnan(most); i++)
		most = isnan(values[i]) ? NAN : fmax(most, fabs(values[i]));
	return most;
}

/* The matrix is made once more, column by column: @r = b - Ax; @sums: of each row of |A| */
static void subtract_product(double *r, double *sums, const double *x, int n)
{
	uint64_t state = SEED;
	int row, column;
	double a;

	for (column = 0; column < n; column++)
		for (row = 0; row < n; row++) {
			a = next_random(&state);
			r[row] -= a * x[column];
			sums[row] += fabs(a);
		}
}

/* All values of the right side are 1. */
static double residual(const struct matrix *m, double *x, double *r, double *sums)
{
	int i;

	for (i = 0; i < m->n; i++)
		x[i] = r[i] = 1;
	factor_solve(m, x);
	subtract_product(r, sums, x, m->n);
	return largest(r, m->n) /
	       (DBL_EPSILON * (largest(sums, m->n) * largest(x, m->n) + 1) * m->n);
}

double system_residual(const struct matrix *m)
{
	double *work = calloc(3 * (size_t)m->n, sizeof(*work)), value = -1;

	if (work)
		value = residual(m, work, work + m->n, work + 2 * m->n);
	free(work);
	return value;
}
