/* SPDX-License-Identifier: GPL-2.0 */
/* x86 counters that are all ours, on a CPU. */
#ifndef PMC_X86_EXCLUSIVE_H
#define PMC_X86_EXCLUSIVE_H

#include <linux/percpu.h>
#include <linux/types.h>
#include "pmu/backend.h"
#include "pmu/x86/x86_pmu.h"

/**
 * struct pmc_x86_slot - a counter of a CPU, without the part that a switch reads
 * @config: what it counts, as encoded
 * @period: sampling period, 0: it is not to interrupt
 * @left: events that were left of the period at the CPU's @count
 */
struct pmc_x86_slot {
	u64 config;
	u64 period;
	s64 left;
};

/**
 * struct pmc_x86_cpu - the counters of a CPU
 * @pmu: their description
 * @mask: bits that they have
 * @used: slots that are claimed
 * @fixed_ctrl: the value of IA32_FIXED_CTR_CTRL
 * @had_global: the value of the global control register before the first claim
 * @heard: overflow bits that an NMI has found while a hook was at work
 * @strays: NMIs that may still come for overflows that were seen to already
 * @stray_until: pmc_cycles() until which they may
 * @count: of each slot, events since the claim, up to when the counter was @prev
 * @prev: what the counter showed then
 * @rdpmc: what RDPMC calls it
 * @slot: the rest of each
 *
 * At any moment @count + ((counter - @prev) & mask) is the number of events
 * since the claim. These are arrays, as an instruction finds an element of such
 * a size by its number.
 *
 * Changed on this CPU alone, with interrupts off: by the hooks, between
 * pmc_cpu_begin() and pmc_cpu_end(), or by the NMI outside of that.
 */
struct pmc_x86_cpu {
	const struct pmc_x86_pmu *pmu;
	u64 mask;
	u64 used;
	u64 fixed_ctrl;
	u64 had_global;
	u64 heard;
	unsigned int strays;
	u64 stray_until;
	u64 count[PMC_X86_MAX_SLOTS];
	u64 prev[PMC_X86_MAX_SLOTS];
	u32 rdpmc[PMC_X86_MAX_SLOTS];
	struct pmc_x86_slot slot[PMC_X86_MAX_SLOTS];
};

DECLARE_PER_CPU(struct pmc_x86_cpu, pmc_x86_cpus);

void pmc_x86_write_event(struct pmc_x86_cpu *x, unsigned int slot, u64 config);
void pmc_x86_update(struct pmc_x86_cpu *x, unsigned int slot);
void pmc_x86_set_period(struct pmc_x86_cpu *x, unsigned int slot);
void pmc_x86_set_period_running(struct pmc_x86_cpu *x, unsigned int slot);
pmc_backend_count_t pmc_x86_load, pmc_x86_unload;
void pmc_x86_arm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev, s64 left);
s64 pmc_x86_disarm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev, s64 left);
bool pmc_x86_caliper(struct pmc_cpu *cpu, const struct pmc_evset *set,
		     struct pmc_caliper_page *page);
void pmc_x86_clear_dirty(struct pmc_cpu *cpu);

#endif /* PMC_X86_EXCLUSIVE_H */
