/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's counters as its drivers for Arm's PMUs have them. */
#ifndef PMC_ARM_KCOUNTER_H
#define PMC_ARM_KCOUNTER_H

#include <linux/version.h>
#include "kcounter.h"

/*
 * The physical counter of a kernel counter, from hw.idx. That is the number of
 * the counter since 6.12; before, 0 was the cycle counter and event counter n
 * was n + 1.
 */
static __always_inline unsigned int pmc_arm_counter_of(int idx)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	return idx;
#else
	return (idx - 1) & 31;
#endif
}

int pmc_arm_claim(unsigned int cpu, unsigned int slot, u64 config,
		  struct pmc_err *err);

#endif /* PMC_ARM_KCOUNTER_H */
