/* SPDX-License-Identifier: GPL-2.0 */
/* Which events are counted in which run, in as few runs as the counters allow. */
#ifndef PMCTRACK_ADDITIVITY_COVER_H
#define PMCTRACK_ADDITIVITY_COVER_H

#include <stdint.h>

/**
 * struct cover_event - an event that is to be counted in one of the runs
 * @counters: bit N: counter N can count it; 0: it takes no counter, and is counted in run 0
 * @kind: 0: no second register; else events of the same kind share as many second registers
 *	as the largest @limit of them says, so that as many at most are counted in a run
 * @run: out: the run that it is counted in
 */
struct cover_event {
	uint64_t counters;
	int kind;
	int limit;
	int run;
};

/*
 * Assign each event to a run. Return: the number of runs, the least that there is.
 *
 * In K runs a counter counts K events at most, and a kind has K * limit of them at most. Nothing
 * else is needed: let events be matched to counters that take K of them each, and let each kind be
 * divided into as many groups as its limit says, of at most K events each. An event of kind 0 is a
 * group of its own. Each event is an edge between its counter and its group, of a bipartite graph
 * whose nodes have at most K edges. Such a graph can be coloured with K colours so that no node has
 * two edges of one colour (König, 1916). The colours are the runs.
 */
int cover_runs(struct cover_event *events, int nr);

#endif
