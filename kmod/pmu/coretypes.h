/* SPDX-License-Identifier: GPL-2.0 */
/* Core types: CPUs that are alike, and their counters. */
#ifndef PMC_CORETYPES_H
#define PMC_CORETYPES_H

#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/types.h>
#include "pmu/event_set.h"
#include "uapi/pmctrack.h"

/* Not one event alone, or one with a sampling period or a second register. */
#define PMC_MIXED	U64_MAX

/**
 * struct pmc_core_type - CPUs that are alike
 * @id: index in pmc_core_types[]
 * @name: "big", "little", ... or what core_types= says
 * @pmu: name of the kernel's PMU that serves it, or "none"
 * @cpus: its CPUs
 * @capacity: the kernel's relative capacity (1024 is the biggest)
 * @cpuid: MIDR on Arm, CPUID leaf 1 EAX on x86
 * @native_type: the processor's number of the kind of core; 0: none
 * @native_model: which core of this kind, where it says that
 * @perf_type: perf's number of its PMU
 * @no_interrupt: perf has no interrupt of this PMU: nothing notices that a counter wraps
 * @nr_hw: hardware counters: slots 0 to nr_hw - 1; see pmc_first_software
 * @absent: slots below nr_hw that have no counter
 * @fixed: slots that count one event only
 * @fixed_names: what each of them counts, from the lowest slot on
 * @nr_general: counters that are not for one event alone; 0: as many as such slots
 * @interrupts: slots that can raise an overflow interrupt
 * @private_irq: armv8: each CPU has the PMU's interrupt line for itself
 * @event_bits: armv8: width of an event's number
 * @common: architected events 0x0 to 0x3f that it implements, one bit each
 * @common_ext: the same for 0x4000 to 0x403f
 * @common_known: whether the two bitmaps mean anything
 * @users: event sets that are placed on each slot, whether they count or not
 * @sole_config: the event that all of these count there, or PMC_MIXED
 * @claims: event sets that want each slot claimed
 * @kept: slots that stay claimed for a second after their last event set, one bit each
 * @bound: the event that each slot was claimed for; where several use it, and fewer counters
 *	can count one of them than the others, that one
 * @unprivileged: unprivileged sessions that have reserved each slot
 * @syswide: slots that system-wide sessions have for themselves
 * @syswide_pinned: those of them that privileged sessions have, which are never revoked
 */
struct pmc_core_type {
	unsigned int id;
	char name[16];
	char pmu[32];
	cpumask_t cpus;
	unsigned long capacity;
	u32 cpuid;
	u32 native_type;
	u32 native_model;
	u32 perf_type;
	bool no_interrupt;
	unsigned int nr_hw;
	u64 absent;
	u64 fixed;
	const char *const *fixed_names;
	unsigned int nr_general;
	u64 interrupts;
	bool private_irq;
	unsigned int event_bits;
	u64 common;
	u64 common_ext;
	bool common_known;
	unsigned int users[PMC_MAX_SLOTS];
	u64 sole_config[PMC_MAX_SLOTS];
	unsigned int claims[PMC_MAX_SLOTS];
	u64 kept;
	struct pmc_hw_event bound[PMC_MAX_SLOTS];
	unsigned int unprivileged[PMC_MAX_SLOTS];
	u64 syswide;
	u64 syswide_pinned;
};

extern struct pmc_core_type *pmc_core_types;
extern unsigned int pmc_nr_core_types;

int pmc_core_types_init(const char *override);
void pmc_core_types_exit(void);
struct pmc_core_type *pmc_core_type_of(unsigned int cpu);
struct pmc_core_type *pmc_core_type_like(unsigned int cpu);
bool pmc_core_type_faster(const struct pmc_core_type *a,
			  const struct pmc_core_type *b);

/* Slots of counters that are not for one event alone. */
static inline u64 pmc_general_slots(const struct pmc_core_type *ct)
{
	return ct->nr_hw ? GENMASK_ULL(ct->nr_hw - 1, 0) & ~ct->fixed & ~ct->absent : 0;
}

#endif /* PMC_CORETYPES_H */
