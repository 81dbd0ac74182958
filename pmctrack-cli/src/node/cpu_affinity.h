/* SPDX-License-Identifier: GPL-2.0 */
/* The CPUs that a program runs on: a list, core types, or all. */
#ifndef PMCTRACK_NODE_CPU_AFFINITY_H
#define PMCTRACK_NODE_CPU_AFFINITY_H

#include <sched.h>

#include "pmctrack.h"

/*
 * The CPUs that @text means: "0,2,4-6" is a list. "all" is one CPU of each core, names of core
 * types, as "P" or "P,E", are one CPU of each core of these. @sys: where sysfs is. CPUs that
 * this process may not run on are left out; bad() if none is left, or if @text is wrong.
 */
void cores_parse(cpu_set_t *cpus, const char *text, const pmc_machine_t *machine, const char *sys);

/* Room for any list of CPUs */
#define CORES_TEXT	(8 * CPU_SETSIZE)

/* "0,2-4": the CPUs as a list */
void cores_print(char *text, size_t size, const cpu_set_t *cpus);

/* Have OpenMP and programs like it start one thread for each CPU. */
void cores_export(const cpu_set_t *cpus);

#endif
