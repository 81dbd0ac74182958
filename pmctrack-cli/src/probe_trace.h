/* SPDX-License-Identifier: GPL-2.0 */
/* Calls of functions as a trace for Perfetto, which is written while the program runs. */
#ifndef PMCTRACK_PROBE_TRACE_H
#define PMCTRACK_PROBE_TRACE_H

#include "perfetto.h"
#include "probe_print.h"

/* A call takes some 150 bytes, which a viewer keeps in memory. Later calls are left out. */
#define PROBE_TRACE_CALLS 1000000

/**
 * struct probe_trace - a trace
 * @report: the names of functions and events, and what probes cost
 * @pid: the program
 * @most_calls: after so many, calls are left out
 * @nr_threads: threads that are described
 * @left_out: calls that were left out
 */
struct probe_trace {
	struct perfetto out;
	const struct probe_report *report;
	pid_t pid;
	uint64_t most_calls;
	unsigned int nr_threads;
	uint64_t left_out;
};

/* The trace goes to @f. */
void probe_trace_begin(struct probe_trace *t, FILE *f, const struct probe_report *report,
		       pid_t pid);
/* A call begins, and ends. */
void probe_trace_enter(struct probe_trace *t, const struct probe_call *call);
void probe_trace_leave(struct probe_trace *t, const struct probe_call *call);
void probe_trace_free(struct probe_trace *t);

#endif
