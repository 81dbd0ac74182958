// SPDX-License-Identifier: GPL-2.0
/*
 * The signed-rank test (F. Wilcoxon, Individual Comparisons by Ranking Methods, Biometrics
 * Bulletin 1, 1945), one-sided and exact: the ranks of positive differences are added up, and
 * the choices of signs that give such a sum or more are counted.
 */
#include <math.h>
#include <stdlib.h>

#include "../common.h"
#include "validate.h"

static int compare_sizes(const void *a, const void *b)
{
	double x = fabs(*(const double *)a), y = fabs(*(const double *)b);

	return (x > y) - (x < y);
}

/* Twice the ranks of sorted differences: equal ones share the mean of their ranks. */
static void rank(const double *sorted, size_t nr, size_t *ranks)
{
	size_t from, to, i;

	for (from = 0; from < nr; from = to) {
		for (to = from + 1; to < nr && fabs(sorted[to]) == fabs(sorted[from]); to++)
			;
		for (i = from; i < to; i++)
			ranks[i] = from + to + 1;
	}
}

double signed_rank(const double *difference, size_t nr)
{
	double *sorted = new_array(nr, sizeof(*sorted)), *share, chance = 0;
	size_t *ranks = new_array(nr, sizeof(*ranks));
	size_t used = 0, most, positive = 0, i, sum;

	for (i = 0; i < nr; i++)
		if (difference[i] != 0)
			sorted[used++] = difference[i];
	qsort(sorted, used, sizeof(*sorted), compare_sizes);
	rank(sorted, used, ranks);
	/* share[sum]: share of the choices of signs whose positive ranks have this sum */
	most = used * (used + 1);
	share = new_array(most + 1, sizeof(*share));
	share[0] = 1;
	for (i = 0; i < used; i++) {
		positive += sorted[i] > 0 ? ranks[i] : 0;
		for (sum = most + 1; sum-- > 0;)
			share[sum] = (share[sum] + (sum >= ranks[i] ? share[sum - ranks[i]] : 0)) / 2;
	}
	for (sum = positive; sum <= most; sum++)
		chance += share[sum];
	free(share);
	free(ranks);
	free(sorted);
	return fmin(chance, 1);
}
