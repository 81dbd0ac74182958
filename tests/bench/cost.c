// SPDX-License-Identifier: GPL-2.0
/*
 * cost - what counting costs, in guest instructions, beside perf_event
 *
 * usage: cost MODULE     MODULE: pmctrack.ko, which is loaded
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

/* On arm64 the interrupt is the kernel's, and goes to its driver, too. */
#ifdef __aarch64__
#define EBS_BOUND "750"
#else
#define EBS_BOUND "500"
#endif

static void pin(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		die("sched_setaffinity");
}

static void row(const char *what, int nr, double ours, double theirs,
		const char *bound)
{
	char counters[16] = "";

	if (nr)
		snprintf(counters, sizeof(counters), "%d", nr);
	printf("%-44s %8s %10.0f ", what, counters, ours);
	if (theirs >= 0)
		printf("%12.0f", theirs);
	else
		printf("%12s", "-");
	printf(" %9s\n", bound);
}

static void switches(const char *module)
{
	int nr;

	row("two switches, nobody counted: extra", 0, switch_ours_idle(module),
	    -1, "0");
	row("two switches of others, somebody counted", 0,
	    switch_ours_bystander(), -1, "");
	for (nr = 1; nr <= MAX_EVENTS; nr++)
		row("switch out + in", nr, switch_ours(nr), switch_theirs(nr),
		    nr == 4 ? "400" : "");
	row("the same with 64 calipers, more than with 1", 1, switch_calipers(64),
	    -1, "3000");
}

static void reads(void)
{
	int nr;

	for (nr = 1; nr <= MAX_EVENTS; nr++)
		row("caliper read, against perf's read()", nr,
		    read_ours(nr), read_theirs(nr),
		    nr == 4 ? "60" : "");
	row("read by call, against perf's read()", MAX_EVENTS,
	    read_ours_call(MAX_EVENTS),
	    read_theirs(MAX_EVENTS), "");
}

static void table(const char *module)
{
	int nr;

	printf("%-44s %8s %10s %12s %9s\n", "guest instructions for one", "counters",
	       "pmctrack", "perf_event", "at most");
	switches(module);
	reads();
	for (nr = 1; nr <= MAX_EVENTS; nr += MAX_EVENTS - 1)
		row("start + stop, against enable + disable", nr,
		    startstop_ours(nr), startstop_theirs(nr),
		    nr == 4 ? "1500" : "");
	row("EBS sample, period 100000", 2, ebs_ours(),
	    ebs_theirs(), EBS_BOUND);
	row("fork + exit of a counted process", MAX_EVENTS,
	    fork_ours(MAX_EVENTS), fork_theirs(MAX_EVENTS), "4000");
	printf("%-44s %8d %9.4f%% %12s %9s\n", "TBS every 10 ms, of the program's time",
	       MAX_EVENTS, tbs_percent(), "-", "0.1%");
}

int main(int argc, char **argv)
{
	/* The console has work of its own for what is written to it. */
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	pin();
	if (argc != 2)
		return fprintf(stderr, "usage: cost MODULE\n"), 2;
	check_ruler();
	table(argv[1]);
	return 0;
}
