// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Flags of samples whose counts are incomplete. All reports count and print what has a row here.
 * Throttling is none of them: the counts of its samples are complete.
 */
#include <stddef.h>

#include "sample_flags.h"

static const struct pmc_loss losses[] = {
	{ PMC_READING_COUNTER_LOST, "counter_lost", "a counter was taken away: the counts are too low",
	  "in %llu samples a counter is missing for part of the time: another user, such as perf, took it" },
	{ PMC_READING_EVICTED, "evicted",
	  "it is not counted any more: a privileged session, a monitoring module or a scheduler needed its counters",
	  "%llu threads or CPUs were not counted to the end: a privileged session, a monitoring module or a scheduler needed their counters" },
};

const struct pmc_loss *pmc_loss_info(int n)
{
	return n >= 0 && n < (int)(sizeof(losses) / sizeof(losses[0])) ? &losses[n] : NULL;
}

unsigned int losses_flags(void)
{
	unsigned int flags = 0;
	size_t i;

	for (i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
		flags |= losses[i].flag;
	return flags;
}
