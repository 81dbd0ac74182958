// SPDX-License-Identifier: GPL-2.0
/*
 * The counters that the event sets of a core type use. Two sessions can't count one thread
 * where a counter would have to count two things at once.
 */
#include <linux/bitops.h>
#include "engine/evset_counters.h"
#include "pmu/event_set.h"

/**
 * pmc_rotation_sum_up - sum up the counters that a rotation's sets use
 * @rot: event sets of a core type
 *
 * With the sum a fork need not compare each set of one session with each of another.
 */
void pmc_rotation_sum_up(struct pmc_rotation *rot)
{
	unsigned int i, j;

	rot->used = 0;
	rot->exclusive = 0;
	for (i = 0; i < rot->nr; i++) {
		const struct pmc_evset *set = rot->sets[i];

		for (j = 0; j < set->nr_hw; j++) {
			const struct pmc_hw_event *ev = &set->hw[j];
			u64 bit = BIT_ULL(ev->slot);

			if (ev->ebs || (rot->used & bit &&
					!pmc_rotation_counts(rot, ev->slot, ev->config,
							     ev->extra)))
				rot->exclusive |= bit;
			rot->config[ev->slot] = ev->config;
			rot->extra[ev->slot] = ev->extra;
			rot->used |= bit;
		}
	}
}

/**
 * pmc_contested_slot - a counter that would have to count two things at once
 * @a: event sets of a core type, summed up
 * @b: others
 *
 * Return: the slot, which both use and can't share, or -1: there is none.
 */
int pmc_contested_slot(const struct pmc_rotation *a, const struct pmc_rotation *b)
{
	u64 shared = a->used & b->used;
	u64 exclusive = shared & (a->exclusive | b->exclusive);

	if (exclusive)
		return __ffs64(exclusive);
	for (; shared; shared &= shared - 1) {
		unsigned int slot = __ffs64(shared);

		if (!pmc_rotation_counts(a, slot, b->config[slot], b->extra[slot]))
			return slot;
	}
	return -1;
}

/**
 * pmc_rotations_conflict - can't event sets of two sessions count one thread
 * @a: those of the one, for each core type
 * @b: those of the other
 * @nr: number of core types
 *
 * Context: Any; both sessions are prepared, so that their sets stay.
 * Return: true when a counter would have to count two things at once.
 */
bool pmc_rotations_conflict(const struct pmc_rotation *a, const struct pmc_rotation *b,
			    unsigned int nr)
{
	unsigned int ct;

	for (ct = 0; ct < nr; ct++)
		if (pmc_contested_slot(&a[ct], &b[ct]) >= 0)
			return true;
	return false;
}
