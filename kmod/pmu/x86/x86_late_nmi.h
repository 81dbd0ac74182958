/* SPDX-License-Identifier: GPL-2.0 */
/*
 * NMIs that come after their overflow was seen to. x86_exclusive.c and x86_nmi.c have such
 * overflows, and x86_nmi.c calls x86_exclusive.c: so these functions are inline.
 */
#ifndef PMC_X86_LATE_NMI_H
#define PMC_X86_LATE_NMI_H

#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include "base/clock.h"
#include "pmu/x86/x86_exclusive.h"
#include "pmu/x86/x86_pmu.h"
#include "pmu/x86/x86_regs.h"

static __always_inline void pmc_x86_take_back(const struct pmc_x86_cpu *x, u64 bits)
{
	if (x->pmu->global_reset)
		pmc_x86_wrmsr(x->pmu->global_reset, bits);
}

/* 100 ms: a hypervisor may take its time. */
static inline u64 pmc_x86_late_window(void)
{
	return pmc_cycles_per_tick() * HZ / 10;
}

/* The processor keeps one NMI waiting, a hypervisor two. */
#define PMC_X86_MAX_LATE	2U

/*
 * For a while, as many NMIs that find nothing are ours. To be called before their
 * overflows are cleared: an NMI may come at any time.
 */
static inline void pmc_x86_expect_late(struct pmc_x86_cpu *x, unsigned int nr)
{
	if (!nr)
		return;
	x->strays = min(x->strays + nr, PMC_X86_MAX_LATE);
	x->stray_until = pmc_cycles() + pmc_x86_late_window();
}

/* All others belong to other users of NMIs, which may need many. */
static inline bool pmc_x86_is_late(struct pmc_x86_cpu *x)
{
	if (x->stray_until - pmc_cycles() > pmc_x86_late_window())
		x->strays = 0;
	if (!x->strays)
		return false;
	x->strays--;
	return true;
}

/**
 * pmc_x86_forget_overflow - an overflow has been seen to without its NMI
 * @x: this CPU
 * @slot: counter
 *
 * Context: Interrupts off, in a hook.
 */
static inline void pmc_x86_forget_overflow(struct pmc_x86_cpu *x, unsigned int slot)
{
	u64 bit = BIT_ULL(x->pmu->counter[slot].bit);

	if (!(x->heard & bit))
		pmc_x86_expect_late(x, 1);
	x->heard &= ~bit;
	pmc_x86_take_back(x, bit);
}

#endif /* PMC_X86_LATE_NMI_H */
