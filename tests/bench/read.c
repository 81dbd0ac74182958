// SPDX-License-Identifier: GPL-2.0
/* What it costs a thread to read its own counters. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "pmctrack.h"

#define ROUNDS	2000

static const char *const events[MAX_EVENTS + 1] = {
	NULL, "pmc1=0x8", "pmc1=0x8,pmc0", "pmc1=0x8,pmc0,pmc2=0x8",
	"pmc1=0x8,pmc0,pmc2=0x8,pmc3=0x8",
};

double read_ours(int nr)
{
	pmc_caliper_t *caliper = pmc_caliper_open(events[nr]);
	uint64_t counts[PMC_MAX_COUNTS], first, last;
	int i;

	if (!caliper) {
		fprintf(stderr, "caliper: %s\n", pmc_last_error());
		exit(1);
	}
	pmc_caliper_read(caliper, counts);
	settle();
	/* The counter of instructions itself tells, in user mode. */
	pmc_caliper_read(caliper, counts);
	first = counts[0];
	for (i = 0; i < ROUNDS; i++)
		pmc_caliper_read(caliper, counts);
	last = counts[0];
	pmc_caliper_close(caliper);
	return (double)(last - first) / ROUNDS;
}

double read_ours_call(int nr)
{
	pmc_session_t *session = ours_open(nr, NULL);
	uint64_t counts[PMC_MAX_COUNTS], running, start, cost;
	int i;

	if (pmc_session_start(session))
		die("start");
	settle();
	start = ruler();
	for (i = 0; i < ROUNDS; i++)
		pmc_session_read(session, -1, 0, counts, &running);
	cost = ruler() - start;
	pmc_session_close(session);
	return (double)cost / ROUNDS;
}

double read_theirs(int nr)
{
	struct theirs t;
	uint64_t start, cost;
	int i;

	theirs_open(&t, 0, nr, 0);
	settle();
	start = ruler();
	for (i = 0; i < ROUNDS; i++)
		theirs_read(&t);
	cost = ruler() - start;
	theirs_close(&t);
	return (double)cost / ROUNDS;
}
