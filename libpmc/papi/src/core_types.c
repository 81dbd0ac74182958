// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Core types. The kernel has no list of them, so several sources are asked, the best first:
 * each gives a key for a CPU, and CPUs with equal keys have equal cores. The first source
 * that has a key for every CPU decides, also when it says that all are equal: frequencies
 * of equal cores may differ, as some are chosen to run faster. If all seem equal, libpmctrack
 * decides, which counts some as types of their own: AMD's dense cores have the PMU of the others.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "caches.h"
#include "core_types.h"
#include "x86_cpuid.h"
#include "cpuinfo.h"
#include "kernel_file.h"
#include "library.h"

#define CPU_FOLDER	"/sys/devices/system/cpu/cpu%d"
#define PMU_FOLDER	"/sys/bus/event_source/devices"
#define CPUID_HYBRID	0x1a	/* leaf: type of this core */
#define CPUID_ATOM	0x20
#define CPUID_CORE	0x40
/* Of MIDR: implementer and part; variant and revision are steppings of the same core */
#define MIDR_CORE	0xff00fff0LL

/* How cores are named that have a name of their own, and in which order they come */
enum kind { KIND_P = 1, KIND_OTHER, KIND_E, KIND_LPE };

/* @name: libpmctrack's; NULL: cores are named by kind and speed */
struct key {
	long long value;
	enum kind kind;
	const char *name;
};

/* A source: keys by CPU for all of @cpus; -1: it does not know one of them */
struct source {
	const char *name;
	int (*read)(struct key *keys, const struct cpus *cpus, const char *root);
};

static enum kind kind_of_pmu(const char *pmu)
{
	if (!strcmp(pmu, "cpu_core"))
		return KIND_P;
	if (!strcmp(pmu, "cpu_atom"))
		return KIND_E;
	return strcmp(pmu, "cpu_lowpower") ? KIND_OTHER : KIND_LPE;
}

/* PMUs of core types have a list of their CPUs, except `cpu`, which all have. */
static void read_pmu(struct key *keys, const struct cpus *all, const char *root,
		     const char *pmu, long long number)
{
	char path[PATH_MAX];
	struct cpus cpus;
	int cpu;

	if (!strcmp(pmu, "cpu")) {
		cpus = *all;
	} else {
		snprintf(path, sizeof(path), PMU_FOLDER "/%s/cpus", pmu);
		if (cpus_read(&cpus, root, path))
			return;
	}
	for_each_cpu(cpu, &cpus)
		keys[cpu] = (struct key){ number, kind_of_pmu(pmu), NULL };
}

/* Return: 0; -1: a CPU has no key. */
static int check_keys(const struct key *keys, const struct cpus *cpus)
{
	int cpu;

	for_each_cpu(cpu, cpus)
		if (!keys[cpu].value)
			return -1;
	return 0;
}

static int read_pmus(struct key *keys, const struct cpus *cpus, const char *root)
{
	struct dirent *entry;
	char path[PATH_MAX];
	int n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s" PMU_FOLDER, root);
	dir = opendir(path);
	if (!dir)
		return -1;
	while ((entry = readdir(dir)))
		if (*entry->d_name != '.')
			read_pmu(keys, cpus, root, entry->d_name, ++n);
	closedir(dir);
	return check_keys(keys, cpus);
}

static int read_cpuid(struct key *keys, const struct cpus *cpus, const char *root)
{
	unsigned int regs[4], type;
	int cpu;

	for_each_cpu(cpu, cpus) {
		if (cpuid_of_cpu(regs, root, cpu, CPUID_HYBRID))
			return -1;
		type = regs[0] >> 24;
		/* CPUs without core types have no such leaf. */
		if (!type)
			return -1;
		keys[cpu].value = type;
		keys[cpu].kind = type == CPUID_CORE ? KIND_P :
				 type == CPUID_ATOM ? KIND_E : KIND_OTHER;
	}
	return 0;
}

static long long read_midr(const char *root, int cpu)
{
	struct cpuinfo info;
	long long midr;

	midr = kernel_file_number(0, root, CPU_FOLDER "/regs/identification/midr_el1", cpu);
	if (midr)
		return midr & MIDR_CORE;
	cpuinfo_read(&info, root, cpu);
	return (long long)info.implementer << 24 | (info.implementer ? info.model << 4 : 0);
}

static int read_midrs(struct key *keys, const struct cpus *cpus, const char *root)
{
	int cpu;

	for_each_cpu(cpu, cpus) {
		keys[cpu] = (struct key){ read_midr(root, cpu), KIND_OTHER, NULL };
		if (!keys[cpu].value)
			return -1;
	}
	return 0;
}

static long long capacity_of(const char *root, int cpu)
{
	return kernel_file_number(0, root, CPU_FOLDER "/cpu_capacity", cpu);
}

static long long frequency_of(const char *root, int cpu)
{
	return kernel_file_number(0, root, CPU_FOLDER "/cpufreq/cpuinfo_max_freq", cpu);
}

/* Caches that a core has for itself. Sizes alone say little, but differ where cores do. */
static long long cache_sizes_of(const char *root, int cpu)
{
	PAPI_mh_info_t info;

	caches_read(&info, root, cpu);
	return (long long)cache_find(&info, 1, PAPI_MH_TYPE_DATA)->size << 32 |
	       cache_find(&info, 2, PAPI_MH_TYPE_UNIFIED)->size;
}

static int read_numbers(struct key *keys, const struct cpus *cpus, const char *root,
			long long (*number_of)(const char *root, int cpu))
{
	int cpu;

	for_each_cpu(cpu, cpus) {
		keys[cpu] = (struct key){ number_of(root, cpu), KIND_OTHER, NULL };
		if (!keys[cpu].value)
			return -1;
	}
	return 0;
}

static int read_capacities(struct key *keys, const struct cpus *cpus, const char *root)
{
	return read_numbers(keys, cpus, root, capacity_of);
}

static int read_frequencies(struct key *keys, const struct cpus *cpus, const char *root)
{
	return read_numbers(keys, cpus, root, frequency_of);
}

static int read_cache_sizes(struct key *keys, const struct cpus *cpus, const char *root)
{
	return read_numbers(keys, cpus, root, cache_sizes_of);
}

static int read_counted(struct key *keys, const struct cpus *cpus, const char *root)
{
	const pmc_machine_t *machine = papi_machine();
	const struct pmc_core_type_info *info;
	struct cpus counted;
	int id, cpu;

	(void)root;
	for (id = 0; machine && (info = pmc_machine_core_type(machine, id)); id++) {
		if (cpus_parse(&counted, info->cpus))
			continue;
		for_each_cpu(cpu, &counted)
			keys[cpu] = (struct key){ id + 1, KIND_OTHER, info->name };
	}
	return check_keys(keys, cpus);
}

static const struct source sources[] = {
	{ "pmu", read_pmus },
	{ "cpuid", read_cpuid },
	{ "midr", read_midrs },
	{ "capacity", read_capacities },
	{ "frequency", read_frequencies },
	{ "caches", read_cache_sizes },
};

static const struct source libpmctrack = { "libpmctrack", read_counted };

/* A type being built: its CPUs have this key. */
struct group {
	struct core_type type;
	struct key key;
};

static long long speed_of(const struct core_type *type, const char *root)
{
	long long speed, most = 0;
	int cpu;

	for_each_cpu(cpu, &type->cpus) {
		speed = capacity_of(root, cpu);
		if (!speed)
			speed = frequency_of(root, cpu);
		if (speed > most)
			most = speed;
	}
	return most ? most : cache_sizes_of(root, type->first);
}

static int group_cpus(struct group *groups, const struct key *keys, const struct cpus *cpus)
{
	int cpu, i, nr = 0;

	for_each_cpu(cpu, cpus) {
		for (i = 0; i < nr && groups[i].key.value != keys[cpu].value; i++)
			;
		if (i == MAX_CORE_TYPES)
			return -1;
		if (i == nr) {
			groups[nr].key = keys[cpu];
			groups[nr++].type.first = cpu;
		}
		cpus_add(&groups[i].type.cpus, cpu);
	}
	return nr;
}

static int compare(const void *one, const void *other)
{
	const struct group *a = one, *b = other;

	if (a->key.kind != b->key.kind)
		return a->key.kind < b->key.kind ? -1 : 1;
	if (a->type.speed != b->type.speed)
		return a->type.speed > b->type.speed ? -1 : 1;
	return a->type.first - b->type.first;
}

static const char *name_of(const struct group *groups, int nr, int i)
{
	static const char *const names[] = {
		[KIND_P] = "P", [KIND_E] = "E", [KIND_LPE] = "LPE"
	};

	if (nr == 1)
		return "core";
	if (groups[i].key.name)
		return groups[i].key.name;
	if (groups[i].key.kind != KIND_OTHER)
		return names[groups[i].key.kind];
	if (groups[i].type.speed == groups[0].type.speed)
		return "big";
	return groups[i].type.speed == groups[nr - 1].type.speed ? "little" : "mid";
}

static void finish(struct core_types *types, struct group *groups, int nr, const char *root)
{
	int i;

	for (i = 0; i < nr; i++)
		groups[i].type.speed = speed_of(&groups[i].type, root);
	qsort(groups, nr, sizeof(*groups), compare);
	for (i = 0; i < nr; i++) {
		snprintf(groups[i].type.name, sizeof(groups[i].type.name), "%s",
			 name_of(groups, nr, i));
		types->types[i] = groups[i].type;
	}
	types->nr = nr;
}

/* Return: number of core types; 0: the source does not know them */
static int ask(const struct source *source, struct group *groups, const struct cpus *cpus,
	       const char *root)
{
	struct key *keys = calloc(MAX_CPUS, sizeof(*keys));
	int nr = 0;

	memset(groups, 0, MAX_CORE_TYPES * sizeof(*groups));
	if (keys && !source->read(keys, cpus, root))
		nr = group_cpus(groups, keys, cpus);
	free(keys);
	return nr > 0 ? nr : 0;
}

void core_types_find(struct core_types *types, const struct topology *t, const char *root)
{
	struct group groups[MAX_CORE_TYPES];
	int nr = 0;
	size_t i;

	memset(types, 0, sizeof(*types));
	types->source = "none";
	for (i = 0; i < sizeof(sources) / sizeof(*sources) && !nr; i++) {
		nr = ask(&sources[i], groups, &t->online, root);
		if (nr)
			types->source = sources[i].name;
	}
	if (nr <= 1) {
		nr = ask(&libpmctrack, groups, &t->online, root);
		if (nr > 1)
			types->source = libpmctrack.name;
	}
	if (nr <= 1) {
		nr = 1;
		memset(groups, 0, sizeof(groups));
		groups[0].key.kind = KIND_OTHER;
		groups[0].type.cpus = t->online;
		groups[0].type.first = cpus_next(&t->online, -1);
	}
	finish(types, groups, nr, root);
}
