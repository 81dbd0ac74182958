// SPDX-License-Identifier: GPL-2.0
/*
 * modules - what an active monitoring module costs, in guest instructions
 *
 * usage: modules MODULE [HOOKS]
 *	MODULE: the active module, or none; HOOKS: the figure for "monitored" with none
 *
 * Four costs are measured: what a virtual counter of the module adds to switching a thread
 * out and in that a session counts with one counter; what the module adds to one switch of
 * a thread that only a scheduler monitors (the hooks' own cost, HOOKS, is subtracted); a
 * query of the module's metric; and the share of a program's time that sampling it every
 * millisecond takes, with four counters and that virtual counter, in percent.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "pmctrack.h"

#define METRICS	11

static const char *module;
static char virtual_counter[64];
static pmc_session_t *session;

static void pin(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		die("sched_setaffinity");
}

/* The module's first virtual counter that is available for threads. */
static int find_virtual(void)
{
	char line[512], name[64], owner[64], flags[64];
	FILE *f = fopen("/proc/pmc/virtual", "r");

	if (!f)
		die("/proc/pmc/virtual");
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s %63s %*s %*s %*s %63s", name, owner, flags) == 3 &&
		    !strcmp(owner, module) && strstr(flags, "threads")) {
			strcpy(virtual_counter, name);
			fclose(f);
			return 1;
		}
	fclose(f);
	return 0;
}

static void count(pid_t pid, const char *options)
{
	pmc_session_close(session);
	session = ours_open("instr", options);
	ours_attach(session, pid);
}

static void count_one(pid_t pid)
{
	count(pid, NULL);
}

static void count_virtual(pid_t pid)
{
	char command[128];

	snprintf(command, sizeof(command), "virtual %s", virtual_counter);
	count(pid, command);
}

static void consumer(const char *verb, pid_t pid, int n)
{
	char line[64];
	int fd = open("/proc/pmc_consumer", O_WRONLY);
	int len = snprintf(line, sizeof(line), "%s %d %d", verb, pid, n);

	if (fd < 0 || write(fd, line, len) != len)
		die("/proc/pmc_consumer");
	close(fd);
}

static void monitor(pid_t pid)
{
	consumer("on", pid, 0);
	settle();
}

static void leave(pid_t pid)
{
	consumer("off", pid, 0);
	settle();
}

static double in_a_session(void)
{
	double cost = switch_extra(count_one, count_virtual);

	pmc_session_close(session);
	session = NULL;
	return cost;
}

/* The cost of a query of the module's first metric; -1: it has none. */
static double query(void)
{
	int i, ret = -1, rounds = 1;
	unsigned long long took = 0;
	char line[128];
	FILE *f;

	consumer("on", getpid(), 0);
	settle();
	/* Time for the module to take a few samples. */
	for (i = 0; i < 10; i++)
		spin(100000000);
	for (i = 0; i < METRICS; i++) {
		consumer("cost", getpid(), i);
		f = fopen("/proc/pmc_consumer", "r");
		while (f && fgets(line, sizeof(line), f))
			if (sscanf(line, "answer %d %llu of %d", &ret, &took, &rounds) == 3)
				break;
		fclose(f);
		if (!ret)
			break;
	}
	consumer("off", getpid(), 0);
	return ret ? -1 : ticks_to_instructions(took) / (double)rounds;
}

static void cell(double value)
{
	if (value < 0)
		printf(" %12s", "-");
	else
		printf(" %12.0f", value);
}

int main(int argc, char **argv)
{
	double monitored, added;

	if (argc != 2 && argc != 3)
		return fprintf(stderr, "usage: modules MODULE [HOOKS]\n"), 2;
	module = argv[1];
	pin();
	check_ruler();
	printf("%-18s %-20s", module, find_virtual() ? virtual_counter : "-");
	cell(virtual_counter[0] ? in_a_session() : -1);
	monitored = switch_extra(leave, monitor);
	cell(monitored);
	added = argc == 3 ? (monitored - atof(argv[2])) / 2 : -1;
	/* The measurement itself varies by some instructions, so 0 may come out below 0. */
	cell(argc == 3 && added < 0 ? 0 : added);
	cell(query());
	if (virtual_counter[0])
		printf(" %12.3f\n", tbs_percent(1, virtual_counter));
	else
		printf(" %12s\n", "-");
	return 0;
}
