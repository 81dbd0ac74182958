// SPDX-License-Identifier: GPL-2.0
/* The share of a program's time that time-based sampling every 10 ms takes. */
#include "bench.h"
#include "pmctrack.h"

#define WORK	2000000000ULL

static double work_time(void)
{
	uint64_t start = ruler();

	spin(WORK);
	return ruler() - start;
}

double tbs_percent(void)
{
	pmc_session_t *session;
	double bare, sampled;

	settle();
	bare = work_time();
	session = ours_open(ours_events[MAX_EVENTS], "period 10ms\nring 4096");
	pmc_session_start(session);
	settle();
	sampled = work_time();
	pmc_session_close(session);
	return (sampled - bare) * 100 / bare;
}
