/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_BITOPS_H
#define PMC_SHIM_BITOPS_H

#include <linux/bits.h>
#include <linux/types.h>

static inline unsigned int __ffs64(u64 word)
{
	return __builtin_ctzll(word);
}

/* The position of the highest bit, from 1; 0 if there is none. */
static inline int fls64(u64 word)
{
	return word ? 64 - __builtin_clzll(word) : 0;
}

#endif /* PMC_SHIM_BITOPS_H */
