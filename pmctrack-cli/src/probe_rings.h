/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's probes on each CPU, and what it records there, in the order of time. */
#ifndef PMCTRACK_PROBE_RINGS_H
#define PMCTRACK_PROBE_RINGS_H

#include "probe.h"

enum probe_what {
	PROBE_SWITCH,	/* the thread leaves the CPU */
	PROBE_ENTRY,
	PROBE_RETURN,
	PROBE_FORK,	/* a new thread */
	PROBE_EXEC,	/* another program in the thread */
	PROBE_EXIT,	/* the thread leaves the CPU for the last time */
};

/**
 * struct probe_record - what happened to a thread
 * @parent: of PROBE_FORK: the process that made it
 * @function: of PROBE_ENTRY and PROBE_RETURN: number of the function
 * @sp: likewise: the stack pointer
 * @counts: what the thread has counted on this CPU since the last record of the CPU
 */
struct probe_record {
	uint64_t time;
	enum probe_what what;
	pid_t pid;
	pid_t tid;
	pid_t parent;
	int core_type;
	int function;
	uint64_t sp;
	uint64_t counts[PMC_MAX_COUNTS];
};

struct probe_cpu;

/**
 * struct probe_rings - all CPUs
 * @lost: records that found no room
 * @limit: records before this time are complete on all CPUs
 */
struct probe_rings {
	const struct probe_events *events;
	struct probe_functions *functions;
	int nr;
	struct probe_cpu *cpus;
	uint64_t lost;
	uint64_t limit;
};

/*
 * Set the probes, and begin to count. Functions that the kernel refuses are marked. bad() if
 * nothing can be counted.
 */
void probe_rings_open(struct probe_rings *rings, const struct probe_events *events,
		      struct probe_functions *functions);
/* bad() if the counters were taken by another user. */
void probe_rings_close(struct probe_rings *rings);

/* Wait until a ring has many records, or @fd can be read, or 100 ms have passed. 1: @fd can be read */
int probe_rings_wait(const struct probe_rings *rings, int fd);

/* Take the records of all CPUs. @all: no more will come. */
void probe_rings_read(struct probe_rings *rings, int all,
		      void (*take)(void *arg, const struct probe_record *record), void *arg);

#endif
