// SPDX-License-Identifier: GPL-2.0
/*
 * Encoding for ARMv8: register values and counters, from the architecture's manual. Events
 * are given as text and parsed.
 */
#include "encode.h"
#include "pmu/arm/armv8_encode.h"

/* Six event counters: pmc1-pmc6. */
static const struct pmc_armv8_layout a72 = {
	.nr_events = 6,
	.evt_bits = 10,
	.has_pmceid = true,
	/* 0x00-0x1e but not 0x0c; 0x20 only; nothing from 0x4000 on */
	.pmceid = { 0x7fffefff, 0x1 },
};

static const struct pmc_armv8_layout vhe = {
	.nr_events = 6,
	.evt_bits = 16,
	.hyp = true,
};

#define P_BIT	0x80000000ULL
#define U_BIT	0x40000000ULL
#define NSH_BIT	0x08000000ULL

static int encode(const void *layout, const struct pmc_evreq *req, bool user,
		  bool kernel, u64 *config, u64 *slots, struct pmc_err *err)
{
	return pmc_armv8_encode(layout, req, user, kernel, config, slots, err);
}

static void register_values(void **state)
{
	static const struct encoded cases[] = {
		/* the cycle counter, and the only one for cycles */
		{ &a72, "pmc0", U, P_BIT | 0x11, 0x01 },
		{ &a72, "pmc0=0x11", U, P_BIT | 0x11, 0x01 },
		{ &a72, "pmc0,ebs0=1000", U, P_BIT | 0x11, 0x01 },
		{ &a72, "ev=0x11", U, P_BIT | 0x11, 0x01 },
		/* requested by another number */
		{ &a72, "pmc1=0x11", U, P_BIT | 0x11, 0x02 },
		{ &a72, "pmc6=0x11,ebs6=1000", K, U_BIT | 0x11, 0x40 },
		/* event counters */
		{ &a72, "pmc1=0x8", U, P_BIT | 0x08, 0x02 },
		{ &a72, "pmc6=0x3ff", U, P_BIT | 0x3ff, 0x40 },
		{ &a72, "ev=0x8", U, P_BIT | 0x08, 0x7e },
		{ &a72, "ev=0", U, P_BIT, 0x7e },
		{ &a72, "ev=8:ebs=0xffffffff", U, P_BIT | 0x08, 0x7e },
		/* modes, with the kernel at EL1 */
		{ &a72, "ev=8", K, U_BIT | 0x08, 0x7e },
		{ &a72, "ev=8", U | K, 0x08, 0x7e },
		{ &a72, "ev=8:u", U | K, P_BIT | 0x08, 0x7e },
		{ &a72, "ev=8:k", U, U_BIT | 0x08, 0x7e },
		{ &a72, "ev=8:u:k", U, 0x08, 0x7e },
		{ &a72, "pmc1=8,usr1=1,os1=0", K, P_BIT | 0x08, 0x02 },
		{ &a72, "pmc1=8,usr1=0,os1=1", U, U_BIT | 0x08, 0x02 },
		{ &a72, "pmc0,os0=1", U, U_BIT | 0x11, 0x01 },
		/* modes, with the kernel at EL2: EL1 belongs to guests and is never counted */
		{ &vhe, "ev=8", U, P_BIT | 0x08, 0x7e },
		{ &vhe, "ev=8", K, P_BIT | U_BIT | NSH_BIT | 0x08, 0x7e },
		{ &vhe, "ev=8", U | K, P_BIT | NSH_BIT | 0x08, 0x7e },
		{ &vhe, "pmc0,usr0=1,os0=1", U, P_BIT | NSH_BIT | 0x11, 0x01 },
		/* 16-bit event numbers */
		{ &vhe, "ev=0xffff", U, P_BIT | 0xffff, 0x7e },
		{ &vhe, "ev=0x4004", U, P_BIT | 0x4004, 0x7e },
	};

	check_encoded(encode, cases, ARRAY_SIZE(cases));
}

static void errors(void **state)
{
	static const struct refused cases[] = {
		{ &a72, "pmc7=8", U, "pmc7: the counters of this core type are pmc0 to pmc6" },
		{ &a72, "pmc63=8", U, "are pmc0 to pmc6" },
		{ &a72, "pmc1", U, "pmc1 needs an event code, as in pmc1=0x8" },
		{ &a72, "pmc0=0x8", U, "pmc0 counts cycles (0x11) only, not event 0x8: use ev=0x8" },
		{ &a72, "ev=8:umask=1", U, "umask means nothing on ARMv8" },
		{ &a72, "ev=8:cmask=1", U, "cmask means nothing on ARMv8" },
		{ &a72, "ev=8:edge", U, "edge means nothing on ARMv8" },
		{ &a72, "ev=8:inv", U, "inv means nothing on ARMv8" },
		{ &a72, "ev=8:any", U, "any means nothing on ARMv8" },
		{ &a72, "ev=8:extra=1", U, "extra means nothing on ARMv8" },
		{ &a72, "pmc9,any9=1", U, "any means nothing on ARMv8" },
		{ &a72, "ev=0x400", U, "event 0x400: event numbers of this core type end at 0x3ff" },
		{ &vhe, "ev=0x10000", U, "end at 0xffff" },
		{ &vhe, "ev=0x100000008", U, "event 0x100000008" },
		{ &vhe, "ev=0xffffffffffffffff", U, "event 0xffffffffffffffff" },
		{ &a72, "ev=0x1e", U, "event 0x1e (CHAIN)" },
		{ &vhe, "pmc1=0x1e", U, "event 0x1e (CHAIN)" },
		{ &a72, "ev=0xc", U, "event 0xc is not implemented" },
		{ &a72, "pmc2=0x21", U, "event 0x21 is not implemented" },
		{ &vhe, "ev=8", 0, "neither in user mode nor in the kernel" },
		{ &a72, "pmc0,usr0=0", U, "neither in user mode nor" },
		{ &a72, "pmc1=8,usr1=0,os1=0", U | K, "neither in user mode nor" },
	};

	check_refused(encode, cases, ARRAY_SIZE(cases));
}

/* The counter behind a number: cycles are the cycle counter's. */
static void serving_counters(void **state)
{
	assert_int_equal(pmc_arm_serving_slot(0, P_BIT | 0x11), 0);
	assert_int_equal(pmc_arm_serving_slot(1, P_BIT | 0x11), 0);
	assert_int_equal(pmc_arm_serving_slot(6, P_BIT | U_BIT | NSH_BIT | 0x11), 0);
	assert_int_equal(pmc_arm_serving_slot(1, P_BIT | 0x8), 1);
	assert_int_equal(pmc_arm_serving_slot(6, 0x4011), 6);
	assert_int_equal(pmc_arm_serving_slot(6, 0x111), 6);
}

/* Each bit of the two registers stands for exactly one event. */
static void implemented_events(void **state)
{
	static const unsigned int base[2][2] = {
		{ 0x00, 0x4000 }, { 0x20, 0x4020 },
	};
	unsigned int reg, bit;

	for (reg = 0; reg < 2; reg++) {
		for (bit = 0; bit < 64; bit++) {
			struct pmc_armv8_layout layout = { .has_pmceid = true };
			unsigned int want = base[reg][bit / 32] + bit % 32;
			u64 code;

			layout.pmceid[reg] = 1ULL << bit;
			for (code = 0; code < 0x40; code++)
				assert_int_equal(pmc_armv8_has_event(&layout, code),
						 code == want);
			for (code = 0x4000; code < 0x4040; code++)
				assert_int_equal(pmc_armv8_has_event(&layout, code),
						 code == want);
		}
	}
}

static void other_events_are_taken_on_trust(void **state)
{
	static const u64 codes[] = { 0x40, 0x80, 0x3fff, 0x4040, 0xffff };
	static const struct pmc_armv8_layout none = { .has_pmceid = true };
	static const struct pmc_armv8_layout unknown;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(codes); i++)
		assert_true(pmc_armv8_has_event(&none, codes[i]));
	assert_false(pmc_armv8_has_event(&none, 0x8));
	assert_true(pmc_armv8_has_event(&unknown, 0x8));
}

/* As many counters as the architecture allows. */
static void the_largest_layout(void **state)
{
	static const struct pmc_armv8_layout largest = {
		.nr_events = 31, .evt_bits = 16,
	};
	static const struct encoded cases[] = {
		{ &largest, "ev=0x11", U, P_BIT | 0x11, 0x1 },
		{ &largest, "ev=0x8", U, P_BIT | 0x08, 0xfffffffe },
		{ &largest, "pmc31=0x8", U, P_BIT | 0x08, 0x80000000 },
	};
	static const struct refused others[] = {
		{ &largest, "pmc32=0x8", U, "are pmc0 to pmc31" },
	};

	check_encoded(encode, cases, ARRAY_SIZE(cases));
	check_refused(encode, others, ARRAY_SIZE(others));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(register_values),
		cmocka_unit_test(errors),
		cmocka_unit_test(serving_counters),
		cmocka_unit_test(implemented_events),
		cmocka_unit_test(other_events_are_taken_on_trust),
		cmocka_unit_test(the_largest_layout),
	};

	return cmocka_run_group_tests_name("armv8_encode", tests, NULL, NULL);
}
