/* SPDX-License-Identifier: GPL-2.0 */
/* Last-level caches: which CPUs share each, and what each RMID uses of each */
#ifndef PMC_CMT_DOMAINS_H
#define PMC_CMT_DOMAINS_H

#include <linux/cpumask.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "hardware.h"
#include "mbm_extend.h"

/**
 * struct cmt_use - what an RMID uses of a cache
 * @lines: units of occupancy when it was looked at last, or CMT_UNAVAILABLE
 * @traffic: total and local traffic
 */
struct cmt_use {
	u64 lines;
	struct cmt_counter traffic[2];
};

/**
 * struct cmt_mask - the mask of a class of a cache's
 * @own: what it was before us; 0: we did not change it
 * @ours: what we wrote last
 */
struct cmt_mask {
	u64 own;
	u64 ours;
};

/**
 * struct cmt_domain - a last-level cache
 * @id: its number, from CPUID
 * @node: NUMA node of its first CPU
 * @cpus: CPUs that share it and are online
 * @pair_lock: for its pair of registers, where the CPUs share one
 * @masks: by class
 * @use: by RMID
 */
struct cmt_domain {
	u32 id;
	int node;
	struct cpumask cpus;
	raw_spinlock_t pair_lock;
	struct cmt_mask *masks;
	struct cmt_use use[];
};

int cmt_domains_start(void (*came)(struct cmt_domain *domain));
void cmt_domains_stop(void);
void cmt_domains_suspend(void);
void cmt_domains_resume(void);
void cmt_domains_look(bool (*wanted)(u32 rmid));
void cmt_domains_each(void (*fn)(struct cmt_domain *domain));
unsigned int cmt_domains_nr(void);
u64 cmt_domains_residue(u32 rmid);
u64 cmt_value(u32 rmid, enum cmt_event event);
u64 cmt_traffic_so_far(u32 rmid, enum cmt_event event);

#endif /* PMC_CMT_DOMAINS_H */
