// SPDX-License-Identifier: GPL-2.0
/* The cost of a sample taken at an overflow, interrupt included. */
#include "bench.h"
#include "pmctrack.h"

#define PERIOD	100000
#define SAMPLES	10

static void spin_samples(void *unused)
{
	spin((uint64_t)PERIOD * SAMPLES);
}

static double spin_cost(void)
{
	return typical(spin_samples, NULL, SAMPLES);
}

double ebs_ours(void)
{
	double bare = spin_cost(), cost;
	pmc_session_t *session;

	session = ours_open("instr:ebs=100000,cycles", "ring 4096\nwakeup 4000");
	if (pmc_session_start(session))
		ours_fail("start");
	cost = spin_cost();
	pmc_session_close(session);
	return cost - bare;
}

double ebs_theirs(void)
{
	double bare = spin_cost(), cost;
	struct theirs t;

	theirs_open_ebs(&t, PERIOD);
	theirs_enable(&t);
	cost = spin_cost();
	theirs_disable(&t);
	theirs_close(&t);
	return cost - bare;
}
