/* SPDX-License-Identifier: GPL-2.0 */
/* What pmc-run has counted, and its report. */
#ifndef PMCTRACK_PAPI_RUN_REPORT_H
#define PMCTRACK_PAPI_RUN_REPORT_H

#include <stdio.h>

#include "../src/options.h"
#include "parse_events.h"

/**
 * struct run_counts - counts and times of a program
 * @events: what was counted
 * @values: its counts
 * @is_estimated: events took turns
 * @real, @user, @system: seconds
 * @status: exit status, as a shell has it
 */
struct run_counts {
	const struct event_names *events;
	const long long *values;
	int is_estimated;
	double real;
	double user;
	double system;
	int status;
};

void run_counts_print(FILE *f, const struct options *o, const struct run_counts *c);

#endif
