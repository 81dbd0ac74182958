/* SPDX-License-Identifier: GPL-2.0 */
/* The system of equations: the same random numbers in each run; and a check of its solution */
#ifndef PMC_LU_SYSTEM_H
#define PMC_LU_SYSTEM_H

#include "lu/factor.h"

/* Solutions with a larger residual are wrong. */
#define RESIDUAL_MOST 16.0

/* Allocate and fill the matrix; -1: no memory. */
int system_init(struct matrix *m, int n, int nb);
void system_free(struct matrix *m);

/* Solve the factorised system, and return the scaled residual; below 0: no memory. */
double system_residual(const struct matrix *m);

#endif
