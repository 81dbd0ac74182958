/* SPDX-License-Identifier: GPL-2.0 */
/* Which events are counted in which run, in as few runs as the counters allow. */
#ifndef PMCTRACK_ADDITIVITY_COVER_H
#define PMCTRACK_ADDITIVITY_COVER_H

#include <stdint.h>

/**
 * struct cover_event - an event that is to be counted in one of the runs
 * @counters: bit N: counter N can count it; 0: it takes no counter, and is counted in run 0
 * @kind: 0: no second register; else events of the same kind share as many second registers
 *	as @limit says, so that as many at most are counted in a run
 * @run: out: the run that it is counted in
 */
struct cover_event {
	uint64_t counters;
	int kind;
	int limit;
	int run;
};

/*
 * Assign each event to a run. Return: the number of runs, the least that there is for events of
 * one kind besides 0.
 *
 * In a run a counter counts one event, so in K runs it counts K. Events can be counted in K runs
 * exactly if they can be matched to counters that take K of them each: which of a counter's
 * events is counted in which run makes no difference. Second registers add the lower bound
 * (events of the kind) / limit.
 */
int cover_runs(struct cover_event *events, int nr);

#endif
