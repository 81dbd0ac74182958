/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of pmctrack node. */
#ifndef PMCTRACK_NODE_OPTIONS_H
#define PMCTRACK_NODE_OPTIONS_H

#include "options.h"

/**
 * struct node_options - the command line
 * @o: for the table of options, the period, the program and its CPUs; first
 * @cores: -c as the user wrote it
 * @runs: -n
 * @settle: --settle; NULL: none
 * @settle_limit_us: --settle-limit
 * @run_time_us: --run-time; 0: not known
 * @events: -e; NULL: the default
 * @sources: -s; NULL: all
 * @name: --name; NULL: the program's
 * @average: --average: write the average of runs
 * @figure: --figure; 0: none
 * @table: --table; 0: none
 * @summary: --summary: print the summary of runs
 */
struct node_options {
	struct options o;
	const char *cores;
	unsigned int runs;
	const char *settle;
	uint64_t settle_limit_us;
	uint64_t run_time_us;
	const char *events;
	const char *sources;
	const char *name;
	int average;
	int figure;
	int table;
	int summary;
};

/* Exits for --help and wrong options. */
void node_options_parse(struct node_options *n, int argc, char **argv);

#endif
