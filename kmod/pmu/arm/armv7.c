// SPDX-License-Identifier: GPL-2.0
/*
 * ARMv7's PMUv2 driven natively. As on ARMv8 (armv8.c) the physical counters are
 * held through the kernel's own, and for each slot's kernel counter e, at any
 * moment,
 *
 *	e->count + (u32)(physical counter - e->hw.prev_count)
 *
 * is the number of events since the claim, whatever the kernel's driver does
 * meanwhile. Unlike there
 *
 * - overflows are left to the driver's interrupt handler, which reports them: many
 *   of these machines have an interrupt line for each CPU, which the kernel turns
 *   off when its handler finds nothing to do too often;
 * - user space reads no counter: the event counters are reached through
 *   PMSELR, which is the kernel's.
 *
 * There is no NMI: with interrupts off the driver stays away.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/perf/arm_pmu.h>
#include <linux/smp.h>
#include <base/compat.h>
#include "base/err.h"
#include "base/percpu.h"
#include "pmu/arm/arm_encode.h"
#include "pmu/arm/arm_generic_events.h"
#include "pmu/arm/arm_kcounter.h"
#include "pmu/arm/armv7_counter.h"
#include "pmu/arm/armv7_encode.h"
#include "pmu/backend.h"
#include "pmu/backends.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "pmu/filters.h"
#include "pmu/kcounter.h"

/* -1: perf has taken the event off. */
static __always_inline bool on_pmu(int idx)
{
	return idx >= 0;
}

/* Events that the counter shows and e->count does not have yet. */
static __always_inline u32 pending_events(const struct perf_event *e)
{
	return armv7_since(armv7_read_counter(pmc_arm_counter_of(e->hw.idx)),
			   local64_read(&e->hw.prev_count));
}

static u64 value_of(struct pmc_cpu *cpu, const struct perf_event *e)
{
	u64 count = local64_read(&e->count);

	if (unlikely(!on_pmu(e->hw.idx))) {
		cpu->lost = true;
		return count;
	}
	return count + pending_events(e);
}

static void program(struct perf_event *e, u64 config)
{
	e->hw.config_base = config;
	if (on_pmu(e->hw.idx))
		armv7_program(pmc_arm_counter_of(e->hw.idx), config);
}

static noinline void program_set(struct pmc_cpu *cpu,
				 const struct pmc_evset *set)
{
	const struct pmc_hw_event *ev = set->hw, *end = ev + set->nr_hw;

	for (; ev < end; ev++) {
		struct perf_event *e = cpu->ev[ev->slot];

		if (e->hw.config_base != (u32)ev->config)
			program(e, ev->config);
	}
	cpu->programmed = set->id;
}

static void notrace armv7_load(const struct pmc_evset *set, u64 *cur,
			       struct pmc_cpu *cpu)
{
	const struct pmc_hw_event *ev = set->hw, *end = ev + set->nr_hw;

	if (unlikely(cpu->programmed != set->id))
		program_set(cpu, set);
	for (; ev < end; ev++)
		*cur++ -= value_of(cpu, cpu->ev[ev->slot]);
}

static void notrace armv7_unload(const struct pmc_evset *set, u64 *cur,
				 struct pmc_cpu *cpu)
{
	const struct pmc_hw_event *ev = set->hw, *end = ev + set->nr_hw;

	for (; ev < end; ev++)
		*cur++ += value_of(cpu, cpu->ev[ev->slot]);
}

/*
 * Updates e->count and sets the counter to overflow after @left events, or
 * silently.
 */
static u32 set_period(struct perf_event *e, s64 left)
{
	u32 start = armv7_start_value(left), events = pending_events(e);

	local64_add(events, &e->count);
	/* As the driver has it: minus a number of events, in 64 bits. */
	local64_set(&e->hw.prev_count, (s64)start - (1LL << 32));
	armv7_write_counter(pmc_arm_counter_of(e->hw.idx), start);
	return events;
}

static void armv7_arm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev,
		      s64 left)
{
	struct perf_event *e = cpu->ev[ev->slot];
	struct hw_perf_event *hw = &e->hw;

	if (!on_pmu(hw->idx))
		return;
	hw->sample_period = ev->ebs;
	hw->last_period = ev->ebs;
	local64_set(&hw->period_left, left);
	set_period(e, left);
	cpu->armed |= BIT_ULL(ev->slot);
}

static s64 armv7_disarm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev,
			s64 left)
{
	struct perf_event *e = cpu->ev[ev->slot];
	struct hw_perf_event *hw = &e->hw;

	cpu->armed &= ~BIT_ULL(ev->slot);
	if (hw->sample_period == PMC_NEVER)
		return left;
	left = local64_read(&hw->period_left);
	if (on_pmu(hw->idx)) {
		left -= set_period(e, 0);
		/* The period is over: its overflow must not be reported. */
		if (left <= 0)
			armv7_clear_overflow(pmc_arm_counter_of(hw->idx));
	}
	hw->sample_period = PMC_NEVER;
	local64_set(&hw->period_left, PMC_NEVER);
	return left;
}

static void armv7_clear_dirty(struct pmc_cpu *cpu)
{
}

static int armv7_encode(const struct pmc_core_type *ct,
			const struct pmc_evreq *req,
			const struct pmc_filters *filters,
			u64 *config, u64 *slots, struct pmc_err *err)
{
	struct pmc_armv7_layout layout = {
		.nr_events = ct->nr_hw - 1,
		.events = pmc_armv7_events_of(ct->cpuid),
	};

	return pmc_armv7_encode(&layout, req, filters->user, filters->kernel,
				config, slots, err);
}

static const char *const fixed_names[] = { "cycles" };

static void read_pmcr_here(void *pmcr)
{
	*(u32 *)pmcr = armv7_read_pmcr();
}

static int probe_core_type(struct pmc_core_type *ct)
{
	const struct pmc_armv7_events *events = pmc_armv7_events_of(ct->cpuid);
	u32 pmcr;
	int ret;

	ret = smp_call_function_single(cpumask_first(&ct->cpus), read_pmcr_here,
				       &pmcr, 1);
	if (ret)
		return ret;
	ct->nr_hw = 1 + ARMV7_PMCR_N(pmcr);
	ct->fixed = BIT_ULL(PMC_ARM_SLOT_CYCLES);
	ct->fixed_names = fixed_names;
	ct->interrupts = GENMASK_ULL(ct->nr_hw - 1, 0);
	ct->common_known = events;
	ct->common = events ? events->bits[0] : 0;
	return 0;
}

/*
 * The name says that it is the driver whose struct arm_pmu we rely on, and PMUv2,
 * which can count user and kernel mode apart: Cortex-A5, A8 and A9 can't.
 */
static bool is_pmuv2(const char *pmu)
{
	static const char *const names[] = {
		"armv7_cortex_a7", "armv7_cortex_a12", "armv7_cortex_a15",
		"armv7_cortex_a17",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(pmu, names[i]))
			return true;
	return false;
}

static int armv7_probe(void)
{
	unsigned int i;

	for (i = 0; i < pmc_nr_core_types; i++)
		if (!is_pmuv2(pmc_core_types[i].pmu) || pmc_core_types[i].no_interrupt)
			return -ENODEV;
	for (i = 0; i < pmc_nr_core_types; i++)
		if (probe_core_type(&pmc_core_types[i]))
			return -ENODEV;
	return pmc_nr_core_types ? 0 : -ENODEV;
}

MODULE_INFO(backend, "armv7");

const struct pmu_backend pmc_backend_armv7 = {
	.name = "armv7",
	.modes = PMC_ARMV7_FILTER,
	.probe = armv7_probe,
	.encode = armv7_encode,
	.generic = pmc_arm_generic,
	.serving_slot = pmc_arm_serving_slot,
	.claim = pmc_arm_claim,
	.release = pmc_kcounter_release,
	.reacquire = pmc_kcounters_reacquire,
	.load = armv7_load,
	.unload = armv7_unload,
	.arm = armv7_arm,
	.disarm = armv7_disarm,
	.clear_dirty = armv7_clear_dirty,
};
