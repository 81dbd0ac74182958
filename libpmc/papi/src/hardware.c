// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The machine. PAPI's structure has one model, one number of threads a core and one set of
 * caches. Where cores differ, these are of the fastest core type, and numbers are the
 * largest there are, so that totalcpus may be less than sockets * cores * threads.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caches.h"
#include "x86_cpuid.h"
#include "errors.h"
#include "hardware.h"
#include "kernel_file.h"
#include "timers.h"

#define CPU_FOLDER	"/sys/devices/system/cpu/cpu%d"
#define KHZ_PER_MHZ	1000

/* Texts have PAPI_MAX_STR_LEN bytes; the end of a longer one is lost. */
static void append_text(char *to, const char *text)
{
	size_t used = strlen(to);
	size_t length = strnlen(text, PAPI_MAX_STR_LEN - 1 - used);

	memcpy(to + used, text, length);
	to[used + length] = '\0';
}

static void copy_text(char *to, const char *from)
{
	*to = '\0';
	append_text(to, from);
}

static void describe_topology(PAPI_hw_info_t *info, const struct topology *t)
{
	struct cpus cores;

	topology_cores(t, &t->online, &cores);
	info->totalcpus = cpus_count(&t->online);
	info->sockets = t->nr_sockets;
	info->cores = topology_per_socket(t, &cores);
	info->threads = topology_threads(t, &t->online);
	info->nnodes = t->nr_nodes;
	info->ncpu = topology_per_node(t, -1);
}

static void describe_model(PAPI_hw_info_t *info, const struct cpuinfo *cpu)
{
	info->vendor = cpu->vendor;
	copy_text(info->vendor_string, cpu->vendor_name);
	copy_text(info->model_string, cpu->model_name);
	info->cpuid_family = cpu->family;
	info->cpuid_model = cpu->model;
	info->cpuid_stepping = cpu->stepping;
	info->revision = cpu->revision;
	/* PAPI has MIDR's revision here. */
	info->model = cpu->implementer ? cpu->revision : cpu->model;
}

/* Without cpufreq, the last resort is the rate of PAPI_get_real_cyc(). */
static int mhz_without_cpufreq(const struct cpuinfo *cpu, const char *root)
{
	if (cpu->mhz >= 1)
		return cpu->mhz;
	return *root ? 0 : papi_real_hz() / 1e6;
}

static void describe_frequency(PAPI_hw_info_t *info, const struct hardware *hw, const char *root)
{
	long long khz, most = 0, least = 0;
	int cpu;

	for_each_cpu(cpu, &hw->types.types[0].cpus) {
		khz = kernel_file_number(0, root, CPU_FOLDER "/cpufreq/cpuinfo_max_freq", cpu);
		if (khz > most)
			most = khz;
		khz = kernel_file_number(0, root, CPU_FOLDER "/cpufreq/cpuinfo_min_freq", cpu);
		if (khz > 0 && (!least || khz < least))
			least = khz;
	}
	info->cpu_max_mhz = most / KHZ_PER_MHZ;
	info->cpu_min_mhz = least / KHZ_PER_MHZ;
	if (!info->cpu_max_mhz)
		info->cpu_max_mhz = mhz_without_cpufreq(&hw->cpus[0], root);
	if (!info->cpu_min_mhz)
		info->cpu_min_mhz = info->cpu_max_mhz;
	info->mhz = info->cpu_max_mhz;
	info->clock_mhz = info->cpu_max_mhz;
}

/* Xen is seen in sysfs, also where the CPU has no CPUID; others by CPUID. */
static void describe_hypervisor(PAPI_hw_info_t *info, const struct cpuinfo *cpu, const char *root)
{
	long long major, minor;

	if (!kernel_file_line(info->virtual_vendor_string, PAPI_MAX_STR_LEN, root,
			      "/sys/hypervisor/type"))
		info->virtualized = 1;
	else if (!*root)
		cpuid_hypervisor(info->virtual_vendor_string, PAPI_MAX_STR_LEN);
	if (cpu->hypervisor || *info->virtual_vendor_string)
		info->virtualized = 1;
	major = kernel_file_number(-1, root, "/sys/hypervisor/version/major");
	minor = kernel_file_number(0, root, "/sys/hypervisor/version/minor");
	if (major >= 0)
		snprintf(info->virtual_vendor_version, PAPI_MAX_STR_LEN, "%lld.%lld", major, minor);
}

static int has_namesake(const struct hardware *hw, int type)
{
	int other;

	for (other = 0; other < hw->types.nr; other++)
		if (other != type &&
		    !strcmp(hw->cpus[other].model_name, hw->cpus[type].model_name))
			return 1;
	return 0;
}

/* Intel's core types have one name: the kind of core is put behind. */
static void name_core_types(struct hardware *hw)
{
	int type;

	for (type = 0; type < hw->types.nr; type++) {
		copy_text(hw->names[type], hw->cpus[type].model_name);
		if (!has_namesake(hw, type))
			continue;
		append_text(hw->names[type], " (");
		append_text(hw->names[type], hw->types.types[type].name);
		append_text(hw->names[type], ")");
	}
}

static void describe_core_types(struct hardware *hw, const char *root)
{
	int type, cpu;

	for (type = 0; type < hw->types.nr; type++) {
		cpu = hw->types.types[type].first;
		cpuinfo_read(&hw->cpus[type], root, cpu);
		caches_read(&hw->caches[type], root, cpu);
	}
}

static long long read_node_kib(const char *root, int node)
{
	/* Node 0 MemTotal:       16308732 kB */
	FILE *f = kernel_file_open(root, "/sys/devices/system/node/node%d/meminfo", node);
	long long kib = 0;
	char line[128];

	if (!f)
		f = kernel_file_open(root, "/proc/meminfo");
	while (f && !kib && fgets(line, sizeof(line), f))
		if (sscanf(line, "Node %*d MemTotal: %lld", &kib) != 1)
			sscanf(line, "MemTotal: %lld", &kib);
	if (f)
		fclose(f);
	return kib;
}

static int read_memory(struct hardware *hw, const char *root)
{
	int name, node = 0;

	hw->node_kib = calloc(hw->topology.nr_nodes, sizeof(*hw->node_kib));
	if (!hw->node_kib)
		return -1;
	for_each_cpu(name, &hw->topology.nodes)
		hw->node_kib[node++] = read_node_kib(root, name);
	return 0;
}

struct hardware *hardware_read(const char *root)
{
	struct hardware *hw = calloc(1, sizeof(*hw));

	if (!hw || topology_read(&hw->topology, root) || read_memory(hw, root)) {
		hardware_free(hw);
		errno = ENOMEM;
		return NULL;
	}
	core_types_find(&hw->types, &hw->topology, root);
	describe_core_types(hw, root);
	describe_topology(&hw->info, &hw->topology);
	describe_model(&hw->info, &hw->cpus[0]);
	describe_frequency(&hw->info, hw, root);
	describe_hypervisor(&hw->info, &hw->cpus[0], root);
	hw->info.mem_hierarchy = hw->caches[0];
	name_core_types(hw);
	return hw;
}

void hardware_free(struct hardware *hw)
{
	if (!hw)
		return;
	topology_free(&hw->topology);
	free(hw->node_kib);
	free(hw);
}

/* The object stays: programs keep pointers to it, also after PAPI_shutdown(). */
const struct hardware *hardware_get(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct hardware *this_machine;

	pthread_mutex_lock(&lock);
	if (!this_machine)
		this_machine = hardware_read("");
	pthread_mutex_unlock(&lock);
	return this_machine;
}

const PAPI_hw_info_t *PAPI_get_hardware_info(void)
{
	const struct hardware *hw;

	if (!PAPI_is_initialized()) {
		papi_fail(PAPI_ENOINIT);
		return NULL;
	}
	hw = hardware_get();
	if (!hw) {
		papi_fail(PAPI_ENOMEM);
		return NULL;
	}
	return &hw->info;
}
