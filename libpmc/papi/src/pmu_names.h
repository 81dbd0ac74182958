/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The part of an event's name before "::", which says on which core types it is counted. */
#ifndef PAPI_PMU_NAMES_H
#define PAPI_PMU_NAMES_H

#include <stddef.h>
#include <pmctrack.h>

/*
 * The name for events of a core type: libpfm4's of its PMU, or the kernel's. Several core types may
 * have the same.
 */
void pmu_name(const pmc_machine_t *machine, int core_type, char *name, size_t size);

/* The same for events of this core type only: its own name, if another one's PMU has the same. */
void pmu_name_of_one(const pmc_machine_t *machine, int core_type, char *name, size_t size);

/* Is @name, of @len bytes, one of the core type: libpfm4's or the kernel's of its PMU, or its own? */
int pmu_is(const pmc_machine_t *machine, int core_type, const char *name, size_t len);

/*
 * An event without the names of component and PMU.
 * @pmu, @pmu_len: out: the name of the PMU; NULL: every core type
 * @words: out: the event in libpmctrack's words, at most @size bytes
 *
 * Return: PAPI_OK; PAPI_ENOEVNT: another component's name, or too long.
 */
int pmu_split(const char *event, const char **pmu, size_t *pmu_len, char *words, size_t size);

#endif
