// SPDX-License-Identifier: GPL-2.0
/* What a sample costs that an overflow interrupt cuts, interrupt included. */
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bench.h"
#include "pmctrack.h"

#define PERIOD	100000
#define SAMPLES	1000

static double spin_time(void)
{
	uint64_t start = ruler();

	spin((uint64_t)PERIOD * SAMPLES);
	return ruler() - start;
}

double ebs_ours(int unused)
{
	pmc_session_t *session;
	double bare, cost;

	settle();
	bare = spin_time();
	session = ours_open(0, "events ev=0x8:ebs=100000,ev=0x11\nring 4096\nwakeup 4000");
	pmc_session_start(session);
	settle();
	cost = spin_time();
	pmc_session_close(session);
	return (cost - bare) / SAMPLES;
}

double ebs_theirs(int unused)
{
	double bare, cost;
	int fd;

	settle();
	bare = spin_time();
	fd = theirs_open_ebs(PERIOD);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	settle();
	cost = spin_time();
	ioctl(fd, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	close(fd);
	return (cost - bare) / SAMPLES;
}
