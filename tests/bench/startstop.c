// SPDX-License-Identifier: GPL-2.0
/*
 * The cost for a thread of starting and stopping to count itself: with pmctrack's library,
 * and with perf's ioctl()s on a group.
 */
#include "bench.h"
#include "pmctrack.h"

#define ROUNDS	20

static void start_stop(void *desc)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		pmctrack_start_counters(desc);
		pmctrack_stop_counters(desc);
	}
}

double startstop_ours(int nr)
{
	const char *config[] = { ours_events[nr], NULL };
	pmctrack_desc_t *desc = pmctrack_init(16);
	double cost;

	if (!desc || pmctrack_config_counters_mnemonic(desc, config, NULL, 0, 0))
		ours_fail("start and stop");
	cost = typical(start_stop, desc, ROUNDS);
	pmctrack_destroy(desc);
	return cost;
}

static void enable_disable(void *group)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		theirs_enable(group);
		theirs_disable(group);
	}
}

double startstop_theirs(int nr)
{
	struct theirs t;
	double cost;

	theirs_open(&t, 0, nr, 0);
	theirs_disable(&t);
	cost = typical(enable_disable, &t, ROUNDS);
	theirs_close(&t);
	return cost;
}
