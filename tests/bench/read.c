// SPDX-License-Identifier: GPL-2.0
/* The cost for a thread of reading its own counters. */
#include "bench.h"
#include "pmctrack.h"

#define ROUNDS	50

/* A reading may be a system call, whose kernel instructions are part of the cost. */
static void caliper_reads(void *caliper)
{
	uint64_t counts[PMC_MAX_COUNTS];
	int i;

	for (i = 0; i < ROUNDS; i++)
		pmc_caliper_read(caliper, counts);
}

double read_ours(int nr)
{
	pmc_caliper_t *caliper = pmc_caliper_open(ours_events[nr]);
	double cost;

	if (!caliper)
		ours_fail("caliper");
	cost = typical(caliper_reads, caliper, ROUNDS);
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
