// SPDX-License-Identifier: GPL-2.0
/* Values of registers of frequency and temperature. */
#include "unit.h"

#include "thermal_freq/decode.h"

#define TARGET_100	(100 << 16)
#define VALID		(1U << 31)

static void frequency(void **state)
{
	assert_int_equal(frequency_khz(1000, 1000, 3000000), 3000000);
	assert_int_equal(frequency_khz(5100000, 2100000, 2100000), 5100000);
	assert_int_equal(frequency_khz(1, 3, 1000000), 333333);
	assert_int_equal(frequency_khz(2, 3, 1000000), 666667);
	assert_int_equal(frequency_khz(0, 3, 1000000), 0);
	/* Cycles of 10 years at 5 GHz and 2 GHz */
	assert_int_equal(frequency_khz(1576800000000000000, 630720000000000000, 2000000), 5000000);
	/* The counters were written: the time is unknown */
	assert_int_equal(frequency_khz(1ULL << 50, 1, 2000000), 0);
}

/* SDM volume 3B, figure 15-28, table for MSR_TEMPERATURE_TARGET */
static void temperature(void **state)
{
	u64 value = 1;

	assert_true(temperature_millidegrees(VALID | 60 << 16, TARGET_100, &value));
	assert_int_equal(value, 40000);
	assert_true(temperature_millidegrees(VALID | 0xff00ffff, TARGET_100, &value));
	assert_int_equal(value, 100000);
	/* More than 127 below the target */
	assert_true(temperature_millidegrees(VALID | 130 << 16, 150 << 16, &value));
	assert_int_equal(value, 20000);
	assert_false(temperature_millidegrees(VALID | 130 << 16, TARGET_100, &value));
	/* Bits outside the reading: the offset's, and undefined ones */
	assert_true(temperature_millidegrees(VALID | 0x0802ffff | 1 << 16,
					     0xffffffff3f650000, &value));
	assert_int_equal(value, (101 - 3) * 1000);
	assert_false(temperature_millidegrees(60 << 16, TARGET_100, &value));
	assert_false(temperature_millidegrees(VALID | 101 << 16, TARGET_100, &value));
}

static void throttling(void **state)
{
	assert_int_equal(throttle_bits(0), 0);
	assert_int_equal(throttle_bits(1 << 0), THROTTLED_HOT);
	assert_int_equal(throttle_bits(1 << 2), THROTTLED_PROCHOT);
	assert_int_equal(throttle_bits(1 << 4), THROTTLED_CRITICAL);
	assert_int_equal(throttle_bits(1 << 10), THROTTLED_POWER);
	assert_int_equal(throttle_bits(1 << 12), THROTTLED_CURRENT);
	assert_int_equal(throttle_bits(1 << 14), THROTTLED_OTHER);
	/* Logs, thresholds and the reading are no reason. */
	assert_int_equal(throttle_bits(~(1ULL << 0 | 1 << 2 | 1 << 4 | 1 << 10 | 1 << 12 |
					 1 << 14)), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(frequency),
		cmocka_unit_test(temperature),
		cmocka_unit_test(throttling),
	};

	return cmocka_run_group_tests_name("thermal_freq", tests, NULL, NULL);
}
