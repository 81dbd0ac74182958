// SPDX-License-Identifier: GPL-2.0
/* The share of a program's time that time-based sampling takes. */
#include <stdio.h>

#include "bench.h"
#include "pmctrack.h"

/* Instructions for each ms of the period: about 200 samples */
#define WORK	200000000ULL

static double work_time(unsigned int period_ms)
{
	uint64_t start = ruler();

	spin(WORK * period_ms);
	return ruler() - start;
}

double tbs_percent(unsigned int period_ms, const char *virtual_counter)
{
	pmc_session_t *session;
	double bare, sampled;
	char options[128];

	settle();
	bare = work_time(period_ms);
	snprintf(options, sizeof(options), "period %ums\nring 4096%s%s", period_ms,
		 virtual_counter ? "\nvirtual " : "", virtual_counter ? virtual_counter : "");
	session = ours_open(ours_events[MAX_EVENTS], options);
	if (pmc_session_start(session))
		ours_fail("start");
	settle();
	sampled = work_time(period_ms);
	pmc_session_close(session);
	return (sampled - bare) * 100 / bare;
}
