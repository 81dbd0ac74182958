/* SPDX-License-Identifier: GPL-2.0 */
/* Measure all programs of a folder, as often as it takes. */
#ifndef PMCTRACK_ADDITIVITY_COLLECT_H
#define PMCTRACK_ADDITIVITY_COLLECT_H

#include "additivity/events.h"
#include "additivity/results.h"

/* Means are repeated until half their confidence interval is at most this share of them. */
#define PRECISION 0.05
/* Events with a smaller count in each base program say nothing, and are set aside. */
#define COUNT_LEAST 10

/**
 * struct repeats - how often a run is repeated
 * @least: at least so often
 * @most: at most so often, whatever the precision
 */
struct repeats {
	int least;
	int most;
};

/*
 * Measure what the folder lacks, and print on stderr the number of runs and, when each base program
 * has run once and before each phase, their time, and then the progress. @events loses those that are set aside, which have results of
 * PHASE_SCAN alone.
 */
void collect(struct results *r, struct bench *bench, struct events *events,
	     const struct repeats *repeats, int nr_phases, int memory_node);

#endif
