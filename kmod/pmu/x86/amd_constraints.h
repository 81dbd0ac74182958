/* SPDX-License-Identifier: GPL-2.0 */
/* Properties of AMD's families that CPUID does not report. */
#ifndef PMC_AMD_CONSTRAINTS_H
#define PMC_AMD_CONSTRAINTS_H

#include "pmu/x86/x86_encode.h"

const struct pmc_x86_constraint *pmc_amd_constraints(unsigned int family);

#endif /* PMC_AMD_CONSTRAINTS_H */
