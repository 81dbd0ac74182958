/* SPDX-License-Identifier: GPL-2.0 */
/* x86 counters beside perf. */
#ifndef PMC_X86_SHARED_H
#define PMC_X86_SHARED_H

#include <linux/types.h>
#include "pmu/backend.h"

struct perf_event;

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
