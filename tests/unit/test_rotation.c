// SPDX-License-Identifier: GPL-2.0
/* Can the event sets of two sessions count one thread? */
#include <linux/bitops.h>
#include "engine/evset_counters.h"
#include "pmu/event_set.h"
#include "unit.h"

#define SETS_MAX	2

/* One core type's event sets, each of one event. */
struct sets {
	struct pmc_rotation rot;
	struct pmc_evset *list[SETS_MAX];
	struct pmc_evset set[SETS_MAX];
};

static void add(struct sets *s, unsigned int slot, u64 config, u64 extra, u64 ebs)
{
	struct pmc_evset *set = &s->set[s->rot.nr];

	assert_in_range(s->rot.nr, 0, SETS_MAX - 1);
	set->nr_hw = 1;
	set->hw[0] = (struct pmc_hw_event){
		.slot = slot, .config = config, .extra = extra, .ebs = ebs,
	};
	s->list[s->rot.nr++] = set;
	s->rot.sets = s->list;
	pmc_rotation_sum_up(&s->rot);
}

static struct sets *one(unsigned int slot, u64 config, u64 extra, u64 ebs)
{
	struct sets *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	add(s, slot, config, extra, ebs);
	return s;
}

/* The contested slot, asked for in both orders. */
static int contested(struct sets *a, struct sets *b)
{
	int slot = pmc_contested_slot(&a->rot, &b->rot);

	assert_int_equal(pmc_contested_slot(&b->rot, &a->rot), slot);
	assert_int_equal(pmc_rotations_conflict(&a->rot, &b->rot, 1), slot >= 0);
	free(a);
	free(b);
	return slot;
}

static void other_slots(void **state)
{
	assert_int_equal(contested(one(1, 0x8, 0, 0), one(2, 0x11, 0, 0)), -1);
}

static void one_event_is_shared(void **state)
{
	assert_int_equal(contested(one(3, 0x8, 0, 0), one(3, 0x8, 0, 0)), -1);
	assert_int_equal(contested(one(63, 0x8, 5, 0), one(63, 0x8, 5, 0)), -1);
}

static void two_events(void **state)
{
	assert_int_equal(contested(one(3, 0x8, 0, 0), one(3, 0x11, 0, 0)), 3);
	assert_int_equal(contested(one(63, 0x8, 5, 0), one(63, 0x8, 6, 0)), 63);
}

static void sampling_periods(void **state)
{
	assert_int_equal(contested(one(3, 0x8, 0, 1000), one(3, 0x8, 0, 0)), 3);
	assert_int_equal(contested(one(3, 0x8, 0, 1000), one(3, 0x8, 0, 1000)), 3);
	assert_int_equal(contested(one(3, 0x8, 0, 1000), one(4, 0x8, 0, 0)), -1);
}

/* A slot that counts two events by turns is nobody else's, not even for one of them. */
static void turns(void **state)
{
	struct sets *a = one(3, 0x8, 0, 0);

	add(a, 3, 0x11, 0, 0);
	assert_int_equal(contested(a, one(3, 0x11, 0, 0)), 3);
	a = one(3, 0x8, 0, 0);
	add(a, 3, 0x8, 0, 0);
	assert_int_equal(contested(a, one(3, 0x8, 0, 0)), -1);
	a = one(3, 0x8, 0, 0);
	add(a, 4, 0x11, 0, 0);
	assert_int_equal(contested(a, one(4, 0x11, 0, 0)), -1);
}

static void sum_of_sets(void **state)
{
	struct sets *a = one(3, 0x8, 0, 0);

	add(a, 5, 0x11, 0, 100);
	assert_int_equal(a->rot.used, BIT_ULL(3) | BIT_ULL(5));
	assert_int_equal(a->rot.exclusive, BIT_ULL(5));
	assert_true(pmc_rotation_counts(&a->rot, 3, 0x8, 0));
	assert_false(pmc_rotation_counts(&a->rot, 3, 0x8, 1));
	free(a);
}

/* Each core type is compared with itself. */
static void core_types(void **state)
{
	struct sets *big = one(3, 0x8, 0, 0), *little = one(4, 0x8, 0, 0);
	struct sets *big_too = one(4, 0x11, 0, 0), *little_too = one(4, 0x12, 0, 0);
	const struct pmc_rotation a[] = { big->rot, little->rot };
	const struct pmc_rotation b[] = { big_too->rot, little_too->rot };

	assert_false(pmc_rotations_conflict(a, b, 1));
	assert_true(pmc_rotations_conflict(a, b, 2));
	free(big);
	free(little);
	free(big_too);
	free(little_too);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_slots),
		cmocka_unit_test(one_event_is_shared),
		cmocka_unit_test(two_events),
		cmocka_unit_test(sampling_periods),
		cmocka_unit_test(turns),
		cmocka_unit_test(sum_of_sets),
		cmocka_unit_test(core_types),
	};

	return cmocka_run_group_tests_name("rotation", tests, NULL, NULL);
}
