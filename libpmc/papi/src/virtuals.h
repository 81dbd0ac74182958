/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Virtual counters: values of pmctrack's monitoring modules, such as energy, as events of PAPI's. */
#ifndef PAPI_VIRTUALS_H
#define PAPI_VIRTUALS_H

#include <pmctrack.h>

#include "event_core_types.h"
#include "papi.h"

/* The name of the component, before the name of a virtual counter */
#define VIRTUAL_PREFIX	"pmctrack:::"

struct target;
struct virtual_counting;

/*
 * Check that a name is an active event of this component. Return: PAPI_OK, PAPI_ENOEVNT, or
 * PAPI_ENOCMP without the module.
 */
int virtual_check(const char *name);

/* Call @fn with the name of each active virtual counter, and a line about it. */
int virtual_each(int (*fn)(void *arg, const char *name, const char *desc), void *arg);

/* Fill what is known about an event: unit, type of value. */
void virtual_info(const struct papi_event *event, PAPI_event_info_t *info);

/*
 * Read the virtual counters among the events of an EventSet. @out: NULL: there are none. PAPI_OK
 * or PAPI_E*. Values of threads are read for the calling thread, others for CPUs.
 */
int virtual_open(struct virtual_counting **out, const struct papi_event *const *events, int nr,
		 const struct target *target);
void virtual_close(struct virtual_counting *v);
int virtual_start(struct virtual_counting *v);
/* Store the values since the start at the places of their events. */
int virtual_read(struct virtual_counting *v, long long *values);
/* Can only the thread that opened it read it? */
int virtual_is_own(const struct virtual_counting *v);
void virtual_restart(struct virtual_counting *v);

#endif
