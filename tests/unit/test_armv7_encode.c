// SPDX-License-Identifier: GPL-2.0
/*
 * Encoding for ARMv7: register values, counters and event lists, from the manuals. Events
 * are given as text and parsed.
 */
#include "encode.h"
#include "pmu/arm/armv7_encode.h"

#define P_BIT	0x80000000ULL
#define U_BIT	0x40000000ULL

/* Four event counters: pmc1-pmc4. */
static const struct pmc_armv7_layout a7 = {
	.nr_events = 4, .events = &pmc_armv7_a7_events,
};

/* Six: pmc1-pmc6. */
static const struct pmc_armv7_layout a15 = {
	.nr_events = 6, .events = &pmc_armv7_a15_events,
};

static const struct pmc_armv7_layout unknown = { .nr_events = 2 };

static int encode(const void *layout, const struct pmc_evreq *req, bool user,
		  bool kernel, u64 *config, u64 *slots, struct pmc_err *err)
{
	return pmc_armv7_encode(layout, req, user, kernel, config, slots, err);
}

static void register_values(void **state)
{
	static const struct encoded cases[] = {
		{ &a15, "pmc0", U, P_BIT | 0x11, 0x01 },
		{ &a15, "pmc0=0x11", U, P_BIT | 0x11, 0x01 },
		{ &a15, "ev=0x11", K, U_BIT | 0x11, 0x01 },
		{ &a15, "pmc1=0x11", U, P_BIT | 0x11, 0x02 },
		{ &a15, "ev=0x8", U, P_BIT | 0x08, 0x7e },
		{ &a15, "ev=0x8", K, U_BIT | 0x08, 0x7e },
		{ &a15, "ev=0x8", U | K, 0x08, 0x7e },
		{ &a15, "ev=0x8:u:k", 0, 0x08, 0x7e },
		{ &a15, "ev=0x8:k:ebs=0xffffffffff", U, U_BIT | 0x08, 0x7e },
		{ &a15, "pmc6=0x7e", U, P_BIT | 0x7e, 0x40 },
		{ &a7, "ev=0x8", U, P_BIT | 0x08, 0x1e },
		{ &a7, "pmc4=0xca", U, P_BIT | 0xca, 0x10 },
		{ &a7, "pmc1=8,usr1=0,os1=1", U, U_BIT | 0x08, 0x02 },
		{ &unknown, "ev=0xff", U, P_BIT | 0xff, 0x06 },
	};

	check_encoded(encode, cases, ARRAY_SIZE(cases));
}

static void errors(void **state)
{
	static const struct refused cases[] = {
		{ &a7, "pmc5=8", U, "pmc5: the counters of this core type are pmc0 to pmc4" },
		{ &a15, "pmc7=8", U, "pmc7: the counters of this core type are pmc0 to pmc6" },
		{ &a7, "pmc1", U, "pmc1 needs an event code, as in pmc1=0x8" },
		{ &a7, "pmc0=8", U, "pmc0 counts cycles (0x11) only, not event 0x8" },
		{ &a7, "ev=8:umask=1", U, "umask means nothing on ARMv7" },
		{ &a7, "ev=8:any", U, "any means nothing on ARMv7" },
		{ &a7, "ev=8:extra=1", U, "extra means nothing on ARMv7" },
		{ &unknown, "ev=0x100", U, "event 0x100: event numbers of this core type end at 0xff" },
		{ &unknown, "ev=0x100000008", U, "event 0x100000008" },
		/* one core type implements it, the other does not */
		{ &a15, "ev=0x0c", U, "event 0xc is not implemented" },
		{ &a15, "ev=0x06", U, "event 0x6 is not implemented" },
		{ &a7, "ev=0x76", U, "event 0x76 is not implemented" },
		{ &a7, "ev=0x1b", U, "event 0x1b is not implemented" },
		{ &a15, "ev=0xc0", U, "event 0xc0 is not implemented" },
		{ &a7, "ev=0xc6", U, "event 0xc6 is not implemented" },
		{ &a7, "ev=8", 0, "neither in user mode nor in the kernel" },
	};

	check_refused(encode, cases, ARRAY_SIZE(cases));
}

struct range {
	u8 first, last;
};

static void check_list(const struct pmc_armv7_events *events,
		       const struct range *ranges, unsigned int nr)
{
	const struct pmc_armv7_layout layout = { .nr_events = 6,
						 .events = events };
	unsigned int code, i;

	for (code = 0; code <= 0x100; code++) {
		bool want = false;

		for (i = 0; i < nr; i++)
			want |= code >= ranges[i].first &&
				code <= ranges[i].last;
		if (pmc_armv7_has_event(&layout, code) != want)
			fail_msg("event %#x", code);
	}
}

/* In the order of the manuals' tables. */
static void event_lists(void **state)
{
	static const struct range in_a7[] = {
		{ 0x00, 0x0f }, { 0x10, 0x19 }, { 0x1d, 0x1d }, { 0x60, 0x61 },
		{ 0x86, 0x87 }, { 0xc0, 0xc5 }, { 0xc7, 0xca },
	};
	static const struct range in_a15[] = {
		{ 0x00, 0x05 }, { 0x08, 0x0b }, { 0x10, 0x1d }, { 0x40, 0x43 },
		{ 0x46, 0x48 }, { 0x4c, 0x4d }, { 0x50, 0x53 }, { 0x56, 0x58 },
		{ 0x60, 0x6a }, { 0x6c, 0x6e }, { 0x70, 0x76 }, { 0x78, 0x7a },
		{ 0x7c, 0x7e },
	};

	check_list(&pmc_armv7_a7_events, in_a7, ARRAY_SIZE(in_a7));
	check_list(&pmc_armv7_a15_events, in_a15, ARRAY_SIZE(in_a15));
}

static void on_trust(void **state)
{
	assert_true(pmc_armv7_has_event(&unknown, 0x00));
	assert_true(pmc_armv7_has_event(&unknown, 0xff));
	assert_false(pmc_armv7_has_event(&unknown, 0x100));
}

static void processors(void **state)
{
	/* r0p5, r2p1, r3p2, and an A9 */
	assert_ptr_equal(pmc_armv7_events_of(0x410fc075), &pmc_armv7_a7_events);
	assert_ptr_equal(pmc_armv7_events_of(0x412fc0f1), &pmc_armv7_a15_events);
	assert_ptr_equal(pmc_armv7_events_of(0x413fc0f2), &pmc_armv7_a15_events);
	assert_null(pmc_armv7_events_of(0x413fc090));
	assert_null(pmc_armv7_events_of(0x510fc075));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(register_values),
		cmocka_unit_test(errors),
		cmocka_unit_test(event_lists),
		cmocka_unit_test(on_trust),
		cmocka_unit_test(processors),
	};

	return cmocka_run_group_tests_name("armv7_encode", tests, NULL, NULL);
}
