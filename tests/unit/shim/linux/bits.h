/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_BITS_H
#define PMC_SHIM_BITS_H

#define BIT(nr) (1UL << (nr))
#define BIT_ULL(nr) (1ULL << (nr))
#define GENMASK_ULL(h, l) ((~0ULL >> (63 - (h))) & ~0ULL << (l))

#endif /* PMC_SHIM_BITS_H */
