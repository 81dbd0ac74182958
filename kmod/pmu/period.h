/* SPDX-License-Identifier: GPL-2.0 */
/* Sampling periods, one after another. */
#ifndef PMC_PERIOD_H
#define PMC_PERIOD_H

#include <linux/compiler.h>
#include <linux/math64.h>
#include <linux/types.h>

/**
 * pmc_next_period - events left of the period in force
 * @left: events that were left of the one that is over: 0 or less
 * @period: sampling period
 *
 * Whole periods that have passed as well are skipped.
 */
static inline s64 pmc_next_period(s64 left, u64 period)
{
	if (unlikely(left <= -(s64)period))
		left += div64_u64(-left, period) * period;
	return left + period;
}

#endif /* PMC_PERIOD_H */
