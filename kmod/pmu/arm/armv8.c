// SPDX-License-Identifier: GPL-2.0
/*
 * PMUv3 driven natively. The physical counters are held through the kernel's
 * own counters (kcounter.c); between claim and release this file programs,
 * reads and re-arms them by register.
 *
 * The one invariant: for each slot's kernel counter e, at any moment,
 *
 *	e->count + (u32)(physical counter - e->hw.prev_count)
 *
 * is the number of events since the claim, and e->hw.config_base is what the
 * type register holds. The kernel's driver keeps it whenever it updates, moves
 * or re-arms the counter (interrupt, another user's arrival, CPU power
 * management), and so does this file. So nothing the driver does behind our
 * back can make a count wrong, and the value never wraps.
 *
 * Counters run from claim to release. A thread's count is the difference
 * between two values, so that a switch writes no register unless the event
 * changes.
 */
#include <linux/err.h>
#include <linux/irq.h>
#include <linux/module.h>
#include <linux/perf/arm_pmu.h>
#include <asm/cpufeature.h>
#include <asm/virt.h>
#include <base/compat.h>
#include "base/err.h"
#include "base/percpu.h"
#include "pmu/arm/arm_encode.h"
#include "pmu/arm/arm_generic_events.h"
#include "pmu/arm/arm_kcounter.h"
#include "pmu/arm/armv8_encode.h"
#include "pmu/arm/armv8_regs.h"
#include "pmu/backend.h"
#include "pmu/backends.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "pmu/filters.h"
#include "pmu/kcounter.h"
#include "pmu/period.h"
#include "uapi/pmctrack.h"

/*
 * ID_AA64DFR0_EL1.PMUVer of PMUv3.1, which widened PMEVTYPER<n>_EL0.evtCount
 * (DDI 0487, D24.2 and D24.5): before, the bits above are not there.
 */
#define PMUVER_V3P1	4

/*
 * -1: perf has taken the event off. Above 31 is the instruction counter of
 * FEAT_PMUv3_ICNTR, which we do not read: perf prefers it for INST_RETIRED
 * when it puts events back.
 */
static __always_inline bool on_pmu(int idx)
{
	return idx >= 0 && pmc_arm_counter_of(idx) <= ARMV8_CYCLE_COUNTER;
}

static __always_inline u64 value_once(struct pmc_cpu *cpu,
				      const struct perf_event *e, u64 count)
{
	int idx = e->hw.idx;

	if (unlikely(!on_pmu(idx))) {
		cpu->lost = true;
		return count;
	}
	return count + (u32)(armv8_read_counter(pmc_arm_counter_of(idx)) -
			     local64_read(&e->hw.prev_count));
}

/*
 * The driver's interrupt changes prev_count and count, always by at least
 * one event. With interrupts off it comes only where it is an NMI.
 */
static __always_inline u64 value_of(struct pmc_cpu *cpu,
				    const struct perf_event *e)
{
	u64 count = local64_read(&e->count), value, again;

	for (;;) {
		value = value_once(cpu, e, count);
		if (!system_uses_irq_prio_masking())
			return value;
		barrier();
		again = local64_read(&e->count);
		if (likely(count == again))
			return value;
		count = again;
	}
}

/* Stop first: no event of the old kind may be counted as one of the new. */
static void program(struct perf_event *e, u64 config)
{
	struct hw_perf_event *hw = &e->hw;
	unsigned int n = pmc_arm_counter_of(hw->idx);

	hw->config_base = config;
	if (!on_pmu(hw->idx))
		return;
	write_sysreg(BIT(n), pmcntenclr_el0);
	isb();
	if (n == ARMV8_CYCLE_COUNTER)
		config &= PMC_ARMV8_FILTER;
	armv8_write_type(n, config);
	isb();
	write_sysreg(BIT(n), pmcntenset_el0);
	isb();
}

static __always_inline void load(struct pmc_cpu *cpu,
				 const struct pmc_evset *set, u64 *cur)
{
	unsigned long i = set->nr_hw;

	while (i--)
		cur[i] -= value_of(cpu, cpu->ev[set->slot[i]]);
}

static noinline void program_and_load(const struct pmc_evset *set, u64 *cur,
				      struct pmc_cpu *cpu)
{
	const struct pmc_hw_event *ev = set->hw, *end = ev + set->nr_hw;

	for (; ev < end; ev++) {
		struct perf_event *e = cpu->ev[ev->slot];

		if (e->hw.config_base != ev->config)
			program(e, ev->config);
	}
	cpu->programmed = set->id;
	load(cpu, set, cur);
}

static void notrace armv8_load(const struct pmc_evset *set, u64 *cur,
			       struct pmc_cpu *cpu)
{
	/* The rest needs no stack when the call is the last thing done. */
	if (unlikely(cpu->programmed != set->id))
		program_and_load(set, cur, cpu);
	else
		load(cpu, set, cur);
}

static void notrace armv8_unload(const struct pmc_evset *set, u64 *cur,
				 struct pmc_cpu *cpu)
{
	unsigned long i = set->nr_hw;

	while (i--)
		cur[i] += value_of(cpu, cpu->ev[set->slot[i]]);
}

/* Adds the counter's events to e->count. The counter must be set right after. */
static void update(struct perf_event *e)
{
	struct hw_perf_event *hw = &e->hw;

	local64_add((u32)(armv8_read_counter(pmc_arm_counter_of(hw->idx)) -
			  local64_read(&hw->prev_count)), &e->count);
}

/*
 * Sets the counter to overflow after @left more events, or a part of that: the
 * driver then goes on in steps. 0: silently. Never later than after half of the
 * counter's range, as the driver's sums are of 32 bits.
 */
static void set_period(struct perf_event *e, s64 left)
{
	u32 start = left > 0 && left <= S32_MAX ? -(u32)left : 1U << 31;

	/* As the driver has it: minus a number of events, in 64 bits. */
	local64_set(&e->hw.prev_count, (s64)start - (1LL << 32));
	/* 64-bit counters overflow after 32 bits too: ones above. */
	armv8_write_counter(pmc_arm_counter_of(e->hw.idx), ~0ULL << 32 | start);
}

/*
 * Where PMU interrupts are NMIs the driver may come for another counter's
 * overflow and find ours, too, half changed.
 */
static u64 mask_nmi(void)
{
	u64 daif = read_sysreg(daif);

	asm volatile("msr daifset, #2" : : : "memory");
	return daif;
}

static void unmask_nmi(u64 daif)
{
	barrier();
	write_sysreg(daif, daif);
}

static void armv8_arm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev,
		      s64 left)
{
	struct perf_event *e = cpu->ev[ev->slot];
	struct hw_perf_event *hw = &e->hw;
	u64 daif;

	if (!on_pmu(hw->idx))
		return;
	daif = mask_nmi();
	hw->sample_period = ev->ebs;
	hw->last_period = ev->ebs;
	local64_set(&hw->period_left, left);
	update(e);
	set_period(e, left);
	cpu->armed |= BIT_ULL(ev->slot);
	unmask_nmi(daif);
}

/* Updates the count. Return: events left of the period. */
static s64 update_period_left(struct perf_event *e)
{
	u64 before = local64_read(&e->count);

	update(e);
	return local64_read(&e->hw.period_left) -
	       (local64_read(&e->count) - before);
}

/*
 * Does the driver's interrupt handler's work, for our counters alone: the handler then
 * finds nothing to do. The kernel disables an interrupt line whose handler finds nothing
 * to do too often (note_interrupt()), except for lines that each CPU has for itself.
 * On other lines the driver handles our overflows, too, and calls pmc_overflow().
 *
 * Where the PMU's interrupt is an NMI, it may interrupt any other one: then this is done
 * in the NMI alone.
 */
static u64 armv8_overflows(struct pmc_cpu *cpu, const struct pmc_evset *set)
{
	const struct pmc_hw_event *ev = set->hw, *end = ev + set->nr_hw;
	u64 overflowed, slots = 0;

	if (!cpu->ct->private_irq)
		return 0;
	overflowed = read_sysreg(pmovsset_el0);
	if (!overflowed || (system_uses_irq_prio_masking() && !in_nmi()))
		return 0;
	for (; ev < end; ev++) {
		struct perf_event *e = cpu->ev[ev->slot];
		s64 left;
		u64 bit;

		if (!ev->ebs || !on_pmu(e->hw.idx))
			continue;
		bit = BIT_ULL(pmc_arm_counter_of(e->hw.idx));
		if (!(overflowed & bit))
			continue;
		left = update_period_left(e);
		if (left <= 0) {
			slots |= BIT_ULL(ev->slot);
			left = pmc_next_period(left, ev->ebs);
		}
		local64_set(&e->hw.period_left, left);
		write_sysreg(bit, pmovsclr_el0);
		set_period(e, left);
	}
	return slots;
}

static s64 armv8_disarm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev,
			s64 left)
{
	struct perf_event *e = cpu->ev[ev->slot];
	struct hw_perf_event *hw = &e->hw;
	u64 daif = mask_nmi();

	cpu->armed &= ~BIT_ULL(ev->slot);
	if (hw->sample_period == PMC_NEVER)
		goto out;
	if (on_pmu(hw->idx)) {
		left = update_period_left(e);
		set_period(e, 0);
		/* The period is over: its overflow must not be reported. */
		if (left <= 0)
			write_sysreg(BIT_ULL(pmc_arm_counter_of(hw->idx)),
				     pmovsclr_el0);
	} else {
		left = local64_read(&hw->period_left);
	}
	hw->sample_period = PMC_NEVER;
	local64_set(&hw->period_left, PMC_NEVER);
out:
	unmask_nmi(daif);
	return left;
}

static bool is_unused_counter(struct perf_event *any, unsigned int idx)
{
	struct arm_pmu *pmu = to_arm_pmu(any->pmu);

	return pmc_arm_has_counter(pmu, idx) &&
	       !test_bit(idx, this_cpu_ptr(pmu->hw_events)->used_mask);
}

static bool armv8_caliper(struct pmc_cpu *cpu, const struct pmc_evset *set,
			  struct pmc_caliper_page *page)
{
	unsigned int i, pos;

	for (i = 0; i < set->nr_hw; i++) {
		struct perf_event *e = cpu->ev[set->hw[i].slot];

		if (!on_pmu(e->hw.idx))
			return false;
		pos = set->pos[i];
		page->hw[pos] = pmc_arm_counter_of(e->hw.idx);
		page->start[pos] = local64_read(&e->hw.prev_count);
		page->total[pos] += local64_read(&e->count);
	}
	page->mask = U32_MAX;
	return true;
}

/* Our counters start anew, except those that are to interrupt. */
static void armv8_clear_dirty(struct pmc_cpu *cpu)
{
	unsigned int slot;

	for (slot = 0; slot < cpu->ct->nr_hw; slot++) {
		struct perf_event *e = READ_ONCE(cpu->ev[slot]);

		if (!e || e->hw.sample_period != PMC_NEVER || !on_pmu(e->hw.idx))
			continue;
		update(e);
		set_period(e, 0);
	}
}

static void clear_unused(struct pmc_cpu *cpu)
{
	struct perf_event *any = NULL;
	unsigned int slot, idx;

	for (slot = 0; slot < cpu->ct->nr_hw && !any; slot++)
		any = READ_ONCE(cpu->ev[slot]);
	if (!any)
		return;
	for (idx = 0; idx < ARMPMU_MAX_HWEVENTS; idx++)
		if (is_unused_counter(any, idx))
			armv8_write_counter(pmc_arm_counter_of(idx), 0);
}

/*
 * User access is for all counters or none. Unused ones are cleared whenever it begins: perf
 * takes the counters of the task before off the PMU after the switch is reported, and access
 * away with them, which the next interrupt gives back. Counters that perf uses stay visible,
 * as they do with perf's own user access.
 */
static void armv8_user_access(bool allow)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);

	if (allow && cpu->ct && (!cpu->user_access || !read_sysreg(pmuserenr_el0)))
		clear_unused(cpu);
	write_sysreg(allow ? ARMV8_USERENR_ER | ARMV8_USERENR_CR : 0,
		     pmuserenr_el0);
}

static int armv8_encode(const struct pmc_core_type *ct,
			const struct pmc_evreq *req,
			const struct pmc_filters *filters,
			u64 *config, u64 *slots, struct pmc_err *err)
{
	struct pmc_armv8_layout layout = {
		.nr_events = ct->nr_hw - 1,
		.evt_bits = ct->event_bits,
		.hyp = is_kernel_in_hyp_mode(),
		.has_pmceid = ct->common_known,
		.pmceid = {
			lower_32_bits(ct->common) | ct->common_ext << 32,
			upper_32_bits(ct->common) |
				(ct->common_ext & ~0ULL << 32),
		},
	};

	return pmc_armv8_encode(&layout, req, filters->user, filters->kernel,
				config, slots, err);
}

static const char *const fixed_names[] = { "cycles" };

/* On some SoCs the PMU's interrupts are private ones (PPI), on others not (SPI). */
static bool has_private_irq(const struct arm_pmu *pmu, unsigned int cpu)
{
	return irq_is_percpu_devid(per_cpu_ptr(pmu->hw_events, cpu)->irq);
}

static int probe_core_type(struct pmc_core_type *ct)
{
	unsigned int cpu = cpumask_first(&ct->cpus);
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.config = PMC_ARM_CPU_CYCLES,
		.size = sizeof(attr),
		.disabled = 1,
	};
	struct perf_event *event;
	struct arm_pmu *pmu;

	event = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
	if (IS_ERR(event))
		return -ENODEV;
	pmu = to_arm_pmu(event->pmu);
	ct->nr_hw = pmc_arm_nr_counters(pmu);
	ct->fixed = BIT_ULL(PMC_ARM_SLOT_CYCLES);
	ct->fixed_names = fixed_names;
	ct->interrupts = GENMASK_ULL(ct->nr_hw - 1, 0);
	ct->private_irq = has_private_irq(pmu, cpu);
	ct->event_bits = pmu->pmuver < PMUVER_V3P1 ? 10 : 16;
	ct->common = *(u64 *)pmu->pmceid_bitmap;
	ct->common_ext = *(u64 *)pmu->pmceid_ext_bitmap;
	ct->common_known = true;
	perf_event_release_kernel(event);
	return 0;
}

static int armv8_probe(void)
{
	unsigned int i;

	for (i = 0; i < pmc_nr_core_types; i++) {
		struct pmc_core_type *ct = &pmc_core_types[i];

		/* The name says that it is the driver whose struct arm_pmu we read. */
		if (strncmp(ct->pmu, "armv8", 5) && strncmp(ct->pmu, "armv9", 5))
			return -ENODEV;
		/* Its interrupt handler moves a counter's base on, of which we read 32 bits. */
		if (ct->no_interrupt || probe_core_type(ct))
			return -ENODEV;
	}
	return pmc_nr_core_types ? 0 : -ENODEV;
}

MODULE_INFO(backend, "armv8");

const struct pmu_backend pmc_backend_armv8 = {
	.name = "armv8",
	.modes = PMC_ARMV8_FILTER,
	.direct = true,
	.user_access_percpu = true,
	.probe = armv8_probe,
	.encode = armv8_encode,
	.generic = pmc_arm_generic,
	.serving_slot = pmc_arm_serving_slot,
	.claim = pmc_arm_claim,
	.release = pmc_kcounter_release,
	.reacquire = pmc_kcounters_reacquire,
	.load = armv8_load,
	.unload = armv8_unload,
	.arm = armv8_arm,
	.disarm = armv8_disarm,
	.overflows = armv8_overflows,
	.caliper = armv8_caliper,
	.clear_dirty = armv8_clear_dirty,
	.user_access = armv8_user_access,
};
