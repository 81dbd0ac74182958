/* SPDX-License-Identifier: GPL-2.0 */
/* The PMU of each core type, as a backend describes it: intel.c, amd.c, knc.c. */
#ifndef PMC_X86_PMU_H
#define PMC_X86_PMU_H

#include <linux/perf_event.h>
#include <linux/types.h>
#include "pmu/x86/intel_extra.h"
#include "pmu/x86/x86_encode.h"

struct pmc_core_type;
struct pmc_filters;

/* Slots of a core type: 32 general and 16 fixed counters are the most. */
#define PMC_X86_MAX_SLOTS	48

/**
 * struct pmc_x86_counter - registers of a counter
 * @msr: its value
 * @ctl: its event select register; 0: it is a fixed counter of Intel's
 * @rdpmc: what RDPMC calls it
 * @bit: its bit in the global registers
 */
struct pmc_x86_counter {
	u32 msr;
	u32 ctl;
	u32 rdpmc;
	u8 bit;
};

/**
 * struct pmc_x86_extra - a second register of events, on a core type
 * @value: what it holds
 * @users: events in event sets that want it to; under pmc_cpus_lock
 */
struct pmc_x86_extra {
	u64 value;
	unsigned int users;
};

/**
 * struct pmc_x86_pmu - the PMU of a core type
 * @layout: for encoding events
 * @nr: its slots: the highest that has a counter, and 1
 * @counter: their registers; one whose @msr is 0 is not there
 * @slot_of_bit: the slot of each bit of the global registers
 * @mask: bits that counters have
 * @min_step: events that a counter has to be set to be before its overflow, at least
 * @max_step: and at most
 * @global_ctrl: register that lets counters count by one bit each; 0: none
 * @global_status: register that reports overflows; 0: none
 * @global_reset: register that takes such a bit back
 * @overflow_bits: the bits of our counters there
 * @rdpmc_bits: those of them that RDPMC knows on all core types. On one without the counter, the
 *	instruction is a fault, also of a thread that has just moved there
 * @scan: there is no such register, or perf may take its bits back: overflows
 *	are found by the counters' values
 * @extra: second registers, by enum pmc_intel_extra
 */
struct pmc_x86_pmu {
	struct pmc_x86_layout layout;
	unsigned int nr;
	struct pmc_x86_counter counter[PMC_X86_MAX_SLOTS];
	u8 slot_of_bit[64];
	u64 mask;
	u64 min_step;
	u64 max_step;
	u32 global_ctrl;
	u32 global_status;
	u32 global_reset;
	u64 overflow_bits;
	u64 rdpmc_bits;
	bool scan;
	struct pmc_x86_extra extra[PMC_INTEL_NR_EXTRA];
};

/*
 * The slot whose counter perf has chosen for a kernel counter; PMC_X86_MAX_SLOTS: it is none of
 * the counters that are described here.
 */
static inline unsigned int pmc_x86_slot_of(const struct pmc_x86_pmu *pmu,
					   const struct perf_event *e)
{
	return pmu->overflow_bits & BIT_ULL(e->hw.idx) ? pmu->slot_of_bit[e->hw.idx] :
							 PMC_X86_MAX_SLOTS;
}

void pmc_x86_describe(struct pmc_x86_pmu *pmus);
void pmc_x86_pmu_exit(void);
void pmc_x86_add_counter(struct pmc_x86_pmu *pmu, unsigned int slot, u32 msr,
			 u32 ctl, u32 rdpmc, unsigned int bit);
struct pmc_x86_pmu *pmc_x86_pmu_of(const struct pmc_core_type *ct);
int pmc_x86_encode_for(const struct pmc_core_type *ct,
		       const struct pmc_evreq *req,
		       const struct pmc_filters *filters,
		       u64 *config, u64 *slots, struct pmc_err *err);

#endif /* PMC_X86_PMU_H */
