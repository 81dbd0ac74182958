// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Count the instructions of a piece of code, in all and on each core type.
 *
 *   cc -o first first.c -lpmcpapi
 *   ./first
 *
 * A thread that moves to another core type goes on to be counted: the first number is the
 * sum of the others. The program also runs with PAPI itself, on machines with equal cores.
 */
#define _GNU_SOURCE
#include <papi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_TYPES 8

struct measured {
	int set;
	int nr_types;
	const char *types[MAX_TYPES];	/* PMU_NAME::, as names of events have it */
};

static void check(int code, const char *what)
{
	if (code >= PAPI_OK)
		return;
	fprintf(stderr, "%s: %s\n", what, PAPI_strerror(code));
	exit(2);
}

/* Events have other names on other core types; the first is libpmctrack's, for all. */
static int add_instructions(int set, const char *pmu)
{
	static const char *const names[] = {
		"instr", "INST_RETIRED", "INST_RETIRED:ANY_P", "INSTRUCTION_RETIRED",
		"RETIRED_INSTRUCTIONS",
	};
	char name[PAPI_MAX_STR_LEN];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(name, sizeof(name), "%s::%s", pmu, names[i]);
		if (PAPI_add_named_event(set, name) == PAPI_OK)
			return 0;
	}
	return -1;
}

/* Component 0 is the CPU; it has a PMU for each core type. */
static void add_events(struct measured *m)
{
	const PAPI_component_info_t *cpu = PAPI_get_component_info(0);
	int i;

	check(PAPI_add_event(m->set, PAPI_TOT_INS), "PAPI_TOT_INS");
	for (i = 0; cpu && i < PAPI_PMU_MAX && m->nr_types < MAX_TYPES; i++) {
		if (cpu->pmu_names[i] && !add_instructions(m->set, cpu->pmu_names[i]))
			m->types[m->nr_types++] = cpu->pmu_names[i];
	}
}

static void work(void)
{
	volatile int i;

	for (i = 0; i < 100000; i++)
		;
}

/* The same work on each CPU, so that each core type has a part. */
static void work_everywhere(void)
{
	cpu_set_t set;
	int cpu;

	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		if (!sched_setaffinity(0, sizeof(set), &set))
			work();
	}
}

int main(void)
{
	struct measured m = { .set = PAPI_NULL };
	long long counts[1 + MAX_TYPES];
	int i;

	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) {
		fprintf(stderr, "the library and papi.h are of different versions\n");
		return 2;
	}
	check(PAPI_create_eventset(&m.set), "a new EventSet");
	add_events(&m);

	check(PAPI_start(m.set), "start");
	work_everywhere();
	check(PAPI_stop(m.set, counts), "stop");

	printf("%-24s %14lld instructions\n", "all", counts[0]);
	for (i = 0; i < m.nr_types; i++)
		printf("%-24s %14lld\n", m.types[i], counts[1 + i]);
	PAPI_shutdown();
	return 0;
}
