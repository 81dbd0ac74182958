// SPDX-License-Identifier: GPL-2.0
/*
 * ePAPI built for cores that run at 100 MHz, but may run at 300 MHz, and with fewer sets
 * and events than by default.
 */
#include "epapi_test.h"

#define CPU_HZ	100000000u

static void processor_time_is_of_the_real_clock(void **state)
{
	struct sim_work w = work;
	float real, processor, rate;
	long long n;

	w.cycles = CPU_HZ;
	ok(ePAPI_ipc(&real, &processor, &n, &rate));
	sim_run(&w);
	ok(ePAPI_ipc(&real, &processor, &n, &rate));
	assert_true(processor > 0.999999f && processor < 1.000001f);
}

/* The clock may have been faster before, so the maximum rate decides about overflows. */
static void overflows_are_of_the_fastest_clock(void **state)
{
	int code = PAPI_TOT_CYC;
	struct sim_work w = work;
	long long value;

	w.cycles = 0x80000000u + 5;
	ok(ePAPI_start_counters(&code, 1));
	sim_run(&w);
	sim_pass_time(0x60000000u);
	ok(ePAPI_read_counters(&value, 1));
	assert_int_equal(epapi_results.entry[0].flags, EPAPI_VALUE_WRAPPED);
	sim_run(&w);
	sim_pass_time(0x80000000u);
	ok(ePAPI_read_counters(&value, 1));
	assert_int_equal(epapi_results.entry[0].flags,
			 EPAPI_VALUE_WRAPPED | EPAPI_VALUE_INEXACT);
}

static void fewer_sets_and_events(void **state)
{
	int codes[] = { PAPI_TOT_CYC, PAPI_TOT_INS }, set, i;

	assert_int_equal(sizeof(epapi_results), 16 + 16);
	assert_int_equal(ePAPI_start_counters(codes, 2), PAPI_ENOMEM);
	for (i = 0; i < 2; i++) {
		set = new_set(codes, 1);
		assert_int_equal(ePAPI_add_event(set, PAPI_TOT_INS), PAPI_ENOMEM);
	}
	set = PAPI_NULL;
	assert_int_equal(ePAPI_create_eventset(&set), PAPI_ENOMEM);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		epapi_test(processor_time_is_of_the_real_clock),
		epapi_test(overflows_are_of_the_fastest_clock),
		epapi_test(fewer_sets_and_events),
	};

	return cmocka_run_group_tests_name("epapi_clock", tests, NULL, NULL);
}
