// SPDX-License-Identifier: GPL-2.0
/* Calls of pmcpapi.h about memory and core types, on made-up machines. */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "core_report.h"
#include "library.h"
#include "made_files.h"
#include "meminfo.h"
#include "pmcpapi.h"
#include "pmu_names.h"

#define CPU	"/sys/devices/system/cpu/cpu%d"
#define NODE	"/sys/devices/system/node"
#define PMU	"/sys/bus/event_source/devices"
#define PAGE	4096

/* The folder that stands for / */
static char root[32];
static int initialized = PAPI_LOW_LEVEL_INITED;

int PAPI_is_initialized(void)
{
	return initialized;
}

const char *pmc_last_error(void)
{
	return "the cause";
}

const pmc_machine_t *papi_machine(void)
{
	return initialized ? (const pmc_machine_t *)root : NULL;
}

/* libpmctrack's core type of each CPU of this machine, and of a machine of AMD's */
static struct pmc_core_type_info counted = { .id = 7, .name = "P", .pmu = "cpu_core", .cpus = "" };
static const struct pmc_core_type_info amd[] = {
	{ .id = 0, .name = "classic", .pmu = "cpu", .cpus = "0-1,4" },
	{ .id = 1, .name = "dense", .pmu = "cpu", .cpus = "2-3,5" },
};
static int nr_amd;

int pmc_machine_nr_core_types(const pmc_machine_t *machine)
{
	return nr_amd ? nr_amd : 1;
}

const struct pmc_core_type_info *pmc_machine_core_type(const pmc_machine_t *machine, int id)
{
	if (nr_amd)
		return id < nr_amd ? &amd[id] : NULL;
	return id ? NULL : &counted;
}

static const char *event_table = "intel-adl.events, libpfm4 adl_glc";

const char *pmc_machine_event_table(const pmc_machine_t *machine, int id)
{
	return event_table;
}

/* libpfm4's name comes first, then the kernel's, then that of the core type. */
static void test_pmu_names(void **state)
{
	char name[32];

	pmu_name(papi_machine(), 0, name, sizeof(name));
	assert_string_equal(name, "adl_glc");
	assert_true(pmu_is(papi_machine(), 0, "ADL_GLC::X", 7));
	assert_true(pmu_is(papi_machine(), 0, "cpu_core", 8));
	assert_true(pmu_is(papi_machine(), 0, "p", 1));
	assert_false(pmu_is(papi_machine(), 0, "adl", 3));
	/* An old libpfm4 lacks the PMU. The library's own table of the model has its name. */
	event_table = "intel-adl.events, builtin adl_glc";
	pmu_name(papi_machine(), 0, name, sizeof(name));
	assert_string_equal(name, "cpu_core");
	assert_true(pmu_is(papi_machine(), 0, "adl_glc", 7));
	assert_false(pmu_is(papi_machine(), 0, "adl_grt", 7));
	assert_false(pmu_is(papi_machine(), 0, "intel", 5));
	/* Arm's table is that of the architecture. */
	event_table = "builtin armv8";
	counted.pmu = "armv8_cortex_a72";
	assert_true(pmu_is(papi_machine(), 0, "ARM_AC72", 8));
	assert_true(pmu_is(papi_machine(), 0, "armv8_cortex_a72", 16));
	assert_false(pmu_is(papi_machine(), 0, "arm_ac7", 7));
	assert_false(pmu_is(papi_machine(), 0, "arm_ac53", 8));
	assert_false(pmu_is(papi_machine(), 0, "arm_ac", 6));
	counted.pmu = "armv8_neoverse_n1";
	assert_true(pmu_is(papi_machine(), 0, "arm_n1", 6));
	assert_false(pmu_is(papi_machine(), 0, "arm_ac1", 7));
	counted.pmu = "cpu_core";
}

/* Append to a file. */
static void put(const char *text, const char *format, ...)
{
	char name[256];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	made_write(root, name + 1, "a", text, strlen(text));
}

static int setup(void **state)
{
	strcpy(root, "/tmp/papi_memory.XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int teardown(void **state)
{
	return made_remove(root);
}

/* ---- memory ---- */

static void test_node(void **state)
{
	struct pmcpapi_node_memory memory;

	assert_int_equal(memory_of_node(&memory, root, 0), PAPI_EINVAL);
	put("Node 3 MemTotal:       4194304 kB\nNode 3 MemFree:         1000000 kB\n"
	    "Node 3 MemUsed:         5 kB\nNode 3 Active(anon):     7 kB\n", NODE "/node3/meminfo");
	assert_int_equal(memory_of_node(&memory, root, 3), PAPI_OK);
	assert_int_equal(memory.total, 4194304);
	assert_int_equal(memory.free, 1000000);
	assert_int_equal(memory.used, 3194304);
	assert_int_equal(memory_of_node(&memory, root, 1), PAPI_EINVAL);
	assert_int_equal(memory_of_node(&memory, root, -1), PAPI_EINVAL);
	/* Without NUMA there is one node. */
	put("MemTotal:  1000 kB\nMemFree:  300 kB\n", "/proc/meminfo");
	assert_int_equal(memory_of_node(&memory, root, 0), PAPI_OK);
	assert_int_equal(memory.used, 700);
	assert_int_equal(memory_of_node(&memory, root, 1), PAPI_EINVAL);
}

static void test_machine(void **state)
{
	struct pmcpapi_machine_memory memory;

	assert_int_equal(memory_of_machine(&memory, root), PAPI_ESYS);
	put("MemTotal:       16000000 kB\nMemFree:         1000000 kB\n"
	    "MemAvailable:    9000000 kB\nSwapCached:           77 kB\n"
	    "SwapTotal:       2000000 kB\nSwapFree:        1500000 kB\n", "/proc/meminfo");
	assert_int_equal(memory_of_machine(&memory, root), PAPI_OK);
	assert_int_equal(memory.total, 16000000);
	assert_int_equal(memory.available, 9000000);
	assert_int_equal(memory.used, 7000000);
	assert_int_equal(memory.swap_total, 2000000);
	assert_int_equal(memory.swap_used, 500000);
}

static void put_smaps(void)
{
	put("00400000-00401000 r-xp 00000000 08:01 5 /a b: 7f00-7fff\nSize: 4 kB\nRss: 4 kB\n"
	    "Pss: 2 kB\nSwap: 1 kB\nVmFlags: rd ex\n"
	    "7f0000000000-7f0000800000 rw-p 00000000 00:00 0 \nSize: 8192 kB\nRss: 64 kB\n"
	    "Pss: 60 kB\nSwap: 12 kB\nSwapPss: 11 kB\n"
	    "7f0000800000-7f0000900000 rw-p 00000000 00:00 0 \nSize: 1024 kB\nRss: 1024 kB\n"
	    "Swap: 100 kB\n", "/proc/self/smaps");
}

static void test_high_water(void **state)
{
	struct pmcpapi_high_water most;

	assert_int_equal(memory_high_water(&most, root, 0), PAPI_ESYS);
	put("Name:\tVmHWM: 1\nVmPeak:\t  9000 kB\nVmSize:\t 8000 kB\nVmHWM:\t  700 kB\n"
	    "VmRSS:\t 600 kB\n", "/proc/self/status");
	put_smaps();
	assert_int_equal(memory_high_water(&most, root, 0x7f00007ffff0), PAPI_OK);
	assert_int_equal(most.resident, 700);
	assert_int_equal(most.virtual_size, 9000);
	assert_int_equal(most.thread_stack, 76);
	/* The end of a mapping is the begin of the next, and the last has none. */
	memory_high_water(&most, root, 0x7f0000800000);
	assert_int_equal(most.thread_stack, 1124);
	memory_high_water(&most, root, 0x7f0000900000);
	assert_int_equal(most.thread_stack, 0);
	memory_high_water(&most, root, 0x400000);
	assert_int_equal(most.thread_stack, 5);
}

static void test_swapping(void **state)
{
	struct pmcpapi_swapping swapping;

	put("VmSwap:\t    48 kB\n", "/proc/self/status");
	assert_int_equal(memory_swapping(&swapping, root), PAPI_ESYS);
	/* The name of a program may look like anything. */
	put("12 (a) R 1 2 3) S 1 12 12 0 -1 4194304 111 222 33 44 5 6\n", "/proc/self/stat");
	put("13 (t) R 1 12 12 0 -1 4194304 11 22 3 4 5 6\n", "/proc/thread-self/stat");
	assert_int_equal(memory_swapping(&swapping, root), PAPI_OK);
	assert_int_equal(swapping.swapped, 48);
	assert_int_equal(swapping.major_faults, 33);
	assert_int_equal(swapping.thread_major_faults, 3);
}

static void test_locality(void **state)
{
	long long kib[3];

	put("0,2\n", NODE "/online");
	assert_int_equal(memory_locality(kib, 3, root), PAPI_ENOSUPP);
	put("00400000 default file=/bin/N1=9 mapped=3 N0=2 N2=1 kernelpagesize_kB=4\n"
	    "7f000000 default\n"
	    "7f100000 bind:2 file=/a\\040N0=5 huge anon=2 dirty=2 N2=2 kernelpagesize_kB=2048\n"
	    "7f200000 N1=4 anon=4 N2=7 kernelpagesize_kB=64\n", "/proc/self/numa_maps");
	assert_int_equal(memory_locality(kib, 3, root), 3);
	assert_int_equal(kib[0], 8);
	assert_int_equal(kib[1], 0);
	assert_int_equal(kib[2], 4 + 4096 + 448);
	/* No room for all nodes */
	kib[1] = 99;
	assert_int_equal(memory_locality(kib, 1, root), 3);
	assert_int_equal(kib[0], 8);
	assert_int_equal(kib[1], 99);
}

static void test_locality_without_numa(void **state)
{
	long long kib[2] = { 0, 9 };

	assert_int_equal(memory_locality(kib, 2, root), PAPI_ESYS);
	put("Name:\tx\nVmRSS:\t  600 kB\n", "/proc/self/status");
	assert_int_equal(memory_locality(kib, 2, root), 1);
	assert_int_equal(kib[0], 600);
	assert_int_equal(kib[1], 0);
}

/* Page maps of 600 pages from page 16 on: every third is in memory */
static void put_page_maps(void)
{
	uint64_t maps[616] = { 0 };
	char path[64];
	FILE *f;
	int i;

	for (i = 16; i < 616; i++)
		maps[i] = i % 3 ? 1ULL << 62 : 1ULL << 63 | i;
	put("", "/proc/self/pagemap");
	snprintf(path, sizeof(path), "%s/proc/self/pagemap", root);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(maps, sizeof(maps), 1, f), 1);
	fclose(f);
}

static void test_location(void **state)
{
	struct memory_object o = { 16 * PAGE, 600 * PAGE, PAGE };
	long long kib[2], absent;

	assert_int_equal(memory_location(&o, kib, 2, &absent, root), PAPI_ENOSUPP);
	put_page_maps();
	assert_int_equal(memory_location(&o, kib, 2, &absent, root), 1);
	assert_int_equal(kib[0], 200 * 4);
	assert_int_equal(kib[1], 0);
	assert_int_equal(absent, 400 * 4);
	/* One byte more, and two bytes over the border of two pages */
	o.size++;
	assert_int_equal(memory_location(&o, kib, 2, NULL, root), PAPI_ENOSUPP);
	o.address = 18 * PAGE - 1;
	o.size = 2;
	assert_int_equal(memory_location(&o, kib, 2, &absent, root), 1);
	assert_int_equal(kib[0], 4);
	assert_int_equal(absent, 4);
	o.size = 1;
	memory_location(&o, kib, 2, &absent, root);
	assert_int_equal(kib[0], 0);
	assert_int_equal(absent, 4);
	/* Page maps do not say on which of several nodes a page is. */
	put("0-1\n", NODE "/online");
	assert_int_equal(memory_location(&o, kib, 2, &absent, root), PAPI_ENOSUPP);
}

/* The calls, on this machine */
static void test_calls(void **state)
{
	struct pmcpapi_machine_memory machine;
	struct pmcpapi_node_memory node;
	struct pmcpapi_high_water most;
	struct pmcpapi_swapping swapping;
	long page = sysconf(_SC_PAGESIZE);
	long long kib[64] = { 0 }, absent, sum = 0;
	char *pages;
	int i, nr;

	assert_int_equal(pmcpapi_memory_of_node(0, &node), PAPI_OK);
	assert_true(node.total > 0 && node.used > 0 && node.used < node.total);
	assert_int_equal(pmcpapi_memory_of_machine(&machine), PAPI_OK);
	assert_true(machine.total >= node.total && machine.available > 0);
	assert_int_equal(pmcpapi_memory_high_water(&most), PAPI_OK);
	assert_true(most.resident > 0 && most.virtual_size >= most.resident);
	assert_true(most.thread_stack > 0 && most.thread_stack <= most.resident);
	assert_int_equal(pmcpapi_memory_swapping(&swapping), PAPI_OK);
	assert_true(swapping.thread_major_faults <= swapping.major_faults);
	assert_true(pmcpapi_memory_locality(kib, 64) > 0);
	for (i = 0; i < 64; i++)
		sum += kib[i];
	assert_true(sum > 0);

	pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(pages != MAP_FAILED);
	pages[0] = pages[2 * page] = 1;
	nr = pmcpapi_memory_location(pages, 3 * page, kib, 64, &absent);
	assert_true(nr > 0);
	for (i = 0, sum = 0; i < 64; i++)
		sum += kib[i];
	assert_int_equal(sum, 2 * page / 1024);
	assert_int_equal(absent, page / 1024);
	munmap(pages, 3 * page);

	assert_int_equal(pmcpapi_memory_location(pages, 0, kib, 64, &absent), PAPI_EINVAL);
	assert_int_equal(pmcpapi_memory_locality(NULL, 64), PAPI_EINVAL);
	assert_int_equal(pmcpapi_memory_swapping(NULL), PAPI_EINVAL);
	initialized = PAPI_NOT_INITED;
	assert_int_equal(pmcpapi_memory_of_machine(&machine), PAPI_ENOINIT);
	assert_int_equal(pmcpapi_memory_locality(kib, 64), PAPI_ENOINIT);
	initialized = PAPI_LOW_LEVEL_INITED;
}

/* ---- core types ---- */

static void put_number(long long number, const char *file, int cpu)
{
	char path[256], text[32];

	snprintf(path, sizeof(path), CPU "/%s", cpu, file);
	snprintf(text, sizeof(text), "%lld\n", number);
	put(text, "%s", path);
}

/* Three types: CPUs 0 to 3 (A55), 4 to 6 (A78), 7 (X1) */
static void make_three_types(void)
{
	static const struct { int part, capacity, khz; } types[] = {
		{ 0xd05, 250, 1800000 }, { 0xd41, 800, 2400000 }, { 0xd44, 1024, 2840000 },
	};
	char text[256];
	int cpu, type;

	put("0-7\n", "/sys/devices/system/cpu/online");
	for (cpu = 0; cpu < 8; cpu++) {
		type = cpu < 4 ? 0 : cpu < 7 ? 1 : 2;
		snprintf(text, sizeof(text), "%d\n", cpu);
		put(text, CPU "/topology/core_cpus_list", cpu);
		put_number(types[type].capacity, "cpu_capacity", cpu);
		put_number(types[type].khz, "cpufreq/cpuinfo_max_freq", cpu);
		put_number(300000 + 1000 * cpu, "cpufreq/cpuinfo_min_freq", cpu);
		snprintf(text, sizeof(text), "processor\t: %d\nCPU implementer\t: 0x41\n"
			 "CPU architecture: 8\nCPU variant\t: 0x2\nCPU part\t: 0x%x\n"
			 "CPU revision\t: 1\n\n", cpu, types[type].part);
		put(text, "/proc/cpuinfo");
	}
	put("0x00000000412fd050\n", CPU "/regs/identification/midr_el1", 0);
	put("Data\n", CPU "/cache/index0/type", 7);
	put("64K\n", CPU "/cache/index0/size", 7);
	put_number(1, "cache/index0/level", 7);
}

static void test_three_types(void **state)
{
	struct pmcpapi_core_type t;
	struct hardware *hw;

	make_three_types();
	hw = hardware_read(root);
	assert_non_null(hw);
	assert_int_equal(core_report_hardware(&t, hw, 0, root), PAPI_OK);
	assert_string_equal(t.name, "big");
	assert_string_equal(t.model, "ARM Cortex-X1");
	assert_string_equal(t.vendor, "ARM_ARM");
	assert_string_equal(t.source, "midr");
	assert_string_equal(t.cpus, "7");
	assert_int_equal(t.id, -1);
	assert_int_equal(t.nr_cpus, 1);
	assert_int_equal(t.vendor_id, PAPI_VENDOR_ARM_ARM);
	assert_int_equal(t.family, 8);
	assert_int_equal(t.model_number, 0xd44);
	assert_int_equal(t.stepping, 2);
	/* Put together from its parts */
	assert_int_equal(t.midr, 0x412fd441);
	assert_int_equal(t.capacity, 1024);
	assert_int_equal(t.max_mhz, 2840);
	assert_int_equal(t.min_mhz, 307);
	assert_int_equal(t.caches.level[0].cache[0].size, 64 << 10);
	assert_int_equal(core_report_hardware(&t, hw, 1, root), PAPI_OK);
	assert_string_equal(t.name, "mid");
	assert_string_equal(t.cpus, "4-6");
	assert_int_equal(core_report_hardware(&t, hw, 2, root), PAPI_OK);
	assert_string_equal(t.name, "little");
	assert_string_equal(t.cpus, "0-3");
	assert_int_equal(t.midr, 0x412fd050);
	assert_int_equal(t.min_mhz, 300);
	assert_int_equal(core_report_hardware(&t, hw, 3, root), PAPI_EINVAL);
	assert_int_equal(core_report_hardware(&t, hw, -1, root), PAPI_EINVAL);
	hardware_free(hw);
}

/* Intel: types by the CPUs of the PMUs; no capacities, no frequencies, no MIDR */
static void test_hybrid(void **state)
{
	struct pmcpapi_core_type t;
	struct hardware *hw;
	char text[256];
	int cpu;

	put("0-5\n", "/sys/devices/system/cpu/online");
	for (cpu = 0; cpu < 6; cpu++) {
		snprintf(text, sizeof(text), "processor\t: %d\nvendor_id\t: GenuineIntel\n"
			 "cpu family\t: 6\nmodel\t\t: 151\nmodel name\t: A name\nstepping\t: 2\n\n",
			 cpu);
		put(text, "/proc/cpuinfo");
	}
	put("0-1,4\n", PMU "/cpu_core/cpus");
	put("2-3,5\n", PMU "/cpu_atom/cpus");
	hw = hardware_read(root);
	assert_non_null(hw);
	assert_int_equal(core_report_hardware(&t, hw, 1, root), PAPI_OK);
	assert_string_equal(t.name, "E");
	assert_string_equal(t.model, "A name (E)");
	assert_string_equal(t.cpus, "2-3,5");
	assert_string_equal(t.source, "pmu");
	assert_int_equal(t.model_number, 151);
	assert_int_equal(t.midr, 0);
	assert_int_equal(t.capacity, 0);
	assert_int_equal(t.max_mhz, 0);
	assert_int_equal(t.min_mhz, 0);
	hardware_free(hw);
}

static void make_amd(void)
{
	char text[256];
	int cpu;

	put("0-5\n", "/sys/devices/system/cpu/online");
	for (cpu = 0; cpu < 6; cpu++) {
		snprintf(text, sizeof(text), "processor\t: %d\nvendor_id\t: AuthenticAMD\n"
			 "cpu family\t: 25\nmodel\t\t: 17\nmodel name\t: A name\nstepping\t: 1\n\n",
			 cpu);
		put(text, "/proc/cpuinfo");
		put_number(cpu < 2 || cpu == 4 ? 3000000 : 4000000, "cpufreq/cpuinfo_max_freq", cpu);
	}
	put("4\n", PMU "/cpu/type");
}

/* AMD: all cores have the same PMU, and libpmctrack knows two types. */
static void test_types_of_libpmctrack(void **state)
{
	struct pmcpapi_core_type t;
	struct hardware *hw;

	make_amd();
	nr_amd = 2;
	hw = hardware_read(root);
	nr_amd = 0;
	assert_non_null(hw);
	assert_int_equal(hw->types.nr, 2);
	/* The fastest first */
	assert_int_equal(core_report_hardware(&t, hw, 0, root), PAPI_OK);
	assert_string_equal(t.name, "dense");
	assert_string_equal(t.model, "A name (dense)");
	assert_string_equal(t.cpus, "2-3,5");
	assert_string_equal(t.source, "libpmctrack");
	assert_int_equal(core_report_hardware(&t, hw, 1, root), PAPI_OK);
	assert_string_equal(t.name, "classic");
	assert_string_equal(t.cpus, "0-1,4");
	assert_int_equal(core_report_hardware(&t, hw, 2, root), PAPI_EINVAL);
	hardware_free(hw);
}

/* It knows one, too, or not all CPUs: the files decide. */
static void test_types_of_files(void **state)
{
	struct pmcpapi_core_type t;
	struct hardware *hw;

	make_amd();
	nr_amd = 1;
	hw = hardware_read(root);
	nr_amd = 0;
	assert_non_null(hw);
	assert_int_equal(core_report_hardware(&t, hw, 0, root), PAPI_OK);
	assert_string_equal(t.name, "core");
	assert_string_equal(t.cpus, "0-5");
	assert_string_equal(t.source, "pmu");
	assert_int_equal(core_report_hardware(&t, hw, 1, root), PAPI_EINVAL);
	hardware_free(hw);
}

/* A list that is too long for the report: every second CPU of many */
static void test_long_list(void **state)
{
	struct pmcpapi_core_type t;
	struct hardware *hw;
	int cpu;

	for (cpu = 0; cpu < 1000; cpu += 2) {
		char text[16];

		snprintf(text, sizeof(text), "%s%d", cpu ? "," : "", cpu);
		put(text, "/sys/devices/system/cpu/online");
	}
	hw = hardware_read(root);
	assert_non_null(hw);
	assert_int_equal(core_report_hardware(&t, hw, 0, root), PAPI_OK);
	assert_int_equal(t.nr_cpus, 500);
	assert_true(strlen(t.cpus) > sizeof(t.cpus) - 8);
	assert_string_equal(t.cpus + strlen(t.cpus) - 4, ",...");
	assert_int_equal(strncmp(t.cpus, "0,2,4,", 6), 0);
	hardware_free(hw);
}

static void test_counters(void **state)
{
	static const struct pmc_counter_info counters[] = {
		{ 0, 5, PMC_COUNTER_GENERAL, "any", 1 },
		{ 32, 34, PMC_COUNTER_FIXED, "instr", 1 },
		{ 40, 45, PMC_COUNTER_SOFTWARE, "task_clock", 0 },
	};
	struct pmcpapi_core_type t;
	int n;

	memset(&t, 0, sizeof(t));
	counted.cpus = "0-8191";
	counted.capacity = 900;
	counted.nr_hw_counters = 9;
	counted.nr_counters = 3;
	counted.counters = counters;
	core_report_counters(&t, &counted);
	assert_int_equal(t.id, 7);
	assert_string_equal(t.pmu, "cpu_core");
	assert_int_equal(t.capacity, 900);
	assert_int_equal(t.nr_general, 6);
	assert_int_equal(t.nr_fixed, 3);
	counted.pmu = "none";
	counted.nr_hw_counters = 0;
	memset(&t, 0, sizeof(t));
	core_report_counters(&t, &counted);
	assert_string_equal(t.pmu, "");

	/* This machine: every CPU is of that type. */
	for (n = 0; pmcpapi_core_type(n, &t) == PAPI_OK; n++) {
		assert_int_equal(t.id, 7);
		assert_true(t.nr_cpus > 0 && *t.cpus);
	}
	assert_true(n > 0);
	assert_int_equal(pmcpapi_core_type(0, NULL), PAPI_EINVAL);
	counted.cpus = "8191";
	assert_int_equal(pmcpapi_core_type(0, &t), PAPI_OK);
	assert_int_equal(t.id, -1);
	assert_int_equal(t.nr_general, 0);
	assert_string_equal(t.pmu, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_node, setup, teardown),
		cmocka_unit_test_setup_teardown(test_machine, setup, teardown),
		cmocka_unit_test_setup_teardown(test_high_water, setup, teardown),
		cmocka_unit_test_setup_teardown(test_swapping, setup, teardown),
		cmocka_unit_test_setup_teardown(test_locality, setup, teardown),
		cmocka_unit_test_setup_teardown(test_locality_without_numa, setup, teardown),
		cmocka_unit_test_setup_teardown(test_location, setup, teardown),
		cmocka_unit_test(test_calls),
		cmocka_unit_test_setup_teardown(test_three_types, setup, teardown),
		cmocka_unit_test_setup_teardown(test_hybrid, setup, teardown),
		cmocka_unit_test_setup_teardown(test_types_of_libpmctrack, setup, teardown),
		cmocka_unit_test_setup_teardown(test_types_of_files, setup, teardown),
		cmocka_unit_test_setup_teardown(test_long_list, setup, teardown),
		cmocka_unit_test(test_pmu_names),
		cmocka_unit_test(test_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
