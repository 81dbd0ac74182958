// SPDX-License-Identifier: GPL-2.0
/* From PAPI's events to libpmctrack's: modes, and counters that CPUs share. Nothing is counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "count_events.h"
#include "errors.h"
#include "library.h"
#include "virtuals.h"

static int machine;

const pmc_machine_t *papi_machine(void)
{
	return (const pmc_machine_t *)&machine;
}

int pmc_machine_nr_core_types(const pmc_machine_t *m)
{
	return 2;
}

const struct pmc_core_type_info *pmc_machine_core_type(const pmc_machine_t *m, int id)
{
	static const struct pmc_core_type_info info = { .name = "classic", .pmu = "cpu",
							.nr_hw_counters = 6 };

	return &info;
}

pmc_config_t *pmc_config_new(const pmc_machine_t *m)
{
	return NULL;
}

void pmc_config_free(pmc_config_t *config)
{
}

int pmc_config_add(pmc_config_t *config, const char *events, int core_type, unsigned int flags)
{
	return -1;
}

const char *pmc_config_raw(const pmc_config_t *config, int n)
{
	return NULL;
}

pmc_session_t *pmc_session_open(void)
{
	return NULL;
}

void pmc_session_close(pmc_session_t *session)
{
}

int pmc_plan_fits(void *session, int core_type, const char *events)
{
	return -1;
}

int papi_error_of(int err)
{
	return PAPI_ESYS;
}

int formula_divides(const struct formula *f)
{
	return 0;
}

int64_t formula_value(const struct formula *f, const int64_t *terms)
{
	return 0;
}

int virtual_open(struct virtual_counting **out, const struct papi_event *const *events, int nr,
		 const struct target *target)
{
	*out = NULL;
	return PAPI_OK;
}

void virtual_close(struct virtual_counting *v)
{
}

int virtual_start(struct virtual_counting *v)
{
	return PAPI_OK;
}

int virtual_read(struct virtual_counting *v, long long *values)
{
	return PAPI_OK;
}

void virtual_restart(struct virtual_counting *v)
{
}

static void words_are(const char *term, int domain, const char *expected)
{
	char words[COUNTING_WORDS];

	counting_words(term, domain, words);
	assert_string_equal(words, expected);
}

static void test_modes(void **state)
{
	words_are("instr", PAPI_DOM_USER, "instr:u");
	words_are("instr", PAPI_DOM_USER | PAPI_DOM_KERNEL, "instr:uk");
	words_are("instr:k", PAPI_DOM_USER, "instr:k");
	words_are("page_faults", PAPI_DOM_USER, "page_faults");
	/* Other spellings, and perf's names */
	words_are("PAGE-FAULTS", PAPI_DOM_USER, "PAGE-FAULTS");
	words_are("faults", PAPI_DOM_USER, "faults");
	words_are("cs", PAPI_DOM_USER, "cs");
	words_are("cpu-migrations", PAPI_DOM_USER, "cpu-migrations");
	words_are("css", PAPI_DOM_USER, "css:u");
	words_are("L3D_CACHE", PAPI_DOM_USER, "L3D_CACHE:u");
	/* Counters that CPUs share have no modes. */
	words_are("l3_misses", PAPI_DOM_USER, "l3_misses");
	words_are("L3-References", PAPI_DOM_ALL, "L3-References");
	words_are("l3=0x04:umask=0x01", PAPI_DOM_USER, "l3=0x04:umask=0x01");
}

static int init(struct counting *c, const char *term, int cpu)
{
	char *terms[] = { (char *)term };
	struct papi_part parts[] = {
		{ .core_type = 0, .nr_terms = 1, .terms = terms },
		{ .core_type = 1, .nr_terms = 1, .terms = terms },
	};
	struct papi_event event = { .nr_parts = 2, .parts = parts };
	const struct papi_event *events[] = { &event };
	const struct target target = { .domain = PAPI_DOM_USER, .cpu = cpu };

	return counting_init(c, events, 1, &target);
}

static void test_shared(void **state)
{
	struct counting c;

	assert_int_equal(init(&c, "instr", -1), PAPI_OK);
	counting_free(&c);
	/* They count for all CPUs that share them, not for a thread. */
	assert_int_equal(init(&c, "l3_misses", -1), PAPI_ECNFLCT);
	assert_int_equal(init(&c, "l3_misses", 2), PAPI_OK);
	assert_string_equal(c.types[0].words[0], "l3_misses");
	assert_string_equal(c.types[1].words[0], "l3_misses");
	counting_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
