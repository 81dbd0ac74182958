// SPDX-License-Identifier: GPL-2.0
/* Cycles of x86's time stamp counter in nanoseconds, also of one that has been set back. */
#define CONFIG_X86
#define HZ	250
#include "base/clock.h"
#include "unit.h"

unsigned int tsc_khz;

u64 get_cycles(void)
{
	return 0;
}

static void fast_and_slow(void **state)
{
	tsc_khz = 4000000;
	assert_int_equal(pmc_cycles_to_ns(0), 0);
	assert_int_equal(pmc_cycles_to_ns(4), 1);
	assert_int_equal(pmc_cycles_to_ns(4000000000ULL * 3600), 3600ULL * NSEC_PER_SEC);
	tsc_khz = 500000;
	assert_int_equal(pmc_cycles_to_ns(1), 2);
	assert_int_equal(pmc_cycles_to_ns(500000000ULL * 3600), 3600ULL * NSEC_PER_SEC);
}

/* A virtual machine has gone to another host: a thread's time on its CPU is less than 0. */
static void set_back(void **state)
{
	static const unsigned int rates[] = { 500000, 999999, 1000000, 4000000 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		tsc_khz = rates[i];
		assert_int_equal(pmc_cycles_to_ns(-1), 0);
		assert_int_equal(pmc_cycles_to_ns(-1000000000000LL), 0);
		assert_int_equal(pmc_cycles_to_ns(1ULL << 63), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fast_and_slow),
		cmocka_unit_test(set_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
