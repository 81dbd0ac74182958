// SPDX-License-Identifier: GPL-2.0
/* PAPI calls about the machine, the program and its memory, on made-up machines. */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cpu_set.h"
#include "devices.h"
#include "dmem.h"
#include "errors.h"
#include "hardware.h"
#include "library.h"
#include "made_files.h"
#include "papi.h"
#include "timers.h"

#define CPU "/sys/devices/system/cpu/cpu%d"
#define NODE "/sys/devices/system/node"
#define PMU "/sys/bus/event_source/devices"

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

/* Nothing is counted: the files alone say what differs. */
const pmc_machine_t *papi_machine(void)
{
	return NULL;
}

const struct pmc_core_type_info *pmc_machine_core_type(const pmc_machine_t *machine, int id)
{
	return NULL;
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

static void replace(const char *text, const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), "%s%s", root, file);
	assert_int_equal(unlink(path), 0);
	put(text, "%s", file);
}

static void put_number(long long number, const char *file, int cpu)
{
	char path[256], text[32];

	snprintf(path, sizeof(path), CPU "/%s", cpu, file);
	snprintf(text, sizeof(text), "%lld\n", number);
	put(text, "%s", path);
}

static int setup(void **state)
{
	strcpy(root, "/tmp/papi_hw.XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int teardown(void **state)
{
	return made_remove(root);
}

/* A CPU with its siblings, and its cluster's or socket's number */
static void put_cpu(int cpu, const char *siblings, int socket)
{
	put(siblings, CPU "/topology/core_cpus_list", cpu);
	put_number(socket, "topology/physical_package_id", cpu);
}

static void put_cache_number(int number, const char *name, int cpu, int index)
{
	char file[64];

	snprintf(file, sizeof(file), "cache/index%d/%s", index, name);
	put_number(number, file, cpu);
}

static void put_cache(int cpu, int index, int level, const char *type, const char *size, int ways,
		      int sets)
{
	put(type, CPU "/cache/index%d/type", cpu, index);
	put(size, CPU "/cache/index%d/size", cpu, index);
	put_cache_number(level, "level", cpu, index);
	put_cache_number(64, "coherency_line_size", cpu, index);
	put_cache_number(ways, "ways_of_associativity", cpu, index);
	put_cache_number(sets, "number_of_sets", cpu, index);
}

static void put_intel(int cpu, int model, const char *name)
{
	char text[512];

	snprintf(text, sizeof(text), "processor\t: %d\nvendor_id\t: GenuineIntel\n"
		 "cpu family\t: 6\nmodel\t\t: %d\nmodel name\t: %s\nstepping\t: 2\n"
		 "cpu MHz\t\t: 800.123\nflags\t\t: fpu vme\n\n", cpu, model, name);
	put(text, "/proc/cpuinfo");
}

static struct hardware *read_machine(void)
{
	struct hardware *hw = hardware_read(root);

	assert_non_null(hw);
	return hw;
}

static unsigned int attr(const struct hardware *hw, int id, PAPI_dev_attr_e which)
{
	unsigned int value = 0xdeadbeef;

	assert_int_equal(device_attr(hw, id, which, &value), PAPI_OK);
	return value;
}

static const char *device_name(const struct hardware *hw, int id)
{
	const char *name = NULL;

	assert_int_equal(device_attr(hw, id, PAPI_DEV_ATTR__CPU_CHAR_NAME, &name), PAPI_OK);
	return name;
}

/* Two sockets of four cores with two threads; CPU n and n + 8 are one core. */
static void make_server(void)
{
	char siblings[32];
	int cpu;

	put("0-15\n", "/sys/devices/system/cpu/online");
	for (cpu = 0; cpu < 16; cpu++) {
		snprintf(siblings, sizeof(siblings), "%d,%d\n", cpu % 8, cpu % 8 + 8);
		put_cpu(cpu, siblings, cpu % 8 / 4);
		put_intel(cpu, 106, "Intel(R) Xeon(R)  ");
		/* A core is chosen to run faster: this is no core type. */
		put_number(cpu % 8 == 5 ? 3600000 : 3400000, "cpufreq/cpuinfo_max_freq", cpu);
		put_number(800000, "cpufreq/cpuinfo_min_freq", cpu);
		put_cache(cpu, 0, 1, "Data\n", "48K\n", 12, 64);
		put_cache(cpu, 1, 1, "Instruction\n", "32K\n", 8, 1);
		put_cache(cpu, 2, 2, "Unified\n", "1280K\n", 20, 1024);
		put_cache(cpu, 3, 3, "Unified\n", "12M\n", 12, 16384);
	}
	put("0-1\n", NODE "/online");
	put("0-3,8-11\n", NODE "/node0/cpulist");
	put("4-7,12-15\n", NODE "/node1/cpulist");
	put("\nNode 0 MemTotal:       4194304 kB\n", NODE "/node0/meminfo");
	put("\nNode 1 MemTotal:       2097152 kB\n", NODE "/node1/meminfo");
	put("4\n", PMU "/cpu/type");
	put("0\n", PMU "/uncore_imc/cpumask");
}

static void test_one_type(void **state)
{
	const PAPI_mh_cache_info_t *cache;
	const PAPI_hw_info_t *info;
	struct hardware *hw;

	make_server();
	hw = read_machine();
	info = &hw->info;
	assert_int_equal(info->totalcpus, 16);
	assert_int_equal(info->sockets, 2);
	assert_int_equal(info->cores, 4);
	assert_int_equal(info->threads, 2);
	assert_int_equal(info->nnodes, 2);
	assert_int_equal(info->ncpu, 8);
	assert_int_equal(info->vendor, PAPI_VENDOR_INTEL);
	assert_string_equal(info->vendor_string, "GenuineIntel");
	assert_string_equal(info->model_string, "Intel(R) Xeon(R)");
	assert_int_equal(info->cpuid_family, 6);
	assert_int_equal(info->cpuid_model, 106);
	assert_int_equal(info->model, 106);
	assert_int_equal(info->cpuid_stepping, 2);
	assert_int_equal(info->cpu_max_mhz, 3600);
	assert_int_equal(info->cpu_min_mhz, 800);
	assert_int_equal(info->virtualized, 0);
	assert_int_equal(info->mem_hierarchy.levels, 3);
	cache = &info->mem_hierarchy.level[0].cache[0];
	assert_int_equal(PAPI_MH_CACHE_TYPE(cache->type), PAPI_MH_TYPE_DATA);
	assert_int_equal(cache->size, 48 << 10);
	assert_int_equal(cache->line_size, 64);
	assert_int_equal(cache->num_lines, 768);
	assert_int_equal(cache->associativity, 12);
	cache = &info->mem_hierarchy.level[2].cache[0];
	assert_int_equal(PAPI_MH_CACHE_TYPE(cache->type), PAPI_MH_TYPE_UNIFIED);
	assert_int_equal(cache->size, 12 << 20);
	assert_int_equal(info->mem_hierarchy.level[2].cache[1].type, PAPI_MH_TYPE_EMPTY);
	assert_int_equal(hw->types.nr, 1);
	assert_string_equal(hw->types.source, "pmu");
	assert_string_equal(device_name(hw, 0), "Intel(R) Xeon(R)");
	assert_int_equal(attr(hw, 0, PAPI_DEV_ATTR__CPU_UINT_THREAD_COUNT), 16);
	assert_int_equal(attr(hw, 0, PAPI_DEV_ATTR__CPU_UINT_CORE_COUNT), 4);
	assert_int_equal(attr(hw, 0, PAPI_DEV_ATTR__CPU_UINT_SOCKET_COUNT), 2);
	assert_int_equal(attr(hw, 0, PAPI_DEV_ATTR__CPU_UINT_NUMA_COUNT), 2);
	assert_int_equal(attr(hw, 0, PAPI_DEV_ATTR__CPU_UINT_NUMA_MEM_SIZE), 4096);
	assert_int_equal(attr(hw, 1, PAPI_DEV_ATTR__CPU_UINT_NUMA_MEM_SIZE), 2048);
	assert_int_equal(attr(hw, 1, PAPI_DEV_ATTR__CPU_UINT_THR_PER_NUMA), 8);
	assert_int_equal(attr(hw, 11, PAPI_DEV_ATTR__CPU_UINT_THR_NUMA_AFFINITY), 0);
	assert_int_equal(attr(hw, 12, PAPI_DEV_ATTR__CPU_UINT_THR_NUMA_AFFINITY), 1);
	assert_int_equal(attr(hw, 0, PAPI_DEV_ATTR__CPU_UINT_L3U_CACHE_SIZE), 12 << 20);
	assert_int_equal(attr(hw, 0, PAPI_DEV_ATTR__CPU_UINT_L1I_CACHE_LINE_COUNT), 512);
	assert_int_equal(attr(hw, 0, PAPI_DEV_ATTR__CPU_UINT_L1D_CACHE_ASSOC), 12);
	assert_int_equal(attr(hw, 0, PAPI_DEV_ATTR__CPU_UINT_L1I_CACHE_ASSOC), SHRT_MAX);
	assert_int_equal(attr(hw, 0, PAPI_DEV_ATTR__CPU_UINT_L2U_CACHE_LINE_SIZE), 64);
	hardware_free(hw);
}

/*
 * CPU 0 is off, and all second threads but those of CPUs 0 and 7. A node has memory only,
 * and CPU 3 has no node.
 */
static void test_offline(void **state)
{
	struct hardware *hw;
	int node;

	make_server();
	replace("1-8,15\n", "/sys/devices/system/cpu/online");
	replace("0-1,7\n", NODE "/online");
	replace("1-2,8-11\n", NODE "/node0/cpulist");
	put("\n", NODE "/node7/cpulist");
	put("Node 7 MemTotal: 1024 kB\n", NODE "/node7/meminfo");
	hw = read_machine();
	assert_int_equal(hw->info.totalcpus, 9);
	assert_int_equal(hw->info.cores, 4);
	assert_int_equal(hw->info.threads, 2);
	assert_int_equal(hw->info.sockets, 2);
	assert_int_equal(hw->info.nnodes, 3);
	assert_int_equal(hw->info.ncpu, 5);
	assert_int_equal(attr(hw, 8, PAPI_DEV_ATTR__CPU_UINT_THR_NUMA_AFFINITY), 0);
	assert_int_equal(attr(hw, 15, PAPI_DEV_ATTR__CPU_UINT_THR_NUMA_AFFINITY), 1);
	assert_int_equal((int)attr(hw, 3, PAPI_DEV_ATTR__CPU_UINT_THR_NUMA_AFFINITY), -1);
	assert_int_equal(attr(hw, 2, PAPI_DEV_ATTR__CPU_UINT_NUMA_MEM_SIZE), 1);
	assert_int_equal(attr(hw, 2, PAPI_DEV_ATTR__CPU_UINT_THR_PER_NUMA), 0);
	assert_int_equal(device_attr(hw, 0, PAPI_DEV_ATTR__CPU_UINT_THR_NUMA_AFFINITY, &node),
			 PAPI_EINVAL);
	assert_int_equal(node, -1);
	hardware_free(hw);
}

/* Two P cores with two threads (CPUs 0 to 3), four E cores with one (4 to 7) */
#define P_CORE(cpu) ((cpu) < 4)

static void make_hybrid(void)
{
	char siblings[32];
	int cpu;

	put("0-7\n", "/sys/devices/system/cpu/online");
	for (cpu = 0; cpu < 8; cpu++) {
		if (P_CORE(cpu))
			snprintf(siblings, sizeof(siblings), "%d-%d\n", cpu & ~1, cpu | 1);
		else
			snprintf(siblings, sizeof(siblings), "%d\n", cpu);
		put_cpu(cpu, siblings, 0);
		put_intel(cpu, 151, "12th Gen Intel(R) Core(TM)");
	}
}

static void put_hybrid_caches(void)
{
	int cpu;

	for (cpu = 0; cpu < 8; cpu++) {
		put_cache(cpu, 0, 1, "Data\n", P_CORE(cpu) ? "48K\n" : "32K\n", 8, 64);
		put_cache(cpu, 1, 2, "Unified\n", P_CORE(cpu) ? "1280K\n" : "2048K\n", 16, 1024);
	}
}

static void check_types(const struct hardware *hw, const char *source)
{
	assert_string_equal(hw->types.source, source);
	assert_int_equal(hw->types.nr, 2);
	assert_int_equal(cpus_count(&hw->types.types[0].cpus), 4);
	assert_int_equal(cpus_count(&hw->types.types[1].cpus), 4);
	assert_int_equal(hw->types.types[0].first, 0);
	assert_int_equal(hw->types.types[1].first, 4);
}

static void check_hybrid(const struct hardware *hw, const char *source)
{
	check_types(hw, source);
	/* Not 6 * 2 = 12: only P cores have two threads. */
	assert_int_equal(hw->info.totalcpus, 8);
	assert_int_equal(hw->info.cores, 6);
	assert_int_equal(hw->info.threads, 2);
	assert_int_equal(hw->info.sockets, 1);
	assert_int_equal(hw->info.nnodes, 1);
	assert_int_equal(hw->info.ncpu, 8);
	assert_int_equal(attr(hw, 0, PAPI_DEV_ATTR__CPU_UINT_CORE_COUNT), 2);
	assert_int_equal(attr(hw, 0, PAPI_DEV_ATTR__CPU_UINT_THREAD_COUNT), 4);
	assert_int_equal(attr(hw, 1, PAPI_DEV_ATTR__CPU_UINT_CORE_COUNT), 4);
	assert_int_equal(attr(hw, 1, PAPI_DEV_ATTR__CPU_UINT_THREAD_COUNT), 4);
}

static void test_pmus(void **state)
{
	struct hardware *hw;
	int count;

	make_hybrid();
	put_hybrid_caches();
	put("4-7\n", PMU "/cpu_atom/cpus");
	put("0-3\n", PMU "/cpu_core/cpus");
	put("0\n", PMU "/power/cpumask");
	hw = read_machine();
	check_hybrid(hw, "pmu");
	assert_string_equal(hw->types.types[0].name, "P");
	assert_string_equal(hw->types.types[1].name, "E");
	assert_string_equal(device_name(hw, 0), "12th Gen Intel(R) Core(TM) (P)");
	assert_string_equal(device_name(hw, 1), "12th Gen Intel(R) Core(TM) (E)");
	assert_string_equal(hw->info.model_string, "12th Gen Intel(R) Core(TM)");
	assert_int_equal(hw->info.cpu_max_mhz, 800);
	assert_int_equal(hw->info.mem_hierarchy.level[0].cache[0].size, 48 << 10);
	assert_int_equal(attr(hw, 1, PAPI_DEV_ATTR__CPU_UINT_L1D_CACHE_SIZE), 32 << 10);
	assert_int_equal(attr(hw, 1, PAPI_DEV_ATTR__CPU_UINT_L2U_CACHE_SIZE), 2 << 20);
	assert_int_equal(attr(hw, 0, PAPI_DEV_ATTR__CPU_UINT_L3U_CACHE_SIZE), 0);
	assert_int_equal(attr(hw, 1, PAPI_DEV_ATTR__CPU_UINT_MODEL), 151);
	assert_int_equal(device_type_attr(hw, PAPI_DEV_TYPE_ATTR__INT_COUNT, &count), PAPI_OK);
	assert_int_equal(count, 2);
	hardware_free(hw);
}

/* The cpuid driver's file, which has a leaf at its number */
static void put_cpuid(int cpu, int type)
{
	const unsigned int regs[4] = { (unsigned int)type << 24 | 1, 0, 0, 0 };
	char path[96];
	FILE *f;

	put("", "/dev/cpu/%d/cpuid", cpu);
	snprintf(path, sizeof(path), "%s/dev/cpu/%d/cpuid", root, cpu);
	f = fopen(path, "r+");
	assert_non_null(f);
	assert_int_equal(fseek(f, 0x1a, SEEK_SET), 0);
	assert_int_equal(fwrite(regs, sizeof(regs), 1, f), 1);
	fclose(f);
}

static void test_cpuid(void **state)
{
	struct hardware *hw;
	int cpu;

	make_hybrid();
	for (cpu = 0; cpu < 8; cpu++)
		put_cpuid(cpu, P_CORE(cpu) ? 0x40 : 0x20);
	hw = read_machine();
	check_hybrid(hw, "cpuid");
	assert_string_equal(hw->types.types[0].name, "P");
	assert_string_equal(hw->types.types[1].name, "E");
	hardware_free(hw);
}

static void test_midr(void **state)
{
	struct hardware *hw;
	int cpu;

	make_hybrid();
	/* The revision of one core differs; its type does not. */
	for (cpu = 0; cpu < 8; cpu++)
		put(cpu == 3 ? "0x00000000411fd082\n" : P_CORE(cpu) ? "0x00000000410fd083\n" :
		    "0x00000000410fd034\n", CPU "/regs/identification/midr_el1", cpu);
	hw = read_machine();
	check_hybrid(hw, "midr");
	hardware_free(hw);
}

static void test_capacity(void **state)
{
	struct hardware *hw;
	int cpu;

	make_hybrid();
	for (cpu = 0; cpu < 8; cpu++)
		put_number(P_CORE(cpu) ? 1024 : 379, "cpu_capacity", cpu);
	hw = read_machine();
	check_hybrid(hw, "capacity");
	assert_string_equal(hw->types.types[0].name, "big");
	assert_string_equal(hw->types.types[1].name, "little");
	assert_int_equal(hw->types.types[1].speed, 379);
	hardware_free(hw);
}

static void test_frequency(void **state)
{
	struct hardware *hw;
	int cpu;

	make_hybrid();
	for (cpu = 0; cpu < 8; cpu++)
		put_number(P_CORE(cpu) ? 5100000 : 3900000, "cpufreq/cpuinfo_max_freq", cpu);
	hw = read_machine();
	check_hybrid(hw, "frequency");
	assert_int_equal(hw->info.cpu_max_mhz, 5100);
	hardware_free(hw);
}

static void test_cache_sizes(void **state)
{
	struct hardware *hw;

	make_hybrid();
	put_hybrid_caches();
	hw = read_machine();
	check_hybrid(hw, "caches");
	hardware_free(hw);
}

/* A source that knows some CPUs only has no say. */
static void test_incomplete(void **state)
{
	struct hardware *hw;

	make_hybrid();
	put("0-3\n", PMU "/cpu_core/cpus");
	put("not a list\n", PMU "/cpu_atom/cpus");
	put_number(1024, "cpu_capacity", 0);
	hw = read_machine();
	assert_string_equal(hw->types.source, "none");
	assert_int_equal(hw->types.nr, 1);
	assert_string_equal(hw->types.types[0].name, "core");
	assert_int_equal(cpus_count(&hw->types.types[0].cpus), 8);
	hardware_free(hw);
}

/* Four Cortex-A55, three A78, one X1, as on telephones; sockets are clusters' numbers. */
static int part_of(int cpu)
{
	return cpu < 4 ? 0xd05 : cpu < 7 ? 0xd41 : 0xd44;
}

static void make_phone(void)
{
	char text[256];
	int cpu;

	put("0-7\n", "/sys/devices/system/cpu/online");
	for (cpu = 0; cpu < 8; cpu++) {
		put_number(cpu, "topology/thread_siblings_list", cpu);
		put_number(-1, "topology/physical_package_id", cpu);
		put_number(cpu < 4 ? 250 : cpu < 7 ? 720 : 1024, "cpu_capacity", cpu);
		put_number(cpu < 4 ? 1800000 : cpu < 7 ? 2400000 : 2840000,
			   "cpufreq/cpuinfo_max_freq", cpu);
		snprintf(text, sizeof(text), "processor\t: %d\nBogoMIPS\t: 38.40\n"
			 "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x1\n"
			 "CPU part\t: 0x%x\nCPU revision\t: 3\n\n", cpu, part_of(cpu));
		put(text, "/proc/cpuinfo");
	}
}

static void check_phone(const struct hardware *hw, const char *source)
{
	assert_string_equal(hw->types.source, source);
	assert_int_equal(hw->types.nr, 3);
	assert_string_equal(hw->types.types[0].name, "big");
	assert_string_equal(hw->types.types[1].name, "mid");
	assert_string_equal(hw->types.types[2].name, "little");
	assert_int_equal(hw->types.types[0].first, 7);
	assert_int_equal(hw->types.types[1].first, 4);
	assert_int_equal(hw->types.types[2].first, 0);
	assert_string_equal(device_name(hw, 0), "ARM Cortex-X1");
	assert_string_equal(device_name(hw, 1), "ARM Cortex-A78");
	assert_string_equal(device_name(hw, 2), "ARM Cortex-A55");
	assert_int_equal(hw->info.totalcpus, 8);
	assert_int_equal(hw->info.cores, 8);
	assert_int_equal(hw->info.threads, 1);
	assert_int_equal(hw->info.sockets, 1);
	assert_int_equal(hw->info.vendor, PAPI_VENDOR_ARM_ARM);
	assert_string_equal(hw->info.vendor_string, "ARM_ARM");
	assert_string_equal(hw->info.model_string, "ARM Cortex-X1");
	assert_int_equal(hw->info.cpuid_family, 8);
	assert_int_equal(hw->info.cpuid_model, 0xd44);
	assert_int_equal(hw->info.cpuid_stepping, 1);
	assert_int_equal(hw->info.revision, 3);
	assert_int_equal(hw->info.cpu_max_mhz, 2840);
	assert_int_equal(attr(hw, 1, PAPI_DEV_ATTR__CPU_UINT_CORE_COUNT), 3);
	assert_int_equal(attr(hw, 2, PAPI_DEV_ATTR__CPU_UINT_THREAD_COUNT), 4);
	assert_int_equal(attr(hw, 2, PAPI_DEV_ATTR__CPU_UINT_MODEL), 0xd05);
}

static void test_three_types(void **state)
{
	struct hardware *hw;

	make_phone();
	hw = read_machine();
	check_phone(hw, "midr");
	hardware_free(hw);
}

/* PMUs have other names where the firmware has a devicetree than where it has ACPI. */
static void test_devicetree(void **state)
{
	struct hardware *hw;

	make_phone();
	put("0-3\n", PMU "/armv8_cortex_a55/cpus");
	put("4-6\n", PMU "/armv8_cortex_a78/cpus");
	put("7\n", PMU "/armv8_cortex_x1/cpus");
	hw = read_machine();
	check_phone(hw, "pmu");
	hardware_free(hw);
}

static void test_acpi(void **state)
{
	struct hardware *hw;

	make_phone();
	put("7\n", PMU "/armv8_pmuv3_0/cpus");
	put("0-3\n", PMU "/armv8_pmuv3_1/cpus");
	put("4-6\n", PMU "/armv8_pmuv3_2/cpus");
	hw = read_machine();
	check_phone(hw, "pmu");
	hardware_free(hw);
}

/* No sysfs, no /proc: one CPU of which nothing is known */
static void test_nothing(void **state)
{
	struct hardware *hw = read_machine();

	assert_int_equal(hw->info.totalcpus, 1);
	assert_int_equal(hw->info.cores, 1);
	assert_int_equal(hw->info.threads, 1);
	assert_int_equal(hw->info.sockets, 1);
	assert_int_equal(hw->info.nnodes, 1);
	assert_int_equal(hw->info.ncpu, 1);
	assert_int_equal(hw->info.vendor, PAPI_VENDOR_UNKNOWN);
	assert_int_equal(hw->info.mem_hierarchy.levels, 0);
	assert_int_equal(hw->info.cpu_max_mhz, 0);
	assert_int_equal(hw->info.virtualized, 0);
	hardware_free(hw);
}

static void test_hypervisor(void **state)
{
	struct hardware *hw;

	put("xen\n", "/sys/hypervisor/type");
	put("4\n", "/sys/hypervisor/version/major");
	put("17\n", "/sys/hypervisor/version/minor");
	hw = read_machine();
	assert_int_equal(hw->info.virtualized, 1);
	assert_string_equal(hw->info.virtual_vendor_string, "xen");
	assert_string_equal(hw->info.virtual_vendor_version, "4.17");
	hardware_free(hw);
}

static void test_hypervisor_flag(void **state)
{
	struct hardware *hw;

	put("processor\t: 0\nvendor_id\t: AuthenticAMD\nflags\t\t: fpu hypervisor lahf_lm\n",
	    "/proc/cpuinfo");
	hw = read_machine();
	assert_int_equal(hw->info.virtualized, 1);
	assert_int_equal(hw->info.vendor, PAPI_VENDOR_AMD);
	hardware_free(hw);
}

static void test_device_errors(void **state)
{
	struct hardware *hw = read_machine();
	unsigned int value;

	assert_int_equal(device_attr(hw, 1, PAPI_DEV_ATTR__CPU_UINT_FAMILY, &value), PAPI_EINVAL);
	assert_int_equal(device_attr(hw, -1, PAPI_DEV_ATTR__CPU_UINT_FAMILY, &value), PAPI_EINVAL);
	assert_int_equal(device_attr(hw, 9, PAPI_DEV_ATTR__CPU_UINT_THR_PER_NUMA, &value),
			 PAPI_EINVAL);
	assert_int_equal(device_attr(hw, MAX_CPUS, PAPI_DEV_ATTR__CPU_UINT_THR_NUMA_AFFINITY,
				     &value), PAPI_EINVAL);
	assert_int_equal(device_attr(hw, 0, PAPI_DEV_ATTR__CUDA_UINT_WARP_SIZE, &value),
			 PAPI_ENOSUPP);
	assert_int_equal(device_type_attr(hw, 99, &value), PAPI_ENOSUPP);
	hardware_free(hw);
}

static void test_cpu_lists(void **state)
{
	static const char *const bad[] = {
		"x", "-1", "1-", "3-1", "1 2", "8192", "0-8192", "1,,2"
	};
	struct cpus cpus;
	size_t i;

	assert_int_equal(cpus_parse(&cpus, "0,63-64,8191"), 0);
	assert_int_equal(cpus_count(&cpus), 4);
	assert_int_equal(cpus_next(&cpus, -1), 0);
	assert_int_equal(cpus_next(&cpus, 0), 63);
	assert_int_equal(cpus_next(&cpus, 63), 64);
	assert_int_equal(cpus_next(&cpus, 64), 8191);
	assert_int_equal(cpus_next(&cpus, 8191), -1);
	assert_int_equal(cpus_parse(&cpus, ""), 0);
	assert_int_equal(cpus_next(&cpus, -1), -1);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(cpus_parse(&cpus, bad[i]), -1);
}

static void test_memory(void **state)
{
	PAPI_dmem_info_t info;

	assert_int_equal(memory_read(&info, root), -1);
	put("Name:\tx\nVmPeak:\t 900 kB\nVmSize:\t 800 kB\nVmLck:\t 7 kB\nVmHWM:\t 600 kB\n"
	    "VmRSS:\t 500 kB\nVmData:\t 40 kB\nVmStk:\t 132 kB\nVmExe:\t 20 kB\nVmLib:\t 30 kB\n"
	    "VmPTE:\t 44 kB\nVmSwap:\t 11 kB\n", "/proc/self/status");
	put("200 125 10 5 0 43 0\n", "/proc/self/statm");
	assert_int_equal(memory_read(&info, root), 0);
	assert_int_equal(info.peak, 900);
	assert_int_equal(info.size, 800);
	assert_int_equal(info.locked, 7);
	assert_int_equal(info.high_water_mark, 600);
	assert_int_equal(info.resident, 500);
	assert_int_equal(info.heap, 40);
	assert_int_equal(info.stack, 132);
	assert_int_equal(info.text, 20);
	assert_int_equal(info.library, 30);
	assert_int_equal(info.pte, 44);
	assert_int_equal(info.pagesize, sysconf(_SC_PAGESIZE));
	assert_int_equal(info.shared, 10 * info.pagesize / 1024);
}

/* The high-water mark follows memory that is used, and stays. */
static void test_own_memory(void **state)
{
	size_t size = 32 << 20;
	PAPI_dmem_info_t before, used, after;
	char *memory;

	assert_int_equal(PAPI_get_dmem_info(&before), PAPI_OK);
	memory = malloc(size);
	assert_non_null(memory);
	memset(memory, 1, size);
	assert_int_equal(PAPI_get_dmem_info(&used), PAPI_OK);
	assert_true(used.resident >= before.resident + 24 * 1024);
	free(memory);
	assert_int_equal(PAPI_get_dmem_info(&after), PAPI_OK);
	assert_true(after.high_water_mark >= used.resident - 1024);
	assert_int_equal(PAPI_get_dmem_info(NULL), PAPI_EINVAL);
}

static int zeros[4096], numbers[4096] = { 1 };

static int inside(const void *address, const void *start, const void *end)
{
	return address >= start && address < end;
}

static void test_executable(void **state)
{
	const PAPI_exe_info_t *exe = PAPI_get_executable_info();
	const PAPI_address_map_t *map;

	assert_non_null(exe);
	map = &exe->address_info;
	assert_int_equal(*exe->fullname, '/');
	assert_string_equal(map->name, strrchr(exe->fullname, '/') + 1);
	assert_true(inside((void *)test_executable, map->text_start, map->text_end));
	assert_true(inside(numbers, map->data_start, map->data_end));
	assert_true(inside(zeros, map->bss_start, map->bss_end));
	assert_ptr_equal(PAPI_get_executable_info(), exe);
}

static void test_libraries(void **state)
{
	const PAPI_shlib_info_t *libraries = PAPI_get_shared_lib_info();
	int i, found = 0;

	assert_non_null(libraries);
	assert_true(libraries->count > 0);
	for (i = 0; i < libraries->count; i++) {
		assert_int_equal(*libraries->map[i].name, '/');
		assert_true(libraries->map[i].text_start < libraries->map[i].text_end);
		found += strstr(libraries->map[i].name, "libcmocka") &&
			 inside((void *)_cmocka_run_group_tests, libraries->map[i].text_start,
				libraries->map[i].text_end);
	}
	assert_int_equal(found, 1);
}

static void test_this_machine(void **state)
{
	const PAPI_hw_info_t *info = PAPI_get_hardware_info();
	void *handle, *other;
	int count = 0;

	assert_non_null(info);
	assert_true(info->totalcpus >= 1 && info->totalcpus <= MAX_CPUS);
	assert_true(info->cpu_max_mhz > 0);
	assert_int_equal(PAPI_enum_dev_type(PAPI_DEV_TYPE_ENUM__ALL, &handle), PAPI_OK);
	assert_int_equal(PAPI_enum_dev_type(PAPI_DEV_TYPE_ENUM__ALL, &other), PAPI_EINVAL);
	assert_null(other);
	assert_int_equal(PAPI_enum_dev_type(PAPI_DEV_TYPE_ENUM__CUDA, &other), PAPI_EINVAL);
	assert_int_equal(PAPI_enum_dev_type(PAPI_DEV_TYPE_ENUM__FIRST, &other), PAPI_OK);
	assert_ptr_equal(other, handle);
	assert_int_equal(PAPI_get_dev_type_attr(handle, PAPI_DEV_TYPE_ATTR__INT_COUNT, &count),
			 PAPI_OK);
	assert_true(count >= 1);
	assert_int_equal(PAPI_get_dev_attr(&count, 0, PAPI_DEV_ATTR__CPU_UINT_FAMILY, &count),
			 PAPI_EINVAL);
}

static void test_not_initialized(void **state)
{
	PAPI_dmem_info_t memory;
	void *handle;

	initialized = PAPI_NOT_INITED;
	assert_null(PAPI_get_hardware_info());
	assert_null(PAPI_get_executable_info());
	assert_null(PAPI_get_shared_lib_info());
	assert_int_equal(PAPI_get_dmem_info(&memory), PAPI_ENOINIT);
	assert_int_equal(PAPI_enum_dev_type(PAPI_DEV_TYPE_ENUM__ALL, &handle), PAPI_ENOINIT);
	initialized = PAPI_LOW_LEVEL_INITED;
}

/* Real time passes while a thread sleeps, virtual time does not. Both have one unit. */
static void test_time(void **state)
{
	long long real = PAPI_get_real_nsec(), cycles = PAPI_get_real_cyc();
	long long virtual = PAPI_get_virt_nsec(), usec;
	double ratio;

	usleep(200000);
	cycles = PAPI_get_real_cyc() - cycles;
	real = PAPI_get_real_nsec() - real;
	virtual = PAPI_get_virt_nsec() - virtual;
	assert_true(real >= 200000000);
	assert_true(virtual < real);
	ratio = cycles / papi_real_hz() * 1e9 / real;
	assert_true(ratio > 0.8 && ratio < 1.25);
	usec = PAPI_get_virt_usec();
	virtual = PAPI_get_virt_nsec();
	assert_true(virtual >= usec * 1000);
	assert_true(PAPI_get_virt_cyc() >= virtual * (papi_real_hz() / 1e9) - 1);
	assert_true(PAPI_get_real_usec() <= PAPI_get_real_nsec() / 1000 + 1);
}

static int handled;

static int handler(int code)
{
	handled = code;
	return code - 100;
}

static void test_errors(void **state)
{
	PAPI_debug_option_t debug, before;
	int code;

	for (code = 0; code > -PAPI_NUM_ERRORS; code--) {
		assert_non_null(PAPI_strerror(code));
		assert_true(*PAPI_strerror(code));
	}
	assert_null(PAPI_strerror(-PAPI_NUM_ERRORS));
	assert_null(PAPI_strerror(1));
	assert_int_equal(papi_fail(PAPI_OK), PAPI_OK);
	assert_int_equal(papi_fail(PAPI_EISRUN), PAPI_EISRUN);
	assert_int_equal(papi_fail_errno(ENOSPC, "counters"), PAPI_ECNFLCT);
	assert_int_equal(papi_fail_errno(ENODEV, NULL), PAPI_ESYS);
	assert_int_equal(errno, ENODEV);
	assert_int_equal(PAPI_set_debug(7), PAPI_EINVAL);
	papi_debug_get(&before);
	assert_int_equal(before.level, PAPI_QUIET);
	debug = (PAPI_debug_option_t){ PAPI_VERB_ECONT, handler };
	assert_int_equal(papi_debug_set(&debug), PAPI_OK);
	assert_int_equal(papi_fail(PAPI_ENOMEM), PAPI_ENOMEM - 100);
	assert_int_equal(handled, PAPI_ENOMEM);
	assert_int_equal(PAPI_set_debug(PAPI_QUIET), PAPI_OK);
	papi_debug_get(&debug);
	assert_ptr_equal(debug.handler, handler);
	assert_int_equal(papi_debug_set(&before), PAPI_OK);
}

#define on_machine(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		on_machine(test_one_type),
		on_machine(test_offline),
		on_machine(test_pmus),
		on_machine(test_cpuid),
		on_machine(test_midr),
		on_machine(test_capacity),
		on_machine(test_frequency),
		on_machine(test_cache_sizes),
		on_machine(test_incomplete),
		on_machine(test_three_types),
		on_machine(test_devicetree),
		on_machine(test_acpi),
		on_machine(test_nothing),
		on_machine(test_hypervisor),
		on_machine(test_hypervisor_flag),
		on_machine(test_device_errors),
		cmocka_unit_test(test_cpu_lists),
		on_machine(test_memory),
		cmocka_unit_test(test_own_memory),
		cmocka_unit_test(test_executable),
		cmocka_unit_test(test_libraries),
		cmocka_unit_test(test_this_machine),
		cmocka_unit_test(test_not_initialized),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
