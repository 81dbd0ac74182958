// SPDX-License-Identifier: GPL-2.0
/*
 * ePAPI's counts beyond 31 bits, the results area, and what ePAPI needs of the core: debug
 * unit, supervisor mode, time.
 */
#include "epapi_test.h"

#define WRAP	0x80000000u	/* counts until a counter overflows */

static void run(uint32_t cycles, uint32_t instructions)
{
	struct sim_work w = work;

	w.cycles = cycles;
	w.instructions = instructions;
	sim_run(&w);
}

static uint32_t flags(int i)
{
	return epapi_results.entry[i].flags;
}

/* One overflow between two calls is handled, by both types of reading. */
static void one_overflow_is_counted(void **state)
{
	int code = PAPI_TOT_CYC, i;
	long long value = 0, sum = 0;

	ok(ePAPI_start_counters(&code, 1));
	run(WRAP - 1, 1);
	ok(ePAPI_read_counters(&value, 1));
	assert_int_equal(value, WRAP - 1);
	assert_int_equal(flags(0), 0);
	ok(ePAPI_stop_counters(&value, 1));
	ok(ePAPI_start_counters(&code, 1));
	run(WRAP, 1);
	ok(ePAPI_read_counters(&value, 1));
	assert_int_equal(value, WRAP);
	assert_int_equal(flags(0), EPAPI_VALUE_WRAPPED);
	assert_int_equal(epapi_results.entry[0].value, WRAP);
	for (i = 0; i < 10; i++) {
		run(WRAP + 1000000000u + i, 1);
		ok(ePAPI_accum_counters(&sum, 1));
	}
	assert_int_equal(sum, 10ll * (WRAP + 1000000000u) + 45);
	assert_int_equal(epapi_results.entry[0].value, sum);
	run(77, 1);
	ok(ePAPI_read_counters(&value, 1));
	assert_int_equal(value, 77);
	run(0xfff00000, 1);
	ok(ePAPI_stop_counters(&value, 1));
	assert_int_equal(value, 0xfff00000);
	assert_int_equal(flags(0), EPAPI_VALUE_WRAPPED);

	/* A new start clears the flags. */
	ok(ePAPI_start_counters(&code, 1));
	assert_int_equal(flags(0), 0);
}

static void sums_have_64_bits(void **state)
{
	static const int codes[] = { PAPI_TOT_CYC, PAPI_TOT_INS, PAPI_BRU_IDL, PAPI_MEM_SCY };
	int set = new_set(codes, 4), i;
	long long values[4];

	ok(ePAPI_start(set));
	for (i = 0; i < 20; i++) {
		run(3000000000u, 1000000000u);
		ok(ePAPI_read(set, values));
	}
	run(5, 6);
	ok(ePAPI_stop(set, values));
	assert_int_equal(values[0], 60000000005ll);
	assert_int_equal(values[1], 20000000006ll);
	assert_int_equal(values[2], 60000000005ll - 21 * 10007);
	assert_int_equal(values[3], 21 * (20021 + 40063));

	/* Only events that include cycles had an overflow. */
	assert_int_equal(flags(0), EPAPI_VALUE_WRAPPED);
	assert_int_equal(flags(1), 0);
	assert_int_equal(flags(2), EPAPI_VALUE_WRAPPED);
	assert_int_equal(flags(3), 0);
}

/* Two overflows set the same sticky bit; the time says that there may have been two. */
static void two_overflows_are_flagged(void **state)
{
	int code = PAPI_TOT_CYC, set = new_set(&code, 1);
	long long value;

	ok(ePAPI_start(set));
	run(3000000000u, 1);
	run(3000000000u, 1);
	ok(ePAPI_read(set, &value));
	assert_int_equal(flags(0), EPAPI_VALUE_WRAPPED | EPAPI_VALUE_INEXACT);
	assert_true(value >= WRAP && value < 6000000000ll);
	ok(ePAPI_stop(set, &value));

	ok(ePAPI_start_counters(&code, 1));
	run(3000000000u, 1);
	run(3000000000u, 1);
	ok(ePAPI_accum_counters(&value, 1));
	assert_int_equal(flags(0), EPAPI_VALUE_WRAPPED | EPAPI_VALUE_INEXACT);
	run(3000000000u, 1);
	ok(ePAPI_read_counters(&value, 1));
	assert_int_equal(value, 3000000000ll);
	ok(ePAPI_stop_counters(&value, 1));

	/*
	 * The fast function does not read the timer, so it does not know the time of
	 * earlier calls, and sets the flag too early.
	 */
	ok(ePAPI_start_counters(&code, 1));
	run(WRAP - 1, 1);
	ok(ePAPI_read_counters(&value, 1));
	run(WRAP + 1, 1);
	ok(ePAPI_read_counters(&value, 1));
	assert_int_equal(value, WRAP + 1);
	assert_int_equal(flags(0), EPAPI_VALUE_WRAPPED | EPAPI_VALUE_INEXACT);
	ok(ePAPI_stop_counters(&value, 1));

	/* Much time, but no overflow: the core slept. */
	ok(ePAPI_start_counters(&code, 1));
	sim_pass_time(100ull * SIM_CPU_HZ);
	run(1234, 1);
	ok(ePAPI_read_counters(&value, 1));
	assert_int_equal(value, 1234);
	assert_int_equal(flags(0), 0);
}

/* Up to three instructions a cycle: they may overflow twice in a third of the time. */
static void instructions_overflow_sooner(void **state)
{
	static const int codes[] = { PAPI_TOT_INS, PAPI_TOT_CYC };
	int set = new_set(codes, 2);
	long long values[2];

	ok(ePAPI_start(set));
	run(1400000000u, 4200000000u);
	ok(ePAPI_read(set, values));
	assert_int_equal(values[0], 4200000000ll);
	assert_int_equal(flags(0), EPAPI_VALUE_WRAPPED);
	run(750000000u, 2250000000u);
	run(750000000u, 2250000000u);
	ok(ePAPI_read(set, values));
	assert_int_equal(flags(0), EPAPI_VALUE_WRAPPED | EPAPI_VALUE_INEXACT);
	assert_int_equal(values[1], 2900000000ll);
	assert_int_equal(flags(1), 0);
}

static void the_timer_may_begin_anew(void **state)
{
	int code = PAPI_TOT_CYC, set = new_set(&code, 1);
	long long value;

	sim.stm = (1ull << 48) - 1000000;
	ok(ePAPI_start(set));
	run(3000000000u, 1);
	ok(ePAPI_read(set, &value));
	assert_int_equal(value, 3000000000ll);
	assert_int_equal(flags(0), EPAPI_VALUE_WRAPPED);
	run(3000000000u, 1);
	run(3000000000u, 1);
	ok(ePAPI_read(set, &value));
	assert_int_equal(flags(0), EPAPI_VALUE_WRAPPED | EPAPI_VALUE_INEXACT);
}

/* The function of each counter, with an overflow. */
static void every_event_overflows(void **state)
{
	int i, s, m;

	for (i = 0; i < NR_FACTS; i++) {
		struct sim_work w = work;
		int code = facts[i].code;
		long long value = 0;

		if (facts[i].setting >= 0) {
			for (s = 0; s < 4; s++)
				for (m = 0; m < 3; m++)
					w.event[s][m] += facts[i].uses & 1u << m ? WRAP : 0;
		}
		w.cycles += WRAP;
		w.instructions += WRAP;
		ok(ePAPI_start_counters(&code, 1));
		sim_run(&w);
		ok(ePAPI_accum_counters(&value, 1));
		if (code == PAPI_BRU_IDL)
			assert_int_equal(value, facts[i].value);
		else
			assert_int_equal(value - facts[i].value,
					 (long long)WRAP * (facts[i].uses ? __builtin_popcount(facts[i].uses) : 1));
		/* At the maximum rate of instructions the counter may have overflowed twice. */
		assert_int_equal(flags(0), EPAPI_VALUE_WRAPPED |
				 (code == PAPI_TOT_INS ? EPAPI_VALUE_INEXACT : 0));
		sim_run(&work);
		ok(ePAPI_read_counters(&value, 1));
		assert_int_equal(value, facts[i].value);
		ok(ePAPI_stop_counters(&value, 1));
		assert_int_equal(value, 0);
	}
}

static uint64_t number(unsigned int offset, unsigned int size)
{
	const uint8_t *byte = (const uint8_t *)&epapi_results + offset;
	uint64_t n = 0;

	while (size--)
		n = n << 8 | byte[size];
	return n;
}

static void results_area(void **state)
{
	int codes[] = { PAPI_L1_DCM, PAPI_TOT_CYC };
	long long values[2];
	unsigned int i;

	assert_int_equal(sizeof(epapi_results), 16 + 16 * EPAPI_MAX_EVENTS);
	for (i = 0; i < sizeof(epapi_results); i++)
		assert_int_equal(number(i, 1), 0);

	sim.core_id = 2;
	ok(ePAPI_start_counters(codes, 2));
	assert_memory_equal(&epapi_results, "ePAP", 4);
	assert_int_equal(number(4, 1), 1);
	assert_int_equal(number(5, 1), 2);
	assert_int_equal(number(6, 1), 2);
	assert_int_equal(number(7, 1), 1);
	assert_int_equal(number(8, 2), sizeof(epapi_results));
	assert_int_equal(number(10, 2), 16);
	assert_int_equal(number(12, 4), 0x242);
	assert_int_equal(number(16, 8), 0);
	assert_int_equal(number(24, 4), 0x80000000);
	assert_int_equal(number(40, 4), 0x8000003b);
	assert_int_equal(number(44, 4), 0);

	sim_run(&work);
	ok(ePAPI_read_counters(values, 2));
	assert_int_equal(number(16, 8), 6084);
	assert_int_equal(number(32, 8), 1000003);
	values[0] = -10000;
	sim_run(&work);
	ok(ePAPI_accum_counters(values, 2));
	assert_int_equal((int64_t)number(16, 8), 6084 - 10000);
	assert_int_equal(number(32, 8), 2000006);
	sim_run(&work);
	ok(ePAPI_stop_counters(values, 2));
	assert_int_equal(number(16, 8), 6084);
	assert_int_equal(number(7, 1), 0);
}

static void results_of_one_counter(void **state)
{
	int code = EPAPI_PMEM_STALL, other = PAPI_TOT_INS, set = new_set(&other, 1);
	long long value;

	ok(ePAPI_start_counters(&code, 1));
	sim_run(&work);
	ok(ePAPI_read_counters(&value, 1));
	assert_int_equal(number(16, 8), 20021);
	sim_run(&work);
	ok(ePAPI_accum_counters(&value, 1));
	assert_int_equal(number(16, 8), 40042);

	/* Reading or resetting a stopped set does not access the counters. */
	ok(ePAPI_read(set, &value));
	ok(ePAPI_reset(set));
	assert_int_equal(number(16, 8), 40042);
	assert_int_equal(number(24, 4), 0x4000000a);
	ok(ePAPI_stop_counters(&value, 1));

	ok(ePAPI_start(set));
	sim_run(&work);
	ok(ePAPI_stop(set, NULL));
	assert_int_equal(number(24, 4), 0x80000032);
	assert_int_equal(number(16, 8), 700001);
}

static void the_debug_unit_is_enabled(void **state)
{
	int code = PAPI_TOT_CYC, set = new_set(&code, 1), status;
	long long value;

	sim.locked = true;
	assert_int_equal(ePAPI_start(set), PAPI_ENOCNTR);
	assert_int_equal(ePAPI_start_counters(&code, 1), PAPI_ENOCNTR);
	ok(ePAPI_state(set, &status));
	assert_int_equal(status, PAPI_STOPPED);
	assert_true(sim.sequences > 1);
	sim.locked = false;
	sim.sequences = 0;
	ok(ePAPI_start(set));
	assert_int_equal(sim.sequences, 1);
	sim_run(&work);
	ok(ePAPI_stop(set, &value));
	assert_int_equal(value, work.cycles);

	/* A debugger, or another core, had enabled the debug unit. */
	ok(ePAPI_start(set));
	assert_int_equal(sim.sequences, 1);
	ok(ePAPI_stop(set, &value));

	/* Another core spoils the sequence, at each of its words. */
	for (sim.sequences = 0; sim.sequences < 6; ) {
		sim.dbgsr = 0;
		sim.spoil = sim.sequences;
		ok(ePAPI_start(set));
		ok(ePAPI_stop(set, &value));
	}
}

/* The first poll finds the debug unit enabled, however long the bus takes. */
static void stores_are_waited_for(void **state)
{
	int code = PAPI_TOT_CYC;
	long long value;

	sim.posted = true;
	ok(ePAPI_start_counters(&code, 1));
	assert_int_equal(sim.sequences, 1);
	assert_int_equal(sim.looks, 2);
	ok(ePAPI_stop_counters(&value, 1));
	ok(epapi_disable_counters());
	assert_int_equal(sim.dbgsr, 0);
}

static void the_debug_unit_is_given_back(void **state)
{
	int code = PAPI_TOT_CYC, set = new_set(&code, 1);
	struct epapi_task task = { 0 };
	long long value;

	ok(epapi_disable_counters());
	assert_int_equal(sim.disabled, 0);
	ok(ePAPI_start(set));
	sim_run(&work);
	assert_int_equal(epapi_disable_counters(), PAPI_EISRUN);

	/* A task counts, and waits. */
	epapi_task_save(&task);
	assert_int_equal(epapi_disable_counters(), PAPI_EISRUN);
	epapi_task_restore(&task);
	ok(ePAPI_stop(set, &value));
	assert_int_equal(value, work.cycles);
	assert_int_equal(sim.dbgsr, 1);
	sim.psw = 0x580;
	assert_int_equal(epapi_disable_counters(), PAPI_EPERM);
	sim.psw = 0x980;
	ok(epapi_disable_counters());
	assert_int_equal(sim.dbgsr, 0);
	ok(epapi_disable_counters());
	assert_int_equal(sim.disabled, 1);

	/* And enabled again. */
	ok(ePAPI_start(set));
	sim_run(&work);
	ok(ePAPI_stop(set, &value));
	assert_int_equal(value, work.cycles);
	ok(epapi_disable_counters());
	assert_int_equal(sim.disabled, 2);

	/* A debugger or another core has enabled it, even after this core has tried in vain. */
	sim.locked = true;
	assert_int_equal(ePAPI_start(set), PAPI_ENOCNTR);
	sim.locked = false;
	sim.dbgsr = 1;
	ok(ePAPI_start(set));
	ok(ePAPI_stop(set, &value));
	ok(epapi_disable_counters());
	assert_int_equal(sim.dbgsr, 1);
}

/* TC1.6E counts other events under the same numbers. */
static void cores_of_another_kind_are_refused(void **state)
{
	int code = PAPI_TOT_CYC, set = new_set(&code, 1), status;
	long long n;
	float f;

	sim.cpu_id = 0x00b7c006u;
	assert_int_equal(ePAPI_start(set), PAPI_ENOSUPP);
	assert_int_equal(ePAPI_start_counters(&code, 1), PAPI_ENOSUPP);
	assert_int_equal(ePAPI_ipc(&f, &f, &n, &f), PAPI_ENOSUPP);
	assert_int_equal(ePAPI_stop_counters(&n, 1), PAPI_ENOTRUN);
	ok(ePAPI_state(set, &status));
	assert_int_equal(status, PAPI_STOPPED);
	assert_int_equal(sim.sequences, 0);
	sim.cpu_id = 0x00c0c021u;	/* TC1.6.2P */
	ok(ePAPI_start(set));
}

/* Cores that start at the same time may spoil each other's first sequence, but no later one. */
static void cores_ask_at_different_times(void **state)
{
	unsigned int second[7], core, other;
	int code = PAPI_TOT_CYC;

	for (core = 0; core < 7; core++) {
		sim_reset();
		sim.core_id = core;
		sim.locked = true;
		assert_int_equal(ePAPI_start_counters(&code, 1), PAPI_ENOCNTR);
		assert_int_equal(sim.asked[0], 1);
		second[core] = sim.asked[1];
		for (other = 0; other < core; other++)
			assert_true(second[core] >= second[other] + 4);
	}
}

/* Any state of the counters that earlier code has left. */
static void counters_that_run_already(void **state)
{
	int code = PAPI_L1_ICH;
	long long value;
	int i;

	sim.dbgsr = 1;
	sim.cctrl = 0x7fe;
	sim.in_force = 0x7fe;
	for (i = 0; i < 5; i++)
		sim.count[i] = 0xc0000000u;
	ok(ePAPI_start_counters(&code, 1));
	sim_run(&work);
	ok(ePAPI_stop_counters(&value, 1));
	assert_int_equal(value, 101);
	assert_int_equal(flags(0), 0);
}

static void outside_supervisor_mode(void **state)
{
	static const uint32_t modes[] = { 0x180, 0x580 };
	int codes[] = { PAPI_TOT_CYC, PAPI_TOT_INS }, set = new_set(codes, 2);
	long long values[2] = { 5, 6 };
	unsigned int i;
	float f;

	for (i = 0; i < 2; i++) {
		sim.psw = modes[i];
		assert_int_equal(ePAPI_start(set), PAPI_EPERM);
		assert_int_equal(ePAPI_start_counters(codes, 2), PAPI_EPERM);
		assert_int_equal(ePAPI_start_counters(codes, 1), PAPI_EPERM);
		assert_int_equal(ePAPI_ipc(&f, &f, values, &f), PAPI_EPERM);
		values[0] = 5;

		sim.psw = 0x980;
		ok(ePAPI_start(set));
		sim_run(&work);
		sim.psw = modes[i];
		assert_int_equal(ePAPI_read(set, values), PAPI_EPERM);
		assert_int_equal(ePAPI_accum(set, values), PAPI_EPERM);
		assert_int_equal(ePAPI_reset(set), PAPI_EPERM);
		assert_int_equal(ePAPI_stop(set, values), PAPI_EPERM);
		assert_int_equal(values[0], 5);
		sim_run(&work);
		sim.psw = 0x980;
		ok(ePAPI_stop(set, values));
		assert_int_equal(values[0], 2 * work.cycles);

		ok(ePAPI_start_counters(codes, 2));
		sim_run(&work);
		sim.psw = modes[i];
		values[0] = 5;
		assert_int_equal(ePAPI_read_counters(values, 2), PAPI_EPERM);
		assert_int_equal(ePAPI_accum_counters(values, 2), PAPI_EPERM);
		assert_int_equal(ePAPI_stop_counters(values, 2), PAPI_EPERM);
		assert_int_equal(values[0], 5);
		sim.psw = 0x980;
		ok(ePAPI_stop_counters(values, 2));
		assert_int_equal(values[0], work.cycles);

		ok(ePAPI_ipc(&f, &f, values, &f));
		sim.psw = modes[i];
		assert_int_equal(ePAPI_ipc(&f, &f, values, &f), PAPI_EPERM);
		sim.psw = 0x980;
		ok(ePAPI_stop_counters(NULL, 0));
		values[0] = 5;
	}

	/* One event, which has functions of its own. */
	ok(ePAPI_start_counters(codes, 1));
	sim_run(&work);
	sim.psw = 0x580;
	assert_int_equal(ePAPI_read_counters(values, 1), PAPI_EPERM);
	assert_int_equal(ePAPI_accum_counters(values, 1), PAPI_EPERM);
	sim.psw = 0x980;
	ok(ePAPI_read_counters(values, 1));
	assert_int_equal(values[0], work.cycles);
}

/* Calls that need no counter work in every mode, and do not stop running counters. */
static void calls_outside_supervisor_mode(void **state)
{
	int code = PAPI_TOT_CYC, set = PAPI_NULL, list[1], n = 1, status;
	long long value;

	ok(ePAPI_start_counters(&code, 1));
	sim_run(&work);
	sim.psw = 0x580;
	ok(ePAPI_create_eventset(&set));
	ok(ePAPI_add_event(set, code));
	ok(ePAPI_list_events(set, list, &n));
	ok(ePAPI_state(set, &status));
	assert_int_equal(ePAPI_num_events(set), 1);
	ok(ePAPI_remove_named_event(set, "PAPI_TOT_CYC"));
	ok(ePAPI_destroy_eventset(&set));
	sim_run(&work);
	sim.psw = 0x980;
	ok(ePAPI_stop_counters(&value, 1));
	assert_int_equal(value, 2 * work.cycles);
}

/*
 * A call reads PSW and CCTRL, and stops the counters. When it returns the counters run
 * again, unless it was to stop them.
 */
#define stands(call, runs) do { \
	sim.stops = 0; \
	sim.busy = 0; \
	call; \
	assert_int_equal(sim.stops, 1); \
	assert_int_equal(sim.busy, 3); \
	assert_int_equal(!!(sim.in_force & 2), runs); \
} while (0)

static void counters_stand_during_calls(void **state)
{
	int codes[] = { PAPI_TOT_CYC, PAPI_TOT_INS, PAPI_L1_DCA }, list[4], nr, code;
	int set = new_set(codes, 3), other = new_set(codes, 1), n, status;
	long long values[3] = { 0 };
	struct epapi_task task = { 0 };
	float f;

	for (nr = 1; nr <= 3; nr++) {
		ok(ePAPI_start_counters(codes, nr));
		stands(ok(ePAPI_read_counters(values, nr)), 1);
		stands(ok(ePAPI_accum_counters(values, nr)), 1);
		stands(assert_int_equal(ePAPI_read_counters(NULL, nr), PAPI_EINVAL), 1);
		stands(assert_int_equal(ePAPI_accum_counters(values, 0), PAPI_EINVAL), 1);
		stands(assert_int_equal(ePAPI_start_counters(codes, nr), PAPI_EISRUN), 1);
		stands(assert_int_equal(ePAPI_stop_counters(NULL, 0), PAPI_EINVAL), 1);
		stands(ok(ePAPI_stop_counters(values, nr)), 0);
	}
	ok(ePAPI_ipc(&f, &f, values, &f));
	stands(ok(ePAPI_ipc(&f, &f, values, &f)), 1);
	stands(assert_int_equal(ePAPI_epc(0, &f, &f, values, values, values, &f), PAPI_EINVAL), 1);
	stands(assert_int_equal(ePAPI_read_counters(values, 1), PAPI_EINVAL), 1);
	ok(ePAPI_stop_counters(NULL, 0));

	ok(ePAPI_start(set));
	stands(ok(ePAPI_read(set, values)), 1);
	stands(ok(ePAPI_accum(set, values)), 1);
	stands(ok(ePAPI_reset(set)), 1);
	stands(ok(ePAPI_state(set, &status)), 1);
	stands(assert_int_equal(ePAPI_num_events(set), 3), 1);
	stands(n = 4; ok(ePAPI_list_events(set, list, &n)), 1);
	stands(ok(ePAPI_event_name_to_code("DMEM_STALL", &code)), 1);
	stands(ok(ePAPI_add_named_event(other, "DMEM_STALL")), 1);
	stands(ok(ePAPI_remove_named_event(other, "DMEM_STALL")), 1);
	stands(ok(ePAPI_add_event(other, code)), 1);
	stands(ok(ePAPI_remove_event(other, code)), 1);
	stands(ok(ePAPI_cleanup_eventset(other)), 1);
	stands(ok(ePAPI_add_events(other, codes, 2)), 1);
	stands(ok(ePAPI_remove_events(other, codes, 2)), 1);
	stands(ok(ePAPI_destroy_eventset(&other)), 1);
	stands(ok(ePAPI_create_eventset(&other)), 1);
	stands(assert_int_equal(epapi_task_mode(1), PAPI_EISRUN), 1);
	stands(assert_int_equal(ePAPI_start(set), PAPI_EISRUN), 1);
	sim.stops = 0;
	epapi_task_save(&task);
	assert_int_equal(sim.stops, 1);
	epapi_task_restore(&task);
	stands(ok(ePAPI_stop(set, values)), 0);
}

static void task_mode(void **state)
{
	int codes[] = { PAPI_L1_DCH, PAPI_TOT_CYC }, nr;
	long long values[2] = { 0 };

	for (nr = 1; nr <= 2; nr++) {
		ok(epapi_task_mode(1));
		sim.gate = false;
		ok(ePAPI_start_counters(codes, nr));
		assert_int_equal(sim.in_force & 3, 3);
		assert_int_equal(epapi_results.cctrl, 0x3 | 2 << 2);
		sim_run(&work);
		sim.gate = true;
		sim_run(&work);
		sim.gate = false;
		sim_run(&work);
		ok(ePAPI_read_counters(values, nr));
		assert_int_equal(values[0], 1009);
		assert_int_equal(sim.in_force & 3, 3);
		sim.gate = true;
		sim_run(&work);
		sim.gate = false;
		ok(ePAPI_accum_counters(values, nr));
		assert_int_equal(values[0], 2 * 1009);
		ok(ePAPI_stop_counters(values, nr));

		ok(epapi_task_mode(0));
		ok(ePAPI_start_counters(codes, nr));
		sim_run(&work);
		ok(ePAPI_stop_counters(values, nr));
		assert_int_equal(values[0], 1009);
	}
}

static void near(float value, double expected)
{
	if (value < expected * 0.999999 || value > expected * 1.000001)
		fail_msg("%.9g is not %.9g", value, expected);
}

static void instructions_per_cycle(void **state)
{
	float real = -1, processor = -1, rate = -1;
	long long instructions = -1;
	int round;

	for (round = 0; round < 2; round++) {
		ok(ePAPI_ipc(&real, &processor, &instructions, &rate));
		assert_true(real == 0 && processor == 0 && rate == 0);
		assert_int_equal(instructions, 0);

		run(300000000, 600000000);
		sim_pass_time(150000000);
		ok(ePAPI_ipc(&real, &processor, &instructions, &rate));
		near(real, 1.5);
		near(processor, 1);
		near(rate, 2);
		assert_int_equal(instructions, 600000000);

		run(600000000, 300000000);
		ok(ePAPI_ipc(&real, &processor, &instructions, &rate));
		near(real, 3.5);
		near(processor, 3);
		near(rate, 0.5);
		assert_int_equal(instructions, 900000000);

		/* No cycles passed: no division by zero. */
		ok(ePAPI_ipc(&real, &processor, &instructions, &rate));
		assert_true(rate == 0);
		ok(ePAPI_stop_counters(NULL, 0));
	}
}

static void events_per_cycle(void **state)
{
	float real, processor, rate;
	long long reference, cycles, events;
	int i;

	for (i = 0; i < NR_FACTS; i++) {
		int code = facts[i].code;

		ok(ePAPI_epc(code, &real, &processor, &reference, &cycles, &events, &rate));
		assert_int_equal(reference + cycles + events, 0);
		sim_run(&work);
		ok(ePAPI_epc(code, &real, &processor, &reference, &cycles, &events, &rate));
		assert_int_equal(events, facts[i].value);
		assert_int_equal(cycles, work.cycles);
		assert_in_range(reference, work.cycles / 3, work.cycles / 3 + 1);
		near(rate, (double)facts[i].value / work.cycles);
		sim_run(&work);
		sim_run(&work);
		ok(ePAPI_epc(code, &real, &processor, &reference, &cycles, &events, &rate));
		assert_int_equal(events, 3 * facts[i].value);
		assert_int_equal(cycles, 2 * work.cycles);
		near(processor, 3.0 * work.cycles / SIM_CPU_HZ);
		ok(ePAPI_stop_counters(NULL, 0));
	}

	/* 0 stands for instructions; unknown events are refused, and those of two runs. */
	ok(ePAPI_epc(0, &real, &processor, &reference, &cycles, &events, &rate));
	sim_run(&work);
	ok(ePAPI_epc(0, &real, &processor, &reference, &cycles, &events, &rate));
	assert_int_equal(events, work.instructions);
	ok(ePAPI_stop_counters(NULL, 0));
	assert_int_equal(ePAPI_epc(1, &real, &processor, &reference, &cycles, &events, &rate),
			 PAPI_ENOEVNT);
	assert_int_equal(ePAPI_epc(PAPI_L1_TCM, &real, &processor, &reference, &cycles, &events,
				   &rate), PAPI_EMULPASS);
	ok(ePAPI_ipc(&real, &processor, &events, &rate));
}

/* A rate per cycle is inexact, too, if the cycles may be inexact. */
static void cycles_of_a_rate_are_flagged(void **state)
{
	float real, processor, rate;
	long long reference, cycles, events;

	ok(ePAPI_epc(PAPI_L1_ICH, &real, &processor, &reference, &cycles, &events, &rate));
	run(3000000000u, 1);
	ok(ePAPI_epc(PAPI_L1_ICH, &real, &processor, &reference, &cycles, &events, &rate));
	assert_int_equal(cycles, 3000000000ll);
	assert_int_equal(flags(0), EPAPI_VALUE_WRAPPED);
	run(3000000000u, 1);
	run(3000000000u, 1);
	ok(ePAPI_epc(PAPI_L1_ICH, &real, &processor, &reference, &cycles, &events, &rate));
	assert_int_equal(flags(0), EPAPI_VALUE_WRAPPED | EPAPI_VALUE_INEXACT);
	ok(ePAPI_stop_counters(NULL, 0));

	/* Events without cycles are not affected. */
	ok(ePAPI_start_counters((int[]){ PAPI_L1_ICH }, 1));
	run(3000000000u, 1);
	run(3000000000u, 1);
	ok(ePAPI_stop_counters(&events, 1));
	assert_int_equal(flags(0), 0);
}

/* The timer's halves do not change at the same time. */
static void time_of_64_bits(void **state)
{
	float real, processor, rate;
	long long reference, cycles, events;
	uint64_t before;

	for (sim.stm = 0xfffffff0; sim.stm < 0x100000010; ) {
		sim.stm_step = 1;
		before = sim.stm;
		ok(ePAPI_epc(0, &real, &processor, &reference, &cycles, &events, &rate));
		ok(ePAPI_epc(0, &real, &processor, &reference, &cycles, &events, &rate));
		assert_in_range(reference, 1, sim.stm - before);
		ok(ePAPI_stop_counters(NULL, 0));
	}
}

/* Each core reads its own timer: the simulated one knows no other. */
static void every_core_has_a_timer(void **state)
{
	static const unsigned int cores[] = { 0, 1, 2, 3, 4, 6 };
	long long reference, cycles, events;
	float real, processor, rate;
	unsigned int i;

	for (i = 0; i < 6; i++) {
		sim_reset();
		sim.core_id = cores[i];
		ok(ePAPI_epc(0, &real, &processor, &reference, &cycles, &events, &rate));
		sim_run(&work);
		ok(ePAPI_epc(0, &real, &processor, &reference, &cycles, &events, &rate));
		assert_in_range(reference, work.cycles / 3, work.cycles / 3 + 1);
		ok(ePAPI_stop_counters(NULL, 0));
		assert_null(sim.wrong);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		epapi_test(one_overflow_is_counted),
		epapi_test(sums_have_64_bits),
		epapi_test(two_overflows_are_flagged),
		epapi_test(instructions_overflow_sooner),
		epapi_test(the_timer_may_begin_anew),
		epapi_test(every_event_overflows),
		epapi_test(results_area),
		epapi_test(results_of_one_counter),
		epapi_test(the_debug_unit_is_enabled),
		epapi_test(stores_are_waited_for),
		epapi_test(the_debug_unit_is_given_back),
		epapi_test(cores_of_another_kind_are_refused),
		epapi_test(cores_ask_at_different_times),
		epapi_test(counters_that_run_already),
		epapi_test(outside_supervisor_mode),
		epapi_test(calls_outside_supervisor_mode),
		epapi_test(counters_stand_during_calls),
		epapi_test(task_mode),
		epapi_test(instructions_per_cycle),
		epapi_test(events_per_cycle),
		epapi_test(cycles_of_a_rate_are_flagged),
		epapi_test(time_of_64_bits),
		epapi_test(every_core_has_a_timer),
	};

	return cmocka_run_group_tests_name("epapi_counts", tests, NULL, NULL);
}
