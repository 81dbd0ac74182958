/* SPDX-License-Identifier: GPL-2.0 */
/* x86 counters beside perf. */
#ifndef PMC_X86_SHARED_H
#define PMC_X86_SHARED_H

#include <linux/percpu.h>
#include <linux/types.h>
#include "pmu/backend.h"
#include "pmu/x86/x86_pmu.h"

struct perf_event;

/*
 * By slot of a CPU: the event, as hw.config is to be, that cannot be counted on the counter
 * that perf chose, or 0 if the slot has the counter that it needs. x86_shared_claim.c has
 * perf place the slot anew before long.
 */
DECLARE_PER_CPU(u64 [PMC_X86_MAX_SLOTS], pmc_x86_misplaced);

void pmc_x86_shared_init(void);
void pmc_x86_shared_exit(void);
pmc_backend_count_t pmc_x86_shared_load, pmc_x86_shared_unload;
void pmc_x86_shared_arm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev,
			s64 left);
s64 pmc_x86_shared_disarm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev,
			  s64 left);
bool pmc_x86_shared_caliper(struct pmc_cpu *cpu, const struct pmc_evset *set,
			    struct pmc_caliper_page *page);
void pmc_x86_shared_clear_dirty(struct pmc_cpu *cpu);
void pmc_x86_shared_write(struct perf_event *e, u64 config);

#endif /* PMC_X86_SHARED_H */
