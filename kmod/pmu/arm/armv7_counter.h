/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The registers, and the order, in which a counter of ARMv7's PMUv2 is read, set
 * and programmed. A counter has 32 bits; its number is 0 to 30, or
 * ARMV7_CYCLE_COUNTER.
 *
 * An event counter is reached through PMSELR, so each access is two: with
 * interrupts off, or the kernel's driver comes in between and selects another.
 */
#ifndef PMC_ARMV7_COUNTER_H
#define PMC_ARMV7_COUNTER_H

#include "pmu/arm/armv7_encode.h"
#include "pmu/arm/armv7_regs.h"

#define ARMV7_CYCLE_COUNTER	31

/* PMCR.N (DDI 0406C, B4.1.117) */
#define ARMV7_PMCR_N(pmcr)	((pmcr) >> 11 & 0x1f)

static __always_inline void armv7_select(unsigned int n)
{
	armv7_write_pmselr(n);
	/* The next access must be to the counter just named. */
	armv7_isb();
}

static __always_inline u32 armv7_read_counter(unsigned int n)
{
	if (n == ARMV7_CYCLE_COUNTER)
		return armv7_read_pmccntr();
	armv7_select(n);
	return armv7_read_pmxevcntr();
}

static inline void armv7_write_counter(unsigned int n, u32 value)
{
	if (n == ARMV7_CYCLE_COUNTER) {
		armv7_write_pmccntr(value);
		return;
	}
	armv7_select(n);
	armv7_write_pmxevcntr(value);
}

/*
 * Make a counter count something else from here on. It stands still meanwhile:
 * no event of the old kind may be counted as one of the new. Its value stays.
 */
static inline void armv7_program(unsigned int n, u32 config)
{
	armv7_write_pmcntenclr(BIT(n));
	armv7_isb();
	armv7_select(n);
	/* The cycle counter takes the filter only, by the same register. */
	armv7_write_pmxevtyper(n == ARMV7_CYCLE_COUNTER ?
			       config & PMC_ARMV7_FILTER : config);
	armv7_isb();
	armv7_write_pmcntenset(BIT(n));
	armv7_isb();
}

/* Events since the counter was @before: right if they are less than 2^32. */
static __always_inline u32 armv7_since(u32 now, u32 before)
{
	return now - before;
}

/*
 * Where to start a counter that is to overflow after @left more events, or
 * after a part of that. 0 or less: silently, and never later than after half of
 * what it holds, as sums of differences are of 32 bits.
 */
static inline u32 armv7_start_value(s64 left)
{
	return left > 0 && left <= PMC_ARMV7_MAX_STEP ? -(u32)left : 1U << 31;
}

static inline void armv7_clear_overflow(unsigned int n)
{
	armv7_write_pmovsr(BIT(n));
}

#endif /* PMC_ARMV7_COUNTER_H */
