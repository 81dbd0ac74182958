/* SPDX-License-Identifier: GPL-2.0 */
/* The totals of a thread, which grow while other CPUs read them. */
#ifndef PMC_TOTAL_H
#define PMC_TOTAL_H

#include <linux/atomic.h>
#include <linux/types.h>

/*
 * By the atomics, as on 32-bit processors a plain load or store is two.
 */
static inline void pmc_total_add(u64 *total, u64 n)
{
	atomic64_set((atomic64_t *)total, *total + n);
}

static inline u64 pmc_total_read(const u64 *total)
{
	return atomic64_read((const atomic64_t *)total);
}

#endif /* PMC_TOTAL_H */
