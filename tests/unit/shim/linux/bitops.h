/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_BITOPS_H
#define PMC_SHIM_BITOPS_H

#include <linux/bits.h>
#include <linux/types.h>

static inline unsigned int __ffs64(u64 word)
{
	return __builtin_ctzll(word);
}

#endif /* PMC_SHIM_BITOPS_H */
