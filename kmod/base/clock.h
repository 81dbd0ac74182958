/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock that measures threads' time on their CPUs: where each CPU has a
 * counter, that is one instruction to read, and converted only when a sample is
 * taken; elsewhere the kernel's clock, in ns.
 */
#ifndef PMC_CLOCK_H
#define PMC_CLOCK_H

#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/timex.h>
#ifdef CONFIG_ARM64
#include <linux/jump_label.h>
#include <asm/arch_timer.h>

/*
 * On some CPU the counter now and then shows a wrong value, which only the kernel knows
 * how to work around (Documentation/arch/arm64/silicon-errata.rst).
 */
DECLARE_STATIC_KEY_FALSE(pmc_counter_unstable);
u64 pmc_cycles_stable(void);
#endif
#ifdef CONFIG_X86
#include <asm/tsc.h>
#endif

/* Only differences on one CPU mean anything. Any context. */
static __always_inline u64 pmc_cycles(void)
{
#ifdef CONFIG_ARM64
	if (static_branch_unlikely(&pmc_counter_unstable))
		return pmc_cycles_stable();
	return read_sysreg(cntvct_el0);
#elif defined(CONFIG_X86)
	return get_cycles();
#else
	return ktime_get_mono_fast_ns();
#endif
}

/* A counter that has been set back, by a migration of the machine, gives 0. */
static inline u64 pmc_cycles_to_ns(u64 cycles)
{
	if ((s64)cycles < 0)
		return 0;
#if defined(CONFIG_ARM64)
	return mul_u64_u32_div(cycles, NSEC_PER_SEC, arch_timer_get_cntfrq());
#elif defined(CONFIG_X86)
	return mul_u64_u32_div(cycles, USEC_PER_SEC, tsc_khz);
#else
	return cycles;
#endif
}

int pmc_cycles_init(void);

static inline u64 pmc_cycles_per_tick(void)
{
#if defined(CONFIG_ARM64)
	return arch_timer_get_cntfrq() / HZ;
#elif defined(CONFIG_X86)
	return tsc_khz * (u64)MSEC_PER_SEC / HZ;
#else
	return NSEC_PER_SEC / HZ;
#endif
}

#endif /* PMC_CLOCK_H */
