// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The report on a core type. The processor's properties come from the machine's files, its
 * counters from libpmctrack. Both number the core types, each in its own order, so their CPUs
 * are compared.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_report.h"
#include "errors.h"
#include "kernel_file.h"
#include "library.h"
#include "pmu_names.h"

#define CPU_FOLDER	"/sys/devices/system/cpu/cpu%d"
#define KHZ_PER_MHZ	1000

/* MIDR_EL1 of processors whose other registers say which architecture they have */
#define MIDR_ARCHITECTURE 0xf

#define LIST_ENDS	",..."

/* "0-3,8"; an end that does not fit is replaced. */
static void print_list(const struct cpus *cpus, char *text, size_t size)
{
	int first, last, next;
	size_t len = 0;
	char run[32];

	*text = '\0';
	for (first = cpus_next(cpus, -1); first >= 0; first = next) {
		last = first;
		while ((next = cpus_next(cpus, last)) == last + 1)
			last = next;
		if (last > first)
			snprintf(run, sizeof(run), "%s%d-%d", len ? "," : "", first, last);
		else
			snprintf(run, sizeof(run), "%s%d", len ? "," : "", first);
		if (len + strlen(run) + sizeof(LIST_ENDS) > size) {
			strcpy(text + len, LIST_ENDS);
			return;
		}
		strcpy(text + len, run);
		len += strlen(run);
	}
}

/* Kernels before 4.7 have no file of it. */
static uint64_t midr_of(const struct cpuinfo *cpu, int first, const char *root)
{
	long long midr;

	midr = kernel_file_number(0, root, CPU_FOLDER "/regs/identification/midr_el1", first);
	if (midr || !cpu->implementer)
		return midr;
	return (uint64_t)cpu->implementer << 24 | (uint64_t)cpu->stepping << 20 |
	       MIDR_ARCHITECTURE << 16 | (uint64_t)cpu->model << 4 | cpu->revision;
}

static void describe_processor(struct pmcpapi_core_type *out, const struct cpuinfo *cpu)
{
	snprintf(out->vendor, sizeof(out->vendor), "%s", cpu->vendor_name);
	out->vendor_id = cpu->vendor;
	out->family = cpu->family;
	out->model_number = cpu->model;
	out->stepping = cpu->stepping;
}

/* Cores of a type may have different limits, as some are chosen to run faster. */
static void describe_speed(struct pmcpapi_core_type *out, const struct cpus *cpus, const char *root)
{
	long long khz, most = 0, least = LLONG_MAX, capacity, highest = 0;
	int cpu;

	for_each_cpu(cpu, cpus) {
		khz = kernel_file_number(0, root, CPU_FOLDER "/cpufreq/cpuinfo_max_freq", cpu);
		most = khz > most ? khz : most;
		khz = kernel_file_number(0, root, CPU_FOLDER "/cpufreq/cpuinfo_min_freq", cpu);
		least = khz > 0 && khz < least ? khz : least;
		capacity = kernel_file_number(0, root, CPU_FOLDER "/cpu_capacity", cpu);
		highest = capacity > highest ? capacity : highest;
	}
	out->max_mhz = most / KHZ_PER_MHZ;
	out->min_mhz = least == LLONG_MAX ? 0 : least / KHZ_PER_MHZ;
	out->capacity = highest;
}

int core_report_hardware(struct pmcpapi_core_type *out, const struct hardware *hw, int n,
			 const char *root)
{
	const struct core_type *type;

	if (n < 0 || n >= hw->types.nr)
		return PAPI_EINVAL;
	type = &hw->types.types[n];
	memset(out, 0, sizeof(*out));
	out->id = -1;
	snprintf(out->name, sizeof(out->name), "%s", type->name);
	snprintf(out->model, sizeof(out->model), "%s", hw->names[n]);
	snprintf(out->source, sizeof(out->source), "%s", hw->types.source);
	print_list(&type->cpus, out->cpus, sizeof(out->cpus));
	out->nr_cpus = cpus_count(&type->cpus);
	out->midr = midr_of(&hw->cpus[n], type->first, root);
	describe_processor(out, &hw->cpus[n]);
	describe_speed(out, &type->cpus, root);
	out->caches = hw->caches[n];
	return PAPI_OK;
}

void core_report_counters(struct pmcpapi_core_type *out, const struct pmc_core_type_info *info)
{
	const struct pmc_counter_info *counters;
	int i, nr;

	out->id = info->id;
	/* The name that stands for none is no name. */
	if (info->nr_hw_counters)
		snprintf(out->pmu, sizeof(out->pmu), "%s", info->pmu);
	if (!out->capacity)
		out->capacity = info->capacity;
	for (i = 0; i < info->nr_counters; i++) {
		counters = &info->counters[i];
		nr = counters->last - counters->first + 1;
		if (counters->kind == PMC_COUNTER_FIXED)
			out->nr_fixed += nr;
		else if (counters->kind == PMC_COUNTER_GENERAL)
			out->nr_general += nr;
	}
}

/* libpmctrack's core type of a CPU; NULL: the CPU cannot be counted. */
static const struct pmc_core_type_info *counted_type(const pmc_machine_t *machine, int cpu)
{
	const struct pmc_core_type_info *info;
	struct cpus cpus;
	int id;

	for (id = 0; (info = pmc_machine_core_type(machine, id)); id++)
		if (!cpus_parse(&cpus, info->cpus) && cpus_has(&cpus, cpu))
			return info;
	return NULL;
}

int pmcpapi_core_type(int n, struct pmcpapi_core_type *out)
{
	const struct hardware *hw;
	const struct pmc_core_type_info *info;
	int rc;

	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	if (!out)
		return papi_fail(PAPI_EINVAL);
	hw = hardware_get();
	if (!hw)
		return papi_fail(PAPI_ENOMEM);
	rc = core_report_hardware(out, hw, n, "");
	/* The end, with which loops stop, is no failure to report. */
	if (rc != PAPI_OK)
		return rc;
	info = counted_type(papi_machine(), hw->types.types[n].first);
	if (info)
		core_report_counters(out, info);
	if (info && info->nr_hw_counters)
		pmu_name_of_one(papi_machine(), info->id, out->event_pmu, sizeof(out->event_pmu));
	return PAPI_OK;
}
