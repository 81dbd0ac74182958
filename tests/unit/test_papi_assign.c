// SPDX-License-Identifier: GPL-2.0
/* The choice of events for counters, compared with all choices there are in small random cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assign.h"

#define MAX_EVENTS	7
#define MAX_COUNTERS	5
#define MAX_GROUPS	3
#define NR_CASES	4000

static uint32_t seed;

static int below(int n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* A random case; @sparse: some events have no counter, others few */
struct random_case {
	struct assign a;
	uint64_t counters[MAX_GROUPS * MAX_EVENTS];
	int weights[MAX_EVENTS];
};

static void draw(struct random_case *r, int number)
{
	int i, nr_counters;

	seed = number * 2654435761u + 1;
	memset(r, 0, sizeof(*r));
	r->a.nr_events = 1 + below(MAX_EVENTS);
	r->a.nr_groups = 1 + (below(2) ? below(MAX_GROUPS) : 0);
	nr_counters = 1 + below(MAX_COUNTERS);
	for (i = 0; i < r->a.nr_groups * r->a.nr_events; i++)
		r->counters[i] = below(1 << nr_counters) & below(1 << nr_counters);
	for (i = 0; i < r->a.nr_events; i++)
		r->weights[i] = 1 + below(below(2) ? 3 : 100);
	r->a.counters = r->counters;
	r->a.weights = below(4) ? r->weights : NULL;
}

/* ---- the truth, by trying everything ---- */

static int can_place(const uint64_t *counters, int event, int events, uint64_t taken)
{
	uint64_t left;

	while (event < MAX_EVENTS && !(events >> event & 1))
		event++;
	if (event == MAX_EVENTS)
		return 1;
	for (left = counters[event] & ~taken; left; left &= left - 1)
		if (can_place(counters, event + 1, events, taken | (left & -left)))
			return 1;
	return 0;
}

static long long weight_of(const struct assign *a, int events)
{
	long long sum = 0;
	int i;

	for (i = 0; i < a->nr_events; i++)
		if (events >> i & 1)
			sum += a->weights ? a->weights[i] : 1;
	return sum;
}

static long long best_of_all(const struct assign *a)
{
	long long sum, best = 0;
	int group, events;

	for (group = 0; group < a->nr_groups; group++)
		for (events = 0; events < 1 << a->nr_events; events++) {
			sum = weight_of(a, events);
			if (sum > best &&
			    can_place(a->counters + group * a->nr_events, 0, events, 0))
				best = sum;
		}
	return best;
}

/* ---- what is tested, and what stands for it to see that the test notices faults ---- */

typedef long long (*assign_fn)(const struct assign *a, int *counter, int *group);

/* The events in their order, each on its lowest counter: no event moves. */
static long long first_fit(const struct assign *a, int *counter, int *group)
{
	uint64_t taken = 0, left;
	long long sum = 0;
	int i;

	*group = 0;
	for (i = 0; i < a->nr_events; i++) {
		left = a->counters[i] & ~taken;
		counter[i] = left ? __builtin_ctzll(left) : ASSIGN_NOWHERE;
		if (!left)
			continue;
		taken |= left & -left;
		sum += a->weights ? a->weights[i] : 1;
	}
	return sum;
}

/* Two events on one counter, in about half of the cases */
static long long doubled(const struct assign *a, int *counter, int *group)
{
	long long sum = assign_events(a, counter, group);

	if (a->nr_events > 1)
		counter[1] = counter[0];
	return sum;
}

/* The best of the first group only */
static long long one_group(const struct assign *a, int *counter, int *group)
{
	struct assign one = *a;

	one.nr_groups = 1;
	return assign_events(&one, counter, group);
}

/* All events matter the same. */
static long long unweighted(const struct assign *a, int *counter, int *group)
{
	struct assign without = *a;
	int i, events = 0;

	without.weights = NULL;
	assign_events(&without, counter, group);
	for (i = 0; i < a->nr_events; i++)
		events |= (counter[i] != ASSIGN_NOWHERE) << i;
	return weight_of(a, events);
}

/* Is the placement possible, and does it have this weight? */
static int is_placement(const struct assign *a, const int *counter, int group, long long sum)
{
	uint64_t taken = 0;
	int i, events = 0;

	if (group < 0 || group >= a->nr_groups)
		return 0;
	for (i = 0; i < a->nr_events; i++) {
		if (counter[i] == ASSIGN_NOWHERE)
			continue;
		if (counter[i] < 0 || counter[i] >= MAX_COUNTERS ||
		    !(a->counters[group * a->nr_events + i] >> counter[i] & 1) ||
		    taken >> counter[i] & 1)
			return 0;
		taken |= 1ULL << counter[i];
		events |= 1 << i;
	}
	return weight_of(a, events) == sum;
}

/* Number of cases in which a function is wrong */
static int count_wrong(assign_fn fn)
{
	int number, group, counter[MAX_EVENTS], wrong = 0;
	struct random_case r;
	long long sum;

	for (number = 0; number < NR_CASES; number++) {
		draw(&r, number);
		sum = fn(&r.a, counter, &group);
		wrong += sum != best_of_all(&r.a) || !is_placement(&r.a, counter, group, sum);
	}
	return wrong;
}

static void test_check_notices(void **state)
{
	assert_true(count_wrong(first_fit) > NR_CASES / 10);
	assert_true(count_wrong(doubled) > NR_CASES / 10);
	assert_true(count_wrong(one_group) > NR_CASES / 20);
	assert_true(count_wrong(unweighted) > NR_CASES / 20);
}

static void test_optimal(void **state)
{
	assert_int_equal(count_wrong(assign_events), 0);
}

/* The most events, and all if that is possible: not only the largest sum */
static void test_cardinality(void **state)
{
	int number, i, nr, counter[MAX_EVENTS], all = 0, some = 0;
	struct random_case r;
	struct assign without;

	for (number = 0; number < NR_CASES; number++) {
		draw(&r, number);
		r.a.nr_groups = 1;
		without = r.a;
		without.weights = NULL;
		assert_true(assign_events(&r.a, counter, NULL) >= 0);
		for (i = nr = 0; i < r.a.nr_events; i++)
			nr += counter[i] != ASSIGN_NOWHERE;
		assert_int_equal(nr, best_of_all(&without));
		all += nr == r.a.nr_events;
		some += nr < r.a.nr_events;
	}
	/* Both happen. */
	assert_true(all > NR_CASES / 20);
	assert_true(some > NR_CASES / 20);
}

/* An event moves so that another one has a place, and the first events win ties. */
static void test_moves(void **state)
{
	static const uint64_t counters[] = { 0x3, 0x1, 0x3 };
	struct assign a = { .nr_events = 2, .nr_groups = 1, .counters = counters };
	int counter[3], group = -1;

	assert_int_equal(assign_events(&a, counter, &group), 2);
	assert_int_equal(counter[0], 1);
	assert_int_equal(counter[1], 0);
	assert_int_equal(group, 0);
	a.nr_events = 3;
	assert_int_equal(assign_events(&a, counter, NULL), 2);
	assert_int_equal(counter[2], ASSIGN_NOWHERE);
	a.nr_events = 0;
	assert_int_equal(assign_events(&a, counter, NULL), 0);
}

/* All 64 counters, each event on two neighbours */
static void test_many(void **state)
{
	uint64_t counters[65];
	struct assign a = { .nr_events = 64, .nr_groups = 1, .counters = counters };
	int i, counter[65];

	for (i = 0; i < 64; i++)
		counters[i] = 1ULL << i | 1ULL << (i + 1) % 64;
	counters[64] = ~0ULL;
	assert_int_equal(assign_events(&a, counter, NULL), 64);
	a.nr_events = 65;
	assert_int_equal(assign_events(&a, counter, NULL), 64);
}

/* ---- the choice with a function that knows what fits ---- */

/*
 * Events that take several counters of one or two core types, and pairs that exclude each other:
 * what fits is no matroid.
 */
struct demand {
	int nr;
	int on[MAX_EVENTS][2];
	int room[2];
	int enemy[MAX_EVENTS];
	int weights[MAX_EVENTS];
	int asked;
	int fail_at;
};

static int fits_demand(void *arg, const unsigned char *chosen)
{
	struct demand *d = arg;
	int i, sum[2] = { 0 };

	if (++d->asked == d->fail_at)
		return -1;
	for (i = 0; i < d->nr; i++) {
		if (!chosen[i])
			continue;
		sum[0] += d->on[i][0];
		sum[1] += d->on[i][1];
		if (d->enemy[i] != i && chosen[d->enemy[i]])
			return 0;
	}
	return sum[0] <= d->room[0] && sum[1] <= d->room[1];
}

static void draw_demand(struct demand *d, int number)
{
	int i;

	seed = number * 2654435761u + 7;
	memset(d, 0, sizeof(*d));
	d->nr = 1 + below(MAX_EVENTS);
	for (i = 0; i < d->nr; i++) {
		d->on[i][0] = below(3);
		d->on[i][1] = below(3);
		d->weights[i] = 1 + below(5);
		d->enemy[i] = below(3) ? i : below(d->nr);
	}
	d->room[0] = 1 + below(5);
	d->room[1] = 1 + below(5);
}

static long long best_demand(struct demand *d)
{
	unsigned char chosen[MAX_EVENTS];
	long long sum, best = 0;
	int events, i;

	for (events = 0; events < 1 << d->nr; events++) {
		for (i = sum = 0; i < d->nr; i++) {
			chosen[i] = events >> i & 1;
			sum += chosen[i] * d->weights[i];
		}
		if (sum > best && fits_demand(d, chosen) == 1)
			best = sum;
	}
	return best;
}

/* The choice's weight; -1: it does not fit */
static long long choose(struct demand *d, long long bound, int questions, int *is_optimal)
{
	struct choice choice = {
		.nr_events = d->nr, .weights = d->weights, .fits = fits_demand, .arg = d,
		.bound = bound, .questions = questions,
	};
	unsigned char chosen[MAX_EVENTS];
	long long sum = 0;
	int i;

	d->asked = 0;
	assert_int_equal(assign_choose(&choice, chosen, is_optimal), 0);
	assert_true(d->asked <= questions);
	for (i = 0; i < d->nr; i++)
		sum += chosen[i] * d->weights[i];
	return fits_demand(d, chosen) == 1 ? sum : -1;
}

static void test_choice(void **state)
{
	int number, is_optimal, early = 0, greedy_wrong = 0, given_up = 0;
	long long best, sum;
	struct demand d;

	for (number = 0; number < NR_CASES; number++) {
		draw_demand(&d, number);
		best = best_demand(&d);
		assert_int_equal(choose(&d, 1000, 1000, &is_optimal), best);
		assert_true(is_optimal);
		/* With a bound that is reached, no further question is asked. */
		assert_int_equal(choose(&d, best, 1000, &is_optimal), best);
		assert_true(is_optimal);
		early += d.asked <= d.nr;
		/* With as many questions as events: the heaviest first */
		sum = choose(&d, 1000, d.nr, &is_optimal);
		assert_true(sum >= 0 && sum <= best);
		greedy_wrong += sum < best;
		given_up += !is_optimal;
		assert_true(sum == best || !is_optimal);
	}
	/* These cases are no matroids, and the questions do matter. */
	assert_true(greedy_wrong > NR_CASES / 20);
	assert_true(given_up > greedy_wrong);
	assert_true(early > NR_CASES / 2);
}

static void test_choice_fails(void **state)
{
	struct demand d = { .nr = 3, .weights = { 1, 1, 1 }, .enemy = { 0, 1, 2 }, .fail_at = 2 };
	struct choice choice = {
		.nr_events = 3, .weights = d.weights, .fits = fits_demand, .arg = &d,
		.bound = 3, .questions = 100,
	};
	unsigned char chosen[3];
	int is_optimal;

	assert_int_equal(assign_choose(&choice, chosen, &is_optimal), -1);
	assert_false(is_optimal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_check_notices),
		cmocka_unit_test(test_optimal),
		cmocka_unit_test(test_cardinality),
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_choice),
		cmocka_unit_test(test_choice_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
