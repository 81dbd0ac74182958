// SPDX-License-Identifier: GPL-2.0
/*
 * The overflow interrupt of x86 counters, which comes as an NMI through the
 * local APIC. The APIC masks it when it delivers it (SDM volume 3A, 11.5.1),
 * and we unmask it when all there was to do is done.
 */
#include <asm/apic.h>
#include <asm/nmi.h>
#include "base/percpu.h"
#include "base/pmu_callbacks.h"
#include "pmu/period.h"
#include "pmu/x86/x86_exclusive.h"
#include "pmu/x86/x86_late_nmi.h"
#include "pmu/x86/x86_nmi.h"
#include "pmu/x86/x86_pmu.h"
#include "pmu/x86/x86_regs.h"

/**
 * pmc_x86_unmask - let overflows interrupt this CPU, by NMI
 *
 * Context: Interrupts off, or NMI.
 */
void pmc_x86_unmask(void)
{
	if (x2apic_mode)
		pmc_x86_wrmsr(APIC_BASE_MSR + (APIC_LVTPC >> 4), APIC_DM_NMI);
	else
		native_apic_mem_write(APIC_LVTPC, APIC_DM_NMI);
}

/* Counters start below zero, so one whose highest bit is clear has gone past it. */
static u64 scan_counters(const struct pmc_x86_cpu *x)
{
	u64 slots = x->used, overflowed = 0;

	for (; slots; slots &= slots - 1) {
		unsigned int slot = __ffs64(slots);
		u64 value = pmc_x86_rdpmc(x->rdpmc[slot]);

		if (!(value & (x->mask ^ x->mask >> 1)))
			overflowed |= BIT_ULL(x->pmu->counter[slot].bit);
	}
	return overflowed;
}

/* Bits of counters that have overflowed since they were last taken back. */
static __always_inline u64 overflow_bits(const struct pmc_x86_cpu *x)
{
	const struct pmc_x86_pmu *pmu = x->pmu;
	u64 bits = 0;

	if (likely(pmu->global_status))
		bits = pmc_x86_rdmsr(pmu->global_status) & pmu->overflow_bits;
	if (pmu->scan)
		bits |= scan_counters(x);
	return bits;
}

/* Counters go on; returns the slots whose sampling period is over. */
static u64 rearm_counters(struct pmc_x86_cpu *x, u64 bits)
{
	u64 due = 0;

	for (; bits; bits &= bits - 1) {
		unsigned int slot = x->pmu->slot_of_bit[__ffs64(bits)];
		struct pmc_x86_slot *c = &x->slot[slot];

		pmc_x86_update(x, slot);
		if (c->period && c->left <= 0) {
			due |= BIT_ULL(slot);
			c->left = pmc_next_period(c->left, c->period);
		}
		if (x->pmu->global_ctrl)
			pmc_x86_set_period(x, slot);
		else
			pmc_x86_set_period_running(x, slot);
	}
	return due;
}

/*
 * The counters are stopped while overflows are handled, so that none overflows
 * unseen, and no instruction of the handler's is counted. The processor's own
 * freeze on an overflow (IA32_DEBUGCTL[12]) is not used: it begins when the
 * interrupt is raised, and the thread's events until the interrupt is taken would
 * be missing in all its counts.
 */
static __always_inline void stop(const struct pmc_x86_cpu *x)
{
	if (x->pmu->global_ctrl)
		pmc_x86_wrmsr(x->pmu->global_ctrl, 0);
}

static __always_inline void go_on(const struct pmc_x86_cpu *x)
{
	if (x->pmu->global_ctrl)
		pmc_x86_wrmsr(x->pmu->global_ctrl, x->pmu->overflow_bits);
}

/*
 * Where they can't be stopped, look again: a few times, as with kernel mode
 * counted there may always be a next one. It is found with the next interrupt.
 */
static u64 see_to(struct pmc_x86_cpu *x, u64 bits, u64 heard)
{
	unsigned int rounds = x->pmu->global_ctrl ? 1 : x->pmu->nr;
	u64 due = 0;

	while (bits && rounds--) {
		pmc_x86_expect_late(x, hweight64(bits & ~heard));
		heard = 0;
		/* First: what overflows from here on has a bit again. */
		pmc_x86_take_back(x, bits);
		due |= rearm_counters(x, bits);
		bits = rounds ? overflow_bits(x) : 0;
	}
	pmc_x86_unmask();
	return due;
}

/**
 * pmc_x86_pmi - see to the counters that have overflowed
 * @cpu: this CPU
 *
 * Context: Interrupts off, in a hook.
 * Return: slots whose sampling period is over.
 */
u64 pmc_x86_pmi(struct pmc_cpu *cpu)
{
	struct pmc_x86_cpu *x = this_cpu_ptr(&pmc_x86_cpus);
	u64 due;

	stop(x);
	due = see_to(x, overflow_bits(x), x->heard);
	x->heard = 0;
	go_on(x);
	return due;
}

/* An NMI that is not, or no more, for a counter of ours. */
static int nothing_found(struct pmc_x86_cpu *x)
{
	if (x->used) {
		pmc_x86_unmask();
		go_on(x);
	}
	return pmc_x86_is_late(x) ? NMI_HANDLED : NMI_DONE;
}

static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	struct pmc_x86_cpu *x = this_cpu_ptr(&pmc_x86_cpus);
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	u64 bits;

	if (!x->used)
		return nothing_found(x);
	if (unlikely(cpu->busy)) {
		bits = overflow_bits(x);
		if (!bits)
			return nothing_found(x);
		x->heard |= bits;
		cpu->deferred |= PMC_PMI;
		return NMI_HANDLED;
	}
	stop(x);
	bits = overflow_bits(x);
	if (!bits)
		return nothing_found(x);
	/* This one is for one of them. */
	static_call(pmc_up_overflows)(cpu, see_to(x, bits, bits & -bits));
	go_on(x);
	/* So many NMIs may have been raised for it. */
	return hweight64(bits);
}

static bool started;

/**
 * pmc_x86_nmi_start - register a handler for NMIs
 *
 * Until pmc_x86_nmi_stop(), however often it is called: an NMI may be on its way
 * when the last counter is given back. It is the last handler: while processor
 * trace is in use perf's handler stops all counters of Intel's and clears their
 * overflows, too.
 *
 * Context: May sleep; pmc_cpus_lock is held.
 * Return: 0 or a negative error.
 */
int pmc_x86_nmi_start(void)
{
	int ret = 0;

	if (!started)
		ret = register_nmi_handler(NMI_LOCAL, on_nmi, 0, "pmctrack");
	started = started || !ret;
	return ret;
}

/**
 * pmc_x86_nmi_stop - no longer; no handler runs when it returns
 *
 * Context: May sleep.
 */
void pmc_x86_nmi_stop(void)
{
	if (started)
		unregister_nmi_handler(NMI_LOCAL, "pmctrack");
	started = false;
}
