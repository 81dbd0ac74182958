// SPDX-License-Identifier: GPL-2.0
/* What it costs a thread to start and stop counting itself. */
#include "bench.h"
#include "pmctrack.h"

#define ROUNDS	1000

double startstop_ours(int nr)
{
	pmc_session_t *session = ours_open(nr, "ring 4096");
	uint64_t start, cost;
	int i;

	pmc_session_start(session);
	pmc_session_stop(session);
	settle();
	start = ruler();
	for (i = 0; i < ROUNDS; i++) {
		pmc_session_start(session);
		pmc_session_stop(session);
	}
	cost = ruler() - start;
	pmc_session_close(session);
	return (double)cost / ROUNDS;
}

double startstop_theirs(int nr)
{
	struct theirs t;
	uint64_t start, cost;
	int i;

	theirs_open(&t, 0, nr, 0);
	theirs_disable(&t);
	settle();
	start = ruler();
	for (i = 0; i < ROUNDS; i++) {
		theirs_enable(&t);
		theirs_disable(&t);
	}
	cost = ruler() - start;
	theirs_close(&t);
	return (double)cost / ROUNDS;
}
