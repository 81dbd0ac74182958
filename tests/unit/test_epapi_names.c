// SPDX-License-Identifier: GPL-2.0
/*
 * A program written for PAPI runs on ePAPI unchanged: this one includes papi.h and uses all
 * of PAPI's names, and so does the example with its calls renamed to PAPI's.
 */
#include <papi.h>

#include "epapi_test.h"

#undef ok
#define ok(call)	assert_int_equal(call, PAPI_OK)

/* libpmc/tricore/example/example.c with ePAPI replaced by PAPI */
int example_main(void);

static void the_high_level(void **state)
{
	int events[] = { PAPI_TOT_CYC };
	long long values[1];
	float real, processor, rate;
	long long a, b, c;

	assert_int_equal(PAPI_num_counters(), 5);
	ok(PAPI_start_counters(events, 1));
	sim_run(&work);
	ok(PAPI_read_counters(values, 1));
	sim_run(&work);
	ok(PAPI_accum_counters(values, 1));
	assert_int_equal(values[0], 2 * work.cycles);
	ok(PAPI_stop_counters(values, 1));
	ok(PAPI_ipc(&real, &processor, &a, &rate));
	ok(PAPI_stop_counters(values, 1));
	ok(PAPI_epc(PAPI_TOT_INS, &real, &processor, &a, &b, &c, &rate));
}

static void the_low_level(void **state)
{
	int set = PAPI_NULL, events[2] = { PAPI_TOT_INS, PAPI_L1_DCA }, code, status, n = 2;
	long long values[2] = { 0 };

	assert_int_equal(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
	ok(PAPI_create_eventset(&set));
	ok(PAPI_add_events(set, events, 2));
	ok(PAPI_remove_events(set, events, 2));
	ok(PAPI_event_name_to_code("PAPI_L1_DCA", &code));
	ok(PAPI_add_event(set, code));
	ok(PAPI_add_named_event(set, "PAPI_TOT_INS"));
	ok(PAPI_remove_named_event(set, "PAPI_TOT_INS"));
	ok(PAPI_list_events(set, events, &n));
	assert_int_equal(PAPI_num_events(set), 1);
	ok(PAPI_start(set));
	ok(PAPI_state(set, &status));
	assert_int_equal(status, PAPI_RUNNING);
	sim_run(&work);
	ok(PAPI_read(set, values));
	assert_int_equal(values[0], 7093);
	ok(PAPI_accum(set, values));
	ok(PAPI_reset(set));
	ok(PAPI_stop(set, values));
	ok(PAPI_remove_event(set, code));
	ok(PAPI_cleanup_eventset(set));
	ok(PAPI_destroy_eventset(&set));
}

static void the_example(void **state)
{
	assert_int_equal(example_main(), 0);
	assert_int_equal(epapi_results.nr, 2);
	assert_int_equal(epapi_results.state, EPAPI_RESULTS_STOPPED);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		epapi_test(the_high_level),
		epapi_test(the_low_level),
		epapi_test(the_example),
	};

	return cmocka_run_group_tests_name("epapi_names", tests, NULL, NULL);
}
