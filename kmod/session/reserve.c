// SPDX-License-Identifier: GPL-2.0
/*
 * Reserving the counters of a session's event sets, from the time that it is
 * ready to count until it stops. Before that it has no counters, so that others
 * can use the PMU.
 *
 * Privileged sessions, monitoring modules and the scheduler have priority: the
 * counters of an unprivileged session are revoked where they need them. Its
 * threads get a last record, which says so (PMC_REC_EVICTED).
 *
 * Unprivileged sessions leave some counters of each core type free, for the root user's
 * perf and the NMI watchdog. Those that they have they can share.
 */
#include <linux/cpu.h>
#include <linux/cred.h>
#include <linux/hash.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>
#include "base/retry.h"
#include "base/settings.h"
#include "base/work.h"
#include "engine/hooks.h"
#include "session/evset.h"
#include "session/reserve.h"
#include "session/revoke.h"
#include "session/session.h"
#include "session/syswide_cpus.h"

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
	list_for_each_entry(s, &sessions, reserved) {
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
	for (; s->syswide && slots; slots &= slots - 1)
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

	for (i = 0; s->syswide && i < ct->nr_hw; i++)
		if (ct->claims[i])
			slots |= BIT_ULL(i);
	return slots;
}

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

/*
 * General counters that the session would have to be moved from, to those that other
 * unprivileged sessions have, and the first of its own; 0 where it is within the quota.
 * With exclusive=1 there is nothing to leave to perf.
 */
static u64 slots_over_quota(const struct pmc_session *s, const struct pmc_core_type *ct,
			    u64 used)
{
	u64 general = pmc_general_slots(ct), others = unprivileged_slots(ct);
	u64 more = used & general & ~others, kept = 0;
	unsigned int nr = hweight64(others), most = quota(ct);

	if (pmc_session_has_priority(s) || pmc_backend->exclusive)
		return 0;
	for (; more && nr < most; nr++, more &= more - 1)
		kept |= more & -more;
	return more ? general & ~others & ~kept : 0;
}

static int check_quota(struct pmc_session *s, const struct pmc_core_type *ct, u64 used)
{
	if (!slots_over_quota(s, ct, used))
		return 0;
	return pmc_err(&s->err, -EBUSY,
		       "unprivileged sessions may have %u of the %u general counters of core type %u (%s), and have %u: ask for fewer events or for the same counters, or put some into another event set (free_counters in /proc/pmc/config)",
		       quota(ct), nr_general(ct), ct->id,
		       ct->name, (u32)hweight64(unprivileged_slots(ct)));
}

static void count_unprivileged(const struct pmc_session *s, int diff)
{
	unsigned int ct;
	u64 used;

	if (pmc_session_has_priority(s))
		return;
	for (ct = 0; ct < pmc_nr_core_types; ct++)
		for (used = s->consumer.rotation[ct].used; used; used &= used - 1)
			pmc_core_types[ct].unprivileged[__ffs64(used)] += diff;
}

/*
 * Sessions that count the same event share a counter, until one of them begins to count
 * CPUs. The sets of modules stay on their counters, on which they were compared.
 */
static int check_or_move(struct pmc_session *s, struct pmc_core_type *ct,
			 const struct pmc_rotation *rot)
{
	u64 taken = taken_slots(s, ct) | slots_over_quota(s, ct, rot->used);

	if (rot->used & taken && !pmc_session_internal(s) &&
	    !pmc_session_move_sets(s, ct, taken))
		return 0;
	return check_slots(s, ct, rot->used) ?: check_quota(s, ct, rot->used);
}

/* Kept counters are within the quota, too. */
static bool is_kept_too_much(const struct pmc_core_type *ct, u64 used)
{
	u64 held = unprivileged_slots(ct) | ct->kept | used;

	return hweight64(held & pmc_general_slots(ct)) > quota(ct);
}

static int reserve_core_type(struct pmc_session *s, struct pmc_core_type *ct)
{
	struct pmc_rotation *rot = &s->consumer.rotation[ct->id];
	int ret = check_or_move(s, ct, rot);
	unsigned int i;

	if (ct->kept && is_kept_too_much(ct, rot->used))
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

	if (shared && (a->syswide || b->syswide))
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

	if (pmc_session_has_priority(other))
		return false;
	for (ct = 0; ct < pmc_nr_core_types; ct++)
		if (contend(s, other, ct))
			return true;
	return false;
}

/* @keep: its counters, for who wants them next */
static void unreserve(struct pmc_session *s, bool keep)
{
	list_del(&s->reserved);
	INIT_LIST_HEAD(&s->reserved);
	count_unprivileged(s, -1);
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
	if (s->syswide)
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

	if (!pmc_session_has_priority(s))
		return false;
	list_for_each_entry_safe(other, next, &sessions, reserved) {
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

	if (!pmc_session_has_priority(s))
		return false;
	list_for_each_entry(other, &sessions, reserved) {
		if (pmc_session_has_priority(other) || !other->consumer.rotation[ct].used)
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
 * @s: session, not reserved; its lock is held. Where s->syswide is set they
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
	list_add(&s->reserved, &sessions);
	pmc_session_link_sets(s);
	count_unprivileged(s, 1);
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
	if (!list_empty(&s->reserved))
		unreserve(s, !pmc_session_has_priority(s));
}

/*
 * Each claim of a slot, and the release that it needs, interrupts all CPUs of the core type.
 * So the slots that unprivileged sessions of a user claim in a second are limited
 * (pmc_settings.claims_max), and those of all users together, as a user may have many user
 * numbers: subordinate ones.
 */
#define USERS_AT_A_TIME	8U

/* A start that would have to wait longer is refused. */
#define WAIT_MAX	(10 * HZ)

/**
 * struct pace - what has been claimed
 * @since: when the current second began, in jiffies
 * @nr: slots, less those that may be claimed in each second that has passed
 */
struct pace {
	unsigned long since;
	unsigned int nr;
};

/* A pace for each hash of a user number, and one for all users together */
static struct pace paces[64], pace_of_all;

static struct pace *pace_of(const struct pmc_session *s)
{
	return &paces[hash_32(__kuid_val(s->cred->uid), ilog2(ARRAY_SIZE(paces)))];
}

/* Return: how long until fewer than @most were claimed, in jiffies. */
static long time_until(struct pace *pace, unsigned int most)
{
	unsigned long seconds = (jiffies - pace->since) / HZ;

	pace->since += seconds * HZ;
	pace->nr -= min_t(u64, pace->nr, (u64)seconds * most);
	if (pace->nr < most)
		return 0;
	seconds = (pace->nr - most) / most + 1;
	return pace->since + seconds * HZ - jiffies;
}

/* Return: how long an unprivileged session has to wait, in jiffies. */
static long time_to_wait(const struct pmc_session *s)
{
	unsigned int most = READ_ONCE(pmc_settings.claims_max);

	if (pmc_session_has_priority(s))
		return 0;
	return max(time_until(pace_of(s), most),
		   time_until(&pace_of_all, USERS_AT_A_TIME * most));
}

static void count_claims(const struct pmc_session *s, unsigned int nr)
{
	if (pmc_session_has_priority(s))
		return;
	pace_of(s)->nr += nr;
	pace_of_all.nr += nr;
}

/* @wait: out: try again so many jiffies later; 0: it was tried */
static int reserve_in_time(struct pmc_session *s, int (*reserve)(struct pmc_session *s),
			   long *wait)
{
	unsigned int before;
	int ret = 0;

	cpus_read_lock();
	/* Other sessions wait for the next of regular retries. */
	if (pmc_session_has_priority(s))
		pmc_retry_cpus();
	mutex_lock(&pmc_cpus_lock);
	before = pmc_nr_claims;
	*wait = time_to_wait(s);
	if (!*wait)
		ret = reserve(s);
	count_claims(s, pmc_nr_claims - before);
	mutex_unlock(&pmc_cpus_lock);
	cpus_read_unlock();
	return ret;
}

static int reserve_when_due(struct pmc_session *s, int (*reserve)(struct pmc_session *s))
{
	long wait, waited = 0;
	int ret;

	while (1) {
		ret = reserve_in_time(s, reserve, &wait);
		if (!wait)
			return ret;
		if (waited + wait > WAIT_MAX)
			return pmc_err(&s->err, -EAGAIN,
				       "unprivileged sessions have reserved many counters in the last seconds: try again in %ld s (claims_max in /proc/pmc/config)",
				       DIV_ROUND_UP(wait, HZ));
		schedule_timeout_killable(wait);
		if (fatal_signal_pending(current))
			return -EINTR;
		waited += wait;
	}
}

/**
 * pmc_reserve_paced - reserve counters, not too often
 * @s: session, not reserved; its lock is held
 * @reserve: pmc_reserve_locked(), or what calls it
 *
 * Context: May sleep.
 * Return: what @reserve returns; -EINTR if the caller is killed.
 */
int pmc_reserve_paced(struct pmc_session *s, int (*reserve)(struct pmc_session *s))
{
	int ret = PMC_PROCESSES_READ ? pmc_hooks_get() : 0;

	if (ret)
		return ret;
	ret = reserve_when_due(s, reserve);
	if (PMC_PROCESSES_READ)
		pmc_hooks_put();
	return ret;
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
