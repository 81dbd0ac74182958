// SPDX-License-Identifier: GPL-2.0
/* The units of energy registers, and totals that lose nothing. */
#include "unit.h"

#include "energy/units.h"

static struct pmc_energy_unit rapl(unsigned int esu)
{
	return pmc_energy_rapl_unit(0xa0003 | esu << 8, PMC_ENERGY_PKG, 0);
}

/* Several fractions have the same value. */
static void check_unit(struct pmc_energy_unit unit, u64 counts, u64 uj)
{
	assert_int_equal(pmc_energy_uj(counts, unit), uj);
	if (counts > 1)
		assert_true(pmc_energy_uj(counts - 1, unit) < uj);
}

static void units(void **state)
{
	check_unit(rapl(14), 1 << 14, 1000000);
	check_unit(rapl(16), 1 << 16, 1000000);
	check_unit(rapl(0), 1, 1000000);
	check_unit(rapl(31), 1U << 31, 1000000);
	/* Silvermont counts in 2^5 uJ. */
	check_unit(pmc_energy_rapl_unit(0x505, PMC_ENERGY_PKG, 0x37), 1, 32);
	/* Haswell and Ice Lake servers: the memory's unit is fixed. */
	check_unit(pmc_energy_rapl_unit(0xa0e03, PMC_ENERGY_DRAM, 0x3f), 1 << 16, 1000000);
	check_unit(pmc_energy_rapl_unit(0xa0e03, PMC_ENERGY_DRAM, 0x6a), 1 << 16, 1000000);
	check_unit(pmc_energy_rapl_unit(0xa0e03, PMC_ENERGY_PKG, 0x3f), 1 << 14, 1000000);
	/* Alder Lake, Sapphire Rapids: it is not. */
	check_unit(pmc_energy_rapl_unit(0xa0e03, PMC_ENERGY_DRAM, 0x97), 1 << 14, 1000000);
	check_unit(pmc_energy_rapl_unit(0xa0e03, PMC_ENERGY_DRAM, 0x8f), 1 << 14, 1000000);
	check_unit(pmc_energy_rapl_unit(0xa0e03, PMC_ENERGY_PSYS, 0x97), 1 << 14, 1000000);
	check_unit(pmc_energy_rapl_unit(0xa0e03, PMC_ENERGY_PSYS, 0x8f), 1, 1000000);
	check_unit(pmc_energy_rapl_unit(0xa0e03, PMC_ENERGY_PSYS, 0xcf), 1, 1000000);
}

static void millijoules(void **state)
{
	assert_int_equal(pmc_energy_mj(rapl(14)), 16);
	assert_int_equal(pmc_energy_mj(rapl(16)), 65);
	assert_int_equal(pmc_energy_mj(rapl(0)), 1);
	assert_int_equal(pmc_energy_mj((struct pmc_energy_unit){ 1, 1 }), 1000);
	assert_int_equal(pmc_energy_mj((struct pmc_energy_unit){ 1, 1000000 }), 1000000000);
}

/* Samples of a total: their microjoules add up to the total's. */
static void nothing_is_rounded_off(void **state)
{
	u64 random = 1, total, first, last, sum, esu;
	int i;

	for (esu = 10; esu <= 20; esu++) {
		total = next_random(&random) >> 20;
		first = pmc_energy_uj(total, rapl(esu));
		last = first;
		sum = 0;
		for (i = 0; i < 10000; i++) {
			total += next_random(&random) % 1000;
			sum += pmc_energy_uj(total, rapl(esu)) - last;
			last = pmc_energy_uj(total, rapl(esu));
		}
		assert_int_equal(sum, pmc_energy_uj(total, rapl(esu)) - first);
		assert_int_equal(last, (unsigned __int128)total * 1000000 >> esu);
	}
	/* More than 500 years at 1 kW */
	assert_int_equal(pmc_energy_uj(~0ULL, rapl(20)),
			 (unsigned __int128)~0ULL * 1000000 >> 20);
}

static void registers_wrap(void **state)
{
	u64 random = 7, truth = 0xfffffff0, known = truth, step;
	int i;

	for (i = 0; i < 100000; i++) {
		step = next_random(&random) >> (33 + i % 31);
		truth += step;
		assert_int_equal(pmc_energy_extend(known, (u32)truth, 32), truth);
		/* A reader that has read the register before the last update */
		assert_int_equal(pmc_energy_extend(truth, (u32)(truth - step), 32), truth - step);
		known = truth;
	}
	assert_true(truth > 1ULL << 40);
	/* Bits above the register's width are ignored; the width may be 64. */
	assert_int_equal(pmc_energy_extend(5, 0xabc00000007, 32), 7);
	assert_int_equal(pmc_energy_extend(5, 0xabc00000007, 0), 0xabc00000007);
}

/* The tick is over before half the register's range, at 4 kW and four times that. */
static void tick_is_in_time(void **state)
{
	unsigned int esu, ms;

	for (esu = 0; esu <= 20; esu++) {
		ms = pmc_energy_tick_ms(rapl(esu), 32);
		assert_in_range(ms, 10, 10000);
		assert_true(ms * 4e-3 * 4000 * (1 << esu) <= (double)(1U << 31));
	}
	assert_int_equal(pmc_energy_tick_ms(rapl(14), 32), 8192);
	assert_int_equal(pmc_energy_tick_ms(rapl(16), 32), 2048);
	assert_int_equal(pmc_energy_tick_ms((struct pmc_energy_unit){ 1, 1000000 }, 64), 10000);
}

/* The manual's formulas: J = register / 12348030000, or / 6174020000 */
static void juno(void **state)
{
	assert_int_equal(pmc_energy_juno_nj(12348030000, 1234803), 1000000000);
	assert_int_equal(pmc_energy_juno_nj(6174020000, 617402), 1000000000);
	assert_int_equal(pmc_energy_juno_nj(12, 1234803), 0);
	assert_int_equal(pmc_energy_juno_nj(13, 1234803), 1);
	/* 500 days at 50 W, and all that the register can hold, 18 years at 5 W: no overflow */
	assert_int_equal(pmc_energy_juno_nj(6174020000UL * 2160000000, 617402),
			 2160000000000000000U);
	assert_int_equal(pmc_energy_juno_nj(~0ULL, 617402),
			 (unsigned __int128)~0ULL * 100000 / 617402);
}

static void power_over_time(void **state)
{
	u64 carry = 0, sum = 0;
	int i;

	assert_int_equal(pmc_energy_integrate(2500000, 1000000000, &carry), 2500000);
	assert_int_equal(carry, 0);
	assert_int_equal(pmc_energy_integrate(300000000, 3600000000001, &carry), 1080000000000);
	assert_int_equal(carry, 300000000);
	carry = 0;
	/* 1 uW for 3 s, in steps of 7 ms and a remainder */
	for (i = 0; i < 428; i++)
		sum += pmc_energy_integrate(1, 7000000, &carry);
	sum += pmc_energy_integrate(1, 4000000, &carry);
	assert_int_equal(sum, 3);
	assert_int_equal(carry, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(units),
		cmocka_unit_test(millijoules),
		cmocka_unit_test(nothing_is_rounded_off),
		cmocka_unit_test(registers_wrap),
		cmocka_unit_test(tick_is_in_time),
		cmocka_unit_test(juno),
		cmocka_unit_test(power_over_time),
	};

	return cmocka_run_group_tests_name("energy_units", tests, NULL, NULL);
}
