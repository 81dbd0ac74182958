// SPDX-License-Identifier: GPL-2.0
/* The slots that are counted on each core type, and the values computed from the counts. */
#include "topdown/topdown.h"
#include "unit.h"

#define ATOM	0x20
#define MTL	0xaa
#define CORE	0x40

/* Alder Lake, Sapphire Rapids, Ice Lake, Alder Lake-N, Skylake. */
#define ADL	0x97
#define SPR	0x8f
#define ICL	0x7e
#define ADL_N	0xbe
#define SKL	0x5e

static void known_models(void **unused)
{
	const struct topdown_model *p = topdown_model(6, ADL, CORE);
	const struct topdown_model *e = topdown_model(6, ADL, ATOM);

	assert_non_null(p);
	assert_non_null(e);
	assert_ptr_not_equal(p, e);
	assert_ptr_equal(topdown_model(6, SPR, 0), p);
	assert_ptr_equal(topdown_model(6, ADL_N, ATOM), e);
	/* Crestmont */
	assert_non_null(strstr(topdown_model(6, MTL, ATOM)->events, "ev=0x72:"));
	assert_non_null(strstr(e->events, "ev=0xc2:"));
	assert_non_null(topdown_model(6, ICL, 0));
	assert_ptr_not_equal(topdown_model(6, ICL, 0), p);

	assert_null(topdown_model(6, SPR, ATOM));
	assert_null(topdown_model(6, ADL_N, CORE));
	assert_null(topdown_model(6, ADL, 0x10));
	assert_null(topdown_model(6, SKL, 0));
	assert_null(topdown_model(15, ADL, CORE));
}

static void check(const struct topdown_model *m, const u64 *counts, u64 retiring,
		  u64 bad_speculation, u64 frontend, u64 backend)
{
	u64 ratios[TOPDOWN_PARTS];

	assert_true(topdown_ratios(m, counts, ratios));
	assert_int_equal(ratios[TOPDOWN_RETIRING], retiring);
	assert_int_equal(ratios[TOPDOWN_BAD_SPECULATION], bad_speculation);
	assert_int_equal(ratios[TOPDOWN_FRONTEND_BOUND], frontend);
	assert_int_equal(ratios[TOPDOWN_BACKEND_BOUND], backend);
}

static void ratios(void **unused)
{
	/* slots, retired, bad speculation, backend */
	static const u64 p[] = { 6000, 3000, 600, 1200 };
	/* slots, retired, frontend, backend */
	static const u64 icl[] = { 5000, 1000, 2000, 500 };
	/* retired, bad speculation, frontend, backend */
	static const u64 e[] = { 500, 100, 150, 250 };

	check(topdown_model(6, ADL, CORE), p, 500, 100, 200, 200);
	check(topdown_model(6, ICL, 0), icl, 200, 300, 400, 100);
	check(topdown_model(6, ADL, ATOM), e, 500, 100, 150, 250);
}

static void odd_counts(void **unused)
{
	static const u64 nothing[4], too_many[] = { 990, 500, 100, 400 };
	static const u64 only_slots[] = { 6000, 0, 0, 0 };
	static const u64 huge[] = { 1ULL << 48, 1ULL << 47, 0, 1ULL << 46 };
	const struct topdown_model *p = topdown_model(6, ADL, CORE);
	u64 untouched[TOPDOWN_PARTS] = { 1, 2, 3, 4 };

	assert_false(topdown_ratios(p, nothing, untouched));
	assert_false(topdown_ratios(p, only_slots, untouched));
	assert_false(topdown_ratios(topdown_model(6, ADL, ATOM), nothing, untouched));
	assert_int_equal(untouched[0] + untouched[3], 5);
	check(p, too_many, 500, 100, 0, 400);
	check(p, huge, 500, 0, 250, 250);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_models),
		cmocka_unit_test(ratios),
		cmocka_unit_test(odd_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
