/* SPDX-License-Identifier: GPL-2.0 */
/* The threads that factorise a matrix, each on its CPU */
#ifndef PMC_LU_TEAM_H
#define PMC_LU_TEAM_H

#include "lu/factor.h"

/*
 * Factorise @m by @nr threads, each on one of the CPUs that this process may run on, the first
 * on the first; see share.h for @steal. Return: the seconds that it took; bad() if the threads
 * cannot be started.
 */
double team_factorise(struct matrix *m, int nr, int steal);

#endif
