// SPDX-License-Identifier: GPL-2.0
/* Claiming counters beside perf. */
#include <linux/err.h>
#include <linux/perf_event.h>
#include <linux/smp.h>
#include "kcounter.h"
#include "x86.h"

/* hw.idx of the first fixed counter: INTEL_PMC_IDX_FIXED. */
#define FIRST_FIXED	32

/*
 * An architectural event that every general counter can count, and no fixed one (SDM
 * volume 3B, 20.2.1.2, "Branch Instructions Retired"): of a slot that is claimed for an
 * event that perf might put on a fixed counter.
 */
#define ANY_GENERAL	0xc4

u64 pmc_x86_shared_counters(const struct pmc_core_type *ct, u64 config)
{
	const struct pmc_x86_layout *layout = &pmc_x86_pmu_of(ct)->layout;

	return pmc_x86_counters(layout, pmc_x86_kernel_config(layout, config));
}

static int create(unsigned int cpu, const struct pmc_hw_event *ev, u64 config,
		  u64 extra, struct pmc_err *err)
{
	struct perf_event_attr attr = {
		.type = per_cpu(pmc_cpus, cpu).ct->perf_type,
		.config = config & PMC_X86_EVENT_BITS & ~(PMC_X86_USR | PMC_X86_OS),
		.config1 = extra,
		.exclude_user = !(config & PMC_X86_USR),
		.exclude_kernel = !(config & PMC_X86_OS),
	};

	return pmc_kcounter_create(cpu, ev->slot, &attr, err);
}

/* Also an event whose second register, or its twin, has the wanted value. */
static int claim(unsigned int cpu, const struct pmc_hw_event *ev, struct pmc_err *err)
{
	const struct pmc_core_type *ct = per_cpu(pmc_cpus, cpu).ct;
	const struct pmc_x86_layout *layout = &pmc_x86_pmu_of(ct)->layout;
	u64 config = pmc_x86_kernel_config(layout, ev->config);
	struct perf_event *e;
	int ret;

	/* By its own event perf knows which counters can count it. */
	ret = create(cpu, ev, config, ev->extra, err);
	if (ret)
		return ret;
	e = per_cpu(pmc_cpus, cpu).ev[ev->slot];
	if (e->hw.idx < FIRST_FIXED || ct->fixed & BIT_ULL(ev->slot))
		return 0;
	/* A kernel counter on a fixed counter can't count another event. */
	pmc_kcounter_release(cpu, ev->slot);
	return create(cpu, ev, ANY_GENERAL, 0, err);
}

struct trial {
	u32 msr;
	u64 value;
	bool taken;
};

static void try_here(void *info)
{
	struct trial *t = info;
	u64 before, now;

	if (rdmsrq_safe(t->msr, &before) || wrmsrq_safe(t->msr, t->value))
		return;
	t->taken = !rdmsrq_safe(t->msr, &now) && now == t->value;
	pmc_x86_wrmsr(t->msr, before);
}

/*
 * perf writes values that it believes to be valid, and the kernel complains where they are
 * not. An emulated register may take any value and hold none. For the time of two
 * instructions an event of perf's with another value in the register counts something else.
 */
static bool is_taken(unsigned int cpu, u32 msr, u64 value)
{
	struct trial t = { .msr = msr, .value = value };

	return !smp_call_function_single(cpu, try_here, &t, 1) && t.taken;
}

/* Return: the counter can be had, so that the second register is the reason. */
static bool has_counter(unsigned int cpu, const struct pmc_hw_event *ev)
{
	struct pmc_err unused = { };

	if (create(cpu, ev, ANY_GENERAL, 0, &unused))
		return false;
	pmc_kcounter_release(cpu, ev->slot);
	return true;
}

static int claim_with_extra(unsigned int cpu, const struct pmc_hw_event *ev,
			    struct pmc_err *err)
{
	const struct pmc_core_type *ct = per_cpu(pmc_cpus, cpu).ct;
	const struct pmc_x86_layout *layout = &pmc_x86_pmu_of(ct)->layout;
	const struct pmc_intel_extra_event *event =
		pmc_intel_extra_find(layout->extras, ev->config & 0xff,
				     ev->config >> 8 & 0xff);
	u32 msr = pmc_intel_extra_msr[event->reg];
	int ret = is_taken(cpu, msr, ev->extra) ? claim(cpu, ev, err) : -EINVAL;

	if (ret == -EBUSY && has_counter(cpu, ev))
		return pmc_err(err, ret,
			       "extra=0x%llx: register 0x%x of core type %u (%s) holds another value for another event, maybe perf's: count one after the other",
			       ev->extra, msr, ct->id, ct->name);
	if (ret == -EINVAL)
		return pmc_err(err, ret,
			       "extra=0x%llx: register 0x%x of core type %u (%s) does not take this value",
			       ev->extra, msr, ct->id, ct->name);
	return ret;
}

int pmc_x86_shared_claim(unsigned int cpu, const struct pmc_hw_event *ev,
			 struct pmc_err *err)
{
	return ev->extra ? claim_with_extra(cpu, ev, err) : claim(cpu, ev, err);
}

/* perf's driver has reserved the register for the event when the slot was claimed. */
int pmc_x86_shared_claim_extra(const struct pmc_core_type *ct,
			       struct pmc_hw_event *ev, struct pmc_err *err)
{
	return 0;
}

void pmc_x86_shared_release_extra(const struct pmc_core_type *ct,
				  const struct pmc_hw_event *ev)
{
}
