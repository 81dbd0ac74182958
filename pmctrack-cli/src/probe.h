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
 * @entry_only: it has a probe at its entry, and none at its return
 * @refused: the kernel does not set a probe there
 */
struct probe_function {
	char *name;
	const char *path;
	uint64_t offset;
	int kind;
	int entry_only;
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

/* probe_insn.c: the kind of the instruction at @code, which has @size bytes or more. */
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
 *	each kind of cost of a probe is in them
 */
struct probe_events {
	int nr_core_types;
	struct probe_core_type *core_types;
	int most;
	int width;
};

/*
 * When a probe's cost is paid: after the entry, before the return is seen, and after that, which
 * is the caller's time. Calls without a return pay the first one only.
 */
enum probe_payment { PROBE_PAID_AT_ENTRY, PROBE_PAID_INSIDE, PROBE_PAID_OUTSIDE, PROBE_PAYMENTS };

/* Index of the number of payments among the values of a core type */
static inline int probe_payment(const struct probe_events *events, enum probe_payment payment, int kind)
{
	return events->most + payment * PROBE_KINDS + kind;
}

#define PROBE_WIDTH(most) ((most) + PROBE_PAYMENTS * PROBE_KINDS)

/* Number of values of all core types */
static inline int probe_nr_values(const struct probe_events *events)
{
	return events->nr_core_types * events->width;
}

#endif
