/* SPDX-License-Identifier: GPL-2.0 */
/* Run a process under probes. */
#ifndef PMCTRACK_PROBE_RUN_H
#define PMCTRACK_PROBE_RUN_H

#include "probe_calls.h"

/**
 * struct probe_result - a run
 * @lost: records that found no room; calls are missing
 * @has_ended: the process has ended; otherwise it goes on without probes
 * @status: of the process that has ended, as of wait(2)
 */
struct probe_result {
	uint64_t lost;
	int has_ended;
	int status;
};

/*
 * Run the process, which waits for @release, to its end, or until @stop returns 1. @release is
 * called with @arg when probes are set; then, if it is not NULL, @stop every 100 ms at least.
 * @calls: out: its totals, for probe_calls_free()
 */
void probe_run(const struct probe_events *events, struct probe_functions *functions, pid_t pid,
	       void (*release)(void *arg), int (*stop)(void *arg), void *arg,
	       struct probe_calls *calls, struct probe_result *result);

#endif
