/* SPDX-License-Identifier: GPL-2.0 */
/* pmctrack probe: functions, and what is counted in them. */
#ifndef PMCTRACK_PROBE_H
#define PMCTRACK_PROBE_H

#include <linux/perf_event.h>
#include <sched.h>

#include "pmctrack.h"

/**
 * struct probe_function - a function to probe
 * @name: its name; with the file before it, as libm.so.6:sin, if it is not the program's own
 * @path: its file
 * @offset: of its first instruction, in the file
 * @kind: what the kernel does with that instruction, see probe_kind()
 * @refused: the kernel does not set a probe there
 */
struct probe_function {
	char *name;
	const char *path;
	uint64_t offset;
	int kind;
	int refused;
};

struct probe_functions {
	int nr;
	struct probe_function *all;
};

/*
 * Kinds of first instructions: the kernel executes an instruction that is under a probe from a
 * copy, or does itself what the instruction would do. The latter is not counted in user mode.
 */
#define PROBE_KINDS 3

/* probe_kind.c: the kind of the instruction at @code, which has @size bytes or more. */
int probe_kind(const unsigned char *code, size_t size);

/**
 * struct probe_core_type - the events of a core type, which are counted at once
 * @cpus: its CPUs
 */
struct probe_core_type {
	const struct pmc_core_type_info *info;
	cpu_set_t cpus;
	int nr;
	struct perf_event_attr attrs[PMC_MAX_COUNTS];
};

/**
 * struct probe_events - what is counted
 * @most: most events of a core type
 * @width: values of a core type in arrays of values: the counts of @most events, and how often
 *	the cost of a probe is in them: of each kind up to the return, then beyond it
 */
struct probe_events {
	int nr_core_types;
	struct probe_core_type *core_types;
	int most;
	int width;
};

#define PROBE_COST_INSIDE(events, kind)		((events)->most + (kind))
#define PROBE_COST_OUTSIDE(events, kind)	((events)->most + PROBE_KINDS + (kind))

/* Number of values of all core types */
static inline int probe_nr_values(const struct probe_events *events)
{
	return events->nr_core_types * events->width;
}

#endif
