/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_LOG2_H
#define PMC_SHIM_LOG2_H

#include <linux/types.h>

static inline u64 roundup_pow_of_two(u64 n)
{
	u64 power = 1;

	while (power < n)
		power *= 2;

	return power;
}

#endif /* PMC_SHIM_LOG2_H */
