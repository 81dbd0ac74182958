// SPDX-License-Identifier: GPL-2.0
/*
 * The counters of an event set: which of a core type's counters its events are placed on. Done
 * when the session is configured, and again if another session has taken a counter.
 */
#include <linux/slab.h>
#include "base/err.h"
#include "base/parse_evset.h"
#include "base/settings.h"
#include "engine/evset_counters.h"
#include "pmu/assign.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "pmu/pmu.h"
#include "pmu/uncore_encode.h"
#include "session/counter_quota.h"
#include "session/placement.h"
#include "session/session.h"
#include "uapi/pmctrack.h"

/* An event on its way onto a counter: those that can count it, and those it may have. */
struct candidate {
	u64 config;
	u64 slots;
	u64 free;
};

static u64 own_slots(const struct pmc_session *s, unsigned int ct)
{
	const struct pmc_rotation *rot = &s->consumer.rotation[ct];
	u64 slots = 0;
	unsigned int i;

	for (i = 0; i < rot->nr; i++)
		slots |= rot->sets[i]->slots;
	return slots;
}

/* Slots that any session's sets are placed on: others are better, if there are any. */
static u64 used_slots(const struct pmc_core_type *ct)
{
	u64 slots = 0;
	unsigned int i;

	for (i = 0; i < ct->nr_hw; i++)
		if (ct->users[i])
			slots |= BIT_ULL(i);
	return slots;
}

/* Slots that can't be had. A privileged session revokes unprivileged ones when it starts. */
static u64 refused_slots(const struct pmc_session *s,
			 const struct pmc_core_type *ct)
{
	return s->consumer.priority ? ct->syswide_pinned : ct->syswide;
}

/* Slots that another set of the session uses for something else, for good. */
static u64 bound_slots(const struct pmc_session *s, unsigned int ct, u64 config, u64 extra)
{
	const struct pmc_rotation *rot = &s->consumer.rotation[ct];
	u64 used, slots = 0;

	for (used = rot->used; used; used &= used - 1) {
		unsigned int slot = __ffs64(used);

		if (!pmc_rotation_counts(rot, slot, config, extra) &&
		    pmc_slot_bound(extra || rot->extra[slot]))
			slots |= BIT_ULL(slot);
	}
	return slots;
}

/* The first of an event's attributes, or NULL. */
static const char *attribute_of(const struct pmc_evreq *req)
{
	return req->umask ? "umask" : req->cmask ? "cmask" :
	       req->edge ? "edge" : req->inv ? "inv" : req->any ? "any" :
	       req->usr >= 0 ? "usr" : req->os >= 0 ? "os" :
	       req->ebs ? "ebs" : req->extra ? "extra" : NULL;
}

/* "pmc9" may be a software counter's slot, on all core types. */
static int resolve_pinned_software(struct pmc_session *s,
				   const struct pmc_core_type *ct,
				   struct pmc_evreq *req)
{
	const char *attribute = attribute_of(req);
	unsigned int sw = req->slot - pmc_first_software;

	if (req->kind != PMC_EVREQ_PINNED || req->slot < pmc_first_software ||
	    sw >= PMC_SW_NR)
		return 0;
	if (req->has_code)
		return pmc_err(&s->err, -EINVAL,
			       "pmc%u is the software counter %s: it takes no event code",
			       req->slot, pmc_sw_names[sw]);
	if (attribute)
		return pmc_err(&s->err, -EINVAL,
			       "%s%u: pmc%u is the software counter %s on core type %u (%s), which takes no %s: leave that out",
			       attribute, req->slot, req->slot,
			       pmc_sw_names[sw], ct->id, ct->name, attribute);
	req->kind = PMC_EVREQ_SW;
	req->sw = sw;
	return 0;
}

static int check_hw(struct pmc_session *s, const struct pmc_core_type *ct,
		    const struct pmc_evreq *req, struct candidate *c)
{
	int ret;

	if (req->ebs && req->ebs < pmc_settings.ebs_min_period)
		return pmc_err(&s->err, -EINVAL,
			       "sampling period %llu is below %u, the shortest (ebs_min_period in /proc/pmc/config)",
			       req->ebs, pmc_settings.ebs_min_period);
	if (req->ebs > S64_MAX / 2)
		return pmc_err(&s->err, -EINVAL,
			       "sampling period %llu is too long", req->ebs);
	ret = pmc_backend->encode(ct, req, &s->config.filters, &c->config, &c->slots,
				  &s->err);
	if (ret)
		return ret;
	if (req->ebs)
		c->slots &= ct->interrupts;
	if (!c->slots)
		return pmc_err(&s->err, -EINVAL,
			       "an event with a sampling period is on a counter that can't interrupt");
	c->free = c->slots & ~bound_slots(s, ct->id, c->config, req->extra);
	if (!c->free)
		return pmc_err(&s->err, -EBUSY,
			       "event 0x%llx: every counter it could use counts something else for another event set of the session",
			       req->code);
	c->free &= ~refused_slots(s, ct);
	if (!c->free)
		return pmc_err(&s->err, -EBUSY,
			       "a system-wide session has the counter that event 0x%llx needs",
			       req->code);
	return 0;
}

static int check_shared(struct pmc_session *s, const struct pmc_core_type *ct,
			const struct pmc_hw_event *a,
			const struct pmc_hw_event *b)
{
	if (a->slot != b->slot)
		return 0;
	if (a->config != b->config)
		return pmc_err(&s->err, -EINVAL,
			       "pmc%u and pmc%u of core type %u (%s) are one counter for this event: count it in the same modes (usr, os), or put one into another event set",
			       a->number, b->number, ct->id, ct->name);
	if (a->ebs && b->ebs)
		return pmc_err(&s->err, -EINVAL,
			       "pmc%u and pmc%u of core type %u (%s) are one counter for this event: give only one of them a sampling period",
			       a->number, b->number, ct->id, ct->name);
	return 0;
}

static u8 serving_slot(u8 number, u64 config)
{
	return pmc_backend->serving_slot ? pmc_backend->serving_slot(number, config) : number;
}

/* @number: where the event was placed. */
static int put_on_counter(struct pmc_session *s, const struct pmc_core_type *ct,
			  struct pmc_evset *set, unsigned int nr, u8 number)
{
	struct pmc_hw_event *ev = &set->hw[nr];
	unsigned int i;
	int ret;

	ev->number = number;
	ev->slot = serving_slot(number, ev->config);
	if (BIT_ULL(ev->slot) & refused_slots(s, ct))
		return pmc_err(&s->err, -EBUSY,
			       "a system-wide session has pmc%u of core type %u (%s), which counts the event asked of pmc%u",
			       ev->slot, ct->id, ct->name, number);
	for (i = 0; i < nr; i++) {
		ret = check_shared(s, ct, &set->hw[i], ev);
		if (ret)
			return ret;
	}
	set->slot[nr] = ev->slot;
	set->slots |= BIT_ULL(ev->slot);
	return 0;
}

static void put_hw(const struct pmc_session *s, const struct pmc_core_type *ct,
		   struct pmc_evset *set, const struct pmc_evreq *req,
		   const struct candidate *c, u8 pos)
{
	struct pmc_hw_event *ev = &set->hw[set->nr_hw];

	ev->config = c->config;
	ev->slots = c->slots;
	ev->counters = pmc_backend->counters ?
			       pmc_backend->counters(ct, ev->config) : 0;
	ev->ebs = req->ebs;
	ev->extra = req->extra;
	pmc_evreq_modes(req, s->config.filters.user, s->config.filters.kernel, &ev->user,
			&ev->kernel);
	set->pos[set->nr_hw++] = pos;
	set->nr_ebs += !!req->ebs;
}

/**
 * pmc_evset_id - a number that no event set has had
 *
 * Context: pmc_cpus_lock is held.
 * Return: the number.
 */
u64 pmc_evset_id(void)
{
	static u64 last;

	return ++last;
}

/* Slots on which other sessions' sets count the same event and nothing else. */
static u64 same_slots(const struct pmc_core_type *ct,
		      const struct pmc_hw_event *ev)
{
	u64 used = used_slots(ct), slots = 0;

	if (ev->ebs || ev->extra)
		return 0;
	for (; used; used &= used - 1)
		if (ct->sole_config[__ffs64(used)] == ev->config)
			slots |= used & -used;
	return slots;
}

/*
 * Apart from other sessions' sets, if there are counters enough: a switch between the two
 * then has nothing to program. But events that others count share the others' counters: perf
 * gives no second one for them.
 */
static int assign(const struct pmc_session *s, const struct pmc_core_type *ct,
		  const struct pmc_evset *set, const u64 *slots, u8 *slot,
		  unsigned int *culprit)
{
	u64 avoid = (used_slots(ct) | ct->syswide) & ~own_slots(s, ct->id);
	u64 same[PMC_MAX_COUNTS];
	unsigned int i;

	if (pmc_backend->exclusive || s->owner.internal)
		return pmc_assign(slots, set->nr_hw, avoid, slot, culprit);
	for (i = 0; i < set->nr_hw; i++)
		same[i] = (slots[i] & same_slots(ct, &set->hw[i])) ?: slots[i];
	if (!pmc_assign(same, set->nr_hw, avoid, slot, culprit))
		return 0;
	return pmc_assign(slots, set->nr_hw, avoid, slot, culprit);
}

/* General counters that an event set needs at least. @slots: candidates of its events, which fit */
static unsigned int nr_general_needed(const struct pmc_core_type *ct, const struct pmc_evset *set,
				      const u64 *slots)
{
	u64 general = pmc_general_slots(ct), used = 0;
	u8 slot[PMC_MAX_COUNTS] = { };
	unsigned int i, culprit;

	pmc_assign(slots, set->nr_hw, general, slot, &culprit);
	for (i = 0; i < set->nr_hw; i++)
		used |= BIT_ULL(serving_slot(slot[i], set->hw[i].config));
	return hweight64(used & general);
}

/**
 * pmc_place_evset - place the events of a request on a core type's counters
 * @s: session; its lock is held
 * @ct: the core type
 * @req: the request; events on software counters' slots become software events
 * @set: out: the event set, which the caller has zeroed, and given its core type
 *
 * Changes nothing but @set and @req: pmc_evset_add_users() makes the counters used.
 *
 * Context: May sleep; pmc_cpus_lock is held.
 * Return: 0, or a negative error explained in the session's message.
 */
int pmc_place_evset(struct pmc_session *s, struct pmc_core_type *ct,
		    struct pmc_setreq *req, struct pmc_evset *set)
{
	struct candidate *c;
	unsigned int i, culprit = 0;
	u8 *slot, *soft, *shared;
	u64 *slots;
	int ret;

	c = kcalloc(req->nr, sizeof(*c) + sizeof(*slots) + sizeof(*slot) +
			     sizeof(*soft) + sizeof(*shared), GFP_KERNEL);
	if (!c)
		return -ENOMEM;
	slots = (u64 *)(c + req->nr);
	slot = (u8 *)(slots + req->nr);
	soft = slot + req->nr;
	shared = soft + req->nr;
	for (i = 0; i < req->nr; i++) {
		struct pmc_evreq *ev = &req->ev[i];

		ret = resolve_pinned_software(s, ct, ev);
		if (ret)
			goto out;
		if (ev->kind == PMC_EVREQ_SW) {
			soft[set->nr_sw] = i;
			set->sw[set->nr_sw++] = ev->sw;
			continue;
		}
		if (ev->kind == PMC_EVREQ_UNCORE) {
			ret = pmc_uncore_encode(ev, &c[i].config, &s->err);
			if (ret)
				goto out;
			shared[set->nr_uncore++] = i;
			continue;
		}
		ret = check_hw(s, ct, ev, &c[i]);
		if (ret)
			goto out;
		slots[set->nr_hw] = c[i].free;
		put_hw(s, ct, set, ev, &c[i], i);
	}
	ret = assign(s, ct, set, slots, slot, &culprit);
	if (ret) {
		ret = pmc_err(&s->err, ret,
			      "%u events do not fit the %u counters of core type %u (%s): number %u finds none free; put some into another event set",
			      set->nr_hw,
			      ct->nr_hw - (u32)hweight64(ct->absent),
			      ct->id, ct->name,
			      set->pos[culprit] + 1);
		goto out;
	}
	if (!s->owner.internal) {
		ret = pmc_check_set_quota(s, ct, nr_general_needed(ct, set, slots));
		if (ret)
			goto out;
	}
	for (i = 0; i < set->nr_hw; i++) {
		ret = put_on_counter(s, ct, set, i, slot[i]);
		if (ret)
			goto out;
	}
	memcpy(set->pos + set->nr_hw, soft, set->nr_sw);
	for (i = 0; i < set->nr_uncore; i++) {
		set->pos[set->nr_hw + set->nr_sw + i] = shared[i];
		set->hw[set->nr_hw + i] = (struct pmc_hw_event){
			.config = c[shared[i]].config,
			.slot = req->ev[shared[i]].uncore,
		};
	}
	set->nr = req->nr;
	set->id = pmc_evset_id();
out:
	kfree(c);
	return ret;
}

/**
 * pmc_evset_add_users - note that an event set is placed on its counters
 * @ct: its core type
 * @set: the event set
 *
 * Context: pmc_cpus_lock is held.
 */
void pmc_evset_add_users(struct pmc_core_type *ct, const struct pmc_evset *set)
{
	unsigned int i;

	for (i = 0; i < set->nr_hw; i++) {
		const struct pmc_hw_event *ev = &set->hw[i];

		if (!ct->users[ev->slot]++)
			ct->sole_config[ev->slot] = ev->config;
		if (ct->sole_config[ev->slot] != ev->config || ev->ebs || ev->extra)
			ct->sole_config[ev->slot] = PMC_MIXED;
	}
}

/**
 * pmc_evset_remove_users - undo pmc_evset_add_users()
 * @ct: its core type
 * @set: the event set
 *
 * Context: pmc_cpus_lock is held.
 */
void pmc_evset_remove_users(struct pmc_core_type *ct, const struct pmc_evset *set)
{
	unsigned int i;

	for (i = 0; i < set->nr_hw; i++)
		ct->users[set->slot[i]]--;
}

/**
 * pmc_move_evset - place an event set on other counters
 * @s: session that is not reserved; its lock is held
 * @ct: the core type of the set
 * @set: the event set; unchanged on error
 * @taken: counters that it is to be kept off
 *
 * Context: May sleep; pmc_cpus_lock is held.
 * Return: 0 or a negative error.
 */
int pmc_move_evset(struct pmc_session *s, struct pmc_core_type *ct,
		   struct pmc_evset *set, u64 taken)
{
	u8 slot[PMC_MAX_COUNTS] = { };
	u64 free[PMC_MAX_COUNTS];
	unsigned int i, culprit;
	struct pmc_evset *moved;
	int ret;

	moved = kmemdup(set, sizeof(*set), GFP_KERNEL);
	if (!moved)
		return -ENOMEM;
	for (i = 0; i < set->nr_hw; i++) {
		const struct pmc_hw_event *ev = &set->hw[i];

		free[i] = ev->slots & ~taken &
			  ~bound_slots(s, ct->id, ev->config, ev->extra);
	}
	ret = assign(s, ct, set, free, slot, &culprit);
	moved->slots = 0;
	for (i = 0; !ret && i < set->nr_hw; i++) {
		ret = put_on_counter(s, ct, moved, i, slot[i]);
		if (moved->slots & taken)
			ret = -EBUSY;
	}
	if (!ret) {
		pmc_evset_remove_users(ct, set);
		*set = *moved;
		pmc_evset_add_users(ct, set);
	}
	kfree(moved);
	return ret;
}
