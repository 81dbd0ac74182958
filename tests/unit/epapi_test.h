/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the tests of ePAPI: the events according to the manual and the paper. */
#ifndef PMC_TESTS_EPAPI_TEST_H
#define PMC_TESTS_EPAPI_TEST_H

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core.h"
#include "tricore_sim.h"

/* Counts of which no sum or difference equals that of others. */
static const struct sim_work work = {
	.cycles = 1000003,
	.instructions = 700001,
	.event = {
		{ 11, 23, 47 },
		{ 101, 211, 431 },
		{ 1009, 2027, 4057 },
		{ 10007, 20021, 40063 },
	},
};

enum { M1, M2, M3 };

/**
 * struct event_fact - an event
 * @name: its name in PAPI or in table 1
 * @code: its code
 * @setting: setting of its counters in CCTRL; -1 if it uses none of M1CNT to M3CNT
 * @uses: a bit for each counter it uses
 * @value: its count after the work above was done once
 */
struct event_fact {
	const char *name;
	int code;
	int setting;
	unsigned int uses;
	long long value;
};

static const struct event_fact facts[] = {
	{ "IP_DISPATCH_STALL", 0x40000000, 0, 1 << M1, 11 },
	{ "LS_DISPATCH_STALL", 0x40000001, 0, 1 << M2, 23 },
	{ "LP_DISPATCH_STALL", 0x40000002, 0, 1 << M3, 47 },
	{ "PCACHE_HIT", 0x40000003, 1, 1 << M1, 101 },
	{ "PCACHE_MISS", 0x40000004, 1, 1 << M2, 211 },
	{ "MULTI_ISSUE", 0x40000005, 1, 1 << M3, 431 },
	{ "DCACHE_HIT", 0x40000006, 2, 1 << M1, 1009 },
	{ "DCACHE_MISS_CLEAN", 0x40000007, 2, 1 << M2, 2027 },
	{ "DCACHE_MISS_DIRTY", 0x40000008, 2, 1 << M3, 4057 },
	{ "TOTAL_BRANCH", 0x40000009, 3, 1 << M1, 10007 },
	{ "PMEM_STALL", 0x4000000a, 3, 1 << M2, 20021 },
	{ "DMEM_STALL", 0x4000000b, 3, 1 << M3, 40063 },
	{ "PAPI_L1_DCM", PAPI_L1_DCM, 2, 1 << M2 | 1 << M3, 2027 + 4057 },
	{ "PAPI_L1_ICM", PAPI_L1_ICM, 1, 1 << M2, 211 },
	{ "PAPI_BRU_IDL", PAPI_BRU_IDL, 3, 1 << M1, 1000003 - 10007 },
	{ "PAPI_MEM_SCY", PAPI_MEM_SCY, 3, 1 << M2 | 1 << M3, 20021 + 40063 },
	{ "PAPI_TOT_INS", PAPI_TOT_INS, -1, 0, 700001 },
	{ "PAPI_TOT_CYC", PAPI_TOT_CYC, -1, 0, 1000003 },
	{ "PAPI_L1_DCH", PAPI_L1_DCH, 2, 1 << M1, 1009 },
	{ "PAPI_L1_DCA", PAPI_L1_DCA, 2, 1 << M1 | 1 << M2 | 1 << M3, 1009 + 2027 + 4057 },
	{ "PAPI_L1_ICH", PAPI_L1_ICH, 1, 1 << M1, 101 },
	{ "PAPI_L1_ICA", PAPI_L1_ICA, 1, 1 << M1 | 1 << M2, 101 + 211 },
	{ "PAPI_L1_ICR", PAPI_L1_ICR, 1, 1 << M1 | 1 << M2, 101 + 211 },
};

#define NR_FACTS	((int)(sizeof(facts) / sizeof(facts[0])))

/* The events that take two runs, and the runs. */
static const struct {
	const char *name;
	int code;
	int runs[2];
	long long value;
} double_facts[] = {
	{ "PAPI_L1_TCM", PAPI_L1_TCM, { PAPI_L1_ICM, PAPI_L1_DCM }, 211 + 2027 + 4057 },
	{ "PAPI_L1_TCH", PAPI_L1_TCH, { PAPI_L1_ICH, PAPI_L1_DCH }, 101 + 1009 },
	{ "PAPI_L1_TCA", PAPI_L1_TCA, { PAPI_L1_ICA, PAPI_L1_DCA },
	  101 + 211 + 1009 + 2027 + 4057 },
};

#define NR_DOUBLE_FACTS	((int)(sizeof(double_facts) / sizeof(double_facts[0])))

#define ok(call)	assert_int_equal(call, PAPI_OK)

/* Each test starts on a core after reset, and must not write anything wrong to it. */
static inline int fresh(void **state)
{
	(void)state;
	sim_reset();
	epapi_forget();
	return 0;
}

static inline int nothing_wrong(void **state)
{
	(void)state;
	if (sim.wrong) {
		print_error("%s\n", sim.wrong);
		return -1;
	}
	return 0;
}

#define epapi_test(f)	cmocka_unit_test_setup_teardown(f, fresh, nothing_wrong)

static inline int new_set(const int *codes, int nr)
{
	int set = PAPI_NULL, i;

	ok(ePAPI_create_eventset(&set));
	for (i = 0; i < nr; i++)
		ok(ePAPI_add_event(set, codes[i]));
	return set;
}

#endif /* PMC_TESTS_EPAPI_TEST_H */
