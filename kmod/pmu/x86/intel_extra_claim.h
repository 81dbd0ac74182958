/* SPDX-License-Identifier: GPL-2.0 */
/* Claims of the second registers of Intel's events. */
#ifndef PMC_INTEL_EXTRA_CLAIM_H
#define PMC_INTEL_EXTRA_CLAIM_H

#include <linux/types.h>

struct pmc_core_type;
struct pmc_err;
struct pmc_hw_event;
struct pmc_x86_pmu;

int pmc_intel_claim_extra(const struct pmc_core_type *ct,
			  struct pmc_hw_event *ev, struct pmc_err *err);
void pmc_intel_release_extra(const struct pmc_core_type *ct,
			     const struct pmc_hw_event *ev);
bool pmc_intel_write_extras(const struct pmc_x86_pmu *pmu);

#endif /* PMC_INTEL_EXTRA_CLAIM_H */
