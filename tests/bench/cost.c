// SPDX-License-Identifier: GPL-2.0
/*
 * cost - what counting costs, in guest instructions, beside perf_event
 *
 * usage: cost MODULE NAME[=PARAMETER]...
 *
 * MODULE is the file pmctrack.ko, which the program loads. There is a column NAME for each
 * way of counting; the module is loaded with PARAMETER for it. With ROWS=PATTERN in the
 * environment only rows with such names are measured, and the first one, which loads the module.
 *
 * The exit status is 1 if a figure of the module without a parameter is above its bound.
 */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

#define MAX_MODES	4

/*
 * Bounds for the module without a parameter: 10 % more than docs/accuracy-and-cost.md says, but
 * at least 45 instructions more for switches, which are not measured more exactly, and 25 % for
 * time-based sampling on x86.
 */
#define IDLE_BOUND	50
#ifdef __aarch64__
#define SWITCH_BOUND	460
#define CALIPERS_BOUND	60
#define SESSIONS_BOUND	2500
#define READ_BOUND	63
#define STARTSTOP_BOUND	1020
/* The kernel's PMU driver handles the interrupt first. */
#define EBS_BOUND	1550
#define FORK_BOUND	3340
#define PACED_BOUND	3530
#define TBS_BOUND	0.022
#else
/* Counters are shared with perf. */
#define SWITCH_BOUND	365
#define CALIPERS_BOUND	50
#define SESSIONS_BOUND	2920
#define READ_BOUND	53
#define STARTSTOP_BOUND	990
#define EBS_BOUND	1960
#define FORK_BOUND	2990
#define PACED_BOUND	3420
#define TBS_BOUND	0.018
#endif

/* The arguments of insmod: the file and a parameter. */
static char module[200];

static double idle(int nr) { return switch_ours_idle(module); }
static double bystander(int nr) { return switch_ours_bystander(); }
static double calipers(int nr) { return switch_calipers(64); }
static double sessions(int nr) { return switch_sessions(16); }
static double ebs(int nr) { return ebs_ours(); }
static double perf_ebs(int nr) { return ebs_theirs(); }
static double forks(int nr) { return fork_ours(nr, false); }
static double perf_forks(int nr) { return fork_theirs(nr, false); }
static double paced_forks(int nr) { return fork_ours(nr, true); }
static double perf_paced_forks(int nr) { return fork_theirs(nr, true); }
static double tbs(int nr) { return tbs_percent(10, NULL); }

/**
 * struct row - one measurement
 * @what: its name
 * @nr: number of counters; 0: the measurement does not depend on it
 * @ours: returns the instructions that one such operation costs with pmctrack
 * @perf: the same with perf_event; NULL: perf_event has nothing comparable
 * @bound: upper limit in instructions; -1: none
 * @percent: figures are percentages of the program's time
 * @native: not measured with backend=perf, whose counters cannot be programmed at a
 *	switch, so that each caliper takes a counter of its own
 */
static const struct row {
	const char *what;
	int nr;
	double (*ours)(int nr);
	double (*perf)(int nr);
	double bound;
	bool percent;
	bool native;
} rows[] = {
	/* This measurement loads the module. */
	{ "two switches, nobody counted: extra", 0, idle, NULL, .bound = IDLE_BOUND },
	{ "two switches of others, somebody counted", 0, bystander, NULL, .bound = -1 },
	{ "switch out + in", 1, switch_ours, switch_theirs, .bound = -1 },
	{ "switch out + in", 2, switch_ours, switch_theirs, .bound = -1 },
	{ "switch out + in", 3, switch_ours, switch_theirs, .bound = -1 },
	{ "switch out + in", 4, switch_ours, switch_theirs, .bound = SWITCH_BOUND },
	{ "the same with 64 calipers, more than with 1", 1, calipers, NULL,
	  .bound = CALIPERS_BOUND, .native = true },
	{ "the same with 16 sessions, more than with 1", 1, sessions, NULL,
	  .bound = SESSIONS_BOUND, .native = true },
	{ "caliper read, against perf's read()", 1, read_ours, read_theirs, .bound = -1 },
	{ "caliper read, against perf's read()", 2, read_ours, read_theirs, .bound = -1 },
	{ "caliper read, against perf's read()", 3, read_ours, read_theirs, .bound = -1 },
	{ "caliper read, against perf's read()", 4, read_ours, read_theirs, .bound = READ_BOUND },
	{ "read by call, against perf's read()", 4, read_ours_call, read_theirs, .bound = -1 },
	{ "start + stop, against enable + disable", 1, startstop_ours, startstop_theirs, .bound = -1 },
	{ "start + stop, against enable + disable", 4, startstop_ours, startstop_theirs,
	  .bound = STARTSTOP_BOUND },
	{ "EBS sample, period 100000", 2, ebs, perf_ebs, .bound = EBS_BOUND },
	{ "fork + exit of a counted process", 4, forks, perf_forks, .bound = FORK_BOUND },
	{ "the same at 2 000 a second, on average", 4, paced_forks, perf_paced_forks,
	  .bound = PACED_BOUND },
	{ "TBS every 10 ms, of the program's time", 4, tbs, NULL, .bound = TBS_BOUND,
	  .percent = true },
};

#define NR_ROWS	(int)(sizeof(rows) / sizeof(rows[0]))

/* The figures of each row: the module's in each mode, then perf's. */
static double figures[NR_ROWS][MAX_MODES + 1];

static void pin(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		die("sched_setaffinity");
}

/* Has this row no figure in this mode? */
static bool left_out(const struct row *r, const char *mode)
{
	return r->native && !strncmp(mode, "perf", 4);
}

static bool wanted(const struct row *r)
{
	const char *pattern = getenv("ROWS");

	return r == rows || !pattern || !fnmatch(pattern, r->what, 0);
}

static void measure(int mode, double (*what)(int nr), int row, const char *name)
{
	/* Written before the measurement: the console's work for it goes on for a while. */
	fprintf(stderr, "\r%.*s: %d of %d %20s", (int)strcspn(name, "="), name, row + 1,
		NR_ROWS, "");
	usleep(300000);
	figures[row][mode] = what(rows[row].nr);
}

static void measure_mode(const char *file, const char *name, int mode)
{
	const char *parameter = strchr(name, '=');
	int i;

	snprintf(module, sizeof(module), "%s %s", file, parameter ? parameter + 1 : "");
	for (i = 0; i < NR_ROWS; i++)
		if (wanted(&rows[i]) && !left_out(&rows[i], name))
			measure(mode, rows[i].ours, i, name);
}

static void cell(const struct row *r, double figure)
{
	if (r->percent)
		printf(" %10.4f%%", figure);
	else
		printf(" %11.0f", figure);
}

static void print(char **names, int nr_modes)
{
	int i, j;

	printf("%-45s %8s", "guest instructions for one", "counters");
	for (j = 0; j < nr_modes; j++)
		printf(" %11.*s", (int)strcspn(names[j], "="), names[j]);
	printf(" %11s %9s\n", "perf_event", "at most");
	for (i = 0; i < NR_ROWS; i++) {
		const struct row *r = &rows[i];

		if (!wanted(r))
			continue;
		printf("%-45s %8.*d", r->what, r->nr ? 1 : 0, r->nr);
		for (j = 0; j < nr_modes; j++)
			if (left_out(r, names[j]))
				printf(" %11s", "-");
			else
				cell(r, figures[i][j]);
		if (r->perf)
			cell(r, figures[i][MAX_MODES]);
		else
			printf(" %11s", "-");
		if (r->bound >= 0)
			printf(" %8g%s", r->bound, r->percent ? "%" : "");
		printf("\n");
	}
}

/* Return: how many figures of the module without a parameter are above their bounds. */
static int check_bounds(const char *name)
{
	int i, nr = 0;

	if (strchr(name, '='))
		return 0;
	for (i = 0; i < NR_ROWS; i++) {
		const struct row *r = &rows[i];

		if (!wanted(r) || r->bound < 0 || figures[i][0] <= r->bound)
			continue;
		printf("above its bound: %s: %g, at most %g\n", r->what, figures[i][0], r->bound);
		nr++;
	}
	return nr;
}

int main(int argc, char **argv)
{
	int i;

	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	pin();
	if (argc < 3 || argc > 2 + MAX_MODES)
		return fprintf(stderr, "usage: cost MODULE NAME[=PARAMETER]...\n"), 2;
	check_ruler();
	for (i = 0; i < argc - 2; i++)
		measure_mode(argv[1], argv[2 + i], i);
	for (i = 0; i < NR_ROWS; i++)
		if (wanted(&rows[i]) && rows[i].perf)
			measure(MAX_MODES, rows[i].perf, i, "perf_event");
	fprintf(stderr, "\r%40s\r", "");
	print(argv + 2, argc - 2);
	return check_bounds(argv[2]) > 0;
}
