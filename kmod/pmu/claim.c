// SPDX-License-Identifier: GPL-2.0
/*
 * Slots are claimed on every CPU of a core type with the first event set that
 * uses them, and released with the last. Callers hold pmc_cpus_lock.
 */
#include <linux/cpu.h>
#include "../core/percpu.h"
#include "pmu.h"

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

	for_each_cpu_and(cpu, &ct->cpus, cpu_online_mask) {
		if (!per_cpu(pmc_cpus, cpu).online)
			continue;
		ret = pmc_backend->claim(cpu, ev, err);
		if (ret) {
			release_slot(ct, ev->slot);
			return ret;
		}
	}
	ct->bound[ev->slot] = *ev;
	return 0;
}

static int claim(struct pmc_core_type *ct, struct pmc_hw_event *ev,
		 struct pmc_err *err)
{
	const struct pmc_hw_event *bound = &ct->bound[ev->slot];
	int ret;

	if (!ct->claims[ev->slot]) {
		ret = claim_slot(ct, ev, err);
		if (ret)
			return ret;
	} else if (bound->config != ev->config &&
		   pmc_slot_bound(bound->extra || ev->extra)) {
		return pmc_err(err, -EBUSY,
			       "pmc%u of core type %u (%s) counts something else for another session: stop that one, or ask for fewer events",
			       ev->number, ct->id, ct->name);
	}
	ct->claims[ev->slot]++;
	return 0;
}

static void drop(struct pmc_core_type *ct, unsigned int slot)
{
	if (!--ct->claims[slot])
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
		drop(ct, ev->slot);
	return ret;
}

static void drop_event(struct pmc_core_type *ct, const struct pmc_hw_event *ev)
{
	if (ev->extra)
		pmc_backend->release_extra(ct, ev);
	drop(ct, ev->slot);
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
		drop_event(ct, &set->hw[i]);
	return ret;
}

/**
 * pmc_release_slots - give the counters of an event set back
 * @ct: core type of the set
 * @set: the set; loaded nowhere any more
 *
 * Context: May sleep. CPUs can't come or go, pmc_cpus_lock is held.
 */
void pmc_release_slots(struct pmc_core_type *ct, const struct pmc_evset *set)
{
	unsigned int i;

	for (i = 0; i < set->nr_hw; i++)
		drop_event(ct, &set->hw[i]);
}

/**
 * pmc_claim_cpu - take every slot in use on a CPU that comes online
 * @cpu: the CPU
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
		if (ct->claims[slot])
			pmc_backend->release(cpu, slot);
}
