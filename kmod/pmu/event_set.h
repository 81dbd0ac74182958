/* SPDX-License-Identifier: GPL-2.0 */
/* Events that are placed on counters. */
#ifndef PMC_EVENT_SET_H
#define PMC_EVENT_SET_H

#include <linux/types.h>
#include "uapi/pmctrack.h"

/**
 * struct pmc_hw_event - an event on a hardware counter
 * @config: what the backend writes to count it
 * @ebs: sampling period in events, 0 for none
 * @extra: what a second register is to hold for it, on all CPUs of the core
 *	type; 0: it needs none
 * @slots: slots it may be placed on, one bit each
 * @counters: counters that can count it, as the backend says
 * @number: the N of pmcN by which clients know its counter
 * @slot: counter that counts it
 * @user: counted in user mode
 * @kernel: counted in kernel mode
 */
struct pmc_hw_event {
	u64 config;
	u64 ebs;
	u64 extra;
	u64 slots;
	u64 counters;
	u8 number;
	u8 slot;
	bool user;
	bool kernel;
};

/**
 * struct pmc_evset - events that are counted together on one core type
 * @index: its number on that core type
 * @nr: counts in a record
 * @nr_hw: entries of @hw
 * @nr_sw: entries of @sw
 * @nr_uncore: entries of @hw behind those @nr_hw
 * @nr_ebs: entries of @hw that have a sampling period
 * @core_type: where it applies
 * @id: no other set ever has the same; not 0
 * @slots: slots of @hw, one bit each
 * @slot: the same, one after the other as in @hw: all of it that a switch has
 *	to look at
 * @acc: where its totals begin in a thread's (and session's) array
 * @next: the set after it in the rotation; itself when there is one only
 * @hw: events on hardware counters; behind them those on counters that CPUs
 *	share, whose slot is an enum pmc_uncore
 * @sw: software counters, enum pmc_sw
 * @pos: where each count belongs in a record: those of @hw, then of @sw, then
 *	of shared counters, which is the order we keep counts in
 *
 * Never changes while a thread uses it.
 */
struct pmc_evset {
	u8 index;
	u8 nr;
	u8 nr_hw;
	u8 nr_sw;
	u8 nr_uncore;
	u8 nr_ebs;
	u8 core_type;
	u64 id;
	u64 slots;
	u8 slot[PMC_MAX_COUNTS];
	unsigned int acc;
	const struct pmc_evset *next;
	struct pmc_hw_event hw[PMC_MAX_COUNTS];
	u8 sw[PMC_MAX_COUNTS];
	u8 pos[PMC_MAX_COUNTS];
};

#endif /* PMC_EVENT_SET_H */
