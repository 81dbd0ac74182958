// SPDX-License-Identifier: GPL-2.0
/* pmc-hwinfo: the machine as PAPI sees it: core types, caches, memory nodes, components. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <papi.h>
/* Another PAPI does not have this one's own calls. */
#if __has_include(<pmcpapi.h>)
#include <pmcpapi.h>
#endif

#include "../src/common.h"
#include "../src/output.h"
#include "devices.h"
#include "format.h"
#include "hwinfo_caches.h"
#include "hwinfo_components.h"
#include "library.h"
#include "section_report.h"

static const char help[] =
"Usage: pmc-hwinfo [OPTION]...\n"
"Show the machine as PAPI programs see it: processors, core types with their caches, memory\n"
"nodes, and the components that count.\n"
"\n"
"  -c, --components          show the components only, and why some are disabled\n"
"  -m, --machine             show the machine only\n"
FORMAT_HELP
"\n"
"The values of [Machine] that differ between core types are those of the fastest. The fastest\n"
"core type comes first; its number in other commands, such as pmc-events, may be another one.\n"
"\n"
"Example: pmc-hwinfo --format=json | jq '.core_types[] | .name, .l2_size'\n";

struct hwinfo {
	struct options o;	/* first, for the table */
	int components;
	int machine;
};

static const struct option_row rows[] = {
	OPTION_FLAG('c', "components", struct hwinfo, components),
	OPTION_FLAG('m', "machine", struct hwinfo, machine),
	FORMAT_ROW,
	{ 0 }
};

/* ---- the machine ---- */

static void number(struct section_report *r, const char *member, const char *label, long long value)
{
	section_report_number(r, member, label, value, "");
}

/* PAPI has 0 for what it does not know. */
static void known(struct section_report *r, const char *member, const char *label, long long value,
		  const char *unit)
{
	section_report_number(r, member, label, value ? value : -1, unit);
}

static void show_version(struct section_report *r)
{
	int version = PAPI_get_opt(PAPI_LIB_VERSION, NULL);
	char text[32];

	if (version <= 0)
		return;
	snprintf(text, sizeof(text), "%d.%d.%d", PAPI_VERSION_MAJOR(version),
		 PAPI_VERSION_MINOR(version), PAPI_VERSION_REVISION(version));
	section_report_text(r, "papi_version", "PAPI version", text);
}

static void show_model(struct section_report *r, const PAPI_hw_info_t *hw)
{
	section_report_text(r, "vendor", "vendor", hw->vendor_string);
	section_report_text(r, "model", "model", hw->model_string);
	number(r, "cpuid_family", "family", hw->cpuid_family);
	number(r, "cpuid_model", "model number", hw->cpuid_model);
	number(r, "cpuid_stepping", "stepping", hw->cpuid_stepping);
	known(r, "min_mhz", "least clock rate", hw->cpu_min_mhz, "MHz");
	known(r, "max_mhz", "greatest clock rate", hw->cpu_max_mhz, "MHz");
}

static void show_topology(struct section_report *r, const PAPI_hw_info_t *hw)
{
	number(r, "cpus", "CPUs", hw->totalcpus);
	number(r, "sockets", "sockets", hw->sockets);
	number(r, "cores_per_socket", "cores per socket", hw->cores);
	number(r, "threads_per_core", "threads per core", hw->threads);
	number(r, "nodes", "memory nodes", hw->nnodes);
	number(r, "cpus_per_node", "CPUs per node", hw->ncpu);
}

static void show_virtual(struct section_report *r, const PAPI_hw_info_t *hw)
{
	section_report_text(r, "virtualized", "virtual machine", hw->virtualized ? "yes" : "no");
	section_report_text(r, "hypervisor", "hypervisor", hw->virtual_vendor_string);
	section_report_text(r, "hypervisor_version", "its version", hw->virtual_vendor_version);
}

static void show_machine(struct section_report *r, const PAPI_hw_info_t *hw)
{
	section_report_section(r, "machine", "Machine");
	show_model(r, hw);
	show_topology(r, hw);
	show_virtual(r, hw);
	number(r, "counters", "counters", PAPI_num_cmp_hwctrs(0));
	show_version(r);
	section_report_section_end(r);
}

/* ---- core types ---- */

#ifdef PMCPAPI_H

static const char *source_text(const char *source)
{
	static const char *const texts[][2] = {
		{ "pmu", "the CPUs of the kernel's PMUs" },
		{ "cpuid", "CPUID" },
		{ "midr", "MIDR" },
		{ "capacity", "the kernel's capacities" },
		{ "frequency", "greatest frequencies" },
		{ "caches", "sizes of caches" },
		{ "libpmctrack", "the types that libpmctrack counts" },
		{ "none", "nothing: cores do not differ, as far as is known" },
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!strcmp(source, texts[i][0]))
			return texts[i][1];
	return source;
}

/* People read what a source is, programs its name. */
static void show_source(struct section_report *r, const char *source)
{
	section_report_text(r, "found_by", "found by",
			    r->format == FORM_TABLE ? source_text(source) : source);
}

static void show_identity(struct section_report *r, const struct pmcpapi_core_type *t)
{
	char midr[32];

	section_report_text(r, "kind", "kind of core", t->name);
	section_report_text(r, "vendor", "vendor", t->vendor);
	snprintf(midr, sizeof(midr), "0x%08llx", (unsigned long long)t->midr);
	section_report_text(r, "midr", "MIDR", t->midr ? midr : "");
	section_report_text(r, "cpu_list", "list of CPUs", t->cpus);
	known(r, "capacity", "capacity", t->capacity, "of 1024");
	known(r, "min_mhz", "least clock rate", t->min_mhz, "MHz");
	known(r, "max_mhz", "greatest clock rate", t->max_mhz, "MHz");
}

static void show_pmu(struct section_report *r, const struct pmcpapi_core_type *t)
{
	section_report_text(r, "pmu", "PMU", t->pmu);
	section_report_text(r, "event_pmu", "PMU in events", t->event_pmu);
	if (t->id < 0)
		return;
	number(r, "fixed_counters", "fixed counters", t->nr_fixed);
	number(r, "general_counters", "general counters", t->nr_general);
	number(r, "id", "number in pmctrack", t->id);
}

/* What PAPI's devices do not have */
static void show_details(struct section_report *r, int nr)
{
	struct pmcpapi_core_type t;

	if (pmcpapi_core_type(nr, &t) != PAPI_OK)
		return;
	show_identity(r, &t);
	show_pmu(r, &t);
	show_source(r, t.source);
}

#else

static void show_details(struct section_report *r, int nr)
{
	(void)r;
	(void)nr;
}

#endif

static void show_core_type(struct section_report *r, const struct device *d, int nr)
{
	char title[32];

	snprintf(title, sizeof(title), "Core type %d", nr);
	section_report_section(r, NULL, title);
	section_report_text(r, "name", "name", device_text(d, PAPI_DEV_ATTR__CPU_CHAR_NAME));
	number(r, "cpuid_family", "family", device_number(d, PAPI_DEV_ATTR__CPU_UINT_FAMILY));
	number(r, "cpuid_model", "model number", device_number(d, PAPI_DEV_ATTR__CPU_UINT_MODEL));
	number(r, "cpuid_stepping", "stepping", device_number(d, PAPI_DEV_ATTR__CPU_UINT_STEPPING));
	number(r, "cpus", "CPUs", device_number(d, PAPI_DEV_ATTR__CPU_UINT_THREAD_COUNT));
	number(r, "sockets", "sockets", device_number(d, PAPI_DEV_ATTR__CPU_UINT_SOCKET_COUNT));
	number(r, "cores_per_socket", "cores per socket",
	       device_number(d, PAPI_DEV_ATTR__CPU_UINT_CORE_COUNT));
	show_details(r, nr);
	hwinfo_caches_device(r, d);
	section_report_section_end(r);
}

static void show_core_types(struct section_report *r)
{
	struct device device;
	int i;

	section_report_list(r, "core_types");
	for (i = 0; devices_cpu(i, &device); i++)
		show_core_type(r, &device, i);
	section_report_list_end(r);
}

/* ---- memory nodes ---- */

/* The CPUs of a memory node, as 0-3,8. Others between them may be offline. */
static void node_cpus(const struct device *device, int node, char *buf, size_t size)
{
	const int nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct device cpu = *device;
	size_t len = 0;
	int first = -1;

	*buf = '\0';
	for (cpu.id = 0; cpu.id <= nr_cpus && len < size; cpu.id++) {
		int in = cpu.id < nr_cpus &&
			device_number(&cpu, PAPI_DEV_ATTR__CPU_UINT_THR_NUMA_AFFINITY) == node;

		if (in && first < 0)
			first = cpu.id;
		if (in || first < 0)
			continue;
		len += snprintf(buf + len, size - len, "%s%d", len ? "," : "", first);
		if (len < size && cpu.id - 1 > first)
			len += snprintf(buf + len, size - len, "-%d", cpu.id - 1);
		first = -1;
	}
}

static void show_nodes(struct section_report *r)
{
	struct device node;
	char title[32], cpus[1024];
	int i, nr;

	if (!devices_cpu(0, &node))
		return;
	nr = device_number(&node, PAPI_DEV_ATTR__CPU_UINT_NUMA_COUNT);
	section_report_list(r, "nodes");
	for (i = 0; i < nr; i++) {
		struct device device = node;

		snprintf(title, sizeof(title), "Memory node %d", i);
		section_report_section(r, NULL, title);
		node_cpus(&node, i, cpus, sizeof(cpus));
		section_report_text(r, "cpus", "CPUs", cpus);
		device.id = i;
		section_report_number(r, "memory", "memory",
				      device_number(&device, PAPI_DEV_ATTR__CPU_UINT_NUMA_MEM_SIZE),
				      "MiB");
		section_report_section_end(r);
	}
	section_report_list_end(r);
}

static void show_all(struct section_report *r, const struct hwinfo *h)
{
	const PAPI_hw_info_t *hw = PAPI_get_hardware_info();

	if (!hw)
		bad("PAPI knows nothing of this hardware: look whether /proc and /sys are mounted");
	section_report_begin(r);
	if (!h->components || h->machine) {
		show_machine(r, hw);
		show_core_types(r);
		hwinfo_caches_hierarchy(r, &hw->mem_hierarchy);
		show_nodes(r);
	}
	if (!h->machine || h->components)
		hwinfo_components(r);
	section_report_end(r);
}

int main(int argc, char **argv)
{
	struct hwinfo h = { 0 };
	struct section_report r = { 0 };
	char **words = option_table_parse(rows, help, &h.o, argc, argv);

	if (words)
		bad("'%s' is no option; see pmc-hwinfo --help", words[0]);
	library_begin();
	r.format = format_taken();
	r.width = output_width(stdout);
	show_all(&r, &h);
	written(stdout, "the report");
	PAPI_shutdown();
	return 0;
}
