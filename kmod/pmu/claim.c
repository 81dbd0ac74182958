// SPDX-License-Identifier: GPL-2.0
/*
 * Slots are claimed on every CPU of a core type with the first event set that
 * uses them, and released with the last. Callers hold pmc_cpus_lock.
 *
 * To claim or release a slot interrupts all these CPUs. So that an unprivileged user who
 * starts and stops a session again and again disturbs no others, the slots of unprivileged
 * sessions are kept for a while. A kept slot serves the next set that wants it, and is
 * released when it stands in the way.
 */
#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include "base/err.h"
#include "base/percpu.h"
#include "pmu/claim.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "pmu/pmu.h"

/* Slots that have been claimed, ever */
unsigned int pmc_nr_claims;

static void release_slot(struct pmc_core_type *ct, unsigned int slot)
{
	unsigned int cpu;

	for_each_cpu_and(cpu, &ct->cpus, cpu_online_mask)
		pmc_backend->release(cpu, slot);
}

static int claim_slot(struct pmc_core_type *ct, const struct pmc_hw_event *ev,
		      struct pmc_err *err)
{
	unsigned int cpu;
	int ret;

	pmc_nr_claims++;
	for_each_cpu_and(cpu, &ct->cpus, cpu_online_mask) {
		if (!per_cpu(pmc_cpus, cpu).online)
			continue;
		ret = pmc_backend->claim(cpu, ev, err);
		if (ret) {
			release_slot(ct, ev->slot);
			return ret;
		}
	}
	return 0;
}

/**
 * pmc_release_kept - release the slots that no event set uses any more
 * @ct: core type
 *
 * Context: May sleep. CPUs can't come or go, pmc_cpus_lock is held.
 */
void pmc_release_kept(struct pmc_core_type *ct)
{
	for (; ct->kept; ct->kept &= ct->kept - 1)
		release_slot(ct, __ffs64(ct->kept));
}

static bool same_event(const struct pmc_hw_event *a, const struct pmc_hw_event *b)
{
	return a->config == b->config && a->extra == b->extra;
}

/* Can every counter that can count the one event count the other, too? */
static bool is_stricter(const struct pmc_hw_event *a, const struct pmc_hw_event *b)
{
	return !(a->counters & ~b->counters);
}

/* Can a slot that was claimed for one event count another, wherever perf has put it? */
static bool serves(const struct pmc_hw_event *bound, const struct pmc_hw_event *ev)
{
	if (same_event(bound, ev))
		return true;
	return !pmc_slot_bound(bound->extra || ev->extra) && is_stricter(bound, ev);
}

typedef int take_t(struct pmc_core_type *ct, const struct pmc_hw_event *ev,
		   struct pmc_err *err);

/* Slots that are kept may stand in the way. */
static int take_or_release_kept(take_t *take, struct pmc_core_type *ct,
				const struct pmc_hw_event *ev, struct pmc_err *err)
{
	int ret = take(ct, ev, err);

	if (ret != -EAGAIN || !ct->kept)
		return ret;
	pmc_release_kept(ct);
	pmc_err_clear(err);
	return take(ct, ev, err);
}

static int claim_unused(struct pmc_core_type *ct, const struct pmc_hw_event *ev,
			struct pmc_err *err)
{
	u64 bit = BIT_ULL(ev->slot);
	int ret;

	if (ct->kept & bit && !serves(&ct->bound[ev->slot], ev)) {
		release_slot(ct, ev->slot);
		ct->kept &= ~bit;
	}
	if (!(ct->kept & bit)) {
		ret = take_or_release_kept(claim_slot, ct, ev, err);
		if (ret)
			return ret;
	}
	ct->kept &= ~bit;
	ct->bound[ev->slot] = *ev;
	return 0;
}

static int fit(struct pmc_core_type *ct, const struct pmc_hw_event *ev,
	       struct pmc_err *err)
{
	unsigned int cpu, nr = 0;
	int ret = 0;

	for_each_cpu_and(cpu, &ct->cpus, cpu_online_mask) {
		if (!per_cpu(pmc_cpus, cpu).online)
			continue;
		ret = pmc_backend->fit(cpu, ev, err);
		if (ret < 0) {
			/* The counters were tried, and put back. */
			nr += 2;
			break;
		}
		nr += ret;
	}
	/* A claim interrupts each of these CPUs. */
	pmc_nr_claims += DIV_ROUND_UP(nr, cpumask_weight(&ct->cpus));
	return min(ret, 0);
}

/* Another event on a slot that is claimed */
static int share(struct pmc_core_type *ct, const struct pmc_hw_event *ev,
		 struct pmc_err *err)
{
	struct pmc_hw_event *bound = &ct->bound[ev->slot];
	int ret;

	if (!pmc_backend->fit || same_event(bound, ev))
		return 0;
	ret = take_or_release_kept(fit, ct, ev, err);
	if (!ret && is_stricter(ev, bound))
		*bound = *ev;
	return ret;
}

static int claim(struct pmc_core_type *ct, struct pmc_hw_event *ev,
		 struct pmc_err *err)
{
	const struct pmc_hw_event *bound = &ct->bound[ev->slot];
	int ret;

	if (!ct->claims[ev->slot])
		ret = claim_unused(ct, ev, err);
	else if (!same_event(bound, ev) && pmc_slot_bound(bound->extra || ev->extra))
		ret = pmc_err(err, -EBUSY,
			      "pmc%u of core type %u (%s) counts something else for another session: stop that one, or ask for fewer events",
			      ev->number, ct->id, ct->name);
	else
		ret = share(ct, ev, err);
	if (!ret)
		ct->claims[ev->slot]++;
	return ret;
}

static void drop(struct pmc_core_type *ct, unsigned int slot, bool keep)
{
	if (--ct->claims[slot])
		return;
	if (keep)
		ct->kept |= BIT_ULL(slot);
	else
		release_slot(ct, slot);
}

/* The second register comes after the counter, by which the PMU is ours. */
static int claim_event(struct pmc_core_type *ct, struct pmc_hw_event *ev,
		       struct pmc_err *err)
{
	int ret = claim(ct, ev, err);

	if (ret || !ev->extra)
		return ret;
	ret = pmc_backend->claim_extra(ct, ev, err);
	if (ret)
		drop(ct, ev->slot, false);
	return ret;
}

static void drop_event(struct pmc_core_type *ct, const struct pmc_hw_event *ev,
		       bool keep)
{
	if (ev->extra)
		pmc_backend->release_extra(ct, ev);
	drop(ct, ev->slot, keep);
}

/**
 * pmc_claim_slots - take the counters of an event set
 * @ct: core type of the set
 * @set: the set; its events may change to others that mean the same
 * @err: explains a refusal
 *
 * Context: May sleep. CPUs can't come or go, pmc_cpus_lock is held.
 * Return: 0, or an error with nothing taken: -EAGAIN when no counter is free, -EBUSY when
 * the one of its slot is no other's to give.
 */
int pmc_claim_slots(struct pmc_core_type *ct, struct pmc_evset *set,
		    struct pmc_err *err)
{
	unsigned int i;
	int ret;

	for (i = 0; i < set->nr_hw; i++) {
		ret = claim_event(ct, &set->hw[i], err);
		if (ret)
			goto undo;
	}
	return 0;
undo:
	while (i--)
		drop_event(ct, &set->hw[i], false);
	return ret;
}

/**
 * pmc_release_slots - give the counters of an event set back
 * @ct: core type of the set
 * @set: the set; loaded nowhere any more
 * @keep: until pmc_release_kept(), those that no other set uses
 *
 * Context: May sleep. CPUs can't come or go, pmc_cpus_lock is held.
 */
void pmc_release_slots(struct pmc_core_type *ct, const struct pmc_evset *set, bool keep)
{
	unsigned int i;

	for (i = 0; i < set->nr_hw; i++)
		drop_event(ct, &set->hw[i], keep);
}

/**
 * pmc_slots_bound_by - slots that are placed by events of a set
 * @ct: core type of the set
 * @set: a set that has been released
 *
 * Context: pmc_cpus_lock is held.
 * Return: those of the slots that other sets use, one bit each.
 */
u64 pmc_slots_bound_by(const struct pmc_core_type *ct, const struct pmc_evset *set)
{
	u64 slots = 0;
	unsigned int i;

	for (i = 0; i < set->nr_hw; i++) {
		const struct pmc_hw_event *ev = &set->hw[i];

		if (ct->claims[ev->slot] && same_event(&ct->bound[ev->slot], ev))
			slots |= BIT_ULL(ev->slot);
	}
	return slots;
}

/**
 * pmc_bind_slots - have slots placed by the events of a set, where these are the strictest
 * @ct: core type of the set
 * @set: a set that has its counters
 * @slots: the slots
 * @unbound: those of them that are placed by an event of no set any more; set to those
 *	that still are
 *
 * Context: pmc_cpus_lock is held.
 */
void pmc_bind_slots(struct pmc_core_type *ct, const struct pmc_evset *set, u64 slots,
		    u64 *unbound)
{
	unsigned int i;

	for (i = 0; i < set->nr_hw; i++) {
		const struct pmc_hw_event *ev = &set->hw[i];
		struct pmc_hw_event *bound = &ct->bound[ev->slot];
		u64 bit = BIT_ULL(ev->slot);

		if (slots & bit && (*unbound & bit || is_stricter(ev, bound)))
			*bound = *ev;
		*unbound &= ~bit;
	}
}

/**
 * pmc_claim_cpu - take every slot in use on a CPU that comes online
 * @cpu: the CPU
 *
 * Slots that are kept are those of CPUs that have been there.
 *
 * Context: May sleep; pmc_cpus_lock is held.
 * Return: how many slots could not be had: their counts miss this CPU.
 */
int pmc_claim_cpu(unsigned int cpu)
{
	struct pmc_core_type *ct = per_cpu(pmc_cpus, cpu).ct;
	struct pmc_err err = { };
	unsigned int slot;
	int missed = 0;

	pmc_release_kept(ct);
	for (slot = 0; slot < ct->nr_hw; slot++) {
		if (ct->claims[slot] &&
		    pmc_backend->claim(cpu, &ct->bound[slot], &err))
			missed++;
	}
	return missed;
}

/**
 * pmc_release_cpu - give back everything on a CPU that goes offline
 * @cpu: the CPU
 *
 * Context: May sleep; pmc_cpus_lock is held; nothing is loaded there.
 */
void pmc_release_cpu(unsigned int cpu)
{
	struct pmc_core_type *ct = per_cpu(pmc_cpus, cpu).ct;
	unsigned int slot;

	for (slot = 0; slot < ct->nr_hw; slot++)
		if (ct->claims[slot] || ct->kept & BIT_ULL(slot))
			pmc_backend->release(cpu, slot);
}
