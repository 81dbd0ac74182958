// SPDX-License-Identifier: GPL-2.0
/*
 * Presets of floating-point instructions and operations have exact values, of all core types or
 * of one. They are missing where a core type has no such event.
 */
#include <string.h>

#include "fp_work.h"
#include "papi_calls.h"

#define ROUNDS	1000L

struct preset {
	const char *name;
	int expected;	/* in a round, or MISSING */
	int avx;	/* in a round of the other loop, which has fused multiply-adds */
};

#define MISSING (-1)

#ifdef __aarch64__
static const struct preset spec[] = {
	{ "PAPI_FP_INS", FP_SCALAR, 0 },
	{ "PAPI_VEC_INS", FP_VECTOR, 0 },
	{ NULL, 0, 0 },
};
#else
/* Presets are what the counters have: a fused multiply-add counts twice, for two operations. */
static const struct preset core[] = {
	{ "PAPI_FP_INS", FP_SCALAR_DOUBLE + FP_SCALAR_SINGLE + FP_128_DOUBLE + FP_128_SINGLE,
	  FP_AVX_SCALAR_DOUBLE + FP_AVX_SCALAR_SINGLE + FP_AVX_256_DOUBLE + FP_AVX_256_SINGLE },
	{ "PAPI_FP_OPS",
	  FP_SCALAR_DOUBLE + FP_SCALAR_SINGLE + 2 * FP_128_DOUBLE + 4 * FP_128_SINGLE,
	  FP_AVX_SCALAR_DOUBLE + FP_AVX_SCALAR_SINGLE + 4 * FP_AVX_256_DOUBLE +
	  8 * FP_AVX_256_SINGLE },
	{ "PAPI_SP_OPS", FP_SCALAR_SINGLE + 4 * FP_128_SINGLE,
	  FP_AVX_SCALAR_SINGLE + 8 * FP_AVX_256_SINGLE },
	{ "PAPI_DP_OPS", FP_SCALAR_DOUBLE + 2 * FP_128_DOUBLE,
	  FP_AVX_SCALAR_DOUBLE + 4 * FP_AVX_256_DOUBLE },
	{ "PAPI_VEC_INS", FP_128_DOUBLE + FP_128_SINGLE, FP_AVX_256_DOUBLE + FP_AVX_256_SINGLE },
	{ "PAPI_VEC_SP", FP_128_SINGLE, FP_AVX_256_SINGLE },
	{ "PAPI_VEC_DP", FP_128_DOUBLE, FP_AVX_256_DOUBLE },
	{ NULL, 0, 0 },
};

/* Zen counts a fused multiply-add once, as neither an addition nor a multiplication. */
static const struct preset zen[] = {
	{ "PAPI_FP_INS", FP_SCALAR + FP_VECTOR, 5 },
	{ "PAPI_FAD_INS", FP_SCALAR_ADD + FP_SCALAR_SUB + FP_VECTOR_ADD, 2 },
	{ "PAPI_FML_INS", FP_SCALAR_MUL + FP_VECTOR_MUL, 1 },
	{ "PAPI_FMA_INS", 0, FP_AVX_SCALAR_MAC + FP_AVX_VECTOR_MAC },
	{ "PAPI_FDV_INS", FP_SCALAR_DIV + FP_VECTOR_DIV, 0 },
	{ "PAPI_FSQ_INS", FP_SCALAR_SQRT, 0 },
	{ "PAPI_VEC_INS", FP_VECTOR, 3 },
	/* The processor joins two counters for the event, which the module does not do. */
	{ "PAPI_FP_OPS", MISSING, MISSING },
	{ NULL, 0, 0 },
};
#endif

/* Core types without presets have no events of this kind. */
static const struct preset *presets_of(const char *pmu)
{
#ifdef __aarch64__
	(void)pmu;
	return spec;
#else
	return !strcmp(pmu, "cpu_core") ? core : !strcmp(pmu, "cpu") ? zen : NULL;
#endif
}

static void measure(const char *name, void (*loop)(long rounds), long expected)
{
	int set = new_set(name);
	long long value;

	OK(PAPI_start(set));
	loop(ROUNDS);
	OK(PAPI_stop(set, &value));
	same(value, expected, "%s", name);
	end_set(set);
}

static void check(const char *name, const struct preset *preset)
{
	int set = PAPI_NULL;

	if (preset->expected != MISSING) {
		measure(name, fp_loop, preset->expected * ROUNDS);
#ifdef __x86_64__
		if (__builtin_cpu_supports("fma"))
			measure(name, fp_avx_loop, preset->avx * ROUNDS);
#endif
		return;
	}
	OK(PAPI_create_eventset(&set));
	CHECK(PAPI_add_named_event(set, name) != PAPI_OK, "%s is there", name);
	end_set(set);
}

static bool all_have_presets(void)
{
	int i;

	for (i = 0; i < nr_core_types; i++)
		if (!presets_of(core_types[i].pmu))
			return false;
	return true;
}

static void check_core_type(const struct core_type *type)
{
	const struct preset *preset = presets_of(type->pmu);
	char name[100];

	pin(0, type->first_cpu);
	printf("%s: %s\n", type->name, preset ? "presets" : "none");
	for (; preset && preset->name; preset++) {
		snprintf(name, sizeof(name), "%.31s::%s", type->name, preset->name);
		check(name, preset);
		if (all_have_presets())
			check(preset->name, preset);
	}
}

int main(void)
{
	int i;

	need_counters();
	begin_papi();
	RETURNS(all_have_presets() ? PAPI_OK : PAPI_ENOEVNT, PAPI_query_event(PAPI_FP_INS));
	for (i = 0; i < nr_core_types; i++)
		check_core_type(&core_types[i]);
	return result();
}
