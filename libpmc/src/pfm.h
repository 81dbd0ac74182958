/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Event names of libpfm4. */
#ifndef LIBPMC_PFM_H
#define LIBPMC_PFM_H

#include "format_event.h"

/* The value of a core type's member pfm_pmu before pfm_pmu_of() is called */
#define PFM_NOT_ASKED	(-2)

/*
 * Return: libpfm4's PMU for the kernel's name of a core type's PMU, or for the model; -1 if
 * there is none. libpfm4 is initialised by the first call and not earlier, because libpfm4 then
 * opens a file for each of the kernel's tracepoints (27 million instructions, as root).
 */
int pfm_pmu_of(const struct core_type *ct);
int pfm_pmu_by_name(const char *name);
const char *pfm_pmu_name(int pmu);

/*
 * Encode the name ev->base as an event of @pmu. Returns 1 if done, 0 if there is no such
 * name, -1 with an error line if the event cannot be counted.
 */
int pfm_encode(struct event *ev, int pmu);

/* Call @fn for each event and unit mask; see pmc_machine_each_event(). */
int pfm_each_event(int pmu, int (*fn)(void *arg, const struct pmc_event_info *ev),
		   void *arg);

#endif
