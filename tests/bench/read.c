// SPDX-License-Identifier: GPL-2.0
/* The cost for a thread of reading its own counters. */
#include "bench.h"
#include "pmctrack.h"

#define ROUNDS	50

/* The counter of instructions, the first of the set, measures its own reading. */
static double user_instructions(pmc_caliper_t *caliper)
{
	uint64_t counts[PMC_MAX_COUNTS], first;
	int i;

	pmc_caliper_read(caliper, counts);
	first = counts[0];
	for (i = 0; i < ROUNDS; i++)
		pmc_caliper_read(caliper, counts);
	return (double)(counts[0] - first) / ROUNDS;
}

double read_ours(int nr)
{
	pmc_caliper_t *caliper = pmc_caliper_open(ours_events[nr]);
	uint64_t counts[PMC_MAX_COUNTS];
	double cost;

	if (!caliper)
		ours_fail("caliper");
	pmc_caliper_read(caliper, counts);
	settle();
	user_instructions(caliper);
	cost = user_instructions(caliper);
	pmc_caliper_close(caliper);
	return cost;
}

static void calls(void *session)
{
	uint64_t counts[PMC_MAX_COUNTS], running;
	int i;

	for (i = 0; i < ROUNDS; i++)
		pmc_session_read(session, -1, 0, counts, &running);
}

double read_ours_call(int nr)
{
	pmc_session_t *session = ours_open(ours_events[nr], NULL);
	double cost;

	if (pmc_session_start(session))
		die("start");
	cost = typical(calls, session, ROUNDS);
	pmc_session_close(session);
	return cost;
}

static void reads(void *group)
{
	int i;

	for (i = 0; i < ROUNDS; i++)
		theirs_read(group);
}

double read_theirs(int nr)
{
	struct theirs t;
	double cost;

	theirs_open(&t, 0, nr, 0);
	cost = typical(reads, &t, ROUNDS);
	theirs_close(&t);
	return cost;
}
