// SPDX-License-Identifier: GPL-2.0
/*
 * Encoding for x86: register values and counters, from the manuals. Events are given as text
 * and parsed.
 */
#include "encode.h"
#include "pmu/x86/amd_constraints.h"
#include "pmu/x86/intel_constraints.h"
#include "pmu/x86/intel_extra.h"
#include "pmu/x86/x86_encode.h"

/* Golden Cove: pmc0-pmc2 fixed, pmc3-pmc10 general, pmc11 fixed: top-down slots. */
static const struct pmc_x86_layout p_core = {
	.nr_fixed = 4,
	.nr_general = 8,
	.code_bits = 8,
	.intel = true,
};

/* A virtual machine without fixed counters: pmc3 is the first counter. */
static const struct pmc_x86_layout general_only = {
	.nr_general = 4,
	.code_bits = 8,
	.intel = true,
};

/* An older model whose hardware threads can be counted together; no event for LLC misses. */
static const struct pmc_x86_layout older = {
	.nr_fixed = 3,
	.nr_general = 4,
	.code_bits = 8,
	.has_any = true,
	.intel = true,
	.arch_missing = BIT(4),
};

/* Haswell with two hardware threads a core. */
static const struct pmc_x86_layout leaky = {
	.nr_fixed = 3,
	.nr_general = 4,
	.code_bits = 8,
	.intel = true,
	.leaks = true,
};

/* Skylake whose microcode has counter 3. */
static const struct pmc_x86_layout spoiled = {
	.nr_fixed = 3,
	.nr_general = 4,
	.spoiled = BIT(3),
	.code_bits = 8,
	.intel = true,
};

static const struct pmc_x86_constraint some[] = {
	{ 0x003, 0x003, -1, 0 },
	{ 0x031, 0x031, 0x01, 0x07 },
	{ 0x031, 0x031, -1, 0 },
	{ 0x1c0, 0x1c0, -1, 0x38 },
	{ }
};

static const struct pmc_x86_layout zen = {
	.nr_general = 6,
	.code_bits = 12,
	.constraints = some,
};

static int encode(const void *layout, const struct pmc_evreq *req, bool user,
		  bool kernel, u64 *config, u64 *slots, struct pmc_err *err)
{
	return pmc_x86_encode(layout, req, user, kernel, config, slots, err);
}

static void register_values(void **state)
{
	static const struct encoded cases[] = {
		/* on a fixed counter or a general one */
		{ &p_core, "ev=0xc0", U, 0x100c0, 0x7f9 },
		{ &p_core, "ev=0x3c", U, 0x1003c, 0x7fa },
		{ &older, "ev=0xc0", U, 0x100c0, 0x79 },
		/* on a fixed one alone */
		{ &p_core, "pmc0", U, 0x10100, 0x1 },
		{ &p_core, "pmc2", U, 0x10300, 0x4 },
		{ &p_core, "pmc11", U, 0x10400, 0x800 },
		{ &p_core, "ev=0:umask=0x4", U, 0x10400, 0x800 },
		{ &p_core, "pmc1=0x3c", U, 0x1003c, 0x2 },
		{ &p_core, "ev=0:umask=0x3", K, 0x20300, 0x4 },
		{ &older, "ev=0:umask=0x3", U | K, 0x30300, 0x4 },
		/* on a general one alone */
		{ &p_core, "ev=0x2e:umask=0x41", U, 0x1412e, 0x7f8 },
		{ &p_core, "ev=0x3c:umask=0x01", U, 0x1013c, 0x7f8 },
		{ &p_core, "pmc4=0xc0", U, 0x100c0, 0x10 },
		{ &p_core, "pmc3=0x2e,umask3=0x4f", U, 0x14f2e, 0x8 },
		{ &p_core, "pmc10=0x2e,umask10=0x41", U, 0x1412e, 0x400 },
		{ &older, "pmc3=0x2e,umask3=0x4f", U, 0x14f2e, 0x8 },
		{ &general_only, "pmc3=0x2e,umask3=0x4f", U, 0x14f2e, 0x8 },
		{ &general_only, "ev=0xc0", U, 0x100c0, 0x78 },
		{ &p_core, "ev=0xc0:cmask=1", U, 0x10100c0, 0x7f8 },
		{ &p_core, "ev=0xc0:edge:cmask=1", U, 0x10500c0, 0x7f8 },
		{ &p_core, "ev=0xc0:edge", U, 0x500c0, 0x7f8 },
		{ &p_core, "ev=0xc0:inv:cmask=16", U, 0x108100c0, 0x7f8 },
		{ &older, "ev=0x3c:any", U, 0x21003c, 0x7a },
		{ &spoiled, "ev=0x2e:umask=0x41", U, 0x1412e, 0x38 },
		/* modes */
		{ &p_core, "ev=0xc4", K, 0x200c4, 0x7f8 },
		{ &p_core, "ev=0xc4", U | K, 0x300c4, 0x7f8 },
		{ &p_core, "ev=0xc4:k", U, 0x200c4, 0x7f8 },
		/* AMD: 12 bits of event, no fixed counters, event 0 as any other */
		{ &zen, "ev=0xc0", U, 0x100c0, 0x3f },
		{ &zen, "ev=0x1c7:umask=2", U, 0x1000102c7, 0x3f },
		{ &zen, "ev=0:umask=1", U, 0x10100, 0x3f },
		{ &zen, "ev=0x31:umask=1", U, 0x10131, 0x07 },
		{ &zen, "ev=0x1c0", U, 0x1000100c0, 0x38 },
		{ &zen, "pmc4=0x1c0", U, 0x1000100c0, 0x10 },
	};

	check_encoded(encode, cases, ARRAY_SIZE(cases));
}

static void errors(void **state)
{
	static const struct refused cases[] = {
		{ &p_core, "ev=0x1c0", U, "8 bits" },
		{ &zen, "ev=0x10c0", U, "12 bits" },
		{ &p_core, "ev=0xc0:umask=0x100", U, "umask" },
		{ &p_core, "ev=0xc0:cmask=0x100", U, "cmask" },
		{ &p_core, "ev=0x3c:any", U, "any" },
		{ &p_core, "pmc12=0xc0", U, "pmc0 to pmc11" },
		{ &p_core, "pmc3", U, "pmc3 needs an event code, as in pmc3=0xc0" },
		{ &p_core, "pmc10", U, "pmc10=0xc0" },
		{ &p_core, "pmc11=0xc4", U, "pmc11 can't" },
		{ &general_only, "pmc0", U, "pmc0: this core type has no such counter: pmc3 is its first for any event" },
		{ &general_only, "pmc2=0xc4", U, "pmc2: this core type has no such counter" },
		{ &general_only, "pmc7=0xc4", U, "pmc0 to pmc6" },
		{ &zen, "pmc0", U, "pmc0=0xc0" },
		{ &p_core, "pmc0=0x3c", U, "ev=0x3c" },
		{ &p_core, "pmc2=0xc4", U, "ev=0xc4" },
		{ &p_core, "ev=0", U, "0x4" },
		{ &p_core, "ev=0:umask=5", U, "0x4" },
		{ &older, "ev=0:umask=4", U, "0x3" },
		{ &p_core, "ev=0:umask=1:cmask=1", U, "cmask" },
		{ &older, "ev=0x2e:umask=0x41", U, "not implemented" },
		{ &zen, "ev=3", U, "no counter" },
		{ &zen, "ev=0x31:umask=3", U, "no counter" },
		{ &zen, "pmc0=0x1c0", U, "pmc0 can't" },
		{ &leaky, "ev=0xd0:umask=1", U, "no counter" },
		{ &leaky, "ev=0xd3:umask=1", U, "no counter" },
		{ &spoiled, "pmc6=0x2e", U, "pmc6 can't" },
		{ &p_core, "ev=0xc0", 0, "usr or os" },
	};

	check_refused(encode, cases, ARRAY_SIZE(cases));
}

/* Alder Lake: family 6, model 0x97. */
static void models(void **state)
{
	struct pmc_x86_layout big = p_core, small = older;
	static const struct {
		const char *text;
		u64 big, small;
	} cases[] = {
		{ "ev=0x2e:umask=0x4f", 0x7f8, 0x78 },
		{ "ev=0x3c", 0x7fa, 0x7a },
		{ "ev=0x08:umask=0x0e", 0x078, 0x78 },
		{ "ev=0xa3:umask=0x08", 0x078, 0x78 },
		{ "ev=0xa3:umask=0x04", 0x7f8, 0x78 },
		{ "ev=0xa4:umask=0x08", 0x008, 0x78 },
		{ "ev=0xd1:umask=0x20", 0x078, 0x78 },
		{ "ev=0xc4", 0x7f8, 0x78 },
		{ "ev=0:umask=0x04", 0x800, 0 },
	};
	struct pmc_err err;
	unsigned int i;
	u64 config, slots;

	big.constraints = pmc_intel_constraints(6, 0x97, false);
	small.constraints = pmc_intel_constraints(6, 0x97, true);
	assert_non_null(big.constraints);
	assert_null(small.constraints);
	assert_null(pmc_intel_constraints(6, 0x1c, false));
	/* Panther Lake and Wildcat Lake have Lunar Lake's. */
	assert_non_null(pmc_intel_constraints(6, 0xcc, false));
	assert_ptr_equal(pmc_intel_constraints(6, 0xcc, false), pmc_intel_constraints(6, 0xbd, false));
	assert_ptr_equal(pmc_intel_constraints(6, 0xd5, false), pmc_intel_constraints(6, 0xbd, false));
	assert_true(pmc_intel_leaks(6, 0x3c) && !pmc_intel_leaks(6, 0x97));
	assert_false(pmc_intel_leaks(6, 0) || pmc_intel_is_left_to_perf(6, 0));
	/* Nehalem, Westmere; Sandy Bridge */
	assert_true(pmc_intel_is_left_to_perf(6, 0x1a));
	assert_true(pmc_intel_is_left_to_perf(6, 0x25));
	assert_true(pmc_intel_is_left_to_perf(6, 0x2c));
	assert_true(pmc_intel_is_left_to_perf(6, 0x2f));
	assert_false(pmc_intel_is_left_to_perf(6, 0x2a));
	/* Nova Lake, Diamond Rapids: no table of theirs is here. */
	assert_true(pmc_intel_is_left_to_perf(18, 1));
	assert_true(pmc_intel_is_left_to_perf(19, 1));
	/* Bartlett Lake has Golden Cove's, Lakefield Sunny Cove's. */
	assert_ptr_equal(pmc_intel_constraints(6, 0xd7, false), pmc_intel_constraints(6, 0x97, false));
	assert_ptr_equal(pmc_intel_constraints(6, 0x8a, false), pmc_intel_constraints(6, 0x6a, false));
	assert_ptr_not_equal(pmc_intel_constraints(6, 0x2a, false),
			     pmc_intel_constraints(6, 0x3a, false));
	assert_null(pmc_intel_constraints(15, 0x97, false));
	/* The rest of a table's row is not a model. */
	assert_null(pmc_intel_constraints(6, 0, false));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (encode_text(encode, &big, cases[i].text, U, &config, &slots, &err) ||
		    slots != cases[i].big)
			fail_msg("'%s' on a big core: slots %#llx",
				 cases[i].text, (unsigned long long)slots);
		if (!cases[i].small)
			continue;
		if (encode_text(encode, &small, cases[i].text, U, &config, &slots, &err) ||
		    slots != cases[i].small)
			fail_msg("'%s' on a small core: slots %#llx",
				 cases[i].text, (unsigned long long)slots);
	}
}

/* General counters that count an event, by vendor's lists; each row of the tables. */
struct constrained {
	u16 code;
	u8 umask;
	u16 counters;
};

static void check_constraints(const struct pmc_x86_constraint *table, unsigned int nr_general,
			      bool intel, const struct constrained *cases, unsigned int nr)
{
	const struct pmc_x86_layout layout = {
		.nr_general = nr_general,
		.code_bits = intel ? 8 : 12,
		.intel = intel,
		.constraints = table,
	};
	unsigned int i;

	assert_non_null(table);
	for (i = 0; i < nr; i++) {
		u64 config = (cases[i].code & 0xff) | cases[i].umask << 8 |
			     (cases[i].code & 0xf00ULL) << 24;
		u64 found = pmc_x86_counters(&layout, config) >> (intel ? PMC_INTEL_LOW_FIXED : 0);

		if (found != cases[i].counters)
			fail_msg("event %#x, umask %#x: counters %#llx, not %#x", cases[i].code,
				 cases[i].umask, (unsigned long long)found, cases[i].counters);
	}
}

#define CHECK_INTEL(model, nr, cases)						\
	check_constraints(pmc_intel_constraints(6, model, false), nr, true, cases,	\
			  ARRAY_SIZE(cases))
#define CHECK_AMD(family, nr, cases)						\
	check_constraints(pmc_amd_constraints(family), nr, false, cases, ARRAY_SIZE(cases))

static void intel_constraints(void **state)
{
	static const struct constrained core2[] = {
		{ 0x10, 0, 1 }, { 0x11, 0, 2 }, { 0x12, 0, 2 }, { 0x13, 0, 2 }, { 0x14, 0, 1 },
		{ 0x15, 0, 3 }, { 0x18, 0, 1 }, { 0x19, 1, 2 }, { 0xa1, 1, 1 }, { 0xc9, 0, 1 },
		{ 0xca, 0, 3 }, { 0xcb, 2, 1 }, { 0x0f, 0, 3 },
	};
	static const struct constrained sandy_bridge[] = {
		{ 0x48, 1, 0x04 }, { 0x48, 2, 0x04 }, { 0xa3, 2, 0x04 }, { 0xa3, 6, 0x04 },
		{ 0xa3, 4, 0x0f }, { 0xc0, 1, 0x02 }, { 0xc0, 2, 0xff }, { 0xcd, 1, 0x08 },
		{ 0xd0, 1, 0x0f }, { 0xd3, 1, 0x0f }, { 0xd4, 2, 0xff }, { 0xc4, 0, 0xff },
	};
	static const struct constrained ivy_bridge[] = {
		{ 0x48, 1, 0x04 }, { 0x48, 2, 0xff }, { 0x79, 2, 0x0f }, { 0x79, 4, 0xff },
		{ 0x9c, 1, 0x0f }, { 0xa3, 8, 0x04 }, { 0xa3, 0x0c, 0x04 }, { 0xa3, 4, 0x0f },
		{ 0xc0, 1, 0x02 }, { 0xd0, 1, 0x0f }, { 0xd3, 1, 0x0f }, { 0xcd, 1, 0xff },
	};
	static const struct constrained haswell[] = {
		{ 0x48, 1, 0x04 }, { 0xa3, 4, 0x0f }, { 0xa3, 8, 0x04 }, { 0xa3, 0x0c, 0x04 },
		{ 0xa3, 1, 0xff }, { 0xc0, 1, 0x02 }, { 0xcd, 1, 0x08 }, { 0xd0, 1, 0x0f },
		{ 0xd3, 1, 0x0f }, { 0xcf, 0, 0xff },
	};
	static const struct constrained skylake[] = {
		{ 0xc0, 1, 0x02 }, { 0xc6, 1, 0x0f }, { 0xcd, 1, 0x0f }, { 0xd0, 1, 0x0f },
		{ 0xd2, 1, 0x0f }, { 0xd3, 1, 0xff }, { 0xa3, 8, 0xff },
	};
	static const struct constrained sunny_cove[] = {
		{ 0x02, 0, 0xff }, { 0x03, 0, 0x0f }, { 0x0a, 0, 0x0f }, { 0x1e, 0, 0xff },
		{ 0x1f, 0, 0x0f }, { 0x28, 7, 0x0f }, { 0x2e, 0x41, 0xff }, { 0x32, 1, 0x0f },
		{ 0x48, 1, 0x0f }, { 0x56, 1, 0x0f }, { 0x60, 1, 0x0f }, { 0x8b, 1, 0x0f },
		{ 0xa3, 4, 0xff }, { 0xa3, 0x10, 0xff }, { 0xa3, 0x14, 0xff }, { 0xa3, 8, 0x0f },
		{ 0xa8, 1, 0x0f }, { 0xb0, 1, 0x0f }, { 0xb1, 1, 0xff }, { 0xb7, 1, 0x0f },
		{ 0xbd, 1, 0x0f }, { 0xd0, 0x81, 0x0f }, { 0xe6, 1, 0x0f }, { 0xe7, 1, 0xff },
		{ 0xef, 1, 0x0f }, { 0xf4, 4, 0x0f }, { 0xf5, 0, 0xff },
	};
	static const struct constrained golden_cove[] = {
		{ 0x2e, 0x41, 0xff }, { 0x3c, 1, 0xff }, { 0x01, 0, 0x0f }, { 0x8f, 0, 0x0f },
		{ 0x90, 0, 0xff }, { 0xa3, 1, 0x0f }, { 0xa3, 2, 0x0f }, { 0xa3, 8, 0x0f },
		{ 0xa3, 5, 0x0f }, { 0xa3, 6, 0x0f }, { 0xa3, 0x0c, 0x0f },
		{ 0xa3, 4, 0xff }, { 0xa4, 4, 0x01 }, { 0xa4, 8, 0x01 }, { 0xa4, 2, 0xff },
		{ 0xcd, 2, 0x01 }, { 0xce, 1, 0x01 }, { 0xd0, 0x81, 0x0f }, { 0xdf, 0, 0x0f },
		{ 0xe0, 0, 0xff },
	};
	static const struct constrained lion_cove[] = {
		{ 0x20, 1, 0x00f }, { 0x2a, 1, 0x00f }, { 0x2b, 1, 0x00f }, { 0x2b, 2, 0x3ff },
		{ 0x48, 1, 0x004 }, { 0x75, 1, 0x004 }, { 0xa3, 8, 0x004 }, { 0xa3, 0x0c, 0x004 },
		{ 0xa4, 4, 0x001 }, { 0xa4, 8, 0x001 }, { 0xa4, 0x10, 0x008 }, { 0xb1, 1, 0x008 },
		{ 0xcd, 1, 0x3fc }, { 0xcd, 2, 0x003 }, { 0xd0, 0x87, 0x3ff }, { 0xd0, 1, 0x00f },
		{ 0xdf, 0, 0x00f }, { 0xe0, 0, 0x00f }, { 0xe0, 1, 0x3ff },
	};

	CHECK_INTEL(0x17, 2, core2);
	CHECK_INTEL(0x2d, 8, sandy_bridge);
	CHECK_INTEL(0x3e, 8, ivy_bridge);
	CHECK_INTEL(0x4f, 8, haswell);
	CHECK_INTEL(0x55, 8, skylake);
	CHECK_INTEL(0x6a, 8, sunny_cove);
	CHECK_INTEL(0x8f, 8, golden_cove);
	CHECK_INTEL(0xbd, 10, lion_cove);
}

/* AMD: family 15h, by the BKDG's list of events; and from Zen on. */
static void amd_constraints(void **state)
{
	static const struct constrained f15h[] = {
		{ 0x000, 1, 0x08 }, { 0x001, 0, 0x38 }, { 0x002, 0, 0x38 }, { 0x003, 1, 0x08 },
		{ 0x004, 1, 0x08 }, { 0x005, 1, 0x38 }, { 0x00b, 1, 0x08 }, { 0x00d, 1, 0x08 },
		{ 0x01f, 1, 0x38 }, { 0x020, 0, 0x3f }, { 0x023, 1, 0x07 }, { 0x02d, 1, 0x08 },
		{ 0x02e, 1, 0x09 }, { 0x031, 0x01, 0x07 }, { 0x031, 0x02, 0x07 },
		{ 0x031, 0x04, 0x07 }, { 0x031, 0x08, 0x07 }, { 0x031, 0x10, 0x07 },
		{ 0x031, 0x20, 0x07 }, { 0x031, 0x40, 0x07 }, { 0x031, 0x80, 0x07 },
		{ 0x031, 0x03, 0 }, { 0x043, 1, 0x07 }, { 0x044, 1, 0x3f }, { 0x045, 1, 0x07 },
		{ 0x046, 1, 0x07 }, { 0x054, 1, 0x07 }, { 0x055, 1, 0x07 }, { 0x05f, 1, 0x3f },
		{ 0x060, 1, 0x07 }, { 0x08e, 1, 0x07 }, { 0x08f, 1, 0x01 }, { 0x09f, 1, 0x07 },
		{ 0x160, 1, 0x07 }, { 0x187, 1, 0x01 }, { 0x188, 1, 0x01 }, { 0x19f, 1, 0x07 },
		{ 0x1c0, 1, 0x38 }, { 0x0c0, 0, 0x3f }, { 0x0cf, 1, 0x3f }, { 0x0d0, 1, 0x07 },
		{ 0x0da, 1, 0x07 }, { 0x0db, 1, 0x3f }, { 0x0df, 1, 0x3f }, { 0x1d0, 1, 0x07 },
		{ 0x1d6, 1, 0x3f }, { 0x1d8, 1, 0x3f }, { 0x1df, 1, 0x07 }, { 0x0a0, 1, 0 },
		{ 0x0bf, 1, 0 }, { 0x0e0, 1, 0 }, { 0x0ff, 1, 0 }, { 0x1c1, 1, 0x3f },
	};
	static const struct constrained zen_rows[] = {
		{ 0x002, 1, 0x3f }, { 0x003, 0xff, 0 }, { 0x004, 1, 0x3f }, { 0x0c0, 0, 0x3f },
		{ 0x1c7, 2, 0x3f }, { 0xfff, 0, 0 },
	};

	CHECK_AMD(0x15, 6, f15h);
	CHECK_AMD(0x17, 6, zen_rows);
	CHECK_AMD(0x19, 6, zen_rows);
	CHECK_AMD(0x1a, 6, zen_rows);
	assert_null(pmc_amd_constraints(0x16));
}

/* Events that need a second register, on each model, and the registers. */
static void second_registers(void **state)
{
	static const struct {
		u8 model;
		bool atom;
		unsigned int regs;
		const char *text;
		const char *says;	/* NULL: it is encoded */
	} cases[] = {
		{ 0x2a, false, 0x1, "ev=0xb7:umask=1:extra=0xff11", NULL },
		{ 0x2a, false, 0x1, "ev=0xbb:umask=1:extra=0xff11", "0x1a7" },
		{ 0x2a, false, 0x3, "ev=0xbb:umask=1:extra=0xff11", NULL },
		{ 0x2a, false, 0x3, "ev=0xb7:umask=1", "0x1a6" },
		{ 0x2a, false, 0x7, "ev=0xc6:umask=1:extra=0x11", "no second" },
		{ 0x55, false, 0x7, "ev=0xc6:umask=1:extra=0x11", NULL },
		{ 0x55, false, 0x3, "ev=0xc6:umask=1:extra=0x11", "0x3f7" },
		{ 0x6a, false, 0x7, "ev=0xb7:umask=1:extra=0x10001", NULL },
		{ 0x6a, false, 0x7, "ev=0x2a:umask=1:extra=0x10001", "no second" },
		{ 0x97, false, 0x7, "ev=0x2a:umask=1:extra=0x10001", NULL },
		{ 0x97, false, 0x7, "ev=0x2b:umask=1:extra=0x10001", NULL },
		{ 0x97, false, 0x7, "ev=0x2a:umask=1", "extra=X" },
		{ 0x97, false, 0x7, "pmc4=0x2a,umask4=1", "extraN=X" },
		{ 0x97, false, 0x7, "pmc4=0x2a,umask4=1,extra4=1", NULL },
		{ 0x97, false, 0x7, "ev=0x2a:umask=2", NULL },
		{ 0x97, false, 0x7, "ev=0xb7:umask=1:extra=0x10001", "no second" },
		{ 0x97, false, 0x7, "ev=0xc2:umask=4:extra=8", NULL },
		{ 0x97, false, 0x7, "ev=0xad:umask=0x40:extra=7", NULL },
		{ 0x97, false, 0x7, "ev=0xcd:umask=1:extra=0x80", "PEBS" },
		{ 0x97, false, 0x7, "ev=0xcd:umask=1", "PEBS" },
		{ 0x97, false, 0x7, "ev=0xc0:extra=1", "leave extra out" },
		{ 0x97, false, 0x7, "pmc0,extra0=1", "leave extra out" },
		{ 0x97, true, 0x3, "ev=0xb7:umask=1:extra=0x10001", NULL },
		{ 0x97, true, 0x3, "ev=0xb7:umask=2:extra=0x10001", NULL },
		{ 0x97, true, 0x3, "ev=0x2a:umask=1:extra=0x10001", "no second" },
		{ 0x97, true, 0x3, "ev=0xd0:umask=5", "PEBS" },
		{ 0x97, true, 0x1f, "ev=0x27:umask=1:extra=1", "no second" },
		{ 0xaa, true, 0x1b, "ev=0x27:umask=1:extra=1", NULL },
		{ 0xaa, true, 0x1b, "ev=0x27:umask=2:extra=1", NULL },
		{ 0xaa, true, 0x1b, "ev=0x27:umask=1", "0x1328" },
		{ 0xaf, false, 0xb, "ev=0x27:umask=2:extra=1", "0x1329" },
		{ 0xaa, false, 0x1f, "ev=0x27:umask=1:extra=1", "no second" },
		{ 0xaa, false, 0x7, "ev=0xc6:umask=3:extra=0x11", NULL },
		{ 0xaa, false, 0x7, "ev=0xc6:umask=1:extra=0x11", "no second" },
		{ 0x5c, true, 0x3, "ev=0xb7:umask=2:extra=1", NULL },
		{ 0x5c, false, 0x3, "ev=0xb7:umask=2:extra=1", NULL },
		/* No small cores; an unknown model */
		{ 0x55, true, 0x7, "ev=0xb7:umask=1:extra=0x10001", "no event is known" },
		{ 0xff, false, 0x7, "ev=0x2a:umask=1:extra=0x10001", "no event is known" },
		{ 0xff, false, 0x7, "ev=0x2a:umask=1", NULL },
	};
	struct pmc_x86_layout layout = p_core;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pmc_err err = { };
		u64 config, slots;
		int ret;

		layout.extras = pmc_intel_extra_events(6, cases[i].model,
						       cases[i].atom);
		layout.extra_regs = cases[i].regs;
		ret = encode_text(encode, &layout, cases[i].text, U, &config, &slots, &err);
		if (ret != (cases[i].says ? -EINVAL : 0))
			fail_msg("'%s' (case %u): %d, '%s'", cases[i].text, i,
				 ret, err.text);
		if (ret && !strstr(err.text, cases[i].says))
			fail_msg("'%s': '%s' does not say '%s'", cases[i].text,
				 err.text, cases[i].says);
		/* The value is not part of the event select register. */
		if (!ret)
			assert_int_equal(config >> 32, 0);
	}
	assert_null(pmc_intel_extra_events(15, 0x97, false));
	/* Panther Lake and Wildcat Lake have Lunar Lake's, Clearwater Forest Sierra Forest's. */
	assert_ptr_equal(pmc_intel_extra_events(6, 0xcc, false), pmc_intel_extra_events(6, 0xbd, false));
	assert_ptr_equal(pmc_intel_extra_events(6, 0xd5, true), pmc_intel_extra_events(6, 0xbd, true));
	assert_ptr_equal(pmc_intel_extra_events(6, 0xe5, false), pmc_intel_extra_events(6, 0xbd, false));
	assert_ptr_equal(pmc_intel_extra_events(6, 0xdd, false), pmc_intel_extra_events(6, 0xaf, false));
	assert_ptr_equal(pmc_intel_extra_events(6, 0xd7, true), pmc_intel_extra_events(6, 0x97, true));
	/* The rest of a table's row is not a model. */
	assert_null(pmc_intel_extra_events(6, 0, false));
}

static void second_registers_of_others(void **state)
{
	static const struct refused cases[] = {
		{ &zen, "ev=0xb7:umask=1:extra=1", U, "extra: of this core type no event is known" },
	};

	check_refused(encode, cases, ARRAY_SIZE(cases));
}

/* The equivalent event that has the other register. */
static void twins(void **state)
{
	static const struct {
		u8 model;
		bool atom;
		u16 event, twin;	/* unit mask and number; 0: none */
	} cases[] = {
		{ 0x2a, false, 0x01b7, 0x01bb },
		{ 0x2a, false, 0x01bb, 0x01b7 },
		{ 0x97, false, 0x012a, 0x012b },
		{ 0x97, false, 0x012b, 0x012a },
		{ 0x97, true, 0x01b7, 0x02b7 },
		{ 0x97, true, 0x02b7, 0x01b7 },
		{ 0xaf, false, 0x0127, 0 },
		{ 0xaf, false, 0x0227, 0 },
		{ 0x97, false, 0x01c6, 0 },
		{ 0x97, false, 0x04c2, 0 },
		{ 0x97, false, 0x01cd, 0 },
	};
	const struct pmc_intel_extra_event *events, *event, *twin;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		events = pmc_intel_extra_events(6, cases[i].model, cases[i].atom);
		event = pmc_intel_extra_find(events, cases[i].event & 0xff,
					     cases[i].event >> 8);
		assert_non_null(event);
		twin = pmc_intel_extra_twin(events, event);
		assert_int_equal(twin ? twin->code | twin->umask << 8 : 0,
				 cases[i].twin);
	}
}

/* Counters on which perf may place an event; perf numbers two of them differently. */
static void beside_perf(void **state)
{
	static const struct {
		const struct pmc_x86_layout *layout;
		u64 config, kernel, counters;
	} cases[] = {
		{ &p_core, 0x100c0, 0x100c0, 0x7f9 },
		{ &p_core, 0x1003c, 0x1003c, 0x7fa },
		{ &p_core, 0x10100, 0x100c0, 0x7f9 },
		{ &p_core, 0x30200, 0x3003c, 0x7fa },
		/* of fixed counters alone */
		{ &p_core, 0x10300, 0x10300, 0x4 },
		{ &p_core, 0x10400, 0x10400, 0x800 },
		/* of none that is fixed */
		{ &p_core, 0x1412e, 0x1412e, 0x7f8 },
		{ &p_core, 0x10100c0, 0x10100c0, 0x7f8 },
		{ &p_core, 0x500c0, 0x500c0, 0x7f8 },
		{ &p_core, 0x8100c0, 0x8100c0, 0x7f8 },
		{ &general_only, 0x100c0, 0x100c0, 0x78 },
		{ &spoiled, 0x100c0, 0x100c0, 0x39 },
		{ &leaky, 0x100d1, 0x100d1, 0 },
		/* numbers beyond 8 bits */
		{ &zen, 0x1000100c0, 0x1000100c0, 0x38 },
		{ &zen, 0x100c0, 0x100c0, 0x3f },
		{ &zen, 0x10131, 0x10131, 0x7 },
		{ &zen, 0x10231, 0x10231, 0 },
		{ &zen, 0x10100, 0x10100, 0x3f },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 config = pmc_x86_kernel_config(cases[i].layout, cases[i].config);

		assert_int_equal(config, cases[i].kernel);
		assert_int_equal(pmc_x86_counters(cases[i].layout, config), cases[i].counters);
	}
}

/* Does perf have to choose a general counter by another event, lest it take a fixed one? */
static void chosen_by_perf(void **state)
{
	static const struct {
		u8 model;
		u64 config;
		bool fixed;
	} cases[] = {
		{ 0x8f, 0x000c0, true }, { 0x8f, 0x0003c, true }, { 0x8f, 0x000c4, false },
		{ 0x8f, 0x0013c, true },
		/* INST_RETIRED.PREC_DIST: Ice Lake; Skylake, where general counter 1 alone has it */
		{ 0x7e, 0x001c0, true }, { 0x5e, 0x001c0, false },
		/* TOPDOWN_FE_BOUND.ALL on Gracemont; another event on Ivy Bridge, on four counters */
		{ 0xbe, 0x0019c, true }, { 0x3a, 0x0019c, false },
	};
	struct pmc_x86_layout layout = { .nr_fixed = 3, .nr_general = 8, .code_bits = 8, .intel = true };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		layout.constraints = pmc_intel_constraints(6, cases[i].model, cases[i].model == 0xbe);
		if (pmc_x86_perf_may_fix(&layout, cases[i].config) != cases[i].fixed)
			fail_msg("model %#x, event %#llx: not %d", cases[i].model,
				 (unsigned long long)cases[i].config, cases[i].fixed);
	}
	assert_false(pmc_x86_perf_may_fix(&zen, 0x1c0));
}

/* How near to its overflow a counter is set, on Haswell and on others */
static void periods(void **state)
{
	static const struct {
		u64 config;
		s64 left, least, most, limited;
	} cases[] = {
		{ 0x100c0, 1000, 2, 0x7fffffff, 1000 },
		{ 0x100c0, 1, 2, 0x7fffffff, 2 },
		{ 0x100c0, -5, 2, 0x7fffffff, 2 },
		{ 0x100c0, S64_MAX, 2, 0x7fffffff, 0x7fffffff },
		{ 0x100c0, 31, 32, 0x7fffffff, 32 },
		{ 0x100c0, 33, 32, 0x7fffffff, 33 },
		/* INST_RETIRED.PREC_DIST, in either mode */
		{ 0x101c0, 1, 2, 0x7fffffff, 128 },
		{ 0x101c0, 127, 32, 0x7fffffff, 128 },
		{ 0x201c0, 191, 2, 0x7fffffff, 128 },
		{ 0x301c0, 192, 2, 0x7fffffff, 192 },
		{ 0x101c0, S64_MAX, 2, 0x7fffffff, 0x7fffffc0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(pmc_x86_limit_left(cases[i].config, cases[i].left,
						    cases[i].least, cases[i].most),
				 cases[i].limited);
	assert_int_equal(pmc_intel_least_left(6, 0x3c), 32);
	assert_int_equal(pmc_intel_least_left(6, 0x46), 32);
	/* Broadwell, another family, Skylake */
	assert_int_equal(pmc_intel_least_left(6, 0x3d), 2);
	assert_int_equal(pmc_intel_least_left(15, 0x3c), 2);
	assert_int_equal(pmc_intel_least_left(6, 0x4e), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(register_values),
		cmocka_unit_test(beside_perf),
		cmocka_unit_test(chosen_by_perf),
		cmocka_unit_test(periods),
		cmocka_unit_test(errors),
		cmocka_unit_test(models),
		cmocka_unit_test(intel_constraints),
		cmocka_unit_test(amd_constraints),
		cmocka_unit_test(second_registers),
		cmocka_unit_test(second_registers_of_others),
		cmocka_unit_test(twins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
