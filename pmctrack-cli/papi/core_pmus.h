/* SPDX-License-Identifier: GPL-2.0 */
/* The core types of the machine, by the PMUs that events are named after. */
#ifndef PMCTRACK_PAPI_CORE_PMUS_H
#define PMCTRACK_PAPI_CORE_PMUS_H

#include <stddef.h>

#include <papi.h>

/* The hardware of today has three; a machine with more is shown without the others. */
#define CORE_PMUS_MAX 8

/**
 * struct core_pmus - PMUs of core types
 * @nr: how many; 0 or 1: the machine's cores are equal
 * @name: their names, as adl_glc in adl_glc::INST_RETIRED
 */
struct core_pmus {
	int nr;
	char name[CORE_PMUS_MAX][PAPI_MIN_STR_LEN];
};

/* Find them. Their order is PAPI's, and need not be that of its devices. */
void core_pmus_find(struct core_pmus *types);

/* Index of the core type that the event @name is named after; -1: none */
int core_pmus_of_name(const struct core_pmus *types, const char *name);

/* Length of the name of the PMU before `::`; 0: the event has none */
size_t core_pmus_length(const char *name);

/* The core types that an event is counted on: bit N is core type N. 0: it belongs to none */
unsigned int core_pmus_of_event(const struct core_pmus *types, const PAPI_event_info_t *info);

/* All core types, as core_pmus_of_event() has them */
unsigned int core_pmus_all(const struct core_pmus *types);

#endif
