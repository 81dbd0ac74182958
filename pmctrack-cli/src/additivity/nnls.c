// SPDX-License-Identifier: GPL-2.0
/* Linear regression with coefficients that are not negative. */
#include <math.h>
#include <string.h>

#include "additivity/nnls.h"

/* A pivot that is so much smaller than its column's own square means that columns depend. */
#define DEPENDENT 1e-10

struct normal {
	double product[NNLS_MOST][NNLS_MOST];	/* of each two columns */
	double target[NNLS_MOST];		/* of each column and b */
};

static void make_normal(struct normal *n, const double *a, int nr_rows, int width, const int *columns,
			int nr_columns, const double *b)
{
	int row, i, k;

	memset(n, 0, sizeof(*n));
	for (row = 0; row < nr_rows; row++, a += width)
		for (i = 0; i < nr_columns; i++) {
			n->target[i] += a[columns[i]] * b[row];
			for (k = 0; k < nr_columns; k++)
				n->product[i][k] += a[columns[i]] * a[columns[k]];
		}
}

/* Gaussian elimination; the matrix is symmetric and positive. -1: the columns of @set depend. */
static int solve(const struct normal *n, const int *set, int nr, double *x)
{
	double m[NNLS_MOST][NNLS_MOST + 1], factor;
	int i, k, row;

	for (i = 0; i < nr; i++) {
		for (k = 0; k < nr; k++)
			m[i][k] = n->product[set[i]][set[k]];
		m[i][nr] = n->target[set[i]];
	}
	for (i = 0; i < nr; i++) {
		if (!(m[i][i] > DEPENDENT * n->product[set[i]][set[i]]))
			return -1;
		for (row = i + 1; row < nr; row++) {
			factor = m[row][i] / m[i][i];
			for (k = i; k <= nr; k++)
				m[row][k] -= factor * m[i][k];
		}
	}
	for (i = nr - 1; i >= 0; i--) {
		x[i] = m[i][nr];
		for (k = i + 1; k < nr; k++)
			x[i] -= m[i][k] * x[k];
		x[i] /= m[i][i];
	}
	return 0;
}

/* How much smaller the sum of squares is than with nothing: x * target */
static double gain_of(const struct normal *n, const int *set, int nr, const double *x)
{
	double gain = 0;
	int i;

	for (i = 0; i < nr; i++) {
		if (x[i] < 0)
			return -INFINITY;
		gain += x[i] * n->target[set[i]];
	}
	return gain;
}

void nnls(const double *a, int nr_rows, int width, const int *columns, int nr_columns,
	  const double *b, double *x)
{
	double some[NNLS_MOST], gain, best = 0;
	int set[NNLS_MOST], mask, nr, i;
	struct normal n;

	make_normal(&n, a, nr_rows, width, columns, nr_columns, b);
	memset(x, 0, nr_columns * sizeof(*x));
	for (mask = 1; mask < 1 << nr_columns; mask++) {
		for (nr = i = 0; i < nr_columns; i++)
			if (mask & 1 << i)
				set[nr++] = i;
		if (solve(&n, set, nr, some))
			continue;
		gain = gain_of(&n, set, nr, some);
		if (gain <= best)
			continue;
		best = gain;
		memset(x, 0, nr_columns * sizeof(*x));
		for (i = 0; i < nr; i++)
			x[set[i]] = some[i];
	}
}
