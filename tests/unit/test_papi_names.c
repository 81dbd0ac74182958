// SPDX-License-Identifier: GPL-2.0
/* Which core types the names of events mean, on a made-up machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "components.h"
#include "count_events.h"
#include "hardware.h"
#include "library.h"
#include "native.h"
#include "papi.h"
#include "pmu_names.h"
#include "presets.h"
#include "virtuals.h"

/* Two core types have one PMU, as AMD's have, and a third one has its own. */
static const struct pmc_core_type_info types[] = {
	{ .id = 0, .name = "classic", .pmu = "cpu", .nr_hw_counters = 6 },
	{ .id = 1, .name = "dense", .pmu = "cpu", .nr_hw_counters = 6 },
	{ .id = 2, .name = "E", .pmu = "cpu_atom", .nr_hw_counters = 6 },
};

static const struct {
	int core_types;		/* those that have it, a bit each */
	struct pmc_event_info info;
} events[] = {
	{ 7, { "instr", "instructions", "0xc0", NULL } },
	{ 7, { "page_faults", "page faults", "sw=2", NULL } },
	{ 3, { "UOPS", "operations", "0x1", NULL } },
	{ 3, { "UOPS.ALL", "all operations", "0x101", "UOPS" } },
	{ 2, { "SMALL", "only on the second type", "0x2", NULL } },
};

#define NR(array) (int)(sizeof(array) / sizeof((array)[0]))

static int nr_types = NR(types);
static int machine;

static int is_shut_down;

const pmc_machine_t *papi_machine(void)
{
	return is_shut_down ? NULL : (const pmc_machine_t *)&machine;
}

int pmc_machine_direct(const pmc_machine_t *m)
{
	return 0;
}

const char *pmc_machine_backend(const pmc_machine_t *m)
{
	return "test";
}

const char *pmc_last_error(void)
{
	return "the cause";
}

void papi_lock(void)
{
}

void papi_unlock(void)
{
}

int pmc_machine_nr_core_types(const pmc_machine_t *m)
{
	return nr_types;
}

const struct pmc_core_type_info *pmc_machine_core_type(const pmc_machine_t *m, int id)
{
	return id >= 0 && id < nr_types ? &types[id] : NULL;
}

const char *pmc_machine_event_table(const pmc_machine_t *m, int id)
{
	return "builtin";
}

int pmc_machine_each_event(const pmc_machine_t *m, int core_type,
			   int (*fn)(void *arg, const struct pmc_event_info *ev), void *arg)
{
	int i, rc = 0;

	for (i = 0; i < NR(events) && !rc; i++)
		if (events[i].core_types & 1 << core_type)
			rc = fn(arg, &events[i].info);
	return rc;
}

pmc_config_t *pmc_config_new(const pmc_machine_t *m)
{
	return (pmc_config_t *)&machine;
}

void pmc_config_free(pmc_config_t *config)
{
}

int pmc_config_add(pmc_config_t *config, const char *words, int core_type, unsigned int flags)
{
	int i;

	for (i = 0; i < NR(events); i++)
		if (!strcmp(events[i].info.name, words))
			return events[i].core_types & 1 << core_type ? 0 : -1;
	return -1;
}

int virtual_check(const char *name)
{
	return PAPI_ENOEVNT;
}

int virtual_each(int (*fn)(void *arg, const char *name, const char *desc), void *arg)
{
	return 0;
}

void virtual_info(const struct papi_event *event, PAPI_event_info_t *info)
{
}

int counting_try(const struct papi_event *const *list, int nr, const struct target *target)
{
	return PAPI_OK;
}

const struct hardware *hardware_get(void)
{
	return NULL;
}

static int setup(void **state)
{
	natives_init(preset_add_part);
	return 0;
}

static int teardown(void **state)
{
	nr_types = NR(types);
	natives_exit();
	presets_exit();
	is_shut_down = 0;
	return 0;
}

/* The event has parts on these core types, a bit each, lowest number first. */
static void check_event(const char *name, int core_types)
{
	int error, i, id = -1, found = 0;
	const struct papi_event *event = native_by_name(name, &error);

	if (!event)
		fail_msg("%s: error %d", name, error);
	for (i = 0; i < event->nr_parts; i++) {
		assert_true(event->parts[i].core_type > id);
		id = event->parts[i].core_type;
		found |= 1 << id;
	}
	if (found != core_types)
		fail_msg("%s has parts on core types 0x%x, not 0x%x", name, found, core_types);
}

static void check_events(void)
{
	check_event("cpu::instr", 3);
	check_event("cpu_atom::instr", 4);
	check_event("instr", 7);
	check_event("dense::instr", 2);
	check_event("perf::page_faults", 7);
	check_event("cpu::UOPS", 3);
	check_event("cpu::SMALL", 2);
}

static void test_by_name(void **state)
{
	check_events();
}

/* A list of all events changes nothing, whether it is made before or after. */
static void test_listed(void **state)
{
	assert_int_equal(native_count(COMPONENT_CPU), 6);
	check_event("cpu::UOPS:ALL", 3);
	check_events();
}

static void test_listed_later(void **state)
{
	check_events();
	assert_int_equal(native_count(COMPONENT_CPU), 6);
	check_events();
}

static void test_name_of_one(void **state)
{
	static const char *const names[] = { "classic", "dense", "cpu_atom" };
	char name[PAPI_MIN_STR_LEN];
	int id;

	for (id = 0; id < NR(types); id++) {
		pmu_name_of_one(papi_machine(), id, name, sizeof(name));
		assert_string_equal(name, names[id]);
		assert_true(pmu_is(papi_machine(), id, name, strlen(name)));
	}
}

/* The terms of a preset are of one core type each, and so is each name of it. */
static void test_terms(void **state)
{
	static const char *const names[] = { "classic::instr", "dense::instr", "cpu_atom::instr" };
	static PAPI_event_info_t info;
	unsigned int i;

	assert_int_equal(preset_info(PAPI_TOT_INS, &info), PAPI_OK);
	assert_int_equal(info.count, NR(types));
	for (i = 0; i < info.count; i++) {
		assert_string_equal(info.name[i], names[i]);
		assert_int_equal(native_by_code(info.code[i])->nr_parts, 1);
		assert_int_equal(native_by_code(info.code[i])->parts[0].core_type, i);
	}
}

/* All presets are of the CPU's component. */
static void test_no_component_presets(void **state)
{
	unsigned int code = PAPI_TOT_INS;

	assert_int_equal(preset_enumerate(&code, PAPI_PRESET_ENUM_FIRST_COMP), PAPI_ENOEVNT);
	assert_int_equal(code, (unsigned int)PAPI_TOT_INS);
	assert_int_equal(preset_enumerate(&code, PAPI_ENUM_FIRST), PAPI_OK);
	assert_int_equal(code, (unsigned int)PAPI_PRESET_MASK);
}

/* PAPI says the end of presets and of user events in another way than that of native events. */
static void test_ends(void **state)
{
	unsigned int code = PAPI_PRESET_MASK;
	int rc, nr = 0;

	while ((rc = preset_enumerate(&code, PAPI_ENUM_EVENTS)) == PAPI_OK)
		nr++;
	assert_int_equal(rc, PAPI_ENOEVNT);
	assert_true(nr > 100);
	code = PAPI_PRESET_MASK;
	while ((rc = preset_enumerate(&code, PAPI_PRESET_ENUM_AVAIL)) == PAPI_OK)
		;
	assert_int_equal(rc, PAPI_ENOEVNT);
	code = PAPI_UE_MASK;
	assert_int_equal(preset_enumerate(&code, PAPI_ENUM_FIRST), PAPI_ENOEVNT);
	code = PAPI_NATIVE_MASK;
	assert_int_equal(native_enumerate(&code, PAPI_ENUM_FIRST, COMPONENT_CPU), PAPI_OK);
	while ((rc = native_enumerate(&code, PAPI_ENUM_EVENTS, COMPONENT_CPU)) == PAPI_OK)
		;
	assert_int_equal(rc, PAPI_EINVAL);
}

/* Read user events. Return: what is printed about them. */
static const char *read_user_events(const char *events)
{
	static char message[512];
	FILE *before = stderr, *to = fmemopen(message, sizeof(message), "w");
	char path[] = "/tmp/papi_user_events_XXXXXX";
	int rc, file = mkstemp(path);

	assert_non_null(to);
	*message = '\0';
	assert_int_equal(write(file, events, strlen(events)), strlen(events));
	close(file);
	unsetenv("PAPI_CSV_EVENT_FILE");
	setenv("PAPI_USER_EVENTS_FILE", path, 1);
	stderr = to;
	rc = presets_init(papi_machine());
	stderr = before;
	fclose(to);
	unlink(path);
	assert_int_equal(rc, PAPI_OK);
	return message;
}

/* A program has room for so many user events. The others are left out, and all the rest works. */
static void test_too_many_user_events(void **state)
{
	char text[60 * 32], *end = text;
	const char *message;
	unsigned int code = PAPI_UE_MASK;
	int i, nr = 1;

	for (i = 0; i < 60; i++)
		end += sprintf(end, "EVENT,USER%d,NOT_DERIVED,instr\n", i);
	message = read_user_events(text);
	if (!strstr(message, "USER50 ") || strchr(message, '\n') != strrchr(message, '\n'))
		fail_msg("not one line about the first event without room: '%s'", message);
	assert_int_equal(preset_enumerate(&code, PAPI_ENUM_FIRST), PAPI_OK);
	while (preset_enumerate(&code, PAPI_ENUM_EVENTS) == PAPI_OK)
		nr++;
	assert_int_equal(nr, 50);
	assert_non_null(preset_by_name("USER49"));
	assert_null(preset_by_name("USER50"));
	assert_non_null(preset_by_name("PAPI_TOT_INS"));
}

/* A definition that leads to itself by the name of a PMU is none; others use their PMUs' events. */
static void test_own_name(void **state)
{
	int error;

	read_user_events("EVENT,LOOP,NOT_DERIVED,cpu::LOOP\n"
			 "EVENT,ONE,DERIVED_ADD,cpu_atom::OTHER,instr\n"
			 "EVENT,OTHER,DERIVED_SUB,cpu_atom::ONE,instr\n"
			 "EVENT,WORK,NOT_DERIVED,cpu_atom::INS\n"
			 "EVENT,INS,NOT_DERIVED,cpu_atom::instr\n");
	assert_null(preset_by_name("LOOP"));
	assert_null(native_by_name("cpu::LOOP", &error));
	assert_int_equal(error, PAPI_ENOEVNT);
	assert_null(native_by_name("cpu_atom::ONE", &error));
	assert_int_equal(error, PAPI_ENOEVNT);
	check_event("cpu_atom::WORK", 4);
}

/* What PAPI has as a component of its own, and this library has not, disables no other one. */
static void test_disabled_by_name(void **state)
{
	static const char *const others[] = { "perf_event_uncore", "rapl", "perf", "cpu" };
	int i;

	is_shut_down = 1;
	for (i = 0; i < NR(others); i++)
		assert_int_equal(PAPI_disable_component_by_name(others[i]), PAPI_ENOCMP);
	assert_int_equal(PAPI_disable_component_by_name(NULL), PAPI_EINVAL);
	for (i = 0; i < NR_COMPONENTS; i++)
		assert_int_equal(component_get(i)->disabled, 0);
	assert_int_equal(PAPI_disable_component_by_name("pmctrack"), PAPI_OK);
	assert_int_equal(component_get(COMPONENT_VIRTUAL)->disabled, PAPI_ECMP_DISABLED);
	component_get(COMPONENT_VIRTUAL)->disabled = 0;
}

/* A program that leaves all components but one out does so before the library is initialized. */
static void test_all_but_one_disabled(void **state)
{
	const PAPI_component_info_t *info;
	int i, code = PAPI_NATIVE_MASK;

	is_shut_down = 1;
	assert_int_equal(PAPI_num_components(), NR_COMPONENTS);
	for (i = 0; i < PAPI_num_components(); i++) {
		info = PAPI_get_component_info(i);
		assert_non_null(info);
		assert_int_equal(info->CmpIdx, i);
		if (strcmp(info->name, "perf_event"))
			assert_int_equal(PAPI_disable_component(i), PAPI_OK);
	}
	assert_null(PAPI_get_component_info(NR_COMPONENTS));
	is_shut_down = 0;
	assert_int_equal(component_get(COMPONENT_CPU)->disabled, 0);
	assert_int_equal(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, COMPONENT_CPU), PAPI_OK);
	for (i = 0; i < NR_COMPONENTS; i++) {
		if (i == COMPONENT_CPU)
			continue;
		assert_int_equal(component_get(i)->disabled, PAPI_ECMP_DISABLED);
		assert_int_equal(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, i), PAPI_ENOCMP);
		component_get(i)->disabled = 0;
	}
}

/* Each initialization finds out the facts about a component anew. */
static void test_initialized_again(void **state)
{
	const PAPI_component_info_t *cpu, *virt = component_get(COMPONENT_VIRTUAL);

	components_init(papi_machine());
	cpu = PAPI_get_component_info(COMPONENT_CPU);
	assert_int_equal(cpu->num_native_events, 6);
	assert_int_equal(cpu->partially_disabled, 0);
	component_get(COMPONENT_VIRTUAL)->default_domain = PAPI_DOM_KERNEL;
	component_get(COMPONENT_VIRTUAL)->default_granularity = PAPI_GRN_SYS;
	natives_exit();
	presets_exit();

	nr_types = 0;
	components_init(papi_machine());
	assert_int_equal(cpu->partially_disabled, 1);
	assert_int_equal(PAPI_get_component_info(COMPONENT_CPU)->num_native_events, 0);
	assert_int_equal(cpu->num_preset_events, 0);
	assert_int_equal(virt->default_domain, PAPI_DOM_USER);
	assert_int_equal(virt->default_granularity, PAPI_GRN_THR);
	natives_exit();
	presets_exit();

	nr_types = NR(types);
	natives_init(preset_add_part);
	components_init(papi_machine());
	assert_int_equal(cpu->partially_disabled, 0);
}

/* Programs ask by the names that PAPI has for what is here, and not for what is not. */
static void test_component_names(void **state)
{
	assert_int_equal(PAPI_get_component_index("perf_event"), COMPONENT_CPU);
	assert_int_equal(PAPI_get_component_index("cpu"), COMPONENT_CPU);
	assert_int_equal(PAPI_get_component_index("rapl"), COMPONENT_VIRTUAL);
	assert_int_equal(PAPI_get_component_index("perf_event_uncore"), PAPI_ENOCMP);
}

static void check_formula(const char *name, unsigned int nr_terms, const char *derived,
			  const char *postfix)
{
	static PAPI_event_info_t info;

	memset(&info, 0, sizeof(info));
	assert_int_equal(preset_info(preset_code(name), &info), PAPI_OK);
	assert_int_equal(info.count, nr_terms);
	assert_string_equal(info.derived, derived);
	assert_string_equal(info.postfix, postfix);
}

/* The formula that programs are shown is that of the terms that they are shown. */
static void test_formulas(void **state)
{
	nr_types = 1;
	read_user_events("EVENT,DIFFERENCE,DERIVED_SUB,instr,UOPS\n"
			 "EVENT,OWN,DERIVED_POSTFIX,N0|N1|+|2|*|,instr,UOPS\n"
			 "EVENT,TWICE,DERIVED_ADD,DIFFERENCE,DIFFERENCE\n"
			 "EVENT,HALF,DERIVED_POSTFIX,N0|2|/|,DIFFERENCE\n"
			 "EVENT,OTHER_NAME,NOT_DERIVED,DIFFERENCE\n"
			 "EVENT,NATIVE,NOT_DERIVED,instr\n"
			 "EVENT,SAME,NOT_DERIVED,NATIVE\n");
	check_formula("DIFFERENCE", 2, "DERIVED_SUB", "");
	check_formula("OWN", 2, "DERIVED_POSTFIX", "N0|N1|+|2|*|");
	check_formula("TWICE", 2, "DERIVED_POSTFIX", "N0|N1|-|N0|N1|-|+|");
	check_formula("HALF", 2, "DERIVED_POSTFIX", "N0|N1|-|2|/|");
	check_formula("OTHER_NAME", 2, "DERIVED_POSTFIX", "N0|N1|-|");
	check_formula("NATIVE", 1, "NOT_DERIVED", "");
	check_formula("SAME", 1, "NOT_DERIVED", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_by_name, setup, teardown),
		cmocka_unit_test_setup_teardown(test_listed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_listed_later, setup, teardown),
		cmocka_unit_test(test_name_of_one),
		cmocka_unit_test_setup_teardown(test_terms, setup, teardown),
		cmocka_unit_test(test_no_component_presets),
		cmocka_unit_test_setup_teardown(test_ends, setup, teardown),
		cmocka_unit_test_setup_teardown(test_too_many_user_events, setup, teardown),
		cmocka_unit_test_setup_teardown(test_formulas, setup, teardown),
		cmocka_unit_test_setup_teardown(test_disabled_by_name, setup, teardown),
		cmocka_unit_test_setup_teardown(test_all_but_one_disabled, setup, teardown),
		cmocka_unit_test_setup_teardown(test_initialized_again, setup, teardown),
		cmocka_unit_test(test_component_names),
		cmocka_unit_test_setup_teardown(test_own_name, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
