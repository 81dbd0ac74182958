/* SPDX-License-Identifier: GPL-2.0 */
/* Events that most core types have. */
#ifndef PMC_GENERIC_H
#define PMC_GENERIC_H

#include "include/pmctrack/monitoring_module.h"

struct pmc_core_type;

const char *pmc_generic_event(const struct pmc_core_type *ct,
			      enum pmc_generic event);

#endif /* PMC_GENERIC_H */
