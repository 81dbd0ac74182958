// SPDX-License-Identifier: GPL-2.0
/*
 * The cmt module: its allocation of RMIDs, compared with a simple list; its 64-bit
 * counters; and which processors count wrong, or share registers.
 */
#include "cmt/errata.h"
#include "cmt/mbm_extend.h"
#include "cmt/rmid.h"
#include "unit.h"

#define NR	40

static struct rmid_pool *new_pool(u32 nr, enum rmid_policy policy)
{
	struct rmid_pool *pool = malloc(rmid_pool_size(nr));

	assert_non_null(pool);
	rmid_pool_init(pool, nr, policy, 12345);
	return pool;
}

/* ---- RMIDs ---- */

static void all_but_rmid_0(void **unused)
{
	static const enum rmid_policy policies[] = { RMID_FIFO, RMID_LIFO, RMID_RANDOM };
	bool seen[NR];
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(policies); i++) {
		struct rmid_pool *pool = new_pool(NR, policies[i]);

		memset(seen, 0, sizeof(seen));
		for (n = 1; n < NR; n++) {
			u32 rmid = rmid_get(pool);

			assert_in_range(rmid, 1, NR - 1);
			assert_false(seen[rmid]);
			seen[rmid] = true;
			assert_int_equal(pool->nr_free, NR - 1 - n);
		}
		assert_int_equal(rmid_get(pool), 0);
		assert_int_equal(pool->nr_limbo, 0);
		free(pool);
	}
}

/* Put these RMIDs into limbo and release them, in this order. */
static void put_and_release(struct rmid_pool *pool, const u32 *rmids, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		rmid_put(pool, rmids[i]);
		rmid_release(pool, rmids[i]);
	}
}

static void the_policy_decides(void **unused)
{
	static const u32 order[] = { 3, 1, 4, 2 };
	struct rmid_pool *pool = new_pool(5, RMID_FIFO);
	int i, differs = 0;

	while (rmid_get(pool))
		;
	put_and_release(pool, order, 4);
	for (i = 0; i < 4; i++)
		assert_int_equal(rmid_get(pool), order[i]);

	put_and_release(pool, order, 4);
	pool->policy = RMID_LIFO;
	for (i = 3; i >= 0; i--)
		assert_int_equal(rmid_get(pool), order[i]);

	pool->policy = RMID_RANDOM;
	for (i = 0; i < 100; i++) {
		u32 first;

		put_and_release(pool, order, 4);
		first = rmid_get(pool);
		differs += first != order[0] && first != order[3];
		while (rmid_get(pool))
			;
	}
	/* Half of them are neither first nor last. */
	assert_in_range(differs, 30, 70);
	free(pool);
}

static void limbo_is_in_order(void **unused)
{
	struct rmid_pool *pool = new_pool(6, RMID_FIFO);

	assert_int_equal(rmid_limbo_next(pool, 0), 0);
	while (rmid_get(pool))
		;
	rmid_put(pool, 4);
	rmid_put(pool, 2);
	rmid_put(pool, 5);
	assert_int_equal(rmid_get(pool), 0);
	assert_int_equal(pool->nr_limbo, 3);
	assert_int_equal(rmid_limbo_next(pool, 0), 4);
	assert_int_equal(rmid_limbo_next(pool, 4), 2);
	assert_int_equal(rmid_limbo_next(pool, 2), 5);
	assert_int_equal(rmid_limbo_next(pool, 5), 0);

	/* RMIDs are allocated again in the order in which they left limbo. */
	rmid_release(pool, 2);
	rmid_release(pool, 4);
	assert_int_equal(rmid_limbo_next(pool, 0), 5);
	assert_int_equal(pool->nr_limbo, 1);
	assert_int_equal(pool->nr_free, 2);
	assert_int_equal(rmid_get(pool), 2);
	assert_int_equal(rmid_get(pool), 4);
	assert_int_equal(rmid_get(pool), 0);
	free(pool);
}

/* A list of RMIDs, oldest first. */
struct list {
	u32 rmid[NR];
	u32 nr;
};

static void list_add(struct list *l, u32 rmid)
{
	l->rmid[l->nr++] = rmid;
}

static void list_take(struct list *l, u32 i)
{
	memmove(&l->rmid[i], &l->rmid[i + 1], (l->nr - i - 1) * sizeof(u32));
	l->nr--;
}

static u32 list_find(const struct list *l, u32 rmid)
{
	u32 i;

	for (i = 0; i < l->nr && l->rmid[i] != rmid; i++)
		;
	assert_true(i < l->nr);
	return i;
}

/* Processes come and go at random, under a policy that changes. */
static void random_use(void **unused)
{
	struct list idle = {}, used = {}, limbo = {};
	struct rmid_pool *pool = new_pool(NR, RMID_FIFO);
	u64 seed = 4711;
	u32 i, rmid;
	int round;

	for (i = 1; i < NR; i++)
		list_add(&idle, i);
	for (round = 0; round < 100000; round++) {
		u32 what = next_random(&seed) >> 60;

		if (what < 6) {
			pool->policy = (next_random(&seed) >> 32) % 3;
			rmid = rmid_get(pool);
			if (!idle.nr) {
				assert_int_equal(rmid, 0);
				continue;
			}
			i = list_find(&idle, rmid);
			if (pool->policy == RMID_FIFO)
				assert_int_equal(i, 0);
			else if (pool->policy == RMID_LIFO)
				assert_int_equal(i, idle.nr - 1);
			list_take(&idle, i);
			list_add(&used, rmid);
		} else if (what < 11 && used.nr) {
			i = (next_random(&seed) >> 32) % used.nr;
			rmid_put(pool, used.rmid[i]);
			list_add(&limbo, used.rmid[i]);
			list_take(&used, i);
		} else if (limbo.nr) {
			i = (next_random(&seed) >> 32) % limbo.nr;
			rmid_release(pool, limbo.rmid[i]);
			list_add(&idle, limbo.rmid[i]);
			list_take(&limbo, i);
		}
		assert_int_equal(pool->nr_free, idle.nr);
		assert_int_equal(pool->nr_limbo, limbo.nr);
		for (i = 0, rmid = 0; i < limbo.nr; i++) {
			rmid = rmid_limbo_next(pool, rmid);
			assert_int_equal(rmid, limbo.rmid[i]);
		}
		assert_int_equal(rmid_limbo_next(pool, rmid), 0);
	}
	free(pool);
}

/* ---- counters ---- */

#define MASK	0xffffff	/* 24 bits */

static u64 value(struct cmt_counter *c, u64 raw)
{
	struct cmt_count state = cmt_counter_state(c);
	u64 v = ~0ULL;

	assert_true(cmt_counter_value(c, &state, raw, MASK, &v));
	return v;
}

static void no_value(struct cmt_counter *c, u64 raw)
{
	struct cmt_count state = cmt_counter_state(c);
	u64 v = 4711;

	assert_false(cmt_counter_value(c, &state, raw, MASK, &v));
	assert_int_equal(v, 4711);
}

static void counts_past_its_bits(void **unused)
{
	u64 truth = 0, raw = 0xfffff0, seed = 99;
	struct cmt_counter c;
	int i;

	cmt_counter_begin(&c, raw);
	assert_int_equal(value(&c, raw), 0);
	assert_int_equal(value(&c, 0x10), 0x20);
	for (i = 0; i < 10000; i++) {
		u64 more = next_random(&seed) & MASK;

		truth += more;
		raw = (raw + more) & MASK;
		assert_int_equal(value(&c, raw), truth);
		cmt_counter_follow(&c, raw, MASK);
		assert_int_equal(value(&c, raw), truth);
	}
	assert_true(truth > 1ULL << 32);
}

static void reads_across_a_look(void **unused)
{
	struct cmt_count before;
	struct cmt_counter c;
	u64 v = 0;

	cmt_counter_begin(&c, 100);
	before = cmt_counter_state(&c);
	/* In between, another reader updates the counter. */
	cmt_counter_follow(&c, 150, MASK);
	assert_true(cmt_counter_value(&c, &before, 160, MASK, &v));
	assert_int_equal(v, 60);
	assert_int_equal(value(&c, 160), 60);
}

static void begins_again_when_it_was_interrupted(void **unused)
{
	struct cmt_counter c;

	/* The counter was never used, so it begins with 0. */
	cmt_counter_begin(&c, CMT_UNAVAILABLE);
	assert_int_equal(value(&c, CMT_UNAVAILABLE), 0);
	assert_int_equal(value(&c, 5), 5);
	cmt_counter_follow(&c, 1000, MASK);

	/* The writer finds the counter unavailable. */
	cmt_counter_follow(&c, CMT_UNAVAILABLE, MASK);
	assert_int_equal(value(&c, CMT_UNAVAILABLE), 1000);
	cmt_counter_follow(&c, CMT_UNAVAILABLE, MASK);
	cmt_counter_follow(&c, 7, MASK);
	assert_int_equal(value(&c, 8), 1008);

	/* A reader finds it unavailable, and the writer does not. */
	no_value(&c, CMT_UNAVAILABLE);
	no_value(&c, 3);
	cmt_counter_follow(&c, 4, MASK);
	assert_int_equal(value(&c, 6), 1007 + 6);
}

/* An NMI cannot read: the counter is as it was. */
static void busy_changes_nothing(void **unused)
{
	struct cmt_counter c;

	cmt_counter_begin(&c, 0);
	no_value(&c, CMT_BUSY);
	assert_int_equal(value(&c, CMT_UNAVAILABLE), 0);
	cmt_counter_follow(&c, 100, MASK);
	no_value(&c, CMT_BUSY);
	assert_int_equal(value(&c, 150), 150);
	cmt_counter_follow(&c, 160, MASK);
	assert_int_equal(value(&c, 160), 160);
}

static void does_not_fall(void **unused)
{
	struct cmt_counter c;

	cmt_counter_begin(&c, 0);
	cmt_counter_follow(&c, 100, MASK);
	assert_int_equal(value(&c, 150), 150);
	/* Read from afar, where the register is not known */
	assert_int_equal(cmt_counter_report(&c, cmt_counter_state(&c).before), 150);

	/* An interruption loses the traffic since the last look. */
	no_value(&c, CMT_UNAVAILABLE);
	cmt_counter_follow(&c, 10, MASK);
	assert_int_equal(value(&c, 20), 150);
	assert_int_equal(value(&c, 60), 160);
}

/* A thread that begins between an interruption and the next look begins with what is known. */
static void so_far_beside_an_interruption(void **unused)
{
	struct cmt_counter c;
	struct cmt_count state;

	cmt_counter_begin(&c, 0);
	cmt_counter_follow(&c, 1000, MASK);
	state = cmt_counter_state(&c);
	assert_int_equal(cmt_counter_so_far(&c, &state, 1200, MASK), 1200);
	no_value(&c, CMT_UNAVAILABLE);
	assert_int_equal(cmt_counter_so_far(&c, &state, 10, MASK), 1200);
	assert_true(cmt_counter_is_state(&c, &state));
	cmt_counter_follow(&c, 20, MASK);
	assert_false(cmt_counter_is_state(&c, &state));
	assert_int_equal(value(&c, 30), 1200);
	assert_int_equal(value(&c, 330), 1330);

	/* It is the first to see the interruption. */
	state = cmt_counter_state(&c);
	assert_int_equal(cmt_counter_so_far(&c, &state, CMT_UNAVAILABLE, MASK), 1330);
	cmt_counter_follow(&c, 5, MASK);
	assert_int_equal(value(&c, 405), 1425);
}

static void goes_on_after_a_reset(void **unused)
{
	struct cmt_counter c;

	cmt_counter_begin(&c, 100);
	cmt_counter_follow(&c, 150, MASK);
	cmt_counter_resume(&c, CMT_UNAVAILABLE);
	assert_int_equal(value(&c, CMT_UNAVAILABLE), 50);
	assert_int_equal(value(&c, 3), 53);
	cmt_counter_follow(&c, 5, MASK);

	/* The counter has kept its value, or a higher one. */
	cmt_counter_resume(&c, 1000);
	assert_int_equal(value(&c, 1000), 55);
	assert_int_equal(value(&c, 1001), 56);

	/* A reader has found the counter unavailable, so its next value is a new beginning. */
	no_value(&c, CMT_UNAVAILABLE);
	cmt_counter_resume(&c, 2);
	assert_int_equal(value(&c, 4), 57);
}

/* ---- errata ---- */

#define BROADWELL_X	0x4f
#define SKYLAKE_X	0x55
#define ICE_LAKE_X	0x6a

static void only_some_processors_are_wrong(void **unused)
{
	struct cmt_errata e = cmt_errata_of(SKYLAKE_X, 4, 224);

	assert_true(e.monitoring && e.allocation);
	e = cmt_errata_of(SKYLAKE_X, 5, 224);
	assert_true(!e.monitoring && e.allocation && e.above);
	e = cmt_errata_of(BROADWELL_X, 1, 48);
	assert_true(!e.monitoring && !e.allocation && e.above);
	e = cmt_errata_of(ICE_LAKE_X, 4, 224);
	assert_true(!e.monitoring && !e.allocation && !e.above);
	/* Model 0x55 of another vendor or family */
	e = cmt_errata_of(0, 4, 224);
	assert_true(!e.monitoring && !e.allocation && !e.above);
	/* A number of cores for which there is no correction */
	e = cmt_errata_of(SKYLAKE_X, 7, 400);
	assert_int_equal(e.above, 0);
}

static void only_some_of_amds_share_a_pair(void **unused)
{
	/* Zen 2; Zen 3 */
	assert_true(cmt_pair_shared(0x17, 0x31));
	assert_true(cmt_pair_shared(0x19, 0x01));
	assert_true(cmt_pair_shared(0x19, 0x21));
	assert_true(cmt_pair_shared(0x19, 0x50));
	/* Zen; Zen 4, 4c; Zen 5 */
	assert_false(cmt_pair_shared(0x17, 0x01));
	assert_false(cmt_pair_shared(0x19, 0x11));
	assert_false(cmt_pair_shared(0x19, 0x61));
	assert_false(cmt_pair_shared(0x19, 0x78));
	assert_false(cmt_pair_shared(0x1a, 0x02));
}

static u64 corrected(u32 nr_rmids, u32 rmid, u64 traffic)
{
	struct cmt_errata e = cmt_errata_of(BROADWELL_X, 1, nr_rmids);

	return cmt_errata_correct(&e, rmid, traffic);
}

static void some_traffic_is_corrected(void **unused)
{
	u64 traffic = 0, before = 0, now, seed = 5;
	int i;

	/* From the first to the last, of 3 and of 28 cores */
	assert_int_equal(corrected(24, 15, 1000000), 1000000);
	assert_int_equal(corrected(24, 16, 1000000), 969650);
	assert_int_equal(corrected(224, 191, 1000000), 1000000);
	assert_int_equal(corrected(224, 192, 1000000), 1143118);
	assert_int_equal(corrected(88, 80, 3), 4);
	/* With 12 cores the counts are right. */
	assert_int_equal(corrected(96, 95, 1000000), 1000000);
	/* As much as was ever counted, to the byte */
	assert_int_equal(corrected(56, 48, 1ULL << 60), 1317624411990467314);

	/* The reported value never decreases. */
	for (i = 0; i < 10000; i++) {
		traffic += next_random(&seed) >> 42;
		now = corrected(192, 128, traffic);
		assert_true(now >= before);
		before = now;
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_but_rmid_0),
		cmocka_unit_test(the_policy_decides),
		cmocka_unit_test(limbo_is_in_order),
		cmocka_unit_test(random_use),
		cmocka_unit_test(counts_past_its_bits),
		cmocka_unit_test(reads_across_a_look),
		cmocka_unit_test(begins_again_when_it_was_interrupted),
		cmocka_unit_test(busy_changes_nothing),
		cmocka_unit_test(does_not_fall),
		cmocka_unit_test(so_far_beside_an_interruption),
		cmocka_unit_test(goes_on_after_a_reset),
		cmocka_unit_test(only_some_processors_are_wrong),
		cmocka_unit_test(only_some_of_amds_share_a_pair),
		cmocka_unit_test(some_traffic_is_corrected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
