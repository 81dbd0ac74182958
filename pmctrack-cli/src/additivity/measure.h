/* SPDX-License-Identifier: GPL-2.0 */
/* Run a program once, and count an event set. */
#ifndef PMCTRACK_ADDITIVITY_MEASURE_H
#define PMCTRACK_ADDITIVITY_MEASURE_H

#include <sched.h>

#include "additivity/energy_domain.h"
#include "additivity/programs.h"
#include "node/sources.h"
#include "pmctrack.h"

/**
 * struct measurement - what one run has shown
 * @seconds: from its start to its end
 * @joules: of the domain meanwhile, in all packages; NAN: not known
 * @nr: number of @counts
 */
struct measurement {
	double seconds;
	double joules;
	int nr;
	uint64_t counts[PMC_MAX_COUNTS];
};

/**
 * struct bench - where programs are measured
 * @cpus: the CPUs of the core type that they are bound to
 * @memory_node: the NUMA node that their memory is bound to; -1: not bound
 * @domain: the domain whose energy is measured
 * @energy: the gauges of energy, a column each of @record
 */
struct bench {
	const pmc_machine_t *machine;
	int core_type;
	cpu_set_t cpus;
	int memory_node;
	const struct energy_domain *domain;
	struct record record;
	struct sources energy;
};

/* @sys: where sysfs is. bad() if there is no such @domain. */
void bench_open(struct bench *bench, const pmc_machine_t *machine, int core_type,
		const cpu_set_t *cpus, const char *domain, const char *sys);
void bench_close(struct bench *bench);

/* Can the energy of the domain be read? */
int bench_has_energy(const struct bench *bench);

/* Joules of the domain in @seconds of waiting */
double bench_idle_joules(struct bench *bench, double seconds);

/*
 * Run @program and count @set. The processes are counted from their exec to their end, with all
 * threads and children; the process that starts the two commands of a compound is not. Their
 * output is not shown. bad() if a program fails, or if a count is not exact.
 */
void bench_run(struct bench *bench, const struct programs *programs, int program, const char *set,
	       struct measurement *m);

#endif
