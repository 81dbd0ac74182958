// SPDX-License-Identifier: GPL-2.0
/*
 * Encoding for Knights Corner, from its manual. Events are written as a user
 * would, and parsed.
 */
#include "core/parse.h"
#include "pmu/knc_encode.h"
#include "unit.h"

#define USR	0x010000ULL
#define OS	0x020000ULL
#define EDGE	0x040000ULL
#define ANY	0x200000ULL
#define INV	0x800000ULL

static int encode(const char *text, u64 *config, u64 *slots,
		  struct pmc_err *err)
{
	struct pmc_setreq req;

	if (pmc_parse_events(text, strlen(text), &req, err))
		fail_msg("'%s': %s", text, err->text);
	*config = 0xdead;
	*slots = 0xdead;

	return pmc_knc_encode(&req.ev[0], true, false, config, slots, err);
}

static void register_values(void **state)
{
	static const struct {
		const char *text;
		u64 config, slots;
	} cases[] = {
		/* DATA_READ is event 0, and an event like any other. */
		{ "ev=0x0", USR | 0x0000, 0x3 },
		/* INSTRUCTIONS_EXECUTED, CPU_CLK_UNHALTED */
		{ "ev=0x16", USR | 0x0016, 0x3 },
		{ "ev=0x2a:u:k", USR | OS | 0x002a, 0x3 },
		{ "ev=0x2a:k", OS | 0x002a, 0x3 },
		{ "pmc1=0x12", USR | 0x0012, 0x2 },
		/* L2_READ_MISS, L2_DATA_HIT_INFLIGHT_PF2: counter 0 */
		{ "ev=0xcb:umask=0x10", USR | 0x10cb, 0x1 },
		{ "ev=0xff:umask=0x10", USR | 0x10ff, 0x1 },
		{ "pmc0=0xc0,umask0=0x10", USR | 0x10c0, 0x1 },
		/* VPU_INSTRUCTIONS_EXECUTED, VPU_ELEMENTS_ACTIVE */
		{ "ev=0x16:umask=0x20", USR | 0x2016, 0x3 },
		{ "ev=0x18:umask=0x20", USR | 0x2018, 0x3 },
		{ "ev=0x0:umask=0x20", USR | 0x2000, 0x3 },
		/* Qualifiers */
		{ "ev=0x2a:cmask=2:inv", USR | INV | 0x200002a, 0x3 },
		{ "ev=0x2d:edge:cmask=1", USR | EDGE | 0x100002d, 0x3 },
		{ "ev=0x16:any", USR | ANY | 0x0016, 0x3 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 config, slots;
		struct pmc_err err;

		if (encode(cases[i].text, &config, &slots, &err))
			fail_msg("'%s': %s", cases[i].text, err.text);
		if (config != cases[i].config || slots != cases[i].slots)
			fail_msg("'%s': config %#llx, slots %#llx",
				 cases[i].text, (unsigned long long)config,
				 (unsigned long long)slots);
	}
}

static void errors(void **state)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{ "pmc2=0x16", "pmc2: the counters are pmc0 to pmc1" },
		{ "pmc0", "pmc0 needs an event code" },
		{ "ev=0x100", "event 0x100" },
		{ "ev=0x16:umask=0x100", "umask 0x100" },
		{ "ev=0xcb", "events from 0xc0 on are the L2 cache's and have umask 0x10" },
		{ "ev=0xcb:umask=0x20", "umask 0x10" },
		{ "ev=0x16:umask=0x10", "event 0x16, umask 0x10: there is no such event" },
		{ "ev=0x12:umask=0x20", "there is no such event" },
		{ "ev=0x3a:umask=0x20", "there is no such event" },
		{ "pmc1=0xcb,umask1=0x10", "pmc1 can't count event 0xcb" },
		{ "pmc0=0x16,usr0=0", "neither in user mode nor in the kernel" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 config, slots;
		struct pmc_err err;

		if (encode(cases[i].text, &config, &slots, &err) != -EINVAL)
			fail_msg("'%s' is taken", cases[i].text);
		check_message(&err, cases[i].message);
		assert_int_equal(config, 0xdead);
	}
}

/* Every event that the manual describes, and the counters that have it. */
static void every_event(void **state)
{
	static const u8 core[] = {
		0x00, 0x01, 0x02, 0x03, 0x04, 0x06, 0x09, 0x0a, 0x0c, 0x0d,
		0x0e, 0x11, 0x12, 0x15, 0x16, 0x17, 0x1c, 0x1e, 0x1f, 0x20,
		0x21, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x37, 0x38,
		0x3a, 0x3b,
	};
	static const u8 l2[] = {
		0xc3, 0xc4, 0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xce, 0xcf, 0xd7,
		0xe3, 0xe6, 0xe7, 0xf0, 0xf1, 0xf2, 0xf5, 0xf6, 0xf7, 0xfc,
		0xfd, 0xfe, 0xff,
	};
	static const u8 vpu[] = {
		0x00, 0x01, 0x03, 0x04, 0x05, 0x16, 0x17, 0x18,
	};
	static const struct {
		const u8 *codes;
		unsigned int nr, umask;
		u64 slots;
	} units[] = {
		{ core, ARRAY_SIZE(core), 0x00, 0x3 },
		{ l2, ARRAY_SIZE(l2), 0x10, 0x1 },
		{ vpu, ARRAY_SIZE(vpu), 0x20, 0x3 },
	};
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(units); i++) {
		for (j = 0; j < units[i].nr; j++) {
			u64 config, slots;
			struct pmc_err err;
			char text[32];

			snprintf(text, sizeof(text), "ev=0x%x:umask=0x%x",
				 units[i].codes[j], units[i].umask);
			if (encode(text, &config, &slots, &err))
				fail_msg("'%s': %s", text, err.text);
			assert_int_equal(config, USR | units[i].umask << 8 |
						 units[i].codes[j]);
			assert_int_equal(slots, units[i].slots);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(register_values),
		cmocka_unit_test(errors),
		cmocka_unit_test(every_event),
	};

	return cmocka_run_group_tests_name("knc_encode", tests, NULL, NULL);
}
