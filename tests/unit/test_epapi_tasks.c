// SPDX-License-Identifier: GPL-2.0
/* Several tasks on a core, and several cores, count at the same time. */
#include <pthread.h>

#include "epapi_test.h"

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;

	return *state * 0x2545f4914f6cdd1dULL;
}

static struct epapi_task tasks[4];
static int current;

static void switch_to(int next)
{
	epapi_task_save(&tasks[current]);
	epapi_task_restore(&tasks[next]);
	current = next;
}

static int no_tasks(void **state)
{
	memset(tasks, 0, sizeof(tasks));
	current = 0;
	return fresh(state);
}

/* Each task counts the events of its own time only, however often it is switched. */
static void tasks_count_for_themselves(void **state)
{
	int hits = PAPI_L1_DCH, list[] = { PAPI_L1_ICM, PAPI_TOT_CYC }, stalls = PAPI_MEM_SCY;
	long long turns[4] = { 0 }, sum0 = 0, sum1[2] = { 0 }, values[2];
	uint64_t seed = 1;
	int set = PAPI_NULL, i;

	/* Two tasks use the high level, one an event set, one does not count. */
	ok(ePAPI_start_counters(&hits, 1));
	switch_to(1);
	assert_int_equal(sim.in_force & 2, 0);
	assert_int_equal(epapi_results.state, EPAPI_RESULTS_STOPPED);
	ok(ePAPI_start_counters(list, 2));
	switch_to(2);
	set = new_set(&stalls, 1);
	ok(ePAPI_start(set));

	for (i = 0; i < 5000; i++) {
		sim_run(&work);
		turns[current]++;
		switch (next_random(&seed) % 8) {
		case 0:
			if (current == 0)
				ok(ePAPI_accum_counters(&sum0, 1));
			if (current == 1)
				ok(ePAPI_accum_counters(sum1, 2));
			if (current == 2)
				ok(ePAPI_read(set, values));
			break;
		case 1:
			if (current == 0) {
				long long value;

				/* Twice, as the first reading does not take the fast path. */
				ok(ePAPI_read_counters(&value, 1));
				sum0 += value;
				sim_run(&work);
				turns[0]++;
				ok(ePAPI_read_counters(&value, 1));
				sum0 += value;
			}
			break;
		default:
			switch_to((int)(next_random(&seed) % 4));
		}
		assert_int_equal(!!(sim.in_force & 2), current != 3);
	}

	switch_to(3);
	assert_int_equal(ePAPI_stop_counters(values, 2), PAPI_ENOTRUN);
	assert_int_equal(ePAPI_read_counters(values, 2), PAPI_EINVAL);
	assert_int_equal(ePAPI_stop(set, values), PAPI_ENOTRUN);
	assert_int_equal(ePAPI_start(set), PAPI_EISRUN);
	ok(ePAPI_read(set, values));
	assert_int_equal(values[0], turns[2] * (20021 + 40063));

	switch_to(0);
	ok(ePAPI_accum_counters(&sum0, 1));
	assert_int_equal(sum0, turns[0] * 1009);
	ok(ePAPI_stop_counters(values, 1));
	switch_to(1);
	ok(ePAPI_accum_counters(sum1, 2));
	assert_int_equal(sum1[0], turns[1] * 211);
	assert_int_equal(sum1[1], turns[1] * work.cycles);
	ok(ePAPI_stop_counters(values, 2));
	switch_to(2);
	ok(ePAPI_stop(set, values));
	assert_int_equal(values[0], turns[2] * (20021 + 40063));
	assert_int_equal(values[0] && turns[0] && turns[1] && turns[3], 1);
}

static void the_results_area_is_the_tasks(void **state)
{
	int hits = PAPI_L1_DCH, misses = PAPI_L1_DCM;
	long long value;

	ok(ePAPI_start_counters(&hits, 1));
	sim_run(&work);
	ok(ePAPI_read_counters(&value, 1));
	switch_to(3);
	assert_int_equal(epapi_results.entry[0].value, 1009);
	switch_to(0);
	assert_int_equal(epapi_results.state, EPAPI_RESULTS_RUNNING);
	assert_int_equal(epapi_results.entry[0].value, 1009);
	switch_to(1);
	ok(ePAPI_start_counters(&misses, 1));
	assert_int_equal(epapi_results.entry[0].event, (uint32_t)misses);
	switch_to(0);
	assert_int_equal(epapi_results.entry[0].event, (uint32_t)hits);
	sim_run(&work);
	ok(ePAPI_read_counters(&value, 1));
	assert_int_equal(epapi_results.entry[0].value, 1009);
}

/* A task's counts do not change while others run for longer than two overflows. */
static void a_task_waits_long(void **state)
{
	int code = PAPI_TOT_CYC;
	struct sim_work w = work;
	long long value;

	w.cycles = 3000000000u;
	ok(ePAPI_start_counters(&code, 1));
	sim_run(&w);
	switch_to(3);
	sim_run(&w);
	sim_run(&w);
	switch_to(0);
	sim_run(&w);
	ok(ePAPI_read_counters(&value, 1));
	assert_int_equal(value, 6000000000ll);
	assert_int_equal(epapi_results.entry[0].flags, EPAPI_VALUE_WRAPPED);
}

static void rates_are_one_tasks(void **state)
{
	float real, processor, rate;
	long long n, value;
	int code = PAPI_TOT_INS;

	ok(ePAPI_ipc(&real, &processor, &n, &rate));
	sim_run(&work);
	switch_to(1);
	assert_int_equal(ePAPI_ipc(&real, &processor, &n, &rate), PAPI_EINVAL);
	assert_int_equal(ePAPI_epc(0, &real, &processor, &n, &n, &n, &rate), PAPI_EINVAL);
	ok(ePAPI_start_counters(&code, 1));
	sim_run(&work);
	ok(ePAPI_stop_counters(&value, 1));
	switch_to(0);
	sim_run(&work);
	ok(ePAPI_ipc(&real, &processor, &n, &rate));
	assert_int_equal(n, 2 * work.instructions);
	ok(ePAPI_stop_counters(NULL, 0));
	switch_to(1);
	ok(ePAPI_ipc(&real, &processor, &n, &rate));
}

/* Task mode is decided at the start, not by the task that runs. */
static void task_mode_survives_a_switch(void **state)
{
	int code = PAPI_L1_ICH;
	long long value;

	ok(epapi_task_mode(1));
	ok(ePAPI_start_counters(&code, 1));
	switch_to(1);
	ok(epapi_task_mode(0));
	switch_to(0);
	assert_int_equal(sim.in_force & 3, 3);
	sim_run(&work);
	sim.gate = true;
	sim_run(&work);
	ok(ePAPI_stop_counters(&value, 1));
	assert_int_equal(value, 101);
}

/* The work of one core, in an order of its own. */
static void *be_a_core(void *arg)
{
	unsigned int id = (unsigned int)(uintptr_t)arg;
	uint64_t seed = id + 1;
	int round;

	sim_reset();
	sim.core_id = id;
	for (round = 0; round < 5000; round++) {
		const struct event_fact *f = &facts[next_random(&seed) % NR_FACTS];
		int set = PAPI_NULL, code = f->code;
		long long value = 0;

		if (next_random(&seed) % 2) {
			if (ePAPI_start_counters(&code, 1))
				return "start_counters";
			sim_run(&work);
			if (ePAPI_accum_counters(&value, 1) || value != f->value)
				return "accum_counters";
			if (ePAPI_stop_counters(&value, 1) || value)
				return "stop_counters";
		} else {
			if (ePAPI_create_eventset(&set) || ePAPI_add_event(set, code))
				return "an event set";
			if (ePAPI_start(set))
				return "start";
			sim_run(&work);
			if (ePAPI_stop(set, &value) || value != f->value)
				return "stop";
			if (ePAPI_cleanup_eventset(set) || ePAPI_destroy_eventset(&set))
				return "the end of an event set";
		}
		if (epapi_results.core != id || epapi_results.entry[0].event != (uint32_t)code)
			return "the results area";
	}

	return (void *)sim.wrong;
}

static void three_cores_at_once(void **state)
{
	pthread_t core[3];
	uintptr_t i;

	for (i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&core[i], NULL, be_a_core, (void *)i), 0);
	for (i = 0; i < 3; i++) {
		void *wrong;

		assert_int_equal(pthread_join(core[i], &wrong), 0);
		if (wrong)
			fail_msg("core %d: %s", (int)i, (char *)wrong);
	}
	assert_int_equal(epapi_results.magic, 0);
}

/* At most 512 bytes if a pointer has 4. */
static void memory_of_a_core(void **state)
{
	assert_true(sizeof(epapi_core) + sizeof(epapi_results) <= 512 + 6 * (sizeof(void *) - 4));
}

#define task_test(f)	cmocka_unit_test_setup_teardown(f, no_tasks, nothing_wrong)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		task_test(tasks_count_for_themselves),
		task_test(the_results_area_is_the_tasks),
		task_test(a_task_waits_long),
		task_test(rates_are_one_tasks),
		task_test(task_mode_survives_a_switch),
		task_test(three_cores_at_once),
		task_test(memory_of_a_core),
	};

	return cmocka_run_group_tests_name("epapi_tasks", tests, NULL, NULL);
}
