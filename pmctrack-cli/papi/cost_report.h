/* SPDX-License-Identifier: GPL-2.0 */
/* The report of pmc-cost. */
#ifndef PMCTRACK_PAPI_COST_REPORT_H
#define PMCTRACK_PAPI_COST_REPORT_H

#include "distribution.h"
#include "format.h"

/* Most bars of a histogram */
#define BINS_MAX 100

/**
 * struct cost_report - how costs are reported
 * @format: table, CSV or JSON
 * @ns: length of a cycle of the clock
 * @bins: bars of a histogram; 0: none
 * @batch: a sample is the mean of so many calls
 * @nr_events: number of events of the EventSet
 */
struct cost_report {
	enum form format;
	double ns;
	size_t bins;
	unsigned long long batch;
	int nr_events;
};

void cost_report_begin(const struct cost_report *r);

/* A call, whose costs are in cycles */
void cost_report_call(const struct cost_report *r, const char *name,
		      const struct distribution *d);

#endif
