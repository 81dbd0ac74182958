// SPDX-License-Identifier: GPL-2.0
/*
 * Placement of events on counters, compared with an exhaustive search.
 */
#include "pmu/assign.h"
#include "unit.h"

#define UNTOUCHED 0xaa

struct result {
	int ret;
	unsigned int culprit;
	u8 slot[PMC_MAX_COUNTS];
};

static struct result assign(const u64 *candidates, unsigned int nr, u64 avoid)
{
	struct result result = { .culprit = 1000 };

	memset(result.slot, UNTOUCHED, sizeof(result.slot));
	result.ret = pmc_assign(candidates, nr, avoid, result.slot,
				&result.culprit);

	return result;
}

/* Every event is on a counter of its own that can count it. */
static void check_valid(const u64 *candidates, unsigned int nr,
			const struct result *result)
{
	unsigned int i;
	u64 taken = 0;

	for (i = 0; i < nr; i++) {
		assert_in_range(result->slot[i], 0, 63);
		assert_true(candidates[i] & BIT_ULL(result->slot[i]));
		assert_false(taken & BIT_ULL(result->slot[i]));
		taken |= BIT_ULL(result->slot[i]);
	}
	for (; i < PMC_MAX_COUNTS; i++)
		assert_int_equal(result->slot[i], UNTOUCHED);
}

/* Least number of counters of @avoid that a placement needs; -1: there is no placement. */
static int fewest_avoided(const u64 *candidates, unsigned int nr, u64 avoid,
			  u64 taken)
{
	int best = -1;
	u64 left;

	if (!nr)
		return __builtin_popcountll(taken & avoid);
	for (left = *candidates & ~taken; left; left &= left - 1) {
		int n = fewest_avoided(candidates + 1, nr - 1, avoid,
				       taken | (left & -left));

		if (n >= 0 && (best < 0 || n < best))
			best = n;
	}

	return best;
}

static void against_exhaustive_search(void **state)
{
	/* Counters far apart: also those at the ends of the mask. */
	static const u8 where[] = { 0, 1, 7, 31, 32, 62, 63 };
	unsigned int round, i, feasible = 0, avoided = 0;
	u64 seed = 1;

	for (round = 0; round < 60000; round++) {
		unsigned int nr = 1 + next_random(&seed) % 7;
		unsigned int density = 1 + next_random(&seed) % 4;
		u64 candidates[7], avoid = 0, taken = 0;
		struct result result;
		int fewest = -1;

		for (i = 0; i < nr; i++) {
			unsigned int j;

			candidates[i] = 0;
			for (j = 0; j < ARRAY_SIZE(where); j++) {
				if (next_random(&seed) % 5 < density)
					candidates[i] |= BIT_ULL(where[j]);
			}
		}
		for (i = 0; i < ARRAY_SIZE(where); i++) {
			if (next_random(&seed) % 3 == 0)
				avoid |= BIT_ULL(where[i]);
		}

		result = assign(candidates, nr, avoid);
		for (i = 1; i <= nr; i++) {
			fewest = fewest_avoided(candidates, i, avoid, 0);
			if (fewest < 0)
				break;
		}
		if (fewest < 0) {
			assert_int_equal(result.ret, -ENOSPC);
			assert_int_equal(result.culprit, i - 1);
			check_valid(candidates, 0, &result);
			continue;
		}

		assert_int_equal(result.ret, 0);
		check_valid(candidates, nr, &result);
		for (i = 0; i < nr; i++)
			taken |= BIT_ULL(result.slot[i]);
		assert_int_equal(__builtin_popcountll(taken & avoid), fewest);
		feasible++;
		avoided += !!fewest;
	}

	/* Rounds of all types occurred. */
	assert_in_range(feasible, 10000, 50000);
	assert_in_range(avoided, 2000, feasible);
}

/* The largest sets, each constructed so that a placement exists. */
static void large_systems(void **state)
{
	u64 candidates[PMC_MAX_COUNTS], seed = 2;
	unsigned int round, i;

	for (round = 0; round < 20000; round++) {
		unsigned int edges = next_random(&seed) % 3;
		u8 order[PMC_MAX_SLOTS];
		struct result result;

		for (i = 0; i < PMC_MAX_SLOTS; i++)
			order[i] = i;
		for (i = PMC_MAX_SLOTS - 1; i; i--) {
			unsigned int j = next_random(&seed) % (i + 1);
			u8 swap = order[i];

			order[i] = order[j];
			order[j] = swap;
		}
		for (i = 0; i < PMC_MAX_COUNTS; i++) {
			unsigned int e;

			candidates[i] = BIT_ULL(order[i]);
			/* More events of the same counters: the chains of moves get long. */
			for (e = 0; e < edges; e++)
				candidates[i] |= BIT_ULL(order[next_random(&seed) % 32]);
		}

		result = assign(candidates, PMC_MAX_COUNTS, next_random(&seed));
		assert_int_equal(result.ret, 0);
		check_valid(candidates, PMC_MAX_COUNTS, &result);
	}
}

/* The last event moves all the others to other counters. */
static void the_longest_chain(void **state)
{
	u64 candidates[PMC_MAX_COUNTS];
	struct result result;
	unsigned int i;

	for (i = 0; i < PMC_MAX_COUNTS - 1; i++)
		candidates[i] = BIT_ULL(i) | BIT_ULL(i + 1);
	candidates[i] = BIT_ULL(0);

	result = assign(candidates, PMC_MAX_COUNTS, 0);
	assert_int_equal(result.ret, 0);
	check_valid(candidates, PMC_MAX_COUNTS, &result);
	for (i = 0; i < PMC_MAX_COUNTS - 1; i++)
		assert_int_equal(result.slot[i], i + 1);

	candidates[0] = BIT_ULL(0);
	result = assign(candidates, PMC_MAX_COUNTS, 0);
	assert_int_equal(result.ret, -ENOSPC);
	assert_int_equal(result.culprit, PMC_MAX_COUNTS - 1);
}

static void the_lowest_counter_first(void **state)
{
	static const u64 candidates[] = { 0x7e, 0x7e, 0x7f, 0x7e };
	struct result result = assign(candidates, 4, 0);

	assert_int_equal(result.ret, 0);
	assert_int_equal(result.slot[0], 1);
	assert_int_equal(result.slot[1], 2);
	assert_int_equal(result.slot[2], 0);
	assert_int_equal(result.slot[3], 3);
}

static void others_counters_are_left_alone(void **state)
{
	static const u64 candidates[] = { 0x7e, 0x7e };
	struct result result = assign(candidates, 2, 0x1e);

	assert_int_equal(result.slot[0], 5);
	assert_int_equal(result.slot[1], 6);
}

static void a_pinned_event_gets_its_counter_all_the_same(void **state)
{
	static const u64 candidates[] = { 0x7e, 0x02, 0x02 };
	struct result result = assign(candidates, 2, 0x02);

	assert_int_equal(result.ret, 0);
	assert_int_equal(result.slot[0], 2);
	assert_int_equal(result.slot[1], 1);

	result = assign(candidates, 3, 0x02);
	assert_int_equal(result.ret, -ENOSPC);
	assert_int_equal(result.culprit, 2);
}

static void the_ends_of_the_range(void **state)
{
	u64 candidates[PMC_MAX_COUNTS + 1];
	struct result result;
	unsigned int i;

	result = assign(NULL, 0, 0);
	assert_int_equal(result.ret, 0);

	for (i = 0; i < ARRAY_SIZE(candidates); i++)
		candidates[i] = U64_MAX;
	result = assign(candidates, PMC_MAX_COUNTS, U64_MAX);
	assert_int_equal(result.ret, 0);
	check_valid(candidates, PMC_MAX_COUNTS, &result);

	result = assign(candidates, PMC_MAX_COUNTS + 1, 0);
	assert_int_equal(result.ret, -EINVAL);
	check_valid(candidates, 0, &result);

	candidates[0] = 0;
	result = assign(candidates, 1, 0);
	assert_int_equal(result.ret, -ENOSPC);
	assert_int_equal(result.culprit, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(against_exhaustive_search),
		cmocka_unit_test(large_systems),
		cmocka_unit_test(the_longest_chain),
		cmocka_unit_test(the_lowest_counter_first),
		cmocka_unit_test(others_counters_are_left_alone),
		cmocka_unit_test(a_pinned_event_gets_its_counter_all_the_same),
		cmocka_unit_test(the_ends_of_the_range),
	};

	return cmocka_run_group_tests_name("assign", tests, NULL, NULL);
}
