/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the program, for each core type that it ran on. */
#ifndef PMCTRACK_NODE_COUNTERS_H
#define PMCTRACK_NODE_COUNTERS_H

#include <sys/types.h>

#include "incomplete_counts.h"
#include "node/record.h"
#include "pmctrack.h"

/**
 * struct counters - a session of the program's threads and children
 * @session: NULL: nothing is counted
 * @ring: samples in the kernel's buffer
 * @first: the column of the first event of each core type; others follow it
 * @losses: samples whose counts are incomplete, by number of pmc_loss_info()
 */
struct counters {
	pmc_config_t *config;
	pmc_session_t *session;
	int ring;
	int *first;
	int nr_core_types;
	uint64_t losses[MAX_LOSSES];
};

/*
 * Add a column for each event of each core type. Without @events these are instr, cycles,
 * llc_references and llc_misses, or the first two of them, as the core type has them. Return:
 * the number of columns; bad() if @events is wrong.
 */
int counters_add(struct counters *c, const pmc_machine_t *machine, struct record *record,
		 const char *events);

/* Begin to count when the process @pid executes the program; bad() if that is refused. */
void counters_start(struct counters *c, pid_t pid, unsigned long long period_us);
/* The program has ended: no counts come later. */
void counters_stop(struct counters *c);
/* Put the counts since the last reading into a row. */
void counters_read(struct counters *c, double *row);
/* Samples of threads for which the kernel's buffer had no room: rows lack their counts. */
unsigned long long counters_lost(const struct counters *c);
/* Samples whose counts are too small, as another user took a counter */
unsigned long long counters_incomplete(const struct counters *c);
void counters_close(struct counters *c);

#endif
