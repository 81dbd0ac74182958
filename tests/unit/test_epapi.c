// SPDX-License-Identifier: GPL-2.0
/* ePAPI's calls on a simulated core: every event, all errors of arguments. */
#include "epapi_test.h"

static void high_level_counts_every_event(void **state)
{
	int i;

	for (i = 0; i < NR_FACTS; i++) {
		const struct event_fact *f = &facts[i];
		int code = f->code;
		long long value = -5;

		ok(ePAPI_start_counters(&code, 1));
		sim_run(&work);
		ok(ePAPI_read_counters(&value, 1));
		assert_int_equal(value, f->value);
		sim_run(&work);
		sim_run(&work);
		ok(ePAPI_accum_counters(&value, 1));
		assert_int_equal(value, 3 * f->value);
		value = -100;
		sim_run(&work);
		ok(ePAPI_accum_counters(&value, 7));
		assert_int_equal(value, f->value - 100);
		ok(ePAPI_read_counters(&value, 1));
		assert_int_equal(value, 0);
		sim_run(&work);
		ok(ePAPI_stop_counters(&value, 1));
		assert_int_equal(value, f->value);
		assert_int_equal(sim.in_force & 2, 0);
	}
}

static void low_level_counts_every_event(void **state)
{
	int i;

	for (i = 0; i < NR_FACTS; i++) {
		const struct event_fact *f = &facts[i];
		int set = PAPI_NULL, code = 0;
		long long value = -5;

		ok(ePAPI_event_name_to_code(f->name, &code));
		assert_int_equal(code, f->code);
		set = new_set(&code, 1);
		sim_run(&work);
		ok(ePAPI_start(set));
		sim_run(&work);
		ok(ePAPI_read(set, &value));
		assert_int_equal(value, f->value);
		sim_run(&work);
		ok(ePAPI_read(set, &value));
		assert_int_equal(value, 2 * f->value);
		value = 1000;
		ok(ePAPI_accum(set, &value));
		assert_int_equal(value, 1000 + 2 * f->value);
		sim_run(&work);
		ok(ePAPI_reset(set));
		ok(ePAPI_read(set, &value));
		assert_int_equal(value, 0);
		sim_run(&work);
		ok(ePAPI_stop(set, &value));
		assert_int_equal(value, f->value);

		/* Values stay until the next start. */
		sim_run(&work);
		ok(ePAPI_read(set, &value));
		assert_int_equal(value, f->value);
		ok(ePAPI_start(set));
		ok(ePAPI_stop(set, NULL));
		ok(ePAPI_read(set, &value));
		assert_int_equal(value, 0);
		ok(ePAPI_cleanup_eventset(set));
		ok(ePAPI_destroy_eventset(&set));
		assert_int_equal(set, PAPI_NULL);
	}
}

static void names_of_the_papers_second_table(void **state)
{
	static const char *const names[] = { "IPDISP_STL", "LSDISP_STL", "LPDISP_STL" };
	int i, code;

	for (i = 0; i < 3; i++) {
		ok(ePAPI_event_name_to_code(names[i], &code));
		assert_int_equal(code, 0x40000000 + i);
	}
}

/* As with PAPI. */
static void names_in_lower_case(void **state)
{
	int code, set = new_set(NULL, 0);

	ok(ePAPI_event_name_to_code("papi_tot_cyc", &code));
	assert_int_equal(code, PAPI_TOT_CYC);
	ok(ePAPI_event_name_to_code("Dcache_Miss_Dirty", &code));
	assert_int_equal(code, EPAPI_DCACHE_MISS_DIRTY);
	ok(ePAPI_add_named_event(set, "papi_L1_dcm"));
	assert_int_equal(ePAPI_event_name_to_code("PAPI\x7fTOT_CYC", &code), PAPI_ENOEVNT);
}

static bool at_odds(const struct event_fact *a, const struct event_fact *b)
{
	return (a->uses & b->uses) && a->setting != b->setting;
}

static void every_pair_of_events(void **state)
{
	int i, k;

	for (i = 0; i < NR_FACTS; i++) {
		for (k = 0; k < NR_FACTS; k++) {
			int set = new_set(&facts[i].code, 1);
			long long values[2];
			int ret;

			ret = ePAPI_add_event(set, facts[k].code);
			if (i == k || at_odds(&facts[i], &facts[k])) {
				assert_int_equal(ret, PAPI_ECNFLCT);
				assert_int_equal(ePAPI_num_events(set), 1);
			} else {
				ok(ret);
				ok(ePAPI_start(set));
				sim_run(&work);
				ok(ePAPI_stop(set, values));
				assert_int_equal(values[0], facts[i].value);
				assert_int_equal(values[1], facts[k].value);
			}
			ok(ePAPI_cleanup_eventset(set));
			ok(ePAPI_destroy_eventset(&set));
		}
	}
}

/* As many events as fit, in the high and the low level, and in their order. */
static void a_full_set(void **state)
{
	int codes[] = {
		PAPI_L1_DCA, PAPI_TOT_CYC, PAPI_L1_DCH, PAPI_L1_DCM, PAPI_TOT_INS,
		EPAPI_DCACHE_HIT, EPAPI_DCACHE_MISS_CLEAN, EPAPI_DCACHE_MISS_DIRTY,
	};
	static const long long expected[] = {
		7093, 1000003, 1009, 6084, 700001, 1009, 2027, 4057,
	};
	long long values[EPAPI_MAX_EVENTS] = { 0 };
	int i;

	ok(ePAPI_start_counters(codes, EPAPI_MAX_EVENTS));
	sim_run(&work);
	ok(ePAPI_read_counters(values, EPAPI_MAX_EVENTS));
	for (i = 0; i < EPAPI_MAX_EVENTS; i++)
		assert_int_equal(values[i], expected[i]);
	sim_run(&work);
	ok(ePAPI_accum_counters(values, EPAPI_MAX_EVENTS));
	for (i = 0; i < EPAPI_MAX_EVENTS; i++)
		assert_int_equal(values[i], 2 * expected[i]);
	sim_run(&work);
	assert_int_equal(ePAPI_read_counters(values, EPAPI_MAX_EVENTS - 1), PAPI_EINVAL);
	assert_int_equal(ePAPI_accum_counters(values, EPAPI_MAX_EVENTS - 1), PAPI_EINVAL);
	assert_int_equal(ePAPI_stop_counters(values, EPAPI_MAX_EVENTS - 1), PAPI_EINVAL);
	assert_int_equal(ePAPI_read_counters(NULL, EPAPI_MAX_EVENTS), PAPI_EINVAL);
	assert_int_equal(ePAPI_accum_counters(NULL, EPAPI_MAX_EVENTS), PAPI_EINVAL);
	assert_int_equal(ePAPI_stop_counters(NULL, EPAPI_MAX_EVENTS), PAPI_EINVAL);
	ok(ePAPI_stop_counters(values, EPAPI_MAX_EVENTS));
	for (i = 0; i < EPAPI_MAX_EVENTS; i++)
		assert_int_equal(values[i], expected[i]);
}

static void events_come_and_go(void **state)
{
	int codes[] = { PAPI_L1_DCA, PAPI_TOT_CYC, PAPI_L1_DCH };
	int set = new_set(NULL, 0), list[4], n, status;
	long long values[3];

	ok(ePAPI_add_events(set, codes, 3));
	assert_int_equal(ePAPI_add_event(set, PAPI_L1_ICH), PAPI_ECNFLCT);
	ok(ePAPI_remove_event(set, PAPI_L1_DCA));
	assert_int_equal(ePAPI_remove_event(set, PAPI_L1_DCA), PAPI_EINVAL);

	/* The last event still needs M1CNT; M2CNT is free. */
	assert_int_equal(ePAPI_add_event(set, PAPI_L1_ICH), PAPI_ECNFLCT);
	ok(ePAPI_add_named_event(set, "PAPI_L1_ICM"));
	n = 4;
	ok(ePAPI_list_events(set, list, &n));
	assert_int_equal(n, 3);
	assert_int_equal(list[0], PAPI_TOT_CYC);
	assert_int_equal(list[1], PAPI_L1_DCH);
	assert_int_equal(list[2], PAPI_L1_ICM);
	n = 2;
	ok(ePAPI_list_events(set, list, &n));
	assert_int_equal(n, 2);
	n = 0;
	ok(ePAPI_list_events(set, NULL, &n));
	assert_int_equal(n, 3);

	ok(ePAPI_start(set));
	ok(ePAPI_state(set, &status));
	assert_int_equal(status, PAPI_RUNNING);
	sim_run(&work);
	ok(ePAPI_stop(set, values));
	assert_int_equal(values[0], work.cycles);
	assert_int_equal(values[1], 1009);
	assert_int_equal(values[2], 211);
	ok(ePAPI_state(set, &status));
	assert_int_equal(status, PAPI_STOPPED);

	codes[0] = PAPI_TOT_CYC;
	codes[1] = PAPI_L1_DCH;
	ok(ePAPI_remove_events(set, codes, 2));
	ok(ePAPI_remove_named_event(set, "PAPI_L1_ICM"));
	assert_int_equal(ePAPI_num_events(set), 0);
	ok(ePAPI_add_event(set, EPAPI_LS_DISPATCH_STALL));
}

/* The counters are set again for a set that has other events. */
static void counts_end_with_the_set(void **state)
{
	static const int cycles = PAPI_TOT_CYC;
	int set = new_set(&cycles, 1);
	long long values[2];

	ok(ePAPI_start(set));
	sim_run(&work);
	ok(ePAPI_stop(set, values));
	ok(ePAPI_add_event(set, PAPI_L1_DCH));
	ok(ePAPI_read(set, values));
	assert_int_equal(values[0], 0);
	assert_int_equal(values[1], 0);

	/* Removing an event does not affect the others. */
	ok(ePAPI_start(set));
	sim_run(&work);
	ok(ePAPI_stop(set, values));
	ok(ePAPI_remove_event(set, PAPI_TOT_CYC));
	ok(ePAPI_read(set, values));
	assert_int_equal(values[0], 1009);
	assert_int_equal(ePAPI_remove_event(set, PAPI_TOT_CYC), PAPI_EINVAL);
	ok(ePAPI_read(set, values));
	assert_int_equal(values[0], 1009);

	/* A refused event does not affect the others. */
	assert_int_equal(ePAPI_add_event(set, PAPI_L1_ICH), PAPI_ECNFLCT);
	assert_int_equal(ePAPI_add_event(set, PAPI_L1_DCH), PAPI_ECNFLCT);
	assert_int_equal(ePAPI_add_event(set, PAPI_L1_TCM), PAPI_EMULPASS);
	ok(ePAPI_read(set, values));
	assert_int_equal(values[0], 1009);
}

/* The number of events that succeeded, as in PAPI. */
static void lists_that_fail_in_the_middle(void **state)
{
	int set = new_set(NULL, 0);
	int add[] = { PAPI_TOT_CYC, PAPI_L1_DCH, PAPI_L1_ICH, PAPI_TOT_INS };
	int drop[] = { PAPI_TOT_CYC, PAPI_TOT_INS };

	assert_int_equal(ePAPI_add_events(set, add, 4), 2);
	assert_int_equal(ePAPI_num_events(set), 2);
	assert_int_equal(ePAPI_add_events(set, add, 4), PAPI_ECNFLCT);
	assert_int_equal(ePAPI_remove_events(set, drop, 2), 1);
	assert_int_equal(ePAPI_remove_events(set, drop, 2), PAPI_EINVAL);
	assert_int_equal(ePAPI_num_events(set), 1);

	/* The high level takes all events or none, and keeps no set after an error. */
	assert_int_equal(ePAPI_start_counters(add, 4), PAPI_ECNFLCT);
	assert_int_equal(ePAPI_stop_counters(NULL, 0), PAPI_ENOTRUN);
	ok(ePAPI_start_counters(add, 2));
}

static void events_that_are_none(void **state)
{
	static const int none[] = {
		0, 1, -1, INT_MAX, INT_MIN | 0x02 /* L2_DCM */, INT_MIN | 0x7f, 0x4000000c,
		0x40000100, 0x400000ff, INT_MIN | 0x40000000, INT_MIN | 0x0100003b, 0x3b,
	};
	static const char *const names[] = {
		"", "PAPI_", "PAPI", "TOT_CYC", "PAPI_TOT_CY", "PAPI_TOT_CYC_", "papi_tot_cy",
		"PAPI_PCACHE_HIT", "PCACHE_HIT ", "PAPI_L2_DCM",
	};
	int set = new_set(NULL, 0), code = 77;
	unsigned int i;

	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		code = none[i];
		assert_int_equal(ePAPI_add_event(set, code), PAPI_ENOEVNT);
		assert_int_equal(ePAPI_remove_event(set, code), PAPI_EINVAL);
		assert_int_equal(ePAPI_start_counters(&code, 1), PAPI_ENOEVNT);
	}
	code = 77;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(ePAPI_event_name_to_code(names[i], &code), PAPI_ENOEVNT);
		assert_int_equal(ePAPI_add_named_event(set, names[i]), PAPI_ENOEVNT);
		assert_int_equal(ePAPI_remove_named_event(set, names[i]), PAPI_ENOEVNT);
	}
	assert_int_equal(code, 77);
	assert_int_equal(ePAPI_num_events(set), 0);
}

static void two_runs(void **state)
{
	int i, run;

	for (i = 0; i < NR_DOUBLE_FACTS; i++) {
		int set = new_set(NULL, 0), runs[2], code = 0;
		long long values[2], sum = 0;

		ok(ePAPI_event_name_to_code(double_facts[i].name, &code));
		assert_int_equal(code, double_facts[i].code);
		assert_int_equal(ePAPI_add_event(set, code), PAPI_EMULPASS);
		assert_int_equal(ePAPI_start_counters(&code, 1), PAPI_EMULPASS);
		ok(epapi_two_runs(code, runs));
		for (run = 0; run < 2; run++) {
			assert_int_equal(runs[run], double_facts[i].runs[run]);
			ok(ePAPI_start_counters(&runs[run], 1));
			sim_run(&work);
			ok(ePAPI_stop_counters(&values[run], 1));
		}
		ok(epapi_combine(code, values[0], values[1], &sum));
		assert_int_equal(sum, double_facts[i].value);
		assert_int_equal(epapi_two_runs(code, NULL), PAPI_EINVAL);
		assert_int_equal(epapi_combine(code, 1, 2, NULL), PAPI_EINVAL);
		ok(ePAPI_destroy_eventset(&set));
	}
	for (i = 0; i < NR_FACTS; i++) {
		long long sum;
		int runs[2];

		assert_int_equal(epapi_two_runs(facts[i].code, runs), PAPI_EINVAL);
		assert_int_equal(epapi_combine(facts[i].code, 1, 2, &sum), PAPI_EINVAL);
	}
}

static void sets_that_are_none(void **state)
{
	static const int none[] = { PAPI_NULL, INT_MIN, INT_MAX, 0, 1, 3, 4 };
	int codes[] = { PAPI_TOT_CYC }, n = 1, status;
	long long value;
	unsigned int i;

	/* The low level cannot use the high level's set. */
	ok(ePAPI_start_counters(codes, 1));
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		int set = none[i];

		assert_int_equal(ePAPI_start(set), PAPI_ENOEVST);
		assert_int_equal(ePAPI_stop(set, &value), PAPI_ENOEVST);
		assert_int_equal(ePAPI_read(set, &value), PAPI_ENOEVST);
		assert_int_equal(ePAPI_accum(set, &value), PAPI_ENOEVST);
		assert_int_equal(ePAPI_reset(set), PAPI_ENOEVST);
		assert_int_equal(ePAPI_add_event(set, codes[0]), PAPI_ENOEVST);
		assert_int_equal(ePAPI_add_events(set, codes, 1), PAPI_ENOEVST);
		assert_int_equal(ePAPI_add_named_event(set, "PAPI_TOT_CYC"), PAPI_ENOEVST);
		assert_int_equal(ePAPI_remove_event(set, codes[0]), PAPI_ENOEVST);
		assert_int_equal(ePAPI_remove_events(set, codes, 1), PAPI_ENOEVST);
		assert_int_equal(ePAPI_remove_named_event(set, "PAPI_TOT_CYC"), PAPI_ENOEVST);
		assert_int_equal(ePAPI_cleanup_eventset(set), PAPI_ENOEVST);
		assert_int_equal(ePAPI_list_events(set, codes, &n), PAPI_ENOEVST);
		assert_int_equal(ePAPI_num_events(set), PAPI_ENOEVST);
		assert_int_equal(ePAPI_state(set, &status), PAPI_ENOEVST);
		assert_int_equal(ePAPI_destroy_eventset(&set), PAPI_ENOEVST);
	}
	sim_run(&work);
	ok(ePAPI_stop_counters(&value, 1));
	assert_int_equal(value, work.cycles);
}

static void arguments_that_make_no_sense(void **state)
{
	int codes[] = { PAPI_TOT_CYC }, set = new_set(codes, 1), other = set, n = 1, code;
	long long value;
	float f;

	assert_int_equal(ePAPI_create_eventset(NULL), PAPI_EINVAL);
	assert_int_equal(ePAPI_create_eventset(&other), PAPI_EINVAL);
	assert_int_equal(ePAPI_destroy_eventset(NULL), PAPI_EINVAL);
	assert_int_equal(ePAPI_destroy_eventset(&set), PAPI_EINVAL);
	assert_int_equal(ePAPI_add_events(set, NULL, 1), PAPI_EINVAL);
	assert_int_equal(ePAPI_add_events(set, codes, 0), PAPI_EINVAL);
	assert_int_equal(ePAPI_add_events(set, codes, -1), PAPI_EINVAL);
	assert_int_equal(ePAPI_remove_events(set, NULL, 1), PAPI_EINVAL);
	assert_int_equal(ePAPI_remove_events(set, codes, 0), PAPI_EINVAL);
	assert_int_equal(ePAPI_add_named_event(set, NULL), PAPI_EINVAL);
	assert_int_equal(ePAPI_remove_named_event(set, NULL), PAPI_EINVAL);
	assert_int_equal(ePAPI_event_name_to_code(NULL, &code), PAPI_EINVAL);
	assert_int_equal(ePAPI_event_name_to_code("PAPI_TOT_CYC", NULL), PAPI_EINVAL);
	assert_int_equal(ePAPI_list_events(set, codes, NULL), PAPI_EINVAL);
	assert_int_equal(ePAPI_list_events(set, NULL, &n), PAPI_EINVAL);
	n = -1;
	assert_int_equal(ePAPI_list_events(set, codes, &n), PAPI_EINVAL);
	assert_int_equal(ePAPI_state(set, NULL), PAPI_EINVAL);
	assert_int_equal(ePAPI_read(set, NULL), PAPI_EINVAL);
	assert_int_equal(ePAPI_accum(set, NULL), PAPI_EINVAL);

	assert_int_equal(ePAPI_start_counters(NULL, 1), PAPI_EINVAL);
	assert_int_equal(ePAPI_start_counters(codes, 0), PAPI_EINVAL);
	assert_int_equal(ePAPI_start_counters(codes, -1), PAPI_EINVAL);
	assert_int_equal(ePAPI_ipc(NULL, &f, &value, &f), PAPI_EINVAL);
	assert_int_equal(ePAPI_ipc(&f, NULL, &value, &f), PAPI_EINVAL);
	assert_int_equal(ePAPI_ipc(&f, &f, NULL, &f), PAPI_EINVAL);
	assert_int_equal(ePAPI_ipc(&f, &f, &value, NULL), PAPI_EINVAL);
	assert_int_equal(ePAPI_epc(0, NULL, &f, &value, &value, &value, &f), PAPI_EINVAL);
	assert_int_equal(ePAPI_epc(0, &f, NULL, &value, &value, &value, &f), PAPI_EINVAL);
	assert_int_equal(ePAPI_epc(0, &f, &f, NULL, &value, &value, &f), PAPI_EINVAL);
	assert_int_equal(ePAPI_epc(0, &f, &f, &value, NULL, &value, &f), PAPI_EINVAL);
	assert_int_equal(ePAPI_epc(0, &f, &f, &value, &value, NULL, &f), PAPI_EINVAL);
	assert_int_equal(ePAPI_epc(0, &f, &f, &value, &value, &value, NULL), PAPI_EINVAL);

	/* One event, which has a function of its own. */
	ok(ePAPI_start_counters(codes, 1));
	assert_int_equal(ePAPI_read_counters(NULL, 1), PAPI_EINVAL);
	assert_int_equal(ePAPI_read_counters(&value, 0), PAPI_EINVAL);
	assert_int_equal(ePAPI_read_counters(&value, -1), PAPI_EINVAL);
	assert_int_equal(ePAPI_accum_counters(NULL, 1), PAPI_EINVAL);
	assert_int_equal(ePAPI_accum_counters(&value, 0), PAPI_EINVAL);
	assert_int_equal(ePAPI_stop_counters(NULL, 1), PAPI_EINVAL);
	assert_int_equal(ePAPI_stop_counters(&value, 0), PAPI_EINVAL);
	ok(ePAPI_stop_counters(&value, 1));
}

static void calls_at_the_wrong_time(void **state)
{
	int codes[] = { PAPI_TOT_CYC }, a = new_set(codes, 1), b = new_set(codes, 1);
	int empty = new_set(NULL, 0), status;
	long long value = 5;
	float f;

	assert_int_equal(ePAPI_read_counters(&value, 1), PAPI_EINVAL);
	assert_int_equal(ePAPI_accum_counters(&value, 1), PAPI_EINVAL);
	assert_int_equal(ePAPI_stop_counters(&value, 1), PAPI_ENOTRUN);
	assert_int_equal(ePAPI_stop(a, &value), PAPI_ENOTRUN);
	assert_int_equal(ePAPI_start(empty), PAPI_EINVAL);
	assert_int_equal(value, 5);

	ok(ePAPI_start(a));
	assert_int_equal(ePAPI_start(a), PAPI_EISRUN);
	assert_int_equal(ePAPI_start(b), PAPI_EISRUN);
	assert_int_equal(ePAPI_start_counters(codes, 1), PAPI_EISRUN);
	assert_int_equal(ePAPI_stop(b, &value), PAPI_ENOTRUN);
	assert_int_equal(ePAPI_add_event(a, PAPI_TOT_INS), PAPI_EISRUN);
	assert_int_equal(ePAPI_add_named_event(a, "PAPI_TOT_INS"), PAPI_EISRUN);
	assert_int_equal(ePAPI_remove_event(a, PAPI_TOT_CYC), PAPI_EISRUN);
	assert_int_equal(ePAPI_cleanup_eventset(a), PAPI_EISRUN);
	assert_int_equal(ePAPI_destroy_eventset(&a), PAPI_EISRUN);
	assert_int_equal(epapi_task_mode(1), PAPI_EISRUN);
	assert_int_equal(ePAPI_stop_counters(&value, 1), PAPI_ENOTRUN);
	sim_run(&work);
	ok(ePAPI_stop(a, &value));
	assert_int_equal(value, work.cycles);
	assert_int_equal(ePAPI_stop(a, &value), PAPI_ENOTRUN);

	ok(ePAPI_start_counters(codes, 1));
	assert_int_equal(ePAPI_start_counters(codes, 1), PAPI_EISRUN);
	assert_int_equal(ePAPI_start(a), PAPI_EISRUN);
	assert_int_equal(ePAPI_ipc(&f, &f, &value, &f), PAPI_EINVAL);
	ok(ePAPI_stop_counters(&value, 1));

	ok(ePAPI_ipc(&f, &f, &value, &f));
	assert_int_equal(ePAPI_epc(0, &f, &f, &value, &value, &value, &f), PAPI_EINVAL);
	assert_int_equal(ePAPI_start_counters(codes, 1), PAPI_EISRUN);
	assert_int_equal(ePAPI_read_counters(&value, 1), PAPI_EINVAL);
	assert_int_equal(ePAPI_accum_counters(&value, 1), PAPI_EINVAL);
	ok(ePAPI_stop_counters(NULL, 0));
	ok(ePAPI_start(b));
	ok(ePAPI_state(b, &status));
	assert_int_equal(status, PAPI_RUNNING);
}

static void sets_and_places_run_out(void **state)
{
	static const int more[] = {
		PAPI_L1_ICA, PAPI_L1_ICR, PAPI_L1_ICH, PAPI_L1_ICM, EPAPI_PCACHE_HIT,
		EPAPI_PCACHE_MISS, PAPI_TOT_INS, PAPI_TOT_CYC,
	};
	int full = new_set(more, 8), set, code = PAPI_TOT_CYC, i;
	float f;
	long long value;

	ok(ePAPI_remove_event(full, PAPI_TOT_CYC));
	ok(ePAPI_add_event(full, PAPI_TOT_CYC));
	/* A ninth event, with or without a conflict with the others. */
	assert_int_equal(ePAPI_add_event(full, EPAPI_MULTI_ISSUE), PAPI_ENOMEM);
	assert_int_equal(ePAPI_add_event(full, PAPI_L1_DCH), PAPI_ENOMEM);
	assert_int_equal(ePAPI_num_events(full), 8);
	ok(ePAPI_remove_event(full, PAPI_TOT_CYC));
	ok(ePAPI_add_event(full, EPAPI_MULTI_ISSUE));

	for (i = 1; i < 4; i++)
		new_set(NULL, 0);
	set = PAPI_NULL;
	assert_int_equal(ePAPI_create_eventset(&set), PAPI_ENOMEM);
	assert_int_equal(set, PAPI_NULL);
	assert_int_equal(ePAPI_start_counters(&code, 1), PAPI_ENOMEM);
	assert_int_equal(ePAPI_ipc(&f, &f, &value, &f), PAPI_ENOMEM);
	ok(ePAPI_cleanup_eventset(full));
	ok(ePAPI_destroy_eventset(&full));
	ok(ePAPI_start_counters(&code, 1));
}

static void constants(void **state)
{
	assert_int_equal(ePAPI_num_counters(), 5);
	assert_int_equal(ePAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
	assert_true(PAPI_VER_CURRENT > 0);
	assert_int_equal(ePAPI_library_init(0), PAPI_EINVAL);
	assert_int_equal(ePAPI_library_init(0x07000000), PAPI_EINVAL);
}

/*
 * Every event again, with each bit of CCTRL inverted when it is written: then the counts
 * must be wrong, or the tests above would not notice a wrong setting.
 */
static void a_wrong_cctrl_shows(void **state)
{
	unsigned int bit, i;

	for (bit = 0; bit < 11; bit++) {
		for (i = 0; i < NR_FACTS; i++) {
			const struct event_fact *f = &facts[i];
			bool field = bit >= 2 && (f->uses & 1u << (bit - 2) / 3);
			int code = f->code;
			long long value;

			sim.flip = 1u << bit;
			ok(ePAPI_start_counters(&code, 1));
			sim_run(&work);
			ok(ePAPI_stop_counters(&value, 1));
			if (field || bit < 2)
				assert_int_not_equal(value, f->value);
			else
				assert_int_equal(value, f->value);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		epapi_test(high_level_counts_every_event),
		epapi_test(low_level_counts_every_event),
		epapi_test(names_of_the_papers_second_table),
		epapi_test(names_in_lower_case),
		epapi_test(every_pair_of_events),
		epapi_test(a_full_set),
		epapi_test(events_come_and_go),
		epapi_test(counts_end_with_the_set),
		epapi_test(lists_that_fail_in_the_middle),
		epapi_test(events_that_are_none),
		epapi_test(two_runs),
		epapi_test(sets_that_are_none),
		epapi_test(arguments_that_make_no_sense),
		epapi_test(calls_at_the_wrong_time),
		epapi_test(sets_and_places_run_out),
		epapi_test(constants),
		epapi_test(a_wrong_cctrl_shows),
	};

	return cmocka_run_group_tests_name("epapi", tests, NULL, NULL);
}
