// SPDX-License-Identifier: GPL-2.0
/* What clients ask of a session: its event sets, and where they are placed. */
#include <linux/string.h>
#include "base/err.h"
#include "base/parse_evset.h"
#include "engine/evset_counters.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "pmu/pmu.h"
#include "session/query.h"
#include "session/session.h"
#include "uapi/pmctrack.h"

/**
 * pmc_session_set - one of a session's event sets
 * @s: session; its lock is held
 * @ct: core type
 * @set: place in the core type's rotation
 *
 * Return: the set, or NULL when there is none.
 */
const struct pmc_evset *pmc_session_set(const struct pmc_session *s,
					unsigned int ct, unsigned int set)
{
	if (ct >= pmc_nr_core_types || set >= s->consumer.rotation[ct].nr)
		return NULL;
	return s->consumer.rotation[ct].sets[set];
}

/**
 * pmc_session_no_set - say that there is no such event set
 * @s: session; its lock is held
 * @ct: core type, or PMC_ALL_CORE_TYPES
 * @set: place in its rotation
 *
 * Return: -EINVAL.
 */
int pmc_session_no_set(struct pmc_session *s, unsigned int ct,
		       unsigned int set)
{
	if (ct == PMC_ALL_CORE_TYPES)
		return pmc_err(&s->err, -EINVAL,
			       "no core type has an event set %u", set);
	return pmc_err(&s->err, -EINVAL,
		       "there is no core type %u with an event set %u", ct,
		       set);
}

/**
 * pmc_session_placement - where the events of a set were placed
 * @s: session; its lock is held
 * @p: what is wanted; filled
 *
 * Return: 0, or -EINVAL when there is no such core type, explained in the
 * session's message.
 */
int pmc_session_placement(struct pmc_session *s, struct pmc_placement *p)
{
	const struct pmc_evset *set =
		pmc_session_set(s, p->core_type, p->set);
	unsigned int i;

	if (p->core_type >= pmc_nr_core_types)
		return pmc_err(&s->err, -EINVAL, "there is no core type %u",
			       p->core_type);
	p->nr_sets = s->consumer.rotation[p->core_type].nr;
	p->nr_counts = 0;
	memset(p->slot, 0, sizeof(p->slot));
	if (!set)
		return 0;
	p->nr_counts = set->nr;
	for (i = 0; i < set->nr_hw; i++)
		p->slot[set->pos[i]] = set->hw[i].number;
	for (i = 0; i < set->nr_sw; i++)
		p->slot[set->pos[set->nr_hw + i]] =
			pmc_first_software + set->sw[i];
	for (i = 0; i < set->nr_uncore; i++)
		p->slot[set->pos[set->nr_hw + set->nr_sw + i]] =
			pmc_first_software + PMC_SW_NR + i;
	return 0;
}
