/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machine: core types and their counters
 */
#ifndef LIBPMCTRACK_MACHINE_H
#define LIBPMCTRACK_MACHINE_H

#include <stdint.h>

#include <pmctrack/api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pmc_machine pmc_machine_t;

/* Types of counters */
enum pmc_counter_kind {
	PMC_COUNTER_FIXED,	/* one event, in hardware */
	PMC_COUNTER_GENERAL,	/* events of choice, in hardware */
	PMC_COUNTER_SOFTWARE	/* one event, counted by the kernel */
};

/**
 * struct pmc_counter_info - a run of equal counters of a core type
 * @first: number of the first: the N of pmcN
 * @last: number of the last
 * @kind: their type
 * @event: event of a fixed or software counter, "any" for a general one
 * @interrupt: samples by event count (EBS) are possible
 */
struct pmc_counter_info {
	int first;
	int last;
	enum pmc_counter_kind kind;
	const char *event;
	int interrupt;
};

/**
 * struct pmc_core_type_info - CPUs with equal counters
 * @id: its number, from 0
 * @name: its name ("big", "P", ...)
 * @pmu: the kernel's name of its PMU
 * @cpus: its CPUs, as a list ("0-3,8")
 * @capacity: relative performance, 1024 for the fastest; 0 if unknown
 * @cpuid: the CPU's own identification (MIDR, CPUID signature)
 * @nr_hw_counters: hardware counters, fixed and general
 * @nr_counters: length of @counters
 * @counters: all its counters, lowest number first
 */
struct pmc_core_type_info {
	int id;
	const char *name;
	const char *pmu;
	const char *cpus;
	unsigned int capacity;
	uint64_t cpuid;
	int nr_hw_counters;
	int nr_counters;
	const struct pmc_counter_info *counters;
};

#define PMC_EVERY_CORE_TYPE	(-1)

/**
 * pmc_machine_open - ask the kernel module what this machine has
 *
 * If the module is not loaded, sysfs and CPUID tell; see pmc_machine_has_module().
 *
 * Return: an object for pmc_machine_close(). It must not be closed before the
 * configurations made with it. It never changes, so any number of threads may
 * use it at once. NULL on failure.
 */
PMC_API pmc_machine_t *pmc_machine_open(void);
PMC_API void pmc_machine_close(pmc_machine_t *machine);

/**
 * pmc_machine_backend - the kernel module's hardware layer: "armv8", ...
 *
 * Return: its name; "perf_event" without the module.
 */
PMC_API const char *pmc_machine_backend(const pmc_machine_t *machine);

/**
 * pmc_machine_has_module - 1 if the kernel module counts, 0 if it is not loaded
 *
 * Without the module, sessions count by perf_event_open(), with these differences:
 * samples are of whole processes with their children, not of threads; several event
 * sets are counted at once, and if there are too many, the kernel gives each of them
 * the counters for a part of the time and pmc_session_totals() are estimates, which
 * pmc_session_accuracy() says; the kernel chooses the counters; CPU numbers in samples
 * of processes are those of the core type's first CPU. Calipers, PMCTrack's calls,
 * virtual counters, sampling by event count and counters that CPUs share need the module.
 */
PMC_API int pmc_machine_has_module(const pmc_machine_t *machine);

/** pmc_machine_direct - 1 if calipers can read counters without a system call */
PMC_API int pmc_machine_direct(const pmc_machine_t *machine);

/** pmc_machine_nr_core_types - number of core types; their ids count from 0 */
PMC_API int pmc_machine_nr_core_types(const pmc_machine_t *machine);

/**
 * pmc_machine_core_type - describe a core type
 *
 * Return: a description that lives as long as @machine; NULL if there is no
 * such core type.
 */
PMC_API const struct pmc_core_type_info *
pmc_machine_core_type(const pmc_machine_t *machine, int id);

/**
 * pmc_machine_event_table - the sources of a core type's event names
 *
 * The sources are separated by ", ": the name of a file with a table; "libpfm4" and
 * the name of a PMU, or "builtin" and the name of a table of the library. The call
 * initialises libpfm4, see <pmctrack/events.h>.
 *
 * Return: a text that lives as long as @machine, "none" if events have no names or
 * there is no memory; NULL with an error line if there is no such core type.
 */
PMC_API const char *pmc_machine_event_table(const pmc_machine_t *machine, int id);

/**
 * pmc_machine_find_core_type - a core type by number, name or PMU
 *
 * Return: its id; -1 if there is none. The error line then lists the core types.
 */
PMC_API int pmc_machine_find_core_type(const pmc_machine_t *machine,
				       const char *what);

#ifdef __cplusplus
}
#endif

#endif
