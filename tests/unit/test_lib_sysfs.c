// SPDX-License-Identifier: GPL-2.0
/* Without the kernel module: the machine according to a made-up sysfs */
#include <unistd.h>

#include "lib.h"
#include "made_files.h"
#include "machine.h"
#include "perf_set.h"

/* A folder instead of /sys */
static char root[64];

static void put(const char *path, const char *text)
{
	made_write(root, path, "w", text, strlen(text));
}

static int make_root(void **state)
{
	strcpy(root, "/tmp/pmctrack-sys.XXXXXX");
	if (!mkdtemp(root))
		return -1;
	put("devices/system/cpu/present", "0-7\n");
	return 0;
}

static int remove_root(void **state)
{
	return made_remove(root);
}

#define DEVICES "bus/event_source/devices/"

static void check_core_type(const pmc_machine_t *m, int id, const char *name, const char *pmu,
			    const char *cpus)
{
	const struct pmc_core_type_info *info = pmc_machine_core_type(m, id);

	assert_non_null(info);
	assert_string_equal(info->name, name);
	assert_string_equal(info->pmu, pmu);
	assert_string_equal(info->cpus, cpus);
}

static pmc_machine_t *open_root(int nr_core_types)
{
	pmc_machine_t *m = machine_from_sysfs(root);

	if (!m)
		fail_msg("%s", pmc_last_error());
	assert_int_equal(pmc_machine_nr_core_types(m), nr_core_types);
	assert_int_equal(pmc_machine_has_module(m), 0);
	assert_string_equal(pmc_machine_backend(m), "perf_event");
	return m;
}

static void test_biglittle(void **state)
{
	const struct pmc_core_type_info *info;
	pmc_config_t *config;
	pmc_machine_t *m;

	put(DEVICES "armv8_cortex_a53/cpus", "0-3\n");
	put(DEVICES "armv8_cortex_a53/type", "9\n");
	put(DEVICES "armv8_cortex_a53/events/inst_retired", "event=0x0008\n");
	put(DEVICES "armv8_cortex_a53/events/cpu_cycles", "event=0x0011\n");
	put(DEVICES "armv8_cortex_a72/cpus", "4-7\n");
	put(DEVICES "armv8_cortex_a72/type", "8\n");
	put(DEVICES "arm_dsu_0/cpumask", "0\n");
	put(DEVICES "software/type", "1\n");
	put("devices/system/cpu/cpu0/cpu_capacity", "400\n");
	put("devices/system/cpu/cpu4/cpu_capacity", "1024\n");
	m = open_root(2);
	check_core_type(m, 0, "big", "armv8_cortex_a72", "4-7");
	check_core_type(m, 1, "little", "armv8_cortex_a53", "0-3");
	info = pmc_machine_core_type(m, 1);
	assert_int_equal(info->capacity, 400);
	assert_int_equal(info->nr_hw_counters, 7);
	assert_string_equal(info->counters[0].event, "cycles");
	assert_int_equal(core_type_implements(machine_core_type(m, 1), 0x08), 1);
	assert_int_equal(core_type_implements(machine_core_type(m, 1), 0x10), 0);
	assert_int_equal(core_type_implements(machine_core_type(m, 0), 0x10), -1);
	assert_int_equal(perf_pmu_type(machine_core_type(m, 0), root), 8);
	config = pmc_config_new(m);
	if (pmc_config_add(config, "instr,cycles,page_faults", PMC_EVERY_CORE_TYPE, 0))
		fail_msg("%s", pmc_last_error());
	assert_string_equal(pmc_config_raw(config, 0), "ev=0x08,ev=0x11,sw=page_faults,coretype=0");
	pmc_config_free(config);
	pmc_machine_close(m);
}

#if defined(__x86_64__)
static void test_hybrid(void **state)
{
	pmc_machine_t *m;

	put(DEVICES "cpu_atom/cpus", "4-7\n");
	put(DEVICES "cpu_core/cpus", "0-3\n");
	m = open_root(2);
	check_core_type(m, 0, "P", "cpu_core", "0-3");
	check_core_type(m, 1, "E", "cpu_atom", "4-7");
	assert_int_equal(machine_core_type(m, 0)->native_type, machine_core_type(m, 0)->family ==
			 FAMILY_INTEL ? 0x40 : 0);
	assert_int_equal(perf_pmu_type(machine_core_type(m, 0), root), -1);
	pmc_machine_close(m);
}

static void test_equal_cores(void **state)
{
	pmc_machine_t *m;

	put(DEVICES "cpu/type", "4\n");
	put(DEVICES "uncore_imc_0/cpumask", "0\n");
	m = open_root(1);
	check_core_type(m, 0, "core", "cpu", "0-7");
	assert_int_equal(perf_pmu_type(machine_core_type(m, 0), root), 4);
	assert_int_equal(machine_core_type(m, 0)->has_wide_umask, 0);
	pmc_machine_close(m);
	put(DEVICES "cpu/format/umask", "config:8-15,40-47\n");
	m = open_root(1);
	assert_int_equal(machine_core_type(m, 0)->has_wide_umask, 1);
	pmc_machine_close(m);
}
#endif

static void test_no_pmu(void **state)
{
	pmc_config_t *config;
	pmc_machine_t *m;

	put(DEVICES "software/type", "1\n");
	m = open_root(1);
	check_core_type(m, 0, "core", "none", "0-7");
	assert_int_equal(pmc_machine_core_type(m, 0)->nr_hw_counters, 0);
	config = pmc_config_new(m);
	assert_int_equal(pmc_config_add(config, "task_clock", PMC_EVERY_CORE_TYPE, 0), 0);
	assert_int_equal(pmc_config_add(config, "instr", PMC_EVERY_CORE_TYPE, 0), -1);
	pmc_config_free(config);
	pmc_machine_close(m);
}

/* Whatever the files contain */
static void test_odd_sysfs(void **state)
{
	static const char *const odd[] = { "", "\n", "x", "0-3 name x", "1,,2\n\n", "\xff\xfe", "-" };
	char many[5000];
	size_t i;

	memset(many, '1', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	for (i = 0; i <= sizeof(odd) / sizeof(*odd); i++) {
		const char *text = i < sizeof(odd) / sizeof(*odd) ? odd[i] : many;

		put(DEVICES "armv8_cortex_a53/cpus", text);
		put(DEVICES "armv8_cortex_a53/type", text);
		put(DEVICES "armv8_cortex_a72/cpus", "0-3");
		put(DEVICES "armv8_cortex_a72/type", text);
		put(DEVICES "armv8_cortex_a72/events/a", text);
		put(DEVICES "armv8 x/cpus", "0");
		put("devices/system/cpu/cpu0/cpu_capacity", text);
		put("devices/system/cpu/present", text);
		pmc_machine_close(machine_from_sysfs(root));
	}
}

static void test_no_sysfs(void **state)
{
	assert_null(machine_from_sysfs("/nonexistent"));
	assert_int_equal(errno, ENOENT);
	check_error("load the kernel module");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_biglittle, make_root, remove_root),
#if defined(__x86_64__)
		cmocka_unit_test_setup_teardown(test_hybrid, make_root, remove_root),
		cmocka_unit_test_setup_teardown(test_equal_cores, make_root, remove_root),
#endif
		cmocka_unit_test_setup_teardown(test_no_pmu, make_root, remove_root),
		cmocka_unit_test_setup_teardown(test_odd_sysfs, make_root, remove_root),
		cmocka_unit_test(test_no_sysfs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
