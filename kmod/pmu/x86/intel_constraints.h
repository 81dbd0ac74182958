/* SPDX-License-Identifier: GPL-2.0 */
/* Properties of Intel's models that CPUID does not report. */
#ifndef PMC_INTEL_CONSTRAINTS_H
#define PMC_INTEL_CONSTRAINTS_H

#include "pmu/x86/x86_encode.h"

const struct pmc_x86_constraint *
pmc_intel_constraints(unsigned int family, unsigned int model, bool atom);
bool pmc_intel_leaks(unsigned int family, unsigned int model);
unsigned int pmc_intel_least_left(unsigned int family, unsigned int model);
bool pmc_intel_is_left_to_perf(unsigned int family, unsigned int model);

#endif /* PMC_INTEL_CONSTRAINTS_H */
