/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Components: PAPI's name for kinds of counters. */
#ifndef PAPI_COMPONENTS_H
#define PAPI_COMPONENTS_H

#include <pmctrack.h>

#include "event_core_types.h"
#include "papi.h"

void components_init(const pmc_machine_t *machine);

/* NULL: there is no such component. */
PAPI_component_info_t *component_get(int component);

#endif
