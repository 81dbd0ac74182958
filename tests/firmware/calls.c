// SPDX-License-Identifier: GPL-2.0
/*
 * Every call once, with one event and then with three, to be followed through
 * the emulator instruction by instruction: see calls.awk. Of what is called
 * twice before pass_ends() the second call is meant.
 */
#include "epapi.h"

#define EXIT	(*(volatile uint32_t *)0xf0000000u)

static int events[] = { PAPI_TOT_CYC, PAPI_TOT_INS, EPAPI_DMEM_STALL };
static int failed;

void __attribute__((noinline)) pass_ends(void)
{
	__asm__ volatile("");
}

static void is(int result, int expected)
{
	if (result != expected)
		failed = 1;
}

static void high_level(int nr)
{
	long long values[3] = { 0 };

	is(ePAPI_start_counters(events, nr), PAPI_OK);
	is(ePAPI_read_counters(values, nr), PAPI_OK);
	is(ePAPI_accum_counters(values, nr), PAPI_OK);
	is(ePAPI_stop_counters(values, nr), PAPI_OK);
	is(ePAPI_num_counters(), 5);
}

static void rates(void)
{
	long long a, b, c;
	float x, y, z;

	is(ePAPI_ipc(&x, &y, &a, &z), PAPI_OK);
	is(ePAPI_ipc(&x, &y, &a, &z), PAPI_OK);
	is(ePAPI_stop_counters(NULL, 0), PAPI_OK);
	is(ePAPI_epc(0, &x, &y, &a, &b, &c, &z), PAPI_OK);
	is(ePAPI_epc(0, &x, &y, &a, &b, &c, &z), PAPI_OK);
	is(ePAPI_stop_counters(NULL, 0), PAPI_OK);
}

static void low_level(int nr)
{
	long long values[3] = { 0 };
	int set = PAPI_NULL, code, status, list[3], n = 3;

	is(ePAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
	is(ePAPI_create_eventset(&set), PAPI_OK);
	is(ePAPI_add_events(set, events, nr), PAPI_OK);
	is(ePAPI_remove_events(set, events, nr), PAPI_OK);
	is(ePAPI_add_named_event(set, "PAPI_TOT_CYC"), PAPI_OK);
	is(ePAPI_remove_named_event(set, "PAPI_TOT_CYC"), PAPI_OK);
	is(ePAPI_add_event(set, events[0]), PAPI_OK);
	is(ePAPI_remove_event(set, events[0]), PAPI_OK);
	is(ePAPI_add_events(set, events, nr), PAPI_OK);
	is(ePAPI_event_name_to_code("PAPI_TOT_CYC", &code), PAPI_OK);
	is(ePAPI_list_events(set, list, &n), PAPI_OK);
	is(ePAPI_num_events(set), nr);
	is(ePAPI_start(set), PAPI_OK);
	is(ePAPI_state(set, &status), PAPI_OK);
	is(ePAPI_read(set, values), PAPI_OK);
	is(ePAPI_accum(set, values), PAPI_OK);
	is(ePAPI_reset(set), PAPI_OK);
	is(ePAPI_stop(set, values), PAPI_OK);
	is(ePAPI_cleanup_eventset(set), PAPI_OK);
	is(ePAPI_destroy_eventset(&set), PAPI_OK);
}

static void tasks(int nr)
{
	struct epapi_task task = { 0 };
	long long values[3];

	is(ePAPI_start_counters(events, nr), PAPI_OK);
	epapi_task_save(&task);
	epapi_task_restore(&task);
	is(ePAPI_stop_counters(values, nr), PAPI_OK);
}

static void pass(int nr)
{
	rates();
	tasks(nr);
	low_level(nr);
	high_level(nr);
	pass_ends();
}

int main(void)
{
	pass(1);
	pass(3);
	EXIT = (uint32_t)failed;
	return 0;
}
