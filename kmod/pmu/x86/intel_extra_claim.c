// SPDX-License-Identifier: GPL-2.0
/*
 * The second registers of Intel's events (intel_extra.h), held like counters:
 * for a whole core type, from the first event set that wants a value to the last
 * one that does. A thread finds the same value wherever it goes, and a switch
 * writes none of them.
 *
 * Afterwards they keep their values, which mean nothing without an event that
 * needs them, and perf writes them whenever it uses them.
 */
#include <linux/topology.h>
#include <base/compat.h>
#include "base/err.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "pmu/x86/intel_extra.h"
#include "pmu/x86/intel_extra_claim.h"
#include "pmu/x86/x86_exclusive.h"
#include "pmu/x86/x86_pmu.h"

/* Hardware threads of one core have the registers in common. */
static bool share_cores(const struct pmc_core_type *a,
			const struct pmc_core_type *b)
{
	unsigned int cpu;

	for_each_cpu(cpu, &a->cpus)
		if (cpumask_intersects(topology_sibling_cpumask(cpu), &b->cpus))
			return true;
	return false;
}

enum held { FREE, HELD, OTHERWISE };

/* Looks at a register on all cores of a core type; other types may share it. */
static enum held look(const struct pmc_core_type *ct, unsigned int reg,
		      u64 value)
{
	enum held found = FREE;
	unsigned int i;

	for (i = 0; i < pmc_nr_core_types; i++) {
		const struct pmc_core_type *other = &pmc_core_types[i];
		const struct pmc_x86_extra *x = &pmc_x86_pmu_of(other)->extra[reg];

		if (!x->users || (other != ct && !share_cores(ct, other)))
			continue;
		if (x->value != value)
			return OTHERWISE;
		found = HELD;
	}
	return found;
}

/* An emulated register may take any value and hold none. */
static int write_on(unsigned int cpu, u32 msr, u64 value)
{
	u64 now = 0;
	int ret = wrmsrq_safe_on_cpu(cpu, msr, value);

	if (!ret)
		ret = rdmsrq_safe_on_cpu(cpu, msr, &now);
	return ret ? ret : now == value ? 0 : -EIO;
}

/* Write it on every CPU of the core type whose PMU is ours. */
static int write_all(const struct pmc_core_type *ct, unsigned int reg, u64 value)
{
	unsigned int cpu;
	int ret;

	for_each_cpu_and(cpu, &ct->cpus, cpu_online_mask) {
		if (!READ_ONCE(per_cpu(pmc_x86_cpus, cpu).used))
			continue;
		ret = write_on(cpu, pmc_intel_extra_msr[reg], value);
		if (ret)
			return ret;
	}
	return 0;
}

static const struct pmc_intel_extra_event *
event_of(const struct pmc_x86_pmu *pmu, u64 config)
{
	return pmc_intel_extra_find(pmu->layout.extras, config & 0xff,
				    config >> 8 & 0xff);
}

/* -EBUSY: it holds something else; other errors: it does not take the value. */
static int take(const struct pmc_core_type *ct, unsigned int reg, u64 value)
{
	struct pmc_x86_extra *x = &pmc_x86_pmu_of(ct)->extra[reg];
	int ret;

	if (look(ct, reg, value) == OTHERWISE)
		return -EBUSY;
	if (!x->users) {
		ret = write_all(ct, reg, value);
		if (ret)
			return ret;
		x->value = value;
	}
	x->users++;
	return 0;
}

/*
 * The event's own register or its twin's: one that holds the value already, so
 * that the other stays free, or one that is free.
 */
int pmc_intel_claim_extra(const struct pmc_core_type *ct,
			  struct pmc_hw_event *ev, struct pmc_err *err)
{
	const struct pmc_x86_pmu *pmu = pmc_x86_pmu_of(ct);
	const struct pmc_intel_extra_event *own = event_of(pmu, ev->config);
	const struct pmc_intel_extra_event *twin, *e = own;
	u32 msr = pmc_intel_extra_msr[own->reg];
	int ret;

	twin = pmc_intel_extra_twin(pmu->layout.extras, own);
	if (twin && !(pmu->layout.extra_regs & BIT(twin->reg)))
		twin = NULL;
	if (twin && look(ct, own->reg, ev->extra) != HELD &&
	    look(ct, twin->reg, ev->extra) == HELD)
		e = twin;
	ret = take(ct, e->reg, ev->extra);
	/* A value may be good for one of the two only. */
	if (ret == -EBUSY && twin && !take(ct, twin->reg, ev->extra)) {
		e = twin;
		ret = 0;
	}
	if (ret == -EBUSY)
		return pmc_err(err, ret,
			       "extra=0x%llx: register 0x%x of core type %u (%s) holds another value for another event: count one after the other",
			       ev->extra, msr, ct->id, ct->name);
	if (ret)
		return pmc_err(err, -EINVAL,
			       "extra=0x%llx: register 0x%x of core type %u (%s) does not take this value",
			       ev->extra, msr, ct->id, ct->name);
	ev->config &= ~0xffffULL;
	ev->config |= e->code | e->umask << 8;
	return 0;
}

void pmc_intel_release_extra(const struct pmc_core_type *ct,
			     const struct pmc_hw_event *ev)
{
	struct pmc_x86_pmu *pmu = pmc_x86_pmu_of(ct);

	pmu->extra[event_of(pmu, ev->config)->reg].users--;
}

/**
 * pmc_intel_write_extras - a CPU begins to count, again perhaps
 * @pmu: of its core type
 *
 * Where no CPU of the core type was online when an event was asked for, this is the
 * first that tries its value.
 *
 * Context: On the CPU, interrupts off.
 * Return: whether the registers hold what they have to.
 */
bool pmc_intel_write_extras(const struct pmc_x86_pmu *pmu)
{
	unsigned int i;

	for (i = 0; i < PMC_INTEL_NR_EXTRA; i++) {
		u64 now;

		if (!pmu->extra[i].users)
			continue;
		if (wrmsrq_safe(pmc_intel_extra_msr[i], pmu->extra[i].value) ||
		    rdmsrq_safe(pmc_intel_extra_msr[i], &now) ||
		    now != pmu->extra[i].value)
			return false;
	}
	return true;
}
