// SPDX-License-Identifier: GPL-2.0
/* TriCore's register logic alone: its tables are compared with each other. */
#include "epapi_test.h"

static void every_entry_is_sound(void **state)
{
	int i, k;

	for (i = 0; i < PMC_TRICORE_NR_EVENTS; i++) {
		const struct pmc_tricore_event *ev = &pmc_tricore_events[i];
		const struct pmc_tricore_double *d = pmc_tricore_find_double(ev->code);

		assert_non_null(ev->name);
		assert_ptr_equal(pmc_tricore_find_name(ev->name), ev);
		assert_int_equal(pmc_tricore_find(ev->code)->code, ev->code);
		assert_int_equal(!strncmp(ev->name, "PAPI_", 5), ev->code >> 31);
		assert_int_equal(ev->plus & ev->minus, 0);
		assert_int_equal(ev->plus >> PMC_TRICORE_NR, 0);
		assert_true(ev->setting < 4);
		assert_int_equal(pmc_tricore_takes_two_runs(ev), !!d);
		for (k = 0; d && k < 2; k++)
			assert_null(pmc_tricore_find_double(d->runs[k]));
		for (k = 0; k < i; k++)
			assert_string_not_equal(ev->name, pmc_tricore_events[k].name);
	}
}

/* The paper's table 1, from the numbers of the native events. */
static void native_events_are_a_grid(void **state)
{
	u32 n;

	for (n = 0; n < 12; n++) {
		const struct pmc_tricore_event *ev = pmc_tricore_find(PMC_TRICORE_NATIVE | n);
		struct pmc_tricore_plan plan = { 0 };

		assert_int_equal(ev->setting, n / 3);
		assert_int_equal(ev->plus, PMC_TRICORE_HAS_M1 << n % 3);
		assert_true(pmc_tricore_add(&plan, ev));
		assert_int_equal(plan.cctrl, n / 3 << (2 + 3 * (n % 3)));
	}
	assert_null(pmc_tricore_find(PMC_TRICORE_NATIVE | 12));
}

static void what_does_not_fit_changes_nothing(void **state)
{
	struct pmc_tricore_plan plan = { 0 }, before;

	assert_true(pmc_tricore_add(&plan, pmc_tricore_find((u32)PAPI_L1_ICM)));
	before = plan;
	assert_false(pmc_tricore_add(&plan, pmc_tricore_find((u32)PAPI_L1_DCA)));
	assert_int_equal(plan.counters, before.counters);
	assert_int_equal(plan.cctrl, before.cctrl);
	assert_true(pmc_tricore_add(&plan, pmc_tricore_find((u32)PAPI_L1_DCH)));
	assert_int_equal(plan.cctrl, 1 << 5 | 2 << 2);
}

/* 0 is a valid setting. */
static void setting_0_is_at_odds_with_others(void **state)
{
	struct pmc_tricore_plan plan = { 0 };

	assert_true(pmc_tricore_add(&plan, pmc_tricore_find((u32)EPAPI_IP_DISPATCH_STALL)));
	assert_false(pmc_tricore_add(&plan, pmc_tricore_find((u32)PAPI_L1_ICH)));
	memset(&plan, 0, sizeof(plan));
	assert_true(pmc_tricore_add(&plan, pmc_tricore_find((u32)PAPI_L1_ICH)));
	assert_false(pmc_tricore_add(&plan, pmc_tricore_find((u32)EPAPI_IP_DISPATCH_STALL)));
}

/* At the limits of the register, and of the time. */
static void registers_to_counts(void **state)
{
	static const struct {
		u32 raw, cycles;
		u64 value;
		u8 wrapped, inexact;	/* of cycles and of instructions */
	} cases[] = {
		{ 0, ~0u, 0, 0, 0 },
		{ 0x7fffffff, ~0u, 0x7fffffff, 0, 0 },
		{ 0x80000000, 0x80000000, 0x80000000, 3, 2 },
		{ 0x80000000, 0x55555554, 0x80000000, 3, 0 },
		{ 0x80000000, 0x55555555, 0x80000000, 3, 2 },
		{ 0xffffffff, 0xfffffffe, 0xffffffff, 3, 2 },
		{ 0xffffffff, 0xffffffff, 0xffffffff, 3, 3 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const u32 raw[PMC_TRICORE_NR] = { cases[i].raw, cases[i].raw };
		struct pmc_tricore_count count = { .value = { 1000, 1000, 5 } };

		pmc_tricore_collect(&count, raw, cases[i].cycles);
		assert_int_equal(count.value[0], 1000 + cases[i].value);
		assert_int_equal(count.value[1], 1000 + cases[i].value);
		assert_int_equal(count.value[2], 5);
		assert_int_equal(count.wrapped, cases[i].wrapped);
		assert_int_equal(count.inexact, cases[i].inexact);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_entry_is_sound),
		cmocka_unit_test(native_events_are_a_grid),
		cmocka_unit_test(what_does_not_fit_changes_nothing),
		cmocka_unit_test(setting_0_is_at_odds_with_others),
		cmocka_unit_test(registers_to_counts),
	};

	return cmocka_run_group_tests_name("tricore", tests, NULL, NULL);
}
