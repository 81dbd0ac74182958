// SPDX-License-Identifier: GPL-2.0
/*
 * The event sets of a session, for each core type: one for each line of events that a client
 * writes.
 */
#include <linux/slab.h>
#include "base/err.h"
#include "base/parse_evset.h"
#include "base/percpu.h"
#include "engine/evset_counters.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "session/access.h"
#include "session/evset.h"
#include "session/memlock.h"
#include "session/period_migrate.h"
#include "session/placement.h"
#include "session/session.h"
#include "session/totals.h"
#include "session/uncore.h"

/**
 * pmc_session_link_sets - set each set's totals and the next set of the rotation
 * @s: session that counts nothing
 *
 * Context: Any; with pmc_cpus_lock held if the session's counters are reserved, because others
 * look then at what its sets use.
 */
void pmc_session_link_sets(struct pmc_session *s)
{
	unsigned int ct, i;

	if (!list_empty(&s->state.reserved))
		lockdep_assert_held(&pmc_cpus_lock);
	s->size.nr_acc = 0;
	s->consumer.nr_cur = 0;
	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		struct pmc_rotation *rot = &s->consumer.rotation[ct];

		for (i = 0; i < rot->nr; i++) {
			struct pmc_evset *set = rot->sets[i];

			set->index = i;
			set->acc = s->size.nr_acc;
			set->next = rot->sets[(i + 1) % rot->nr];
			s->size.nr_acc += set->nr + 1 + s->consumer.nr_virtuals;
			s->consumer.nr_cur = max_t(unsigned int, s->consumer.nr_cur, set->nr);
		}
		pmc_rotation_sum_up(rot);
	}
	pmc_session_link_periods(s);
}

/* The set that counts nothing makes room for the first that does. */
static int append(struct pmc_session *s, struct pmc_evset *set)
{
	struct pmc_rotation *rot = &s->consumer.rotation[set->core_type];
	struct pmc_evset **sets;

	if (rot->nr == 1 && !rot->sets[0]->nr) {
		kfree(rot->sets[0]);
		rot->sets[0] = set;
		return 0;
	}
	if (rot->nr > U8_MAX)
		return -ENOSPC;
	sets = krealloc(rot->sets, (rot->nr + 1) * sizeof(*sets),
			GFP_KERNEL_ACCOUNT);
	if (!sets)
		return -ENOMEM;
	sets[rot->nr++] = set;
	rot->sets = sets;
	pmc_memlock_account(s, sizeof(*set));
	return 0;
}

static int add_set(struct pmc_session *s, struct pmc_core_type *ct,
		   struct pmc_setreq *req)
{
	struct pmc_evset *set;
	int ret = 0;

	/* The first one replaces one that each session has. */
	if (s->consumer.rotation[ct->id].sets[0]->nr)
		ret = pmc_memlock_check(s, sizeof(*set), "another event set");
	if (ret)
		return ret;
	set = kzalloc(sizeof(*set), GFP_KERNEL_ACCOUNT);
	if (!set)
		return -ENOMEM;
	set->core_type = ct->id;
	mutex_lock(&pmc_cpus_lock);
	ret = pmc_place_evset(s, ct, req, set);
	if (!ret)
		ret = append(s, set);
	if (!ret)
		pmc_evset_add_users(ct, set);
	mutex_unlock(&pmc_cpus_lock);
	if (ret)
		kfree(set);
	return ret;
}

/* Back to @nr sets, none if it is 0. */
static void drop_sets(struct pmc_session *s, unsigned int ct, unsigned int nr)
{
	struct pmc_rotation *rot = &s->consumer.rotation[ct];
	struct pmc_evset *set;

	if (!rot->nr)
		return;
	while (rot->nr > max(nr, 1U)) {
		set = rot->sets[--rot->nr];
		pmc_evset_remove_users(&pmc_core_types[ct], set);
		pmc_memlock_account(s, -(long)sizeof(*set));
		kfree(set);
	}
	set = rot->sets[0];
	if (!nr && set->nr) {
		pmc_evset_remove_users(&pmc_core_types[ct], set);
		memset(set, 0, sizeof(*set));
		set->core_type = ct;
	}
}

/**
 * pmc_session_move_sets - place event sets on other counters
 * @s: session that is not reserved; its lock is held
 * @ct: the core type of the sets
 * @taken: counters that they are to be kept off
 *
 * Context: May sleep; pmc_cpus_lock is held.
 * Return: 0, or a negative error where a set has no other counters: that one and those behind it
 * stay on theirs then, and the session's message is as before.
 */
int pmc_session_move_sets(struct pmc_session *s, struct pmc_core_type *ct,
			  u64 taken)
{
	struct pmc_rotation *rot = &s->consumer.rotation[ct->id];
	unsigned int nr = rot->nr;
	struct pmc_err err = s->err;
	int ret = 0;

	/* The sets behind it don't bind the one that is placed. */
	for (rot->nr = 0; !ret && rot->nr < nr; rot->nr++) {
		pmc_rotation_sum_up(rot);
		ret = pmc_move_evset(s, ct, rot->sets[rot->nr], taken);
	}
	rot->nr = nr;
	pmc_rotation_sum_up(rot);
	s->err = err;
	return ret;
}

static bool wants_kernel(const struct pmc_session *s,
			 const struct pmc_setreq *req)
{
	bool user, kernel;
	unsigned int i;

	for (i = 0; i < req->nr; i++) {
		if (req->ev[i].kind == PMC_EVREQ_SW ||
		    req->ev[i].kind == PMC_EVREQ_UNCORE)
			continue;
		pmc_evreq_modes(&req->ev[i], s->config.filters.user,
				s->config.filters.kernel, &user, &kernel);
		if (kernel)
			return true;
	}
	return false;
}

/* The neighbour hardware thread may run any user's program. */
static bool wants_any(const struct pmc_setreq *req)
{
	unsigned int i;

	for (i = 0; i < req->nr; i++)
		if (req->ev[i].any)
			return true;
	return false;
}

/* Can the set be placed on a core type's counters? @copy: room for a set. */
static bool suits(struct pmc_session *s, struct pmc_core_type *ct,
		  const struct pmc_setreq *req, struct pmc_setreq *copy)
{
	struct pmc_evset *set = kzalloc(sizeof(*set), GFP_KERNEL);
	int ret;

	if (!set)
		return false;
	*copy = *req;
	ret = pmc_place_evset(s, ct, copy, set);
	kfree(set);
	return !ret;
}

/*
 * A set that a core type refuses may be meant for another one: say which, and
 * what to write. Under pmc_cpus_lock.
 */
static void suggest_core_type(struct pmc_session *s,
			      const struct pmc_setreq *req,
			      struct pmc_setreq *copy,
			      struct pmc_core_type *refused_by)
{
	struct pmc_err why = s->err;
	struct pmc_core_type *ct;

	/* The counters may have been refused, not the events. */
	if (suits(s, refused_by, req, copy)) {
		s->err = why;
		return;
	}
	for (ct = pmc_core_types; ct < pmc_core_types + pmc_nr_core_types; ct++)
		if (ct != refused_by && suits(s, ct, req, copy))
			break;
	if (ct == pmc_core_types + pmc_nr_core_types)
		s->err = why;
	else
		pmc_err(&s->err, -EINVAL,
			"core type %u (%s): %s; the set suits core type %u (%s): %s coretype=%u",
			refused_by->id, refused_by->name, why.text, ct->id,
			ct->name, req->core_type < 0 ? "add" : "write", ct->id);
}

/**
 * pmc_session_add_events - add an event set
 * @s: session; its lock is held and nothing is counted
 * @spec: the events, as the session protocol has them
 * @len: its length
 *
 * Context: May sleep.
 * Return: 0, or a negative error explained in the session's message, with
 * nothing added.
 */
int pmc_session_add_events(struct pmc_session *s, const char *spec,
			   size_t len)
{
	unsigned int ct, done = 0, *before;
	struct pmc_setreq *req, *copy;
	int ret;

	req = kmalloc_array(2, sizeof(*req), GFP_KERNEL);
	before = kcalloc(pmc_nr_core_types, sizeof(*before), GFP_KERNEL);
	ret = -ENOMEM;
	if (!req || !before)
		goto out;
	copy = req + 1;
	ret = pmc_parse_events(spec, len, req, &s->err);
	if (ret)
		goto out;
	if (req->core_type >= (int)pmc_nr_core_types) {
		ret = pmc_err(&s->err, -EINVAL,
			      "coretype=%d: there are core types 0 to %u",
			      req->core_type, pmc_nr_core_types - 1);
		goto out;
	}
	ret = pmc_may_count(s, wants_kernel(s, req)) ?:
	      (wants_any(req) ? pmc_may_count_cpus(s) : 0) ?:
	      pmc_uncore_check(req, &s->err);
	if (ret)
		goto out;
	pmc_session_forget_totals(s);
	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		const struct pmc_rotation *rot = &s->consumer.rotation[ct];

		before[ct] = rot->sets[0]->nr ? rot->nr : 0;
		if (req->core_type >= 0 && req->core_type != ct)
			continue;
		*copy = *req;
		ret = add_set(s, &pmc_core_types[ct], copy);
		if (ret)
			break;
		done = ct + 1;
	}
	if (ret) {
		mutex_lock(&pmc_cpus_lock);
		while (done--)
			drop_sets(s, done, before[done]);
		if (ret == -EINVAL)
			suggest_core_type(s, req, copy, &pmc_core_types[ct]);
		mutex_unlock(&pmc_cpus_lock);
	} else {
		s->config.kernel |= wants_kernel(s, req);
		s->config.cpus |= wants_any(req);
	}
	pmc_session_link_sets(s);
out:
	kfree(before);
	kfree(req);
	return ret;
}

/**
 * pmc_session_clear_events - forget all event sets
 * @s: session that counts nothing
 *
 * Context: May sleep.
 */
void pmc_session_clear_events(struct pmc_session *s)
{
	unsigned int ct;

	if (!s->consumer.rotation)
		return;
	pmc_session_forget_totals(s);
	mutex_lock(&pmc_cpus_lock);
	for (ct = 0; ct < pmc_nr_core_types; ct++)
		drop_sets(s, ct, 0);
	mutex_unlock(&pmc_cpus_lock);
	s->config.kernel = false;
	s->config.cpus = false;
	pmc_session_link_sets(s);
}

/**
 * pmc_session_init_sets - give each core type its set that counts nothing
 * @s: new session
 *
 * Context: May sleep.
 * Return: 0 or -ENOMEM, with what was made left to pmc_session_free_sets().
 */
int pmc_session_init_sets(struct pmc_session *s)
{
	unsigned int ct;

	s->consumer.rotation = kcalloc(pmc_nr_core_types, sizeof(*s->consumer.rotation),
				       GFP_KERNEL_ACCOUNT);
	if (!s->consumer.rotation)
		return -ENOMEM;
	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		struct pmc_rotation *rot = &s->consumer.rotation[ct];

		rot->sets = kzalloc(sizeof(*rot->sets), GFP_KERNEL_ACCOUNT);
		if (!rot->sets)
			return -ENOMEM;
		rot->sets[0] = kzalloc(sizeof(*rot->sets[0]),
				       GFP_KERNEL_ACCOUNT);
		if (!rot->sets[0])
			return -ENOMEM;
		rot->nr = 1;
		rot->sets[0]->core_type = ct;
	}
	pmc_session_link_sets(s);
	return 0;
}

/**
 * pmc_session_free_sets - undo pmc_session_init_sets()
 * @s: session whose events are cleared
 *
 * Context: May sleep.
 */
void pmc_session_free_sets(struct pmc_session *s)
{
	unsigned int ct;

	if (!s->consumer.rotation)
		return;
	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		struct pmc_rotation *rot = &s->consumer.rotation[ct];

		if (rot->sets)
			kfree(rot->sets[0]);
		kfree(rot->sets);
	}
	kfree(s->consumer.rotation);
}
