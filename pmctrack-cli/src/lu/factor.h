/* SPDX-License-Identifier: GPL-2.0 */
/* LU factorisation with partial pivoting, by block columns */
#ifndef PMC_LU_FACTOR_H
#define PMC_LU_FACTOR_H

/**
 * struct matrix - a square matrix, column by column
 * @n: rows
 * @nb: columns of a block
 * @a: the values; its factors, once it is factorised
 * @pivots: for each column, the row that was exchanged with that of the same number
 */
struct matrix {
	int n;
	int nb;
	double *a;
	int *pivots;
};

static inline double *matrix_column(const struct matrix *m, int column)
{
	return m->a + (long)column * m->n;
}

static inline int matrix_blocks(const struct matrix *m)
{
	return (m->n + m->nb - 1) / m->nb;
}

/* Factorise block column @block, from its diagonal downwards. */
void factor_panel(struct matrix *m, int block);

/* Update block column @block by the factorised block column @step, which is before it. */
void factor_update(struct matrix *m, int step, int block);

/* Solve the factorised system; @x has the right side, and then the solution. */
void factor_solve(const struct matrix *m, double *x);

#endif
