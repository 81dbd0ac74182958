/* SPDX-License-Identifier: GPL-2.0 */
/* The event sets of a core type, which take turns, and the counters that they use. */
#ifndef PMC_EVSET_COUNTERS_H
#define PMC_EVSET_COUNTERS_H

#include <linux/types.h>
#include "uapi/pmctrack.h"

struct pmc_evset;

/**
 * struct pmc_rotation - the event sets of one core type
 * @sets: the sets, in the order of the rotation
 * @nr: how many; at least one, which counts nothing until one is added
 * @used: slots that any of them uses, one bit each
 * @exclusive: those of them that can't be shared: they count several things by turns,
 *	or have a sampling period
 * @periods: number that core types whose sets have the same sampling periods share
 * @config: the event on each of the others
 * @extra: what a second register is to hold for it; 0: it needs none
 */
struct pmc_rotation {
	struct pmc_evset **sets;
	unsigned int nr;
	u64 used;
	u64 exclusive;
	unsigned int periods;
	u64 config[PMC_MAX_SLOTS];
	u64 extra[PMC_MAX_SLOTS];
};

/* Does a slot that the rotation uses count this event? */
static inline bool pmc_rotation_counts(const struct pmc_rotation *rot, unsigned int slot,
				       u64 config, u64 extra)
{
	return rot->config[slot] == config && rot->extra[slot] == extra;
}

void pmc_rotation_sum_up(struct pmc_rotation *rot);
int pmc_contested_slot(const struct pmc_rotation *a, const struct pmc_rotation *b);
bool pmc_rotations_conflict(const struct pmc_rotation *a, const struct pmc_rotation *b,
			    unsigned int nr);

#endif /* PMC_EVSET_COUNTERS_H */
