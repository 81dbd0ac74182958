/* SPDX-License-Identifier: GPL-2.0 */
/* The registers of cache monitoring and allocation */
#ifndef PMC_CMT_HARDWARE_H
#define PMC_CMT_HARDWARE_H

#include <base/compat.h>
#include <linux/bits.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "errata.h"

/* As the registers number them, which is the same for Intel and AMD. */
enum cmt_event {
	CMT_OCCUPANCY = 1,
	CMT_TOTAL = 2,
	CMT_LOCAL = 3,
};

/* The same, as virtual counters and arrays do. */
#define CMT_EVENTS	3
#define CMT_PLACE(event)	((event) - CMT_OCCUPANCY)

/**
 * struct cmt_hardware - what the processors have
 * @nr_rmids: RMIDs, 0 included
 * @events: events there are, BIT(enum cmt_event) each
 * @scale: bytes for each unit of all events
 * @mask: bits of a counter of traffic
 * @cache: bytes of a cache
 * @nr_classes: classes of service of cache allocation; 0: there is none
 * @ways: bits of a class's mask
 * @gaps: a mask's bits need not follow one another
 * @pair_shared: the CPUs of a cache have one QM_EVTSEL and one QM_CTR
 * @assigned: traffic is counted only for RMIDs that have a counter of their own, and
 *	ours have none: @events is without it
 * @errata: its errata
 */
struct cmt_hardware {
	u32 nr_rmids;
	u32 events;
	u32 scale;
	u64 mask;
	u64 cache;
	u32 nr_classes;
	u32 ways;
	bool gaps;
	bool pair_shared;
	bool assigned;
	struct cmt_errata errata;
};

extern struct cmt_hardware cmt_hw;

#define CMT_TRAFFIC_EVENTS	(BIT(CMT_TOTAL) | BIT(CMT_LOCAL))

#define CMT_PQR_ASSOC	0xc8f

bool cmt_find_hardware(void);
u32 cmt_cache_id(void);
bool cmt_traffic_assigned(void);
void cmt_set_pair_lock(raw_spinlock_t *lock);
u64 cmt_read_raw(u32 rmid, enum cmt_event event);
u64 cmt_read_mask(u32 class);
void cmt_write_mask(u32 class, u64 mask);

/*
 * PQR_ASSOC: what this CPU works for. By the bare instructions: a switch is no
 * place for the kernel's tracing of registers.
 */
static __always_inline u64 cmt_read_association(void)
{
	return __rdmsr(CMT_PQR_ASSOC);
}

static __always_inline void cmt_write_association(u32 rmid, u32 class)
{
	native_wrmsrq(CMT_PQR_ASSOC, (u64)class << 32 | rmid);
}

#endif /* PMC_CMT_HARDWARE_H */
