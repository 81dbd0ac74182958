/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Readings of an EventSet with the values apart by core type, for the high level. */
#ifndef PAPI_BY_CORE_TYPE_H
#define PAPI_BY_CORE_TYPE_H

#include <pmctrack.h>

/* From now on the high level reports each core type of a machine that has several. */
void by_core_type_init(const pmc_machine_t *machine);

#endif
