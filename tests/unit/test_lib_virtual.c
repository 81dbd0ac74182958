// SPDX-License-Identifier: GPL-2.0
/* Virtual counters: their modules, names in configurations, and printed values. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib.h"
#include "session_config.h"

static pmc_virtuals_t *open_list(const char *machine)
{
	pmc_virtuals_t *list;

	be_machine(machine);
	list = pmc_virtuals_open();
	unsetenv("PMCTRACK_PROC");
	if (!list)
		fail_msg("%s: %s", machine, pmc_last_error());
	return list;
}

static void test_list(void **state)
{
	pmc_virtuals_t *list = open_list("hybrid");
	const struct pmc_virtual_info *v = pmc_virtuals_get(list, 0);
	const struct pmc_module_info *m;

	assert_string_equal(v->name, "energy_core");
	assert_string_equal(v->module, "energy");
	assert_string_equal(v->unit, "uJ");
	assert_string_equal(v->desc, "energy of the cores");
	assert_int_equal(v->kind, PMC_VIRTUAL_COUNT);
	assert_int_equal(v->scale, 1);
	assert_int_equal(v->flags, PMC_VIRTUAL_UNPRIVILEGED | PMC_VIRTUAL_SHARED |
			 PMC_VIRTUAL_SYSWIDE | PMC_VIRTUAL_THREADS);
	v = pmc_virtuals_get(list, 2);
	assert_string_equal(v->unit, "");
	assert_int_equal(v->kind, PMC_VIRTUAL_RATIO);
	assert_int_equal(v->scale, 1000);
	assert_int_equal(v->flags, PMC_VIRTUAL_ESTIMATED | PMC_VIRTUAL_THREADS);
	/* An unknown flag is for later versions. */
	v = pmc_virtuals_get(list, 3);
	assert_int_equal(v->kind, PMC_VIRTUAL_LEVEL);
	assert_int_equal(v->flags, PMC_VIRTUAL_SHARED | PMC_VIRTUAL_SYSWIDE | PMC_VIRTUAL_THREADS);
	assert_null(pmc_virtuals_get(list, 4));
	assert_null(pmc_virtuals_get(list, -1));
	m = pmc_virtuals_module(list, 0);
	assert_string_equal(m->name, "energy");
	assert_string_equal(m->desc, "energy of packages, cores and memory");
	assert_int_equal(m->active, 1);
	assert_int_equal(m->users, 2);
	m = pmc_virtuals_module(list, 2);
	assert_string_equal(m->name, "thermal_freq");
	assert_int_equal(m->active, 0);
	/* The line with the last error is not a module. */
	assert_null(pmc_virtuals_module(list, 3));
	pmc_virtuals_close(list);
	list = open_list("amd");
	assert_null(pmc_virtuals_get(list, 0));
	assert_null(pmc_virtuals_module(list, 0));
	pmc_virtuals_close(list);
}

static void not_found(const char *machine, const char *name, const char *part)
{
	pmc_virtuals_t *list = open_list(machine);

	assert_null(pmc_virtuals_find(list, name));
	assert_int_equal(errno, ENOENT);
	check_error(part);
	pmc_virtuals_close(list);
}

static void test_find(void **state)
{
	pmc_virtuals_t *list = open_list("hybrid");

	assert_ptr_equal(pmc_virtuals_find(list, "sf"), pmc_virtuals_get(list, 2));
	assert_ptr_equal(pmc_virtuals_find(list, "virt0"), pmc_virtuals_get(list, 0));
	assert_ptr_equal(pmc_virtuals_find(list, "virt3"), pmc_virtuals_get(list, 3));
	pmc_virtuals_close(list);
	not_found("hybrid", "virt4", "no virtual counter 'virt4'");
	not_found("hybrid", "enrgy_core", "no virtual counter 'enrgy_core' (did you mean energy_core?)");
	not_found("hybrid", "energy", "(did you mean energy_core or energy_psys?)");
	not_found("hybrid", "llc_occupancy_of_all_processes", "(did you mean llc_occupancy?)");
	not_found("biglittle", "temperature", "no virtual counter 'temperature' in any monitoring module");
	not_found("biglittle", "SF, or not", "no virtual counter 'SF, or not'");
	not_found("amd", "sf", "no monitoring module is loaded");
	not_found("skylake", "", "no virtual counter ''");
}

static void test_config(void **state)
{
	pmc_machine_t *machine = open_machine("hybrid");
	pmc_config_t *config = pmc_config_new(machine);

	be_machine("hybrid");
	assert_null(pmc_config_virtual(config, 0));
	assert_null(config_virtual_names(config));
	assert_int_equal(pmc_config_add_virtual(config, "sf,virt0"), 0);
	assert_string_equal(config_virtual_names(config), "sf,energy_core");
	assert_string_equal(pmc_config_virtual(config, 1)->name, "energy_core");
	assert_int_equal(pmc_config_virtual_number(config, 0), 2);
	assert_int_equal(pmc_config_virtual_number(config, 1), 0);
	assert_int_equal(pmc_config_virtual_number(config, 2), -1);
	/* A refused virtual counter changes nothing. */
	assert_int_equal(pmc_config_add_virtual(config, "energy_psys,nothing"), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(pmc_config_add_virtual(config, "energy_psys,energy_psys"), -1);
	assert_int_equal(errno, EINVAL);
	check_error("energy_psys is listed twice");
	assert_int_equal(pmc_config_add_virtual(config, "energy_psys,"), -1);
	check_error("is missing");
	assert_int_equal(pmc_config_add_virtual(config, ""), -1);
	assert_null(pmc_config_virtual(config, 2));
	assert_string_equal(config_virtual_names(config), "sf,energy_core");
	assert_int_equal(pmc_config_add_virtual(config, "energy_psys"), 0);
	assert_string_equal(config_virtual_names(config), "sf,energy_core,energy_psys");
	/* The configuration has no event set. */
	assert_null(pmc_config_raw(config, 0));
	unsetenv("PMCTRACK_PROC");
	pmc_config_free(config);
	pmc_machine_close(machine);
}

static char dir[] = "/tmp/virtual.XXXXXX";

static void write_file(const char *name, const char *text)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static pmc_virtuals_t *open_texts(const char *virtual, const char *modules)
{
	pmc_virtuals_t *list;

	write_file("virtual", virtual);
	write_file("mm_manager", modules);
	setenv("PMCTRACK_PROC", dir, 1);
	list = pmc_virtuals_open();
	unsetenv("PMCTRACK_PROC");
	return list;
}

static void test_odd(void **state)
{
	static const char *const bad[] = {
		"a\n", "a m count - 1\n", "a m count - 0 -\n", "a m count - x - d\n",
	};
	pmc_virtuals_t *list;
	char text[32 * PMC_MAX_VIRTUALS], path[64];
	pmc_machine_t *machine;
	pmc_config_t *config;
	size_t i, n = 0;

	assert_non_null(mkdtemp(dir));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_null(open_texts(bad[i], ""));
		assert_int_equal(errno, EPROTO);
		check_error("cannot understand /proc/pmc/virtual");
	}
	assert_null(open_texts("", "1 active 0\n"));
	check_error("cannot understand /proc/pmc/mm_manager");
	list = open_texts("a m count - 1 -\n", "1 active 0 m\n");
	assert_non_null(list);
	assert_string_equal(pmc_virtuals_get(list, 0)->desc, "");
	assert_int_equal(pmc_virtuals_get(list, 0)->flags, 0);
	pmc_virtuals_close(list);

	/* One too many */
	for (i = 0; i <= PMC_MAX_VIRTUALS; i++)
		n += sprintf(text + n, "v%zu m count - 1 - d\n", i);
	list = open_texts(text, "1 active 0 m\n");
	assert_non_null(pmc_virtuals_get(list, PMC_MAX_VIRTUALS));
	pmc_virtuals_close(list);
	machine = open_machine("hybrid");
	config = pmc_config_new(machine);
	setenv("PMCTRACK_PROC", dir, 1);
	for (i = 0; i < PMC_MAX_VIRTUALS; i++) {
		sprintf(text, "v%zu", i);
		assert_int_equal(pmc_config_add_virtual(config, text), 0);
	}
	sprintf(text, "v%zu", i);
	assert_int_equal(pmc_config_add_virtual(config, text), -1);
	assert_int_equal(errno, E2BIG);
	unsetenv("PMCTRACK_PROC");
	pmc_config_free(config);
	pmc_machine_close(machine);

	snprintf(path, sizeof(path), "%s/virtual", dir);
	unlink(path);
	snprintf(path, sizeof(path), "%s/mm_manager", dir);
	unlink(path);
	assert_int_equal(rmdir(dir), 0);
	setenv("PMCTRACK_PROC", dir, 1);
	assert_null(pmc_virtuals_open());
	assert_int_equal(errno, ENOENT);
	check_error("load the kernel module");
	unsetenv("PMCTRACK_PROC");
}

static void looks(unsigned int scale, uint64_t value, const char *expected)
{
	struct pmc_virtual_info v = { .name = "x", .unit = "", .scale = scale };
	char text[32];

	pmc_virtual_format(&v, value, text, sizeof(text));
	assert_string_equal(text, expected);
}

static void test_values(void **state)
{
	struct pmc_virtual_info v = { .name = "sf", .unit = "", .scale = 1000 };
	char text[32];

	looks(1, 0, "0");
	looks(1, PMC_NO_VALUE - 1, "18446744073709551614");
	looks(1, PMC_NO_VALUE, "-");
	looks(1000, PMC_NO_VALUE, "-");
	looks(1000, 1250, "1.250");
	looks(1000, 7, "0.007");
	looks(1000000, 123456789, "123.456789");
	looks(8, 13, "1.6");
	looks(1024, 1536, "1.5000");
	looks(4294967295U, 4294967294U, "0.999999999");
	assert_true(pmc_virtual_value(&v, 1250) == 1.25);
	assert_true(pmc_virtual_value(&v, PMC_NO_VALUE) != pmc_virtual_value(&v, PMC_NO_VALUE));
	pmc_virtual_label(&v, text, sizeof(text));
	assert_string_equal(text, "sf");
	v.unit = "uJ";
	v.flags = PMC_VIRTUAL_ESTIMATED;
	pmc_virtual_label(&v, text, sizeof(text));
	assert_string_equal(text, "~sf[uJ]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_config),
		cmocka_unit_test(test_odd),
		cmocka_unit_test(test_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
