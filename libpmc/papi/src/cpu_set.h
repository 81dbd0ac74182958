/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sets of CPUs. */
#ifndef PAPI_CPU_SET_H
#define PAPI_CPU_SET_H

#include <stdint.h>

#define MAX_CPUS 8192	/* as many as Linux has */

struct cpus {
	uint64_t words[MAX_CPUS / 64];
};

static inline void cpus_add(struct cpus *set, int cpu)
{
	set->words[cpu / 64] |= 1ULL << cpu % 64;
}

static inline int cpus_has(const struct cpus *set, int cpu)
{
	return set->words[cpu / 64] >> cpu % 64 & 1;
}

int cpus_count(const struct cpus *set);

/** cpus_next - the first CPU of a set after @cpu; -1: there is none. Begin with -1 */
int cpus_next(const struct cpus *set, int cpu);

#define for_each_cpu(cpu, set) \
	for ((cpu) = cpus_next((set), -1); (cpu) >= 0; (cpu) = cpus_next((set), (cpu)))

/** cpus_parse - a set from a list, "0-3,8". Return: 0; -1: this is no list */
int cpus_parse(struct cpus *set, const char *list);

/** cpus_read - a set from a file that has such a list; @path is below @root */
int cpus_read(struct cpus *set, const char *root, const char *path);

#endif /* PAPI_CPU_SET_H */
