// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Measure the cost of a caliper, and count the events of a piece of code on each CPU.
 *
 *   cc -o caliper caliper.c $(pkg-config --cflags --libs pmctrack)
 *   ./caliper [EVENTS]
 *
 * The first line is the difference of two readings, one right after the other:
 * with instr among the events, the instructions of one reading.
 */
#define _GNU_SOURCE
#include <pmctrack.h>
#include <sched.h>
#include <unistd.h>

static void print(const char *what, const uint64_t *counts, int n)
{
	int i;

	printf("%-12s", what);
	for (i = 0; i < n; i++)
		printf(" %14llu", (unsigned long long)counts[i]);
	printf("\n");
}

static void cost_of_reading(pmc_caliper_t *caliper)
{
	uint64_t a[PMC_MAX_COUNTS], b[PMC_MAX_COUNTS];
	int i, n = 0, round;

	/* The first readings also look up the counters and link the function. */
	for (round = 0; round < 3; round++) {
		pmc_caliper_read(caliper, a);
		n = pmc_caliper_read(caliper, b);
	}
	for (i = 0; i < n; i++)
		b[i] -= a[i];
	print("one reading", b, n);
}

static void work(void)
{
	volatile int i;

	for (i = 0; i < 100000; i++)
		;
}

static void work_on(pmc_caliper_t *caliper, int cpu)
{
	struct pmc_region region;
	char name[16];
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return;
	snprintf(name, sizeof(name), "CPU %d", cpu);
	pmc_region_begin(caliper, name);
	work();
	pmc_region_end(caliper, name);
	if (!pmc_region_read(caliper, name, &region))
		print(region.name, region.counts, region.nr_counts);
}

int main(int argc, char **argv)
{
	pmc_caliper_t *caliper = pmc_caliper_open(argc > 1 ? argv[1] : "instr,cycles");
	int cpu;

	if (!caliper) {
		fprintf(stderr, "%s\n", pmc_last_error());
		return 2;
	}
	cost_of_reading(caliper);
	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++)
		work_on(caliper, cpu);
	pmc_caliper_close(caliper);
	return 0;
}
