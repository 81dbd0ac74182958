/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Preset events, and events that users define by formulas. */
#ifndef PAPI_PRESETS_H
#define PAPI_PRESETS_H

#include <pmctrack.h>

#include "event_core_types.h"
#include "papi.h"

/* PAPI_OK, PAPI_ENOMEM, or PAPI_EINVAL: a table of the user's is malformed. */
int presets_init(const pmc_machine_t *machine);
void presets_exit(void);

/* By code or name; NULL: there is none, or the machine cannot count it. */
const struct papi_event *preset_by_code(unsigned int code);
const struct papi_event *preset_by_name(const char *name);

/* The native_part_fn of natives_init() */
int preset_add_part(struct papi_event *event, int core_type, const char *name);

/* Number of presets that the machine can count */
int presets_nr_available(void);

/* As native_enumerate(), for presets and user events; PAPI_ENOEVNT past the last */
int preset_enumerate(unsigned int *code, int modifier);

/* Is @code that of a preset which PAPI defines, whether the machine can count it or not? */
int preset_exists(unsigned int code);

/* Fill what is known about a preset: names, descriptions, terms. PAPI_OK or PAPI_ENOTPRESET. */
int preset_info(unsigned int code, PAPI_event_info_t *info);

/* The name of a preset, whether the machine can count it or not; NULL: none has this code. */
const char *preset_name(unsigned int code);

/* The code of a preset's name likewise; 0: there is none. */
unsigned int preset_code(const char *name);

#endif
