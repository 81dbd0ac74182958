// SPDX-License-Identifier: GPL-2.0
/* pmc-lu: how blocks are shared, and that the factors solve the system. */
#include <math.h>

#include "lib.h"
#include "lu/share.h"
#include "lu/system.h"
#include "lu/team.h"

#define BLOCKS	23

/* In each step, each block behind it is taken once, whoever asks. */
static void take_all(int threads, int steal)
{
	struct share share;
	int step, thread, block, taken[BLOCKS], left, i;

	assert_int_equal(share_init(&share, BLOCKS, threads, steal), 0);
	for (step = 0; step < BLOCKS; step++) {
		memset(taken, 0, sizeof(taken));
		for (left = threads, thread = 0; left; thread = (thread + 1) % threads) {
			block = share_next(&share, step, thread);
			left = block < 0 ? left - 1 : threads;
			if (block < 0)
				continue;
			assert_in_range(block, step + 1, BLOCKS - 1);
			taken[block]++;
			if (!steal)
				assert_int_equal(block % threads, thread);
		}
		for (i = step + 1; i < BLOCKS; i++)
			assert_int_equal(taken[i], 1);
	}
	share_free(&share);
}

static void test_shares(void **state)
{
	int threads;

	for (threads = 1; threads < 7; threads++) {
		take_all(threads, 0);
		take_all(threads, 1);
	}
}

/* One thread alone gets its own blocks, or, by stealing, all. */
static void test_steals(void **state)
{
	struct share share;
	int steal, n;

	for (steal = 0; steal < 2; steal++) {
		assert_int_equal(share_init(&share, BLOCKS, 4, steal), 0);
		for (n = 0; share_next(&share, 2, 1) >= 0; n++)
			;
		/* 3 to 22 are left; thread 1 has 5, 9, 13, 17 and 21. */
		assert_int_equal(n, steal ? 20 : 5);
		share_free(&share);
	}
}

/* A system of two equations by hand: row 2 is the pivot, so rows are exchanged. */
static void test_by_hand(void **state)
{
	double a[] = { 1, 4, 2, 2 };	/* x + 2y = 5, 4x + 2y = 8 */
	double x[] = { 5, 8 };
	int pivots[2];
	struct matrix m = { 2, 1, a, pivots };

	factor_panel(&m, 0);
	factor_update(&m, 0, 1);
	factor_panel(&m, 1);
	assert_int_equal(pivots[0], 1);
	assert_true(a[0] == 4 && a[1] == 0.25 && a[2] == 2 && a[3] == 1.5);
	factor_solve(&m, x);
	assert_true(x[0] == 1 && x[1] == 2);
}

/* The same factors, whatever the blocks, the threads and the sharing */
static void test_solves(void **state)
{
	static const int sizes[][2] = { { 1, 1 }, { 40, 64 }, { 61, 7 }, { 64, 16 } };
	struct matrix m;
	size_t i;
	int threads, steal;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (threads = 1; threads < 5; threads++)
			for (steal = 0; steal < 2; steal++) {
				assert_int_equal(system_init(&m, sizes[i][0], sizes[i][1]), 0);
				assert_true(team_factorise(&m, threads, steal) >= 0);
				assert_true(system_residual(&m) < RESIDUAL_MOST);
				system_free(&m);
			}
}

/* A wrong factor is noticed. */
static void test_wrong_factor(void **state)
{
	struct matrix m;

	assert_int_equal(system_init(&m, 50, 8), 0);
	team_factorise(&m, 2, 0);
	m.a[50 * 20 + 30] += 1e-6;
	assert_true(system_residual(&m) > RESIDUAL_MOST);
	system_free(&m);
}

/* A solution that is not a number is wrong, and no comparison says so. */
static void test_no_number(void **state)
{
	struct matrix m;

	assert_int_equal(system_init(&m, 50, 8), 0);
	team_factorise(&m, 2, 0);
	m.a[50 * 20 + 30] = NAN;
	assert_false(system_residual(&m) < RESIDUAL_MOST);
	system_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_steals),
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_solves),
		cmocka_unit_test(test_wrong_factor),
		cmocka_unit_test(test_no_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
