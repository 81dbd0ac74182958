// SPDX-License-Identifier: GPL-2.0
/*
 * Distribute the energy of packages over threads, the idle machine and the rest.
 *
 * Shares are whole microjoules by the method of the largest remainder: each is its exact share
 * without the fraction; those with the largest fractions get one more until the sum is right.
 */
#include <math.h>
#include <stdlib.h>

#include "common.h"
#include "energy/balance.h"

struct remainder {
	int share;
	double fraction;
};

static int by_fraction(const void *a, const void *b)
{
	const struct remainder *one = a, *other = b;

	if (one->fraction != other->fraction)
		return one->fraction < other->fraction ? 1 : -1;
	return one->share - other->share;
}

static void distribute(struct energy_balance *b, uint64_t energy)
{
	struct remainder *order = new_array(b->nr, sizeof(*order));
	double exact, factor = energy / b->estimated;
	uint64_t left = energy;
	int i;

	for (i = 0; i < b->nr; i++) {
		exact = b->estimates[i] * factor;
		b->shares[i] = exact < left ? exact : left;
		left -= b->shares[i];
		order[i] = (struct remainder){ i, exact - b->shares[i] };
	}
	qsort(order, b->nr, sizeof(*order), by_fraction);
	for (i = 0; left; i = (i + 1) % b->nr, left--)
		b->shares[order[i].share]++;
	free(order);
}

void energy_balance(struct energy_balance *b)
{
	uint64_t energy;
	double sum;
	int i;

	b->estimated = 0;
	for (i = 0; i < b->nr; i++) {
		b->estimated += b->estimates[i];
		b->shares[i] = 0;
	}
	sum = b->estimated + b->idle;
	b->factor = sum > b->package ? b->package / sum : 1;
	b->idle = llround(b->idle * b->factor);
	energy = llround(b->estimated * b->factor);
	/* Rounding may be up in both. */
	if (energy > b->package - b->idle)
		energy = b->package - b->idle;
	if (energy)
		distribute(b, energy);
	b->rest = b->package - b->idle - energy;
}

void energy_balance_cores(struct energy_balance *b, uint64_t cores)
{
	uint64_t package = b->package;

	/* Two registers: they are not read at the same instant. */
	b->package = cores < package ? cores : package;
	b->idle = 0;
	energy_balance(b);
	b->idle = package - b->package;
	b->package = package;
}
