/* SPDX-License-Identifier: GPL-2.0 */
/* Counters of our own doings, for /proc/pmc/stats. */
#ifndef PMC_STATS_H
#define PMC_STATS_H

#include <linux/atomic.h>
#include <linux/percpu.h>

enum pmc_stat {
	PMC_STAT_SAMPLES,	/* samples taken */
	PMC_STAT_LOST,		/* of these, found the ring full */
	PMC_STAT_THROTTLED,	/* EBS interrupts held back */
	PMC_STAT_COUNTERS_LOST,	/* counters that others had: per sample, per CPU not counted */
	PMC_STAT_POOL_MISSES,	/* threads and CPUs not followed for want of memory */
	PMC_STAT_UNMONITORED,	/* threads that a module could not monitor */
	PMC_STAT_NR
};

DECLARE_PER_CPU(u64[PMC_STAT_NR], pmc_stats);

/* Sessions that are open, threads and CPUs they count. */
extern atomic_t pmc_nr_sessions;
extern atomic_t pmc_nr_threads;

static inline void pmc_stat_inc(enum pmc_stat stat)
{
	this_cpu_inc(pmc_stats[stat]);
}

#endif /* PMC_STATS_H */
