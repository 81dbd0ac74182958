// SPDX-License-Identifier: GPL-2.0
/*
 * The counters that unprivileged sessions may have together. They leave some general counters of
 * each core type free, for the root user's perf and the NMI watchdog. Those that they have they
 * can share.
 */
#include "base/err.h"
#include "base/settings.h"
#include "engine/evset_counters.h"
#include "pmu/coretypes.h"
#include "pmu/pmu.h"
#include "session/counter_quota.h"
#include "session/session.h"

static unsigned int nr_general(const struct pmc_core_type *ct)
{
	return ct->nr_general ?: hweight64(pmc_general_slots(ct));
}

/* General counters that unprivileged sessions may have together: half of them at least. */
static unsigned int quota(const struct pmc_core_type *ct)
{
	unsigned int nr = nr_general(ct);

	return nr - min(READ_ONCE(pmc_settings.free_counters), nr / 2);
}

/* General counters that unprivileged sessions have. */
static u64 unprivileged_slots(const struct pmc_core_type *ct)
{
	u64 left, slots = 0;

	for (left = pmc_general_slots(ct); left; left &= left - 1)
		if (ct->unprivileged[__ffs64(left)])
			slots |= left & -left;
	return slots;
}

/**
 * pmc_slots_over_quota - slots that a session has to be moved from to be within the quota
 * @s: session
 * @ct: core type
 * @used: the slots that its event sets are placed on
 *
 * The session would have to be moved to general counters that other unprivileged sessions have,
 * and the first of its own. With exclusive=1 there is nothing to leave to perf.
 *
 * Context: pmc_cpus_lock is held.
 * Return: a bit for each slot; 0 where the session is within the quota.
 */
u64 pmc_slots_over_quota(const struct pmc_session *s, const struct pmc_core_type *ct,
			 u64 used)
{
	u64 general = pmc_general_slots(ct), others = unprivileged_slots(ct);
	u64 more = used & general & ~others, kept = 0;
	unsigned int nr = hweight64(others), most = quota(ct);

	if (s->consumer.priority || pmc_backend->exclusive)
		return 0;
	for (; more && nr < most; nr++, more &= more - 1)
		kept |= more & -more;
	return more ? general & ~others & ~kept : 0;
}

/**
 * pmc_check_quota - is a session within the quota?
 * @s: session
 * @ct: core type
 * @used: the slots that its event sets are placed on
 *
 * Context: pmc_cpus_lock is held.
 * Return: 0, or -EBUSY explained in the session's message.
 */
int pmc_check_quota(struct pmc_session *s, const struct pmc_core_type *ct, u64 used)
{
	if (!pmc_slots_over_quota(s, ct, used))
		return 0;
	return pmc_err(&s->err, -EBUSY,
		       "unprivileged sessions may have %u of the %u general counters of core type %u (%s), and have %u: ask for fewer events or for the same counters, or put some into another event set (free_counters in /proc/pmc/config)",
		       quota(ct), nr_general(ct), ct->id,
		       ct->name, (u32)hweight64(unprivileged_slots(ct)));
}

/**
 * pmc_check_set_quota - could a session have the counters of an event set, if no other had any?
 * @s: session
 * @ct: core type
 * @nr: general counters that the event set needs
 *
 * Context: any; the session's lock is held.
 * Return: 0, or -ENOSPC explained in the session's message.
 */
int pmc_check_set_quota(struct pmc_session *s, const struct pmc_core_type *ct, unsigned int nr)
{
	if (s->consumer.priority || pmc_backend->exclusive || nr <= quota(ct))
		return 0;
	return pmc_err(&s->err, -ENOSPC,
		       "an event set that needs %u general counters: unprivileged sessions may have %u of the %u of core type %u (%s): put some events into another event set (free_counters in /proc/pmc/config)",
		       nr, quota(ct), nr_general(ct), ct->id, ct->name);
}

/**
 * pmc_count_unprivileged - note that a session has its slots, or has them no more
 * @s: session
 * @diff: 1 or -1
 *
 * Context: pmc_cpus_lock is held.
 */
void pmc_count_unprivileged(const struct pmc_session *s, int diff)
{
	unsigned int ct;
	u64 used;

	if (s->consumer.priority)
		return;
	for (ct = 0; ct < pmc_nr_core_types; ct++)
		for (used = s->consumer.rotation[ct].used; used; used &= used - 1)
			pmc_core_types[ct].unprivileged[__ffs64(used)] += diff;
}

/**
 * pmc_kept_over_quota - do kept counters and those of a session exceed the quota?
 * @ct: core type
 * @used: the slots that the session's event sets are placed on
 *
 * Context: pmc_cpus_lock is held.
 * Return: whether they do.
 */
bool pmc_kept_over_quota(const struct pmc_core_type *ct, u64 used)
{
	u64 held = unprivileged_slots(ct) | ct->kept | used;

	return hweight64(held & pmc_general_slots(ct)) > quota(ct);
}
