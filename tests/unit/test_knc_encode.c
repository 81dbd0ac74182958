// SPDX-License-Identifier: GPL-2.0
/*
 * Encoding for Knights Corner, from its manual. Events are given as text and parsed.
 */
#include "encode.h"
#include "pmu/x86/knc_encode.h"

#define USR	0x010000ULL
#define OS	0x020000ULL
#define EDGE	0x040000ULL
#define ANY	0x200000ULL
#define INV	0x800000ULL

static int encode(const void *layout, const struct pmc_evreq *req, bool user,
		  bool kernel, u64 *config, u64 *slots, struct pmc_err *err)
{
	return pmc_knc_encode(req, user, kernel, config, slots, err);
}

static void register_values(void **state)
{
	static const struct encoded cases[] = {
		/* DATA_READ has event code 0, which is valid. */
		{ NULL, "ev=0x0", U, USR | 0x0000, 0x3 },
		/* INSTRUCTIONS_EXECUTED, CPU_CLK_UNHALTED */
		{ NULL, "ev=0x16", U, USR | 0x0016, 0x3 },
		{ NULL, "ev=0x2a:u:k", U, USR | OS | 0x002a, 0x3 },
		{ NULL, "ev=0x2a:k", U, OS | 0x002a, 0x3 },
		{ NULL, "pmc1=0x12", U, USR | 0x0012, 0x2 },
		/* L2_READ_MISS, L2_DATA_HIT_INFLIGHT_PF2: counter 0 */
		{ NULL, "ev=0xcb:umask=0x10", U, USR | 0x10cb, 0x1 },
		{ NULL, "ev=0xff:umask=0x10", U, USR | 0x10ff, 0x1 },
		{ NULL, "pmc0=0xc0,umask0=0x10", U, USR | 0x10c0, 0x1 },
		/* VPU_INSTRUCTIONS_EXECUTED, VPU_ELEMENTS_ACTIVE */
		{ NULL, "ev=0x16:umask=0x20", U, USR | 0x2016, 0x3 },
		{ NULL, "ev=0x18:umask=0x20", U, USR | 0x2018, 0x3 },
		{ NULL, "ev=0x0:umask=0x20", U, USR | 0x2000, 0x3 },
		/* Qualifiers */
		{ NULL, "ev=0x2a:cmask=2:inv", U, USR | INV | 0x200002a, 0x3 },
		{ NULL, "ev=0x2d:edge:cmask=1", U, USR | EDGE | 0x100002d, 0x3 },
		{ NULL, "ev=0x16:any", U, USR | ANY | 0x0016, 0x3 },
	};

	check_encoded(encode, cases, ARRAY_SIZE(cases));
}

static void errors(void **state)
{
	static const struct refused cases[] = {
		{ NULL, "pmc2=0x16", U, "pmc2: the counters are pmc0 to pmc1" },
		{ NULL, "pmc0", U, "pmc0 needs an event code" },
		{ NULL, "ev=0x100", U, "event 0x100" },
		{ NULL, "ev=0x16:umask=0x100", U, "umask 0x100" },
		{ NULL, "ev=0xcb", U, "events from 0xc0 on are the L2 cache's and have umask 0x10" },
		{ NULL, "ev=0xcb:umask=0x20", U, "umask 0x10" },
		{ NULL, "ev=0x16:umask=0x10", U, "event 0x16, umask 0x10: there is no such event" },
		{ NULL, "ev=0x2:umask=0x20", U, "there is no such event" },
		{ NULL, "ev=0x12:umask=0x20", U, "there is no such event" },
		{ NULL, "ev=0x3a:umask=0x20", U, "there is no such event" },
		{ NULL, "pmc1=0xcb,umask1=0x10", U, "pmc1 can't count event 0xcb" },
		{ NULL, "pmc0=0x16,usr0=0", U, "neither in user mode nor in the kernel" },
	};

	check_refused(encode, cases, ARRAY_SIZE(cases));
}

/* Every event that the manual describes, and the counters that can count it. */
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
			if (encode_text(encode, NULL, text, U, &config, &slots, &err))
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
