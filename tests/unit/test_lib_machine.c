// SPDX-License-Identifier: GPL-2.0
/* The description of the machine in /proc/pmc/info. */
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib.h"
#include "machine.h"

/* How often the library has changed the environment for libpfm4 */
static int changes;

int setenv(const char *name, const char *value, int overwrite)
{
	int (*libc)(const char *, const char *, int) = dlsym(RTLD_NEXT, "setenv");

	changes += !strncmp(name, "LIBPFM", 6);
	return libc(name, value, overwrite);
}

/* Other threads may read the environment at the same time. */
static void test_environment(void **state)
{
	pmc_machine_close(open_machine("biglittle"));
	pmc_machine_close(open_machine("skylake"));
	assert_int_equal(changes, 0);
	assert_null(getenv("LIBPFM_ENCODE_INACTIVE"));
}

static void test_biglittle(void **state)
{
	pmc_machine_t *m = open_machine("biglittle");
	const struct pmc_core_type_info *big, *little;

	assert_string_equal(pmc_machine_backend(m), "armv8");
	assert_int_equal(pmc_machine_direct(m), 1);
	assert_int_equal(pmc_machine_nr_core_types(m), 2);
	big = pmc_machine_core_type(m, 0);
	little = pmc_machine_core_type(m, 1);
	assert_null(pmc_machine_core_type(m, 2));
	assert_null(pmc_machine_core_type(m, -1));
	assert_string_equal(big->name, "big");
	assert_string_equal(big->pmu, "armv8_cortex_a72");
	assert_string_equal(little->cpus, "2-3");
	assert_int_equal(little->capacity, 400);
	assert_int_equal(big->cpuid, 0x410fd083);
	assert_int_equal(big->nr_hw_counters, 7);
	assert_int_equal(little->nr_hw_counters, 5);
	assert_int_equal(big->nr_counters, 8);
	assert_int_equal(big->counters[0].kind, PMC_COUNTER_FIXED);
	assert_string_equal(big->counters[0].event, "cycles");
	assert_int_equal(big->counters[1].first, 1);
	assert_int_equal(big->counters[1].last, 6);
	assert_int_equal(big->counters[1].interrupt, 1);
	assert_int_equal(big->counters[2].kind, PMC_COUNTER_SOFTWARE);
	assert_int_equal(big->counters[2].interrupt, 0);
	assert_int_equal(core_type_implements(machine_core_type(m, 0), 0x17), 1);
	assert_int_equal(core_type_implements(machine_core_type(m, 1), 0x17), 0);
	/* A model's own events are not in the list. */
	assert_int_equal(core_type_implements(machine_core_type(m, 1), 0x66), -1);
	pmc_machine_close(m);
}

static void test_find(void **state)
{
	pmc_machine_t *m = open_machine("biglittle");

	assert_int_equal(pmc_machine_find_core_type(m, "1"), 1);
	assert_int_equal(pmc_machine_find_core_type(m, "big"), 0);
	assert_int_equal(pmc_machine_find_core_type(m, "LITTLE"), 1);
	assert_int_equal(pmc_machine_find_core_type(m, "armv8_cortex_a53"), 1);
	assert_int_equal(pmc_machine_find_core_type(m, "2"), -1);
	check_error("no core type '2'; this machine has 0 (big), 1 (little)");
	assert_int_equal(pmc_machine_find_core_type(m, ""), -1);
	pmc_machine_close(m);
}

/* Without the module perf_event_open() serves, but not calipers and virtual counters. */
static void test_missing(void **state)
{
	setenv("PMCTRACK_PROC", "/nonexistent", 1);
	assert_null(pmc_caliper_open("task_clock"));
	assert_int_equal(errno, ENOENT);
	check_error("load the kernel module");
	assert_null(pmctrack_init(0));
	check_error("load the kernel module");
	assert_null(pmc_virtuals_open());
	check_error("load the kernel module");
	unsetenv("PMCTRACK_PROC");
}

static void test_odd(void **state)
{
	static const char *const bad[] = {
		"",
		"backend armv8\n",
		"core_type 1 name x\n",
		"core_type 0 name x\ncounter 1 pmc0 fixed cycles\n",
		"core_type 0 name x\ncounter 0 pmc0\n",
		"core_type 0 name x\ncounter 0 zero fixed cycles\n",
		"events 0 0x1\n",
		"core_type 0 name x\nuncore l3 pmu none\n",
	};
	pmc_machine_t *m;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		m = machine_parse(bad[i]);
		assert_null(m);
		assert_int_equal(errno, EPROTO);
		check_error("of the same version");
	}
	/* Unknown words and lines are for later versions. */
	m = machine_parse("news 7\ncore_type 0 name x shape round cpus 0\nlonely\n");
	assert_non_null(m);
	assert_string_equal(pmc_machine_core_type(m, 0)->pmu, "none");
	pmc_machine_close(m);
}

static void write_setting(const char *dir, const char *pmu, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, pmu);
	mkdir(path, 0700);
	strcat(path, "/rdpmc");
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void remove_setting(const char *dir, const char *pmu)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s/rdpmc", dir, pmu);
	assert_int_equal(unlink(path), 0);
	*strrchr(path, '/') = '\0';
	assert_int_equal(rmdir(path), 0);
}

static void test_rdpmc(void **state)
{
	char dir[] = "/tmp/rdpmc.XXXXXX";

	assert_non_null(mkdtemp(dir));
	assert_false(rdpmc_forbidden(dir));
	write_setting(dir, "cpu", "1\n");
	assert_false(rdpmc_forbidden(dir));
	write_setting(dir, "cpu", "2\n");
	assert_false(rdpmc_forbidden(dir));
	write_setting(dir, "cpu", "0\n");
	assert_true(rdpmc_forbidden(dir));
	remove_setting(dir, "cpu");
	write_setting(dir, "cpu_core", "1\n");
	assert_false(rdpmc_forbidden(dir));
	write_setting(dir, "cpu_atom", "0\n");
	assert_true(rdpmc_forbidden(dir));
	remove_setting(dir, "cpu_core");
	remove_setting(dir, "cpu_atom");
	assert_int_equal(rmdir(dir), 0);
}

/* The kernel's list covers two ranges of Arm's events; of others nothing is known. */
static void test_implemented_ranges(void **state)
{
	unsigned int implemented[] = { 0x08, 0x4005 };
	const struct core_type ct = {
		.knows_implemented = 1,
		.implemented = implemented,
		.nr_implemented = 2,
	};

	assert_int_equal(core_type_implements(&ct, 0x08), 1);
	assert_int_equal(core_type_implements(&ct, 0x3f), 0);
	assert_int_equal(core_type_implements(&ct, 0x40), -1);
	assert_int_equal(core_type_implements(&ct, 0x3fff), -1);
	assert_int_equal(core_type_implements(&ct, 0x4000), 0);
	assert_int_equal(core_type_implements(&ct, 0x4005), 1);
	assert_int_equal(core_type_implements(&ct, 0x403f), 0);
	assert_int_equal(core_type_implements(&ct, 0x4040), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_implemented_ranges),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_biglittle),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_odd),
		cmocka_unit_test(test_rdpmc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
