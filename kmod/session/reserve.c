// SPDX-License-Identifier: GPL-2.0
/*
 * Reserving the counters of a session's event sets, from the time that it is
 * ready to count until it stops. Before that it has no counters, so that others
 * can use the PMU.
 *
 * Privileged sessions, monitoring modules and the scheduler have priority: the
 * counters of an unprivileged session are revoked where they need them. Its
 * threads get a last record, which says so (PMC_REC_EVICTED).
 */
#include <linux/cpu.h>
#include <linux/workqueue.h>
#include "base/err.h"
#include "base/percpu.h"
#include "base/work.h"
#include "engine/evset_counters.h"
#include "engine/hooks_enable.h"
#include "engine/uncore_read.h"
#include "pmu/claim.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "pmu/pmu.h"
#include "pmu/user_reads.h"
#include "session/counter_quota.h"
#include "session/evset.h"
#include "session/placement.h"
#include "session/reserve.h"
#include "session/reserve_ratelimit.h"
#include "session/revoke_counters.h"
#include "session/session.h"
#include "session/syswide_cpus.h"
#include "session/uncore.h"

/* Under pmc_cpus_lock. */
static LIST_HEAD(sessions);

/*
 * Claimed counters run on all CPUs, whatever is counted. Where processes have the right to
 * read counters, the counters are cleared before such a process runs, so each reserved
 * session has a reference to the hooks, and so have the counters that are kept.
 */
static bool kept_has_hooks;

/* The first @nr sets of a core type. */
static void release_sets(struct pmc_core_type *ct, struct pmc_rotation *rot,
			 unsigned int nr, bool keep)
{
	while (nr--)
		pmc_release_slots(ct, rot->sets[nr], keep);
}

static void release_below(struct pmc_session *s, unsigned int ct, bool keep)
{
	while (ct--)
		release_sets(&pmc_core_types[ct], &s->consumer.rotation[ct],
			     s->consumer.rotation[ct].nr, keep);
}

/* Slots that were placed by events of a session which has left are placed by others'. */
static void rebind(const struct pmc_session *left, struct pmc_core_type *ct)
{
	const struct pmc_rotation *rot = &left->consumer.rotation[ct->id];
	const struct pmc_session *s;
	u64 slots = 0, unbound;
	unsigned int i;

	for (i = 0; i < rot->nr; i++)
		slots |= pmc_slots_bound_by(ct, rot->sets[i]);
	if (!slots)
		return;
	unbound = slots;
	list_for_each_entry(s, &sessions, state.reserved) {
		rot = &s->consumer.rotation[ct->id];
		for (i = 0; rot->used & slots && i < rot->nr; i++)
			pmc_bind_slots(ct, rot->sets[i], slots, &unbound);
	}
}

/* @s: not in the list of sessions; nothing of it is reserved any more */
static void rebind_all(const struct pmc_session *s)
{
	unsigned int ct;

	for (ct = 0; ct < pmc_nr_core_types; ct++)
		rebind(s, &pmc_core_types[ct]);
}

static void release_kept(struct work_struct *work)
{
	unsigned int ct;

	cpus_read_lock();
	mutex_lock(&pmc_cpus_lock);
	for (ct = 0; ct < pmc_nr_core_types; ct++)
		pmc_release_kept(&pmc_core_types[ct]);
	if (kept_has_hooks)
		pmc_hooks_put();
	kept_has_hooks = false;
	mutex_unlock(&pmc_cpus_lock);
	cpus_read_unlock();
}

static DECLARE_DELAYED_WORK(kept_work, release_kept);

/**
 * pmc_reserve_exit - release all counters
 *
 * Context: May sleep. No session is left.
 */
void pmc_reserve_exit(void)
{
	cancel_delayed_work_sync(&kept_work);
	release_kept(NULL);
}

static int check_slots(struct pmc_session *s, const struct pmc_core_type *ct,
		       u64 slots)
{
	if (slots & ct->syswide)
		return pmc_err(&s->err, -EBUSY,
			       "a system-wide session has pmc%llu of core type %u (%s): stop that one, or ask for fewer events",
			       (u64)__ffs64(slots & ct->syswide), ct->id,
			       ct->name);
	for (; s->syswide.active && slots; slots &= slots - 1)
		if (ct->claims[__ffs64(slots)])
			return pmc_err(&s->err, -EBUSY,
				       "pmc%llu of core type %u is used by another session or monitoring module: stop that one, or ask for fewer events",
				       (u64)__ffs64(slots), ct->id);
	return 0;
}

/* Slots that the session can't share, or can't have. */
static u64 taken_slots(const struct pmc_session *s,
		       const struct pmc_core_type *ct)
{
	u64 slots = ct->syswide;
	unsigned int i;

	for (i = 0; s->syswide.active && i < ct->nr_hw; i++)
		if (ct->claims[i])
			slots |= BIT_ULL(i);
	return slots;
}

/*
 * Sessions that count the same event share a counter, until one of them begins to count
 * CPUs. The sets of modules stay on their counters, on which they were compared.
 */
static int check_or_move(struct pmc_session *s, struct pmc_core_type *ct,
			 const struct pmc_rotation *rot)
{
	u64 taken = taken_slots(s, ct) | pmc_slots_over_quota(s, ct, rot->used);

	if (rot->used & taken && !s->owner.internal &&
	    !pmc_session_move_sets(s, ct, taken))
		return 0;
	return check_slots(s, ct, rot->used) ?: pmc_check_quota(s, ct, rot->used);
}

static int reserve_core_type(struct pmc_session *s, struct pmc_core_type *ct)
{
	struct pmc_rotation *rot = &s->consumer.rotation[ct->id];
	int ret = check_or_move(s, ct, rot);
	unsigned int i;

	if (ct->kept && pmc_kept_over_quota(ct, rot->used))
		pmc_release_kept(ct);
	for (i = 0; !ret && i < rot->nr; i++) {
		struct pmc_evset *set = rot->sets[i];

		ret = pmc_claim_slots(ct, set, &s->err);
		if (ret)
			release_sets(ct, rot, i, false);
		/* Its events may have changed to others that mean the same. */
		else if (set->nr_hw)
			set->id = pmc_evset_id();
	}
	return ret;
}

/* @ct: out: the core type whose counters were refused */
static int reserve_all(struct pmc_session *s, unsigned int *ct)
{
	int ret;

	for (*ct = 0; *ct < pmc_nr_core_types; ++*ct) {
		ret = reserve_core_type(s, &pmc_core_types[*ct]);
		if (ret) {
			release_below(s, *ct, false);
			rebind_all(s);
			return ret;
		}
	}
	return 0;
}

static bool has_other_extra(const struct pmc_rotation *rot, u64 extra)
{
	unsigned int i, j;

	for (i = 0; i < rot->nr; i++)
		for (j = 0; j < rot->sets[i]->nr_hw; j++)
			if (rot->sets[i]->hw[j].extra &&
			    rot->sets[i]->hw[j].extra != extra)
				return true;
	return false;
}

/* Do both need the second register of some event, for different values? */
static bool extras_differ(const struct pmc_rotation *a,
			  const struct pmc_rotation *b)
{
	unsigned int i, j;

	for (i = 0; i < a->nr; i++)
		for (j = 0; j < a->sets[i]->nr_hw; j++)
			if (a->sets[i]->hw[j].extra &&
			    has_other_extra(b, a->sets[i]->hw[j].extra))
				return true;
	return false;
}

/* Can't a core type's counters be reserved for both, whichever threads they count? */
static bool contend(const struct pmc_session *a, const struct pmc_session *b,
		    unsigned int ct)
{
	const struct pmc_rotation *x = &a->consumer.rotation[ct], *y = &b->consumer.rotation[ct];
	u64 shared = x->used & y->used;

	if (shared && (a->syswide.active || b->syswide.active))
		return true;
	for (; shared; shared &= shared - 1) {
		unsigned int slot = __ffs64(shared);

		if (!pmc_rotation_counts(x, slot, y->config[slot], y->extra[slot]) &&
		    pmc_slot_bound(x->extra[slot] || y->extra[slot]))
			return true;
	}
	return extras_differ(x, y);
}

static bool has_conflict(const struct pmc_session *s,
			 const struct pmc_session *other)
{
	unsigned int ct;

	if (other->consumer.priority)
		return false;
	for (ct = 0; ct < pmc_nr_core_types; ct++)
		if (contend(s, other, ct))
			return true;
	return false;
}

/* @keep: its counters, for who wants them next */
static void unreserve(struct pmc_session *s, bool keep)
{
	list_del(&s->state.reserved);
	INIT_LIST_HEAD(&s->state.reserved);
	pmc_count_unprivileged(s, -1);
	release_below(s, pmc_nr_core_types, keep);
	rebind_all(s);
	if (PMC_PROCESSES_READ && (!keep || kept_has_hooks))
		pmc_hooks_put();
	if (!keep)
		return;
	kept_has_hooks = PMC_PROCESSES_READ;
	mod_delayed_work(pmc_wq, &kept_work, PMC_KEEP);
}

static void revoke(struct pmc_session *s)
{
	WRITE_ONCE(s->consumer.revoked, true);
	if (s->syswide.active)
		pmc_syswide_revoke(s);
	else
		pmc_revoke_threads(s);
	unreserve(s, false);
}

/* Return: was any other session revoked? */
static bool make_room(const struct pmc_session *s)
{
	struct pmc_session *other, *next;
	bool any = false;

	if (!s->consumer.priority)
		return false;
	list_for_each_entry_safe(other, next, &sessions, state.reserved) {
		if (!has_conflict(s, other))
			continue;
		revoke(other);
		any = true;
	}
	return any;
}

/* The newest of the unprivileged sessions with counters of a core type. Return: was there one? */
static bool revoke_one(const struct pmc_session *s, unsigned int ct)
{
	struct pmc_session *other;

	if (!s->consumer.priority)
		return false;
	list_for_each_entry(other, &sessions, state.reserved) {
		if (other->consumer.priority || !other->consumer.rotation[ct].used)
			continue;
		revoke(other);
		return true;
	}
	return false;
}

/* Do unprivileged sessions have as many counters as were refused for the same CPUs? */
static bool have_enough(const struct list_head *refused, const struct pmc_uncore_counter *c)
{
	const struct pmc_session *other;
	unsigned int nr = 0;

	list_for_each_entry(other, &sessions, state.reserved)
		if (!other->consumer.priority)
			nr += pmc_uncore_nr_beside(&other->consumer.uncore, c);
	return nr >= pmc_uncore_nr_beside(refused, c);
}

/* Has a session a counter of CPUs for which one was refused? */
static bool has_any(const struct pmc_session *s, const struct list_head *refused)
{
	const struct pmc_uncore_counter *c;

	list_for_each_entry(c, refused, link)
		if (pmc_uncore_nr_beside(&s->consumer.uncore, c))
			return true;
	return false;
}

/**
 * pmc_revoke_uncore - revoke the newest unprivileged session with shared counters in the way
 * @s: session that wants such counters
 * @refused: counters that others have
 *
 * A session that has none for the same CPUs is not revoked, nor is any where all of them have
 * too few.
 *
 * Context: May sleep. CPUs can't come or go, pmc_cpus_lock is held.
 * Return: was there one, and has @s precedence?
 */
bool pmc_revoke_uncore(const struct pmc_session *s, const struct list_head *refused)
{
	const struct pmc_uncore_counter *c;
	struct pmc_session *other;

	if (!s->consumer.priority)
		return false;
	list_for_each_entry(c, refused, link)
		if (!have_enough(refused, c))
			return false;
	list_for_each_entry(other, &sessions, state.reserved) {
		if (other->consumer.priority || !has_any(other, refused))
			continue;
		revoke(other);
		return true;
	}
	return false;
}

/*
 * Sessions that want the same counter for other events are in the way, and where perf has
 * the rest, any session is that has a counter.
 */
static int reserve_and_revoke(struct pmc_session *s)
{
	unsigned int ct;
	int ret = reserve_all(s, &ct);

	if ((ret == -EBUSY || ret == -EAGAIN) && make_room(s)) {
		pmc_err_clear(&s->err);
		ret = reserve_all(s, &ct);
	}
	while (ret == -EAGAIN && revoke_one(s, ct)) {
		pmc_err_clear(&s->err);
		ret = reserve_all(s, &ct);
	}
	return ret == -EAGAIN ? -EBUSY : ret;
}

/**
 * pmc_reserve_locked - reserve the counters of a session's event sets
 * @s: session, not reserved; its lock is held. Where s->syswide.active is set they
 *	are to be the session's alone.
 *
 * Context: May sleep. CPUs can't come or go, pmc_cpus_lock is held; called by
 * pmc_reserve_paced().
 * Return: 0, or a negative error explained in the session's message.
 */
int pmc_reserve_locked(struct pmc_session *s)
{
	int ret = reserve_and_revoke(s);

	if (ret)
		return ret;
	if (PMC_PROCESSES_READ)
		pmc_hooks_get_again();
	WRITE_ONCE(s->consumer.revoked, false);
	list_add(&s->state.reserved, &sessions);
	pmc_session_link_sets(s);
	pmc_count_unprivileged(s, 1);
	return 0;
}

/**
 * pmc_unreserve_locked - give the counters back
 * @s: session that counts nothing; whether or not it is reserved
 *
 * Context: May sleep. CPUs can't come or go, pmc_cpus_lock is held.
 */
void pmc_unreserve_locked(struct pmc_session *s)
{
	if (!list_empty(&s->state.reserved))
		unreserve(s, !s->consumer.priority);
}

/**
 * pmc_session_reserve - reserve the counters of a session that counts threads
 * @s: session, not reserved; its lock is held
 *
 * Context: May sleep.
 * Return: 0, or a negative error explained in the session's message.
 */
int pmc_session_reserve(struct pmc_session *s)
{
	return pmc_reserve_paced(s, pmc_reserve_locked);
}

/**
 * pmc_session_unreserve - undo pmc_session_reserve()
 * @s: session that counts nothing
 *
 * Context: May sleep.
 */
void pmc_session_unreserve(struct pmc_session *s)
{
	cpus_read_lock();
	mutex_lock(&pmc_cpus_lock);
	pmc_unreserve_locked(s);
	mutex_unlock(&pmc_cpus_lock);
	cpus_read_unlock();
}
