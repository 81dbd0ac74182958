// SPDX-License-Identifier: GPL-2.0
/* The shared library, loaded by a program that also uses libpfm4 itself. */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <perfmon/pfmlib.h>
#include <unistd.h>

#include "lib.h"

static void *library;
static char **environ_before;

static void *function(const char *name)
{
	void *f = dlsym(library, name);

	assert_non_null(f);
	return f;
}

/* There is little memory for thread-local variables of libraries that are loaded late. */
static void test_flags(void **state)
{
	struct link_map *map;
	const ElfW(Dyn) *d;

	assert_int_equal(dlinfo(library, RTLD_DI_LINKMAP, &map), 0);
	for (d = map->l_ld; d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_FLAGS)
			assert_int_equal(d->d_un.d_val & DF_STATIC_TLS, 0);
}

/* An event of a PMU that is not in this machine; -1: libpfm4 knows no such PMU. */
static int absent_event(char *name, size_t size)
{
	pfm_pmu_info_t pmu = { .size = sizeof(pmu) };
	pfm_event_info_t event = { .size = sizeof(event) };
	int i;

	pfm_for_all_pmus(i) {
		if (pfm_get_pmu_info(i, &pmu) || pmu.is_present ||
		    pmu.type != PFM_PMU_TYPE_CORE ||
		    pfm_get_event_info(pmu.first_event, PFM_OS_NONE, &event))
			continue;
		snprintf(name, size, "%s::%s", pmu.name, event.name);
		return 0;
	}
	return -1;
}

static int encode(const char *name)
{
	uint64_t codes[8] = { 0 }, *p = codes;
	pfm_pmu_encode_arg_t arg = { .codes = p, .count = 8, .size = sizeof(arg) };

	return pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_NONE, &arg);
}

/* The program's libpfm4 behaves the same with and without the library. */
static void test_libpfm(void **state)
{
	pmc_machine_t *(*open)(void) = function("pmc_machine_open");
	void (*close)(pmc_machine_t *machine) = function("pmc_machine_close");
	const char *(*event_table)(const pmc_machine_t *machine, int id) =
		function("pmc_machine_event_table");
	pfm_pmu_info_t pmu = { .size = sizeof(pmu) };
	pmc_machine_t *machine;
	char name[256];

	assert_ptr_equal(environ, environ_before);
	be_machine("skylake");
	machine = open();
	assert_non_null(machine);
	/* Opening a machine does not read the kernel's tracepoints, as libpfm4 does. */
	assert_int_equal(pfm_get_pmu_info(0, &pmu), PFM_ERR_NOINIT);
	assert_non_null(event_table(machine, 0));
	assert_int_not_equal(pfm_get_pmu_info(0, &pmu), PFM_ERR_NOINIT);
	close(machine);
	assert_int_equal(pfm_initialize(), PFM_SUCCESS);
	assert_int_equal(absent_event(name, sizeof(name)), 0);
	assert_int_equal(encode(name), PFM_ERR_NOTFOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_libpfm),
	};

	environ_before = environ;
	library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
