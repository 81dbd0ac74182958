// SPDX-License-Identifier: GPL-2.0
/*
 * The overflow interrupt of x86 counters, which comes as an NMI through the
 * local APIC. The APIC masks it when it delivers it (SDM volume 3A, 11.5.1),
 * and we unmask it when all there was to do is done.
 */
#include <asm/apic.h>
#include <asm/nmi.h>
#include "../core/caliper.h"
#include "../core/cycles.h"
#include "../core/sample.h"
#include "x86.h"

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

/*
 * Without a register that tells: counters start below zero, so one whose
 * highest bit is clear has gone past it.
 */
static u64 scan_counters(const struct pmc_x86_cpu *x)
{
	u64 slots = x->used, overflowed = 0;

	for (; slots; slots &= slots - 1) {
		unsigned int slot = __ffs64(slots);
		u64 value = pmc_x86_rdpmc(x->slot[slot].rdpmc);

		if (!(value & (x->mask ^ x->mask >> 1)))
			overflowed |= BIT_ULL(x->pmu->counter[slot].bit);
	}
	return overflowed;
}

/*
 * Bits of counters that have overflowed since they were last taken back; and
 * that which says that an overflow, whose bit may be gone, has stopped all.
 */
static __always_inline u64 overflow_bits(const struct pmc_x86_cpu *x)
{
	const struct pmc_x86_pmu *pmu = x->pmu;

	if (unlikely(!pmu->global_status))
		return scan_counters(x);
	return pmc_x86_rdmsr(pmu->global_status) &
	       (pmu->overflow_bits | pmu->freeze);
}

static __always_inline void take_back(const struct pmc_x86_cpu *x, u64 bits)
{
	if (bits && x->pmu->global_reset)
		pmc_x86_wrmsr(x->pmu->global_reset, bits);
}

/* 100 ms: a hypervisor may take its time. */
static u64 stray_window(void)
{
	return pmc_cycles_per_tick() * HZ / 10;
}

/* For a while, an NMI that finds nothing is one of ours. */
static void expect_stray(struct pmc_x86_cpu *x)
{
	x->stray_until = pmc_cycles() + stray_window();
}

/**
 * pmc_x86_forget_overflow - an overflow has been seen to without its NMI
 * @x: this CPU
 * @slot: counter
 *
 * Context: Interrupts off, in a hook.
 */
void pmc_x86_forget_overflow(struct pmc_x86_cpu *x, unsigned int slot)
{
	take_back(x, BIT_ULL(x->pmu->counter[slot].bit) | x->pmu->freeze);
	expect_stray(x);
}

/* Counters go on; returns the slots whose sampling period is over. */
static u64 restart_counters(struct pmc_x86_cpu *x, u64 bits)
{
	u64 due = 0;

	for (; bits; bits &= bits - 1) {
		unsigned int slot = x->pmu->slot_of_bit[__ffs64(bits)];
		struct pmc_x86_slot *c = &x->slot[slot];

		pmc_x86_fold(x, slot);
		if (c->period && c->left <= 0) {
			due |= BIT_ULL(slot);
			while (c->left <= 0)
				c->left += c->period;
		}
		pmc_x86_restart(x, slot);
	}
	return due;
}

/*
 * While the counters stand still none overflows before the interrupt is
 * unmasked. Otherwise one may, unheard, so look again: or heard, as AMD's APIC
 * does not mask the interrupt, and then an NMI is on its way already.
 */
static u64 see_to(struct pmc_x86_cpu *x, u64 bits)
{
	const u64 freeze = x->pmu->freeze;
	u64 due;

	if (likely(bits & freeze)) {
		due = restart_counters(x, bits & ~freeze);
		pmc_x86_unmask();
		take_back(x, bits);
		return due;
	}
	due = 0;
	do {
		due |= restart_counters(x, bits & ~freeze);
		take_back(x, bits);
		pmc_x86_unmask();
		bits = overflow_bits(x);
	} while (bits);
	expect_stray(x);
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

	return see_to(x, overflow_bits(x));
}

static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	struct pmc_x86_cpu *x = this_cpu_ptr(&pmc_x86_cpus);
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	u64 bits;

	if (!x->pmu)
		return NMI_DONE;
	bits = overflow_bits(x);
	if (!bits) {
		if (x->stray_until - pmc_cycles() > stray_window())
			return NMI_DONE;
		pmc_x86_unmask();
		return NMI_HANDLED;
	}
	if (unlikely(cpu->busy)) {
		/* The counters go on meanwhile, if they were stopped. */
		take_back(x, bits & x->pmu->freeze);
		cpu->deferred |= PMC_PMI;
		return NMI_HANDLED;
	}
	pmc_overflows(cpu, see_to(x, bits));
	return NMI_HANDLED;
}

/**
 * pmc_x86_nmi_start - have NMIs told
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_x86_nmi_start(void)
{
	return register_nmi_handler(NMI_LOCAL, on_nmi, NMI_FLAG_FIRST,
				    "pmctrack");
}

/**
 * pmc_x86_nmi_stop - no longer; no handler runs when it returns
 *
 * Context: May sleep.
 */
void pmc_x86_nmi_stop(void)
{
	unregister_nmi_handler(NMI_LOCAL, "pmctrack");
}
