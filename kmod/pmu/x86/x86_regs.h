/* SPDX-License-Identifier: GPL-2.0 */
/* Reading and writing the registers of counters. */
#ifndef PMC_X86_REGS_H
#define PMC_X86_REGS_H

#include <linux/bits.h>
#include <linux/types.h>
#include <base/compat.h>
#include "pmu/x86/x86_encode.h"

/* Both halves fill their registers: nothing is left to extend. */
static __always_inline u64 pmc_x86_rdpmc(u32 index)
{
	u64 low, high;

	asm volatile("rdpmc" : "=a" (low), "=d" (high) : "c" (index));
	return low | high << 32;
}

/*
 * Without a status register an overflow is known by the counter's value alone. So many
 * events may pass, in kernel mode, from when a counter is read to when it is written: it
 * may overflow between the two, and its NMI find nothing.
 */
#define PMC_X86_IN_FLIGHT	256

static inline bool pmc_x86_in_flight(u64 config, s64 left)
{
	return left <= (config & PMC_X86_OS ? PMC_X86_IN_FLIGHT : 0);
}

/* Neither is traced: they are for NMIs and run-queue locks. */
static __always_inline u64 pmc_x86_rdmsr(u32 msr)
{
	return __rdmsr(msr);
}

static __always_inline void pmc_x86_wrmsr(u32 msr, u64 value)
{
	native_wrmsrq(msr, value);
}

/* 0x40 stands for bit 30 of RDPMC's operand: a fixed counter. */
static inline u8 pmc_x86_caliper_name(u32 rdpmc)
{
	return (rdpmc & 0x3f) | (rdpmc & BIT(30) ? 0x40 : 0);
}

#endif /* PMC_X86_REGS_H */
