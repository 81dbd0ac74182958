/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The PMU's registers: coprocessor 15, c9 (Arm ARM ARMv7-A, DDI 0406C,
 * B4.1.111-B4.1.132). Tests put a register file of their own in place of this
 * header.
 */
#ifndef PMC_ARMV7_REGS_H
#define PMC_ARMV7_REGS_H

#include <linux/types.h>
#include <asm/barrier.h>

#define ARMV7_REG(name, crm, op2)					\
static __always_inline u32 armv7_read_##name(void)			\
{									\
	u32 value;							\
									\
	asm volatile("mrc p15, 0, %0, c9, " #crm ", " #op2		\
		     : "=r" (value));					\
	return value;							\
}									\
									\
static __always_inline void armv7_write_##name(u32 value)		\
{									\
	asm volatile("mcr p15, 0, %0, c9, " #crm ", " #op2		\
		     : : "r" (value));					\
}

ARMV7_REG(pmcr, c12, 0)
ARMV7_REG(pmcntenset, c12, 1)
ARMV7_REG(pmcntenclr, c12, 2)
ARMV7_REG(pmovsr, c12, 3)	/* a one written clears the flag */
ARMV7_REG(pmselr, c12, 5)
ARMV7_REG(pmccntr, c13, 0)
ARMV7_REG(pmxevtyper, c13, 1)	/* of the counter that PMSELR names */
ARMV7_REG(pmxevcntr, c13, 2)	/* the same */

static __always_inline void armv7_isb(void)
{
	isb();
}

#endif /* PMC_ARMV7_REGS_H */
