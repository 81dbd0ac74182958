// SPDX-License-Identifier: GPL-2.0
/* Finds the clock that measures threads' time on their CPUs. */
#include "base/clock.h"

#ifdef CONFIG_ARM64
DEFINE_STATIC_KEY_FALSE(pmc_counter_unstable);

/* Out of line: a switch would take the addresses that it needs on every CPU. Any context. */
notrace u64 pmc_cycles_stable(void)
{
	return __arch_counter_get_cntvct_stable();
}

/* Not known of CPUs that have never been online. */
static bool counter_unstable(void)
{
	bool unstable = false;
#ifdef CONFIG_ARM_ARCH_TIMER_OOL_WORKAROUND
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		unstable |= !!per_cpu(timer_unstable_counter_workaround, cpu);
#endif
	return unstable;
}
#endif

/**
 * pmc_cycles_init - find out how the clock is read
 *
 * Context: May sleep.
 * Return: 0, or -ENODEV: the log says why.
 */
int pmc_cycles_init(void)
{
	if (!pmc_cycles_per_tick()) {
		pr_err("the clock that times are taken by has no known rate (x86: the TSC, arm64: CNTFRQ_EL0)\n");
		return -ENODEV;
	}
#ifdef CONFIG_ARM64
	if (counter_unstable())
		static_branch_enable(&pmc_counter_unstable);
#endif
	return 0;
}
