// SPDX-License-Identifier: GPL-2.0
/*
 * LU factorisation with partial pivoting, by block columns (G. H. Golub, C. F. Van Loan, Matrix
 * Computations, 4th edition, 3.2.11 and 3.4). Rows of earlier block columns are not exchanged;
 * factor_solve() exchanges those of the right side at the same steps instead.
 */
#include <math.h>

#include "lu/factor.h"

static int end_of(const struct matrix *m, int block)
{
	int end = (block + 1) * m->nb;

	return end < m->n ? end : m->n;
}

static void exchange(double *column, int a, int b)
{
	double value = column[a];

	column[a] = column[b];
	column[b] = value;
}

static int find_pivot(const struct matrix *m, int column)
{
	const double *values = matrix_column(m, column);
	int row, best = column;

	for (row = column + 1; row < m->n; row++)
		if (fabs(values[row]) > fabs(values[best]))
			best = row;
	return best;
}

/* y -= factor * x, for @nr values */
static void subtract(double *restrict y, const double *restrict x, double factor, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		y[i] -= factor * x[i];
}

void factor_panel(struct matrix *m, int block)
{
	int first = block * m->nb, end = end_of(m, block), column, other, row;
	double *values;

	for (column = first; column < end; column++) {
		m->pivots[column] = find_pivot(m, column);
		for (other = first; other < end; other++)
			exchange(matrix_column(m, other), column, m->pivots[column]);
		values = matrix_column(m, column);
		for (row = column + 1; row < m->n; row++)
			values[row] /= values[column];
		for (other = column + 1; other < end; other++)
			subtract(matrix_column(m, other) + column + 1, values + column + 1,
				 matrix_column(m, other)[column], m->n - column - 1);
	}
}

void factor_update(struct matrix *m, int step, int block)
{
	int first = step * m->nb, end = end_of(m, step), column, k;
	double *values;

	for (column = block * m->nb; column < end_of(m, block); column++) {
		values = matrix_column(m, column);
		for (k = first; k < end; k++)
			exchange(values, k, m->pivots[k]);
		for (k = first; k < end; k++)
			subtract(values + k + 1, matrix_column(m, k) + k + 1, values[k], m->n - k - 1);
	}
}

void factor_solve(const struct matrix *m, double *x)
{
	int block, k;

	for (block = 0; block < matrix_blocks(m); block++) {
		for (k = block * m->nb; k < end_of(m, block); k++)
			exchange(x, k, m->pivots[k]);
		for (k = block * m->nb; k < end_of(m, block); k++)
			subtract(x + k + 1, matrix_column(m, k) + k + 1, x[k], m->n - k - 1);
	}
	for (k = m->n - 1; k >= 0; k--) {
		x[k] /= matrix_column(m, k)[k];
		subtract(x, matrix_column(m, k), x[k], k);
	}
}
