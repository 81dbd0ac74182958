/* SPDX-License-Identifier: GPL-2.0 */
/* Run a process under probes. */
#ifndef PMCTRACK_PROBE_RUN_H
#define PMCTRACK_PROBE_RUN_H

#include "probe_calls.h"

/**
 * struct probe_result - a run
 * @lost: records that found no room; calls are missing
 * @status: of the process, as of wait(2)
 */
struct probe_result {
	uint64_t lost;
	int status;
};

/*
 * Run the process, which waits for @release, to its end. @release is called with @arg when
 * probes are set. @calls: out: its totals, for probe_calls_free()
 */
void probe_run(const struct probe_events *events, struct probe_functions *functions, pid_t pid,
	       void (*release)(void *arg), void *arg, struct probe_calls *calls,
	       struct probe_result *result);

#endif
