/* SPDX-License-Identifier: GPL-2.0 */
/* Generic events on x86. */
#ifndef PMC_X86_GENERIC_EVENTS_H
#define PMC_X86_GENERIC_EVENTS_H

#include "include/pmctrack/monitoring_module.h"

struct pmc_core_type;

const char *pmc_intel_generic(const struct pmc_core_type *ct, enum pmc_generic event);
const char *pmc_amd_generic(const struct pmc_core_type *ct, enum pmc_generic event);
const char *pmc_x86_generic(const struct pmc_core_type *ct, enum pmc_generic event);

#endif /* PMC_X86_GENERIC_EVENTS_H */
