/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Core types: groups of CPUs with equal cores. */
#ifndef PAPI_CORE_TYPES_H
#define PAPI_CORE_TYPES_H

#include "topology.h"

#define MAX_CORE_TYPES 16

/**
 * struct core_type - equal cores
 * @cpus: their CPUs, those that are online
 * @first: the lowest of @cpus
 * @name: "core" if all are equal, else "P", "E", "LPE"; "big", "mid", "little"; or libpmctrack's
 * @speed: in relation to other core types of the machine; 0: not known
 */
struct core_type {
	struct cpus cpus;
	int first;
	char name[16];
	long long speed;
};

/**
 * struct core_types - all of a machine, the fastest first
 * @source: what they were found by: "pmu", "cpuid", "midr", "capacity", "frequency",
 *	"caches"; "libpmctrack": it counts types that the others do not know; "none": nothing says
 *	that cores differ
 */
struct core_types {
	int nr;
	struct core_type types[MAX_CORE_TYPES];
	const char *source;
};

/** core_types_find - find the core types. There is always one at least. */
void core_types_find(struct core_types *types, const struct topology *t, const char *root);

#endif /* PAPI_CORE_TYPES_H */
