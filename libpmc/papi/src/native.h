/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native events: those of the core types' event tables, by name and by code. */
#ifndef PAPI_NATIVE_H
#define PAPI_NATIVE_H

#include "event_core_types.h"

/*
 * Add the part of a preset on a core type, if that one can count it. PAPI_OK, PAPI_ENOMEM, or
 * PAPI_ENOTPRESET: no preset has this name.
 */
typedef int native_part_fn(struct papi_event *event, int core_type, const char *name);

/* The first call. @add_preset knows presets in names such as adl_glc::PAPI_L2_DCM. */
void natives_init(native_part_fn *add_preset);

/* By code; NULL: no event has this code yet. */
const struct papi_event *native_by_code(unsigned int code);

/*
 * By name. An event that has not been asked for before is looked up, and gets a code. NULL
 * with *@error set to PAPI_ENOEVNT or PAPI_ENOMEM.
 */
const struct papi_event *native_by_name(const char *name, int *error);

/*
 * The next event after @code in the list of a component's events.
 * @code: in and out
 * @modifier: PAPI_ENUM_FIRST, PAPI_ENUM_EVENTS, PAPI_NTV_ENUM_UMASKS or
 *	PAPI_NTV_ENUM_UMASK_COMBOS
 *
 * Return: PAPI_OK; PAPI_EINVAL past the last; PAPI_ENOMEM.
 */
int native_enumerate(unsigned int *code, int modifier, int component);

/* Number of events in the list of a component's events */
int native_count(int component);

/* Number of unit masks that an event of the list has */
int native_nr_umasks(const struct papi_event *event);

void natives_exit(void);

#endif
