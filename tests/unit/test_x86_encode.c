// SPDX-License-Identifier: GPL-2.0
/*
 * Encoding for x86: register values and counters, from the manuals. Events are
 * written as a user would, and parsed.
 */
#include "core/parse.h"
#include "pmu/intel_models.h"
#include "pmu/x86_encode.h"
#include "unit.h"

/* Golden Cove: pmc0-pmc3 fixed, pmc4-pmc11 general. */
static const struct pmc_x86_layout p_core = {
	.nr_fixed = 4,
	.nr_general = 8,
	.code_bits = 8,
	.intel = true,
};

/* An older one, with hardware threads to count together; no LLC misses. */
static const struct pmc_x86_layout older = {
	.nr_fixed = 3,
	.nr_general = 4,
	.code_bits = 8,
	.has_any = true,
	.intel = true,
	.arch_missing = BIT(4),
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

#define U	0x1	/* default: user mode */
#define K	0x2	/* default: kernel mode */

static int encode(const struct pmc_x86_layout *layout, const char *text,
		  unsigned int modes, u64 *config, u64 *slots,
		  struct pmc_err *err)
{
	struct pmc_setreq req;

	if (pmc_parse_events(text, strlen(text), &req, err))
		fail_msg("'%s': %s", text, err->text);
	*config = 0xdead;
	*slots = 0xdead;
	return pmc_x86_encode(layout, &req.ev[0], modes & U, modes & K, config,
			      slots, err);
}

static void register_values(void **state)
{
	static const struct {
		const struct pmc_x86_layout *layout;
		const char *text;
		unsigned int modes;
		u64 config, slots;
	} cases[] = {
		/* on a fixed counter or a general one */
		{ &p_core, "ev=0xc0", U, 0x100c0, 0xff1 },
		{ &p_core, "ev=0x3c", U, 0x1003c, 0xff2 },
		{ &older, "ev=0xc0", U, 0x100c0, 0x79 },
		/* on a fixed one alone */
		{ &p_core, "pmc0", U, 0x10100, 0x1 },
		{ &p_core, "pmc3", U, 0x10400, 0x8 },
		{ &p_core, "pmc1=0x3c", U, 0x1003c, 0x2 },
		{ &p_core, "ev=0:umask=0x3", K, 0x20300, 0x4 },
		{ &older, "ev=0:umask=0x3", U | K, 0x30300, 0x4 },
		/* on a general one alone */
		{ &p_core, "ev=0x2e:umask=0x41", U, 0x1412e, 0xff0 },
		{ &p_core, "ev=0x3c:umask=0x01", U, 0x1013c, 0xff0 },
		{ &p_core, "pmc4=0xc0", U, 0x100c0, 0x10 },
		{ &p_core, "ev=0xc0:cmask=1", U, 0x10100c0, 0xff0 },
		{ &p_core, "ev=0xc0:edge:cmask=1", U, 0x10500c0, 0xff0 },
		{ &p_core, "ev=0xc0:inv:cmask=16", U, 0x108100c0, 0xff0 },
		{ &older, "ev=0x3c:any", U, 0x21003c, 0x7a },
		/* modes */
		{ &p_core, "ev=0xc4", K, 0x200c4, 0xff0 },
		{ &p_core, "ev=0xc4", U | K, 0x300c4, 0xff0 },
		{ &p_core, "ev=0xc4:k", U, 0x200c4, 0xff0 },
		/* AMD: 12 bits of event, no fixed counters, event 0 as any other */
		{ &zen, "ev=0xc0", U, 0x100c0, 0x3f },
		{ &zen, "ev=0x1c7:umask=2", U, 0x1000102c7, 0x3f },
		{ &zen, "ev=0:umask=1", U, 0x10100, 0x3f },
		{ &zen, "ev=0x31:umask=1", U, 0x10131, 0x07 },
		{ &zen, "ev=0x1c0", U, 0x1000100c0, 0x38 },
		{ &zen, "pmc4=0x1c0", U, 0x1000100c0, 0x10 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 config, slots;
		struct pmc_err err;

		if (encode(cases[i].layout, cases[i].text, cases[i].modes,
			   &config, &slots, &err))
			fail_msg("'%s': %s", cases[i].text, err.text);
		if (config != cases[i].config || slots != cases[i].slots)
			fail_msg("'%s' (case %u): config %#llx, slots %#llx",
				 cases[i].text, i, (unsigned long long)config,
				 (unsigned long long)slots);
	}
}

static void errors(void **state)
{
	static const struct {
		const struct pmc_x86_layout *layout;
		const char *text;
		unsigned int modes;
		const char *says;
	} cases[] = {
		{ &p_core, "ev=0x1c0", U, "8 bits" },
		{ &zen, "ev=0x10c0", U, "12 bits" },
		{ &p_core, "ev=0xc0:umask=0x100", U, "umask" },
		{ &p_core, "ev=0xc0:cmask=0x100", U, "cmask" },
		{ &p_core, "ev=0x3c:any", U, "any" },
		{ &p_core, "pmc12=0xc0", U, "pmc0 to pmc11" },
		{ &p_core, "pmc4", U, "pmc4=0xc0" },
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
		{ &p_core, "ev=0xc0", 0, "usr or os" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 config, slots;
		struct pmc_err err = { };

		if (encode(cases[i].layout, cases[i].text, cases[i].modes,
			   &config, &slots, &err) != -EINVAL)
			fail_msg("'%s': not refused", cases[i].text);
		if (!strstr(err.text, cases[i].says))
			fail_msg("'%s': '%s' does not say '%s'",
				 cases[i].text, err.text, cases[i].says);
	}
}

/* Alder Lake: family 6, model 0x97. */
static void models(void **state)
{
	struct pmc_x86_layout big = p_core, small = older;
	static const struct {
		const char *text;
		u64 big, small;
	} cases[] = {
		{ "ev=0x2e:umask=0x4f", 0xff0, 0x78 },
		{ "ev=0x3c", 0xff2, 0x7a },
		{ "ev=0x08:umask=0x0e", 0x0f0, 0x78 },
		{ "ev=0xa3:umask=0x08", 0x0f0, 0x78 },
		{ "ev=0xa3:umask=0x04", 0xff0, 0x78 },
		{ "ev=0xa4:umask=0x08", 0x010, 0x78 },
		{ "ev=0xd1:umask=0x20", 0x0f0, 0x78 },
		{ "ev=0xc4", 0xff0, 0x78 },
		{ "ev=0:umask=0x04", 0x008, 0 },
	};
	struct pmc_err err;
	unsigned int i;
	u64 config, slots;

	big.constraints = pmc_intel_constraints(6, 0x97, false);
	small.constraints = pmc_intel_constraints(6, 0x97, true);
	assert_non_null(big.constraints);
	assert_null(small.constraints);
	assert_null(pmc_intel_constraints(6, 0x2a, false));
	assert_null(pmc_intel_constraints(15, 0x97, false));
	/* The rest of a table's row is not a model. */
	assert_null(pmc_intel_constraints(6, 0, false));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (encode(&big, cases[i].text, U, &config, &slots, &err) ||
		    slots != cases[i].big)
			fail_msg("'%s' on a big core: slots %#llx",
				 cases[i].text, (unsigned long long)slots);
		if (!cases[i].small)
			continue;
		if (encode(&small, cases[i].text, U, &config, &slots, &err) ||
		    slots != cases[i].small)
			fail_msg("'%s' on a small core: slots %#llx",
				 cases[i].text, (unsigned long long)slots);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(register_values),
		cmocka_unit_test(errors),
		cmocka_unit_test(models),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
