/* SPDX-License-Identifier: GPL-2.0 */
/* Claims of x86 counters beside perf. */
#ifndef PMC_X86_SHARED_CLAIM_H
#define PMC_X86_SHARED_CLAIM_H

#include <linux/types.h>

struct pmc_core_type;
struct pmc_cpu;
struct pmc_err;
struct pmc_hw_event;

u64 pmc_x86_shared_counters(const struct pmc_core_type *ct, u64 config);
int pmc_x86_shared_claim(unsigned int cpu, const struct pmc_hw_event *ev,
			 struct pmc_err *err);
int pmc_x86_shared_fit(unsigned int cpu, const struct pmc_hw_event *ev,
		       struct pmc_err *err);
int pmc_x86_shared_claim_extra(const struct pmc_core_type *ct,
			       struct pmc_hw_event *ev, struct pmc_err *err);
void pmc_x86_shared_release_extra(const struct pmc_core_type *ct,
				  const struct pmc_hw_event *ev);
bool pmc_x86_shared_reacquire(struct pmc_cpu *cpu);

#endif /* PMC_X86_SHARED_CLAIM_H */
