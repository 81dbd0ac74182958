// SPDX-License-Identifier: GPL-2.0
/*
 * Sampling periods over core types: a period goes on when the thread moves to a core type
 * whose event sets have the same periods. Codes of one event differ between core types, so
 * that events are compared by their position, as in the totals of all core types.
 */
#include "engine/evset_counters.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "session/period_migrate.h"
#include "session/session.h"
#include "uapi/pmctrack.h"

static bool same_in_set(const struct pmc_evset *a, const struct pmc_evset *b)
{
	unsigned int i;

	for (i = 0; i < PMC_MAX_COUNTS; i++)
		if (a->hw[i].ebs != b->hw[i].ebs ||
		    (a->hw[i].ebs && a->pos[i] != b->pos[i]))
			return false;
	return true;
}

/* False, too, if there are none: nothing goes on then. */
static bool same_periods(const struct pmc_rotation *a, const struct pmc_rotation *b)
{
	unsigned int i, any = 0;

	if (a->nr != b->nr)
		return false;
	for (i = 0; i < a->nr; i++) {
		if (!same_in_set(a->sets[i], b->sets[i]))
			return false;
		any |= a->sets[i]->nr_ebs;
	}
	return any;
}

/**
 * pmc_session_link_periods - find out which core types share sampling periods
 * @s: session that counts nothing
 */
void pmc_session_link_periods(struct pmc_session *s)
{
	struct pmc_rotation *rot = s->consumer.rotation;
	unsigned int ct, other;

	s->size.nr_periods = 0;
	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		for (other = 0; other < ct; other++)
			if (same_periods(&rot[other], &rot[ct]))
				break;
		rot[ct].periods = other < ct ? rot[other].periods : s->size.nr_periods++;
	}
}
