/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What programs are shown of a preset's formula that is not that of its definition */
#ifndef PAPI_PRESET_DESCRIBE_H
#define PAPI_PRESET_DESCRIBE_H

#include "event_core_types.h"
#include "papi.h"

/*
 * Fill the type of derivation, and the sum of the core types' formulas, of which there may be one:
 * term N of a formula is the Nth of all terms. A sum over core types alone is no derived event:
 * each core type counts the preset by one native event.
 */
void preset_describe_sum(const struct papi_event *event, PAPI_event_info_t *info);

#endif
