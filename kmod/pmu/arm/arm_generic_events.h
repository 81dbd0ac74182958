/* SPDX-License-Identifier: GPL-2.0 */
/* Generic events on Arm. */
#ifndef PMC_ARM_GENERIC_EVENTS_H
#define PMC_ARM_GENERIC_EVENTS_H

#include "include/pmctrack/monitoring_module.h"

struct pmc_core_type;

const char *pmc_arm_generic(const struct pmc_core_type *ct, enum pmc_generic event);

#endif /* PMC_ARM_GENERIC_EVENTS_H */
