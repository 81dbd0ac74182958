/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What /proc/pmc/info says about this machine. */
#ifndef LIBPMC_MACHINE_H
#define LIBPMC_MACHINE_H

#include <stddef.h>

#include "pmctrack.h"

/* Families of event codes */
enum family {
	FAMILY_NONE,
	FAMILY_ARM,
	FAMILY_INTEL,
	FAMILY_AMD,
};

struct event_files;
struct event_table;

struct core_type {
	struct pmc_core_type_info info;
	struct pmc_counter_info *counters;
	enum family family;
	unsigned int native_type;	/* kind of core on a hybrid machine, or 0 */
	int pfm_pmu;			/* for pfm_pmu_of() alone */
	int has_wide_umask;		/* perf's driver takes unit masks of 16 bits (Intel) */
	const struct event_table *table; /* the library's own event table, or NULL */
	struct event_files *files;	/* tables of events in files, or NULL */
	char *table_name;		/* for pmc_machine_event_table() alone; NULL: not asked yet */
	int knows_implemented;		/* @implemented is filled */
	unsigned int *implemented;	/* architected events it has */
	size_t nr_implemented;
};

/* Counters that CPUs share. */
struct uncore {
	char name[16];
	char pmu[32];			/* of the kernel, or "none" */
	char driver[32];		/* module that may have to be loaded then */
};

/* Name of the backend if the module is not loaded and perf_event_open() counts */
#define PERF_EVENT_BACKEND "perf_event"

struct pmc_machine {
	char backend[32];
	int direct;
	int nr_core_types;
	struct core_type *core_types;
	int nr_uncore;
	struct uncore *uncore;
};

/*
 * Has the administrator forbidden reading counters by instruction? @devices: the folder of
 * the kernel's PMUs. Return: 0 also if the kernel has no such setting.
 */
int rdpmc_forbidden(const char *devices);

/* uncore.c: add the shared counters that a line describes. */
int machine_add_uncore(pmc_machine_t *machine, const char *rest);

/* Parse the text of /proc/pmc/info; NULL with an error line if it is malformed. */
pmc_machine_t *machine_parse(const char *text);

/*
 * machine_sysfs.c: the machine without the kernel module, and its description in the form of
 * /proc/pmc/info, for free(). @root: where sysfs is. NULL with an error line on failure.
 */
pmc_machine_t *machine_from_sysfs(const char *root);
char *sysfs_info(const char *root);

/* The core type, or NULL. */
struct core_type *machine_core_type(const pmc_machine_t *machine, int id);

/* core_type.c: "core type 1 (little)", or "this CPU" if there is only one core type; @buf */
const char *core_type_describe(char *buf, size_t size, const pmc_machine_t *machine,
			       const struct core_type *ct);

/* 1: the core type implements this architected event, 0: it does not, -1: unknown */
int core_type_implements(const struct core_type *ct, unsigned int code);

/* The counter with this number, or NULL. */
const struct pmc_counter_info *core_type_counter(const struct core_type *ct, int slot);

#endif
