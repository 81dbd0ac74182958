// SPDX-License-Identifier: GPL-2.0
/*
 * Every call once, with one event and then with three. calls.awk follows them in the
 * emulator's log, instruction by instruction. If a function is called twice before
 * pass_ends(), the second call is measured.
 *
 * Then there are phases in which calls follow each other directly, to measure what the
 * counters count of a call.
 */
#include "core.h"

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

#define MOST	(EPAPI_MAX_EVENTS < 3 ? EPAPI_MAX_EVENTS : 3)

static void pass(int nr)
{
	rates();
	tasks(nr);
	low_level(nr);
	high_level(nr);
	pass_ends();
}

#define PHASE	void __attribute__((noinline))

/* For comparison, twice: a program without ePAPI that reads the counter into a register. */
PHASE phase_bare(void)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		u32 cctrl = epapi_stop_counters();
		u32 value = port_mfcr(PMC_TRICORE_CCNT);

		port_mtcr(PMC_TRICORE_CCNT, 0u);
		epapi_run_counters(cctrl);
		__asm__ volatile("" : : "d" (value));
	}
}

static void high(int *list, int nr)
{
	long long values[3] = { 0 };
	int ret;

	ret = ePAPI_start_counters(list, nr);
	ret |= ePAPI_read_counters(values, nr);
	ret |= ePAPI_read_counters(values, nr);
	ret |= ePAPI_accum_counters(values, nr);
	ret |= ePAPI_accum_counters(values, nr);
	ret |= ePAPI_stop_counters(values, nr);
	is(ret, PAPI_OK);
}

static void low(int *list, int nr)
{
	long long values[3] = { 0 };
	int set = PAPI_NULL, ret;

	ret = ePAPI_create_eventset(&set);
	ret |= ePAPI_add_events(set, list, nr);
	ret |= ePAPI_start(set);
	ret |= ePAPI_read(set, values);
	ret |= ePAPI_read(set, values);
	ret |= ePAPI_accum(set, values);
	ret |= ePAPI_accum(set, values);
	ret |= ePAPI_stop(set, values);
	ret |= ePAPI_cleanup_eventset(set);
	ret |= ePAPI_destroy_eventset(&set);
	is(ret, PAPI_OK);
}

/* On one counter, on several, and three at a time. */
static int one[] = {
	PAPI_TOT_CYC, PAPI_TOT_INS, EPAPI_IP_DISPATCH_STALL, EPAPI_LS_DISPATCH_STALL,
	EPAPI_LP_DISPATCH_STALL, EPAPI_PCACHE_HIT, EPAPI_PCACHE_MISS, EPAPI_MULTI_ISSUE,
	EPAPI_DCACHE_HIT, EPAPI_DCACHE_MISS_CLEAN, EPAPI_DCACHE_MISS_DIRTY, EPAPI_TOTAL_BRANCH,
	EPAPI_PMEM_STALL, EPAPI_DMEM_STALL, PAPI_L1_ICM, PAPI_L1_DCH, PAPI_L1_ICH,
};
static int derived[] = {
	PAPI_L1_DCM, PAPI_L1_DCA, PAPI_L1_ICA, PAPI_L1_ICR, PAPI_MEM_SCY, PAPI_BRU_IDL,
};
static int three[][3] = {
	{ PAPI_TOT_CYC, PAPI_TOT_INS, EPAPI_DMEM_STALL },
	{ PAPI_L1_DCA, PAPI_L1_DCM, PAPI_L1_DCH },
	{ PAPI_BRU_IDL, PAPI_MEM_SCY, PAPI_TOT_INS },
};

#define LENGTH(list)	(sizeof(list) / sizeof(*(list)))
#define PHASES(level) \
PHASE phase_##level##_one(void) \
{ \
	unsigned int i; \
	for (i = 0; i < LENGTH(one); i++) \
		level(&one[i], 1); \
} \
PHASE phase_##level##_derived(void) \
{ \
	unsigned int i; \
	for (i = 0; i < LENGTH(derived); i++) \
		level(&derived[i], 1); \
} \
PHASE phase_##level##_three(void) \
{ \
	unsigned int i; \
	for (i = 0; i < LENGTH(three); i++) \
		level(three[i], MOST); \
}

PHASES(high)
PHASES(low)

PHASE phase_rates(void)
{
	long long n;
	float x, y, z;
	int ret;

	ret = ePAPI_ipc(&x, &y, &n, &z);
	ret |= ePAPI_ipc(&x, &y, &n, &z);
	ret |= ePAPI_ipc(&x, &y, &n, &z);
	ret |= ePAPI_stop_counters(NULL, 0);
	is(ret, PAPI_OK);
}

int main(void)
{
	pass(1);
	pass(MOST);
	phase_bare();
	phase_high_one();
	phase_high_derived();
	phase_high_three();
	phase_low_one();
	phase_low_derived();
	phase_low_three();
	phase_rates();
	EXIT = (uint32_t)failed;
	return 0;
}
