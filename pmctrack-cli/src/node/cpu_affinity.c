// SPDX-License-Identifier: GPL-2.0
/* The CPUs that a program runs on: a list, core types, or all. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "node/cpu_affinity.h"
#include "node/sysfs_text.h"
#include "options.h"

/* A core may have several CPUs (SMT): the first of them is the core's. */
static int is_first_of_core(int cpu, const char *sys)
{
	char siblings[256];

	if (sysfs_text(siblings, sizeof(siblings),
		       "%s/devices/system/cpu/cpu%d/topology/thread_siblings_list", sys, cpu))
		return 1;
	return atoi(siblings) == cpu;
}

static void add_type(cpu_set_t *cpus, const struct pmc_core_type_info *type, const char *sys)
{
	cpu_set_t of_type;
	int cpu;

	if (cpus_parse(type->cpus, &of_type))
		return;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &of_type) && is_first_of_core(cpu, sys))
			CPU_SET(cpu, cpus);
}

static void add_word(cpu_set_t *cpus, const char *word, const pmc_machine_t *machine,
		     const char *sys)
{
	int id, all = !strcmp(word, "all");

	if (!all && pmc_machine_find_core_type(machine, word) < 0)
		bad("-c takes CPUs, as 0,2,4-6, or core types, or all, not '%s': %s", word,
		    pmc_last_error());
	for (id = 0; id < pmc_machine_nr_core_types(machine); id++)
		if (all || id == pmc_machine_find_core_type(machine, word))
			add_type(cpus, pmc_machine_core_type(machine, id), sys);
}

void cores_parse(cpu_set_t *cpus, const char *text, const pmc_machine_t *machine, const char *sys)
{
	char copy[256], *word, *rest = copy;
	cpu_set_t allowed;

	CPU_ZERO(cpus);
	if (isdigit((unsigned char)*text)) {
		if (cpus_parse(text, cpus))
			bad("-c takes CPUs, as 0,2,4-6, or core types, or all, not '%s'", text);
	} else {
		snprintf(copy, sizeof(copy), "%s", text);
		while ((word = strsep(&rest, ",")))
			add_word(cpus, word, machine, sys);
	}
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		bad("cannot ask for the CPUs of this process: %s", strerror(errno));
	CPU_AND(cpus, cpus, &allowed);
	if (!CPU_COUNT(cpus))
		bad("-c %s: pmctrack may run on none of these CPUs; `pmc-events -I` lists the CPUs", text);
}

void cores_print(char *text, size_t size, const cpu_set_t *cpus)
{
	int cpu, last;
	size_t n = 0;

	*text = '\0';
	for (cpu = 0; cpu < CPU_SETSIZE && n < size; cpu = last + 1) {
		last = cpu;
		if (!CPU_ISSET(cpu, cpus))
			continue;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, cpus))
			last++;
		n += snprintf(text + n, size - n, last > cpu ? "%s%d-%d" : "%s%d", n ? "," : "", cpu, last);
	}
}

void cores_export(const cpu_set_t *cpus)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", CPU_COUNT(cpus));
	if (setenv("OMP_NUM_THREADS", text, 1))
		bad("out of memory");
}
