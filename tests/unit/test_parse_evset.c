// SPDX-License-Identifier: GPL-2.0
/*
 * The text of event sets: all valid forms, and every type of error.
 */
#include "base/parse_evset.h"
#include "unit.h"

/* A copy of exactly the text's length, so that the sanitizer notices a read beyond it. */
static int parse(const char *text, struct pmc_setreq *req, struct pmc_err *err)
{
	size_t len = strlen(text);
	char *copy = malloc(len ? len : 1);
	int ret;

	assert_non_null(copy);
	memcpy(copy, text, len);
	memset(req, 0xaa, sizeof(*req));
	memset(err, 0xaa, sizeof(*err));
	ret = pmc_parse_events(copy, len, req, err);
	free(copy);

	return ret;
}

static void good(const char *text, struct pmc_setreq *req)
{
	struct pmc_err err;

	if (parse(text, req, &err))
		fail_msg("'%s': %s", text, err.text);
}

/* An event without attributes. */
static struct pmc_evreq plain(enum pmc_evreq_kind kind)
{
	return (struct pmc_evreq){ .kind = kind, .usr = -1, .os = -1 };
}

static void check_event(const struct pmc_evreq *got,
			const struct pmc_evreq *want)
{
	assert_int_equal(got->kind, want->kind);
	assert_int_equal(got->slot, want->slot);
	assert_int_equal(got->sw, want->sw);
	assert_int_equal(got->has_code, want->has_code);
	assert_int_equal(got->edge, want->edge);
	assert_int_equal(got->inv, want->inv);
	assert_int_equal(got->any, want->any);
	assert_int_equal(got->usr, want->usr);
	assert_int_equal(got->os, want->os);
	assert_int_equal(got->code, want->code);
	assert_int_equal(got->umask, want->umask);
	assert_int_equal(got->cmask, want->cmask);
	assert_int_equal(got->ebs, want->ebs);
	assert_int_equal(got->extra, want->extra);
}

static void pinned_counters(void **state)
{
	struct pmc_evreq want = plain(PMC_EVREQ_PINNED);
	struct pmc_setreq req;

	good("pmc0,pmc3=0x8,pmc63=17", &req);
	assert_int_equal(req.core_type, -1);
	assert_int_equal(req.nr, 3);
	check_event(&req.ev[0], &want);
	want.slot = 3;
	want.has_code = true;
	want.code = 8;
	check_event(&req.ev[1], &want);
	want.slot = 63;
	want.code = 17;
	check_event(&req.ev[2], &want);
}

static void a_code_of_zero_is_a_code(void **state)
{
	struct pmc_setreq req;

	good("pmc1=0", &req);
	assert_true(req.ev[0].has_code);
	assert_int_equal(req.ev[0].code, 0);
}

static void codes_have_64_bits(void **state)
{
	struct pmc_setreq req;

	good("pmc1=0xfedcba9876543210,ev=18446744073709551615", &req);
	assert_int_equal(req.ev[0].code, 0xfedcba9876543210ULL);
	assert_int_equal(req.ev[1].code, U64_MAX);
}

static void every_attribute_of_a_pinned_counter(void **state)
{
	struct pmc_evreq want = plain(PMC_EVREQ_PINNED);
	struct pmc_setreq req;

	good("pmc2=0x2e,umask2=0x41,cmask2=3,edge2=1,inv2=1,any2=1,usr2=0,os2=1,ebs2=500000,extra2=0x800ff0ffffff9fff",
	     &req);
	want.slot = 2;
	want.has_code = true;
	want.code = 0x2e;
	want.umask = 0x41;
	want.cmask = 3;
	want.edge = true;
	want.inv = true;
	want.any = true;
	want.usr = 0;
	want.os = 1;
	want.ebs = 500000;
	want.extra = 0x800ff0ffffff9fff;
	assert_int_equal(req.nr, 1);
	check_event(&req.ev[0], &want);

	good("pmc2,edge2=0,inv2=0,any2=0,usr2=1,os2=0", &req);
	want = plain(PMC_EVREQ_PINNED);
	want.slot = 2;
	want.usr = 1;
	want.os = 0;
	check_event(&req.ev[0], &want);
}

static void attributes_find_their_counter_in_any_order(void **state)
{
	struct pmc_setreq req;

	good("ebs7=10,umask12=1,pmc7,ev=5,usr7=1,pmc12=2,umask7=2", &req);
	assert_int_equal(req.nr, 3);
	assert_int_equal(req.ev[0].ebs, 10);
	assert_int_equal(req.ev[0].usr, 1);
	assert_int_equal(req.ev[0].umask, 2);
	assert_int_equal(req.ev[1].umask, 0);
	assert_int_equal(req.ev[2].umask, 1);
	assert_int_equal(req.ev[2].usr, -1);
}

static void events_on_any_counter(void **state)
{
	struct pmc_evreq want = plain(PMC_EVREQ_ANY);
	struct pmc_setreq req;

	good("ev=8,ev=0x3c:umask=0x1:cmask=0x2:edge:inv:any:u:k:ebs=1:extra=0x10001",
	     &req);
	want.has_code = true;
	want.code = 8;
	check_event(&req.ev[0], &want);
	want.code = 0x3c;
	want.umask = 1;
	want.cmask = 2;
	want.edge = true;
	want.inv = true;
	want.any = true;
	want.usr = 1;
	want.os = 1;
	want.ebs = 1;
	want.extra = 0x10001;
	check_event(&req.ev[1], &want);
}

static void the_same_event_may_be_counted_twice(void **state)
{
	struct pmc_setreq req;

	good("ev=8:u,ev=8:k,pmc3=8", &req);
	assert_int_equal(req.nr, 3);
	assert_int_equal(req.ev[0].usr, 1);
	assert_int_equal(req.ev[0].os, -1);
	assert_int_equal(req.ev[1].usr, -1);
	assert_int_equal(req.ev[1].os, 1);
}

static void every_software_counter(void **state)
{
	static const char *const names[] = {
		"task_clock", "context_switches", "migrations",
		"page_faults", "minor_faults", "major_faults",
	};
	struct pmc_evreq want = plain(PMC_EVREQ_SW);
	struct pmc_setreq req;
	unsigned int i;
	char text[40];

	assert_int_equal(ARRAY_SIZE(names), PMC_SW_NR);
	for (i = 0; i < PMC_SW_NR; i++) {
		assert_string_equal(pmc_sw_names[i], names[i]);
		snprintf(text, sizeof(text), "sw=%s", names[i]);
		good(text, &req);
		want.sw = i;
		check_event(&req.ev[0], &want);
	}
}

static void counters_that_cpus_share(void **state)
{
	struct pmc_setreq req;
	struct pmc_err err;

	assert_int_equal(parse("ev=0xc0,l3=0x4:umask=0x01,l3=4,l3=6,pmc3=1", &req, &err), 0);
	assert_int_equal(req.nr, 5);
	assert_int_equal(req.ev[1].kind, PMC_EVREQ_UNCORE);
	assert_int_equal(req.ev[1].uncore, PMC_UNCORE_L3);
	assert_true(req.ev[1].has_code);
	assert_int_equal(req.ev[1].code, 4);
	assert_int_equal(req.ev[1].umask, 1);
	assert_int_equal(req.ev[1].ebs, 0);
	assert_int_equal(req.ev[2].umask, 0);
	assert_int_equal(req.ev[3].code, 6);
	assert_int_equal(req.ev[4].kind, PMC_EVREQ_PINNED);
}

static void a_set_may_be_for_one_core_type(void **state)
{
	struct pmc_setreq req;

	good("coretype=1,pmc0", &req);
	assert_int_equal(req.core_type, 1);
	good("pmc0,coretype=0", &req);
	assert_int_equal(req.core_type, 0);
	good("coretype=65534,pmc0", &req);
	assert_int_equal(req.core_type, 65534);
}

static void a_full_set(void **state)
{
	char text[16 * (PMC_MAX_COUNTS + 1)] = "";
	struct pmc_setreq req;
	struct pmc_err err;
	unsigned int i;

	for (i = 0; i < PMC_MAX_COUNTS; i++)
		sprintf(text + strlen(text), "%spmc%u=%u", i ? "," : "", i, i);
	good(text, &req);
	assert_int_equal(req.nr, PMC_MAX_COUNTS);
	for (i = 0; i < PMC_MAX_COUNTS; i++)
		assert_int_equal(req.ev[i].code, i);

	strcat(text, ",ev=1");
	assert_int_equal(parse(text, &req, &err), -EINVAL);
	check_message(&err, "'ev=1' is one event too many: a set has at most 32");
}

static void modes(void **state)
{
	static const struct {
		s8 usr, os;
		bool user, kernel;	/* with the default user only */
	} cases[] = {
		{ -1, -1, true, false },
		{ 1, -1, true, false },
		{ -1, 1, false, true },
		{ 1, 1, true, true },
		{ 0, -1, false, false },
		{ -1, 0, false, false },
		{ 0, 1, false, true },
		{ 1, 0, true, false },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pmc_evreq ev = { .usr = cases[i].usr, .os = cases[i].os };
		bool user, kernel;

		pmc_evreq_modes(&ev, true, false, &user, &kernel);
		assert_int_equal(user, cases[i].user);
		assert_int_equal(kernel, cases[i].kernel);
	}
}

static void errors(void **state)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{ "", "empty word" },
		{ ",", "empty word" },
		{ "pmc0,", "empty word" },
		{ ",pmc0", "empty word" },
		{ "pmc0,,pmc1=1", "empty word" },
		{ "coretype=0", "the event set has no event" },
		{ "pmc", "'pmc': expected pmcN" },
		{ "pmcx", "'pmcx': expected" },
		{ "pmc=8", "'pmc=8': expected" },
		{ "pmc-1", "'pmc-1': expected" },
		{ "pmc0x1=8", "'pmc0x1=8': expected" },
		{ "PMC0", "'PMC0': expected" },
		{ " pmc0", "' pmc0': expected" },
		{ "pmc0 ", "'pmc0 ': expected" },
		{ "0", "'0': expected" },
		{ "=", "'=': expected" },
		{ "=8", "'=8': expected" },
		{ "pmc64", "'64' in 'pmc64' is too large: at most 63" },
		{ "pmc99999999999999999999=1", "is too large: at most 63" },
		{ "pmc1=", "'' in 'pmc1=' is no number" },
		{ "pmc1=x", "'x' in 'pmc1=x' is no number" },
		{ "pmc1=0x", "'0x' in 'pmc1=0x' is no number" },
		{ "pmc1=-1", "'-1' in 'pmc1=-1' is no number" },
		{ "pmc1=8=8", "'8=8' in 'pmc1=8=8' is no number" },
		{ "pmc1=8:u", "'8:u' in 'pmc1=8:u' is no number" },
		{ "pmc1=0x10000000000000000", "is too large" },
		{ "pmc1,pmc1=8", "'pmc1=8': this counter already has an event" },
		{ "pmc1=8,pmc01", "'pmc01': this counter already has" },
		{ "umask1=1", "the event set has no event" },
		{ "pmc0,umask1=1", "'umask1=1': this set does not name pmc1" },
		{ "ev=8,usr0=1", "'usr0=1': this set does not name pmc0" },
		{ "pmc0,umask64=1", "'64' in 'umask64=1' is too large" },
		{ "pmc0,umask=1", "'umask=1': expected" },
		{ "pmc0,umask0", "'umask0': expected" },
		{ "pmc0,ebs0", "'ebs0': expected" },
		{ "pmc0,foo0=1", "'foo0=1': expected" },
		{ "pmc0,umask0=z", "'z' in 'umask0=z' is no number" },
		{ "pmc0,cmask0=", "'' in 'cmask0=' is no number" },
		{ "pmc0,edge0=2", "'2' in 'edge0=2' is too large: at most 1" },
		{ "pmc0,inv0=2", "'2' in 'inv0=2' is too large: at most 1" },
		{ "pmc0,any0=2", "'2' in 'any0=2' is too large: at most 1" },
		{ "pmc0,usr0=2", "'2' in 'usr0=2' is too large: at most 1" },
		{ "pmc0,os0=2", "'2' in 'os0=2' is too large: at most 1" },
		{ "pmc0,os0=yes", "'yes' in 'os0=yes' is no number" },
		{ "pmc0,ebs0=0", "'ebs0=0': a sampling period is at least 1" },
		{ "pmc0,ebs0=1,ebs0=1", "'ebs0=1': this attribute is there twice" },
		{ "pmc0,usr0=0,usr0=1", "'usr0=1': this attribute is there twice" },
		{ "pmc0,extra0=0", "'extra0=0': a register that holds 0" },
		{ "pmc0,extra0=1,extra0=1", "'extra0=1': this attribute is there twice" },
		{ "pmc0,extra0=0x10000000000000000", "is too large" },
		{ "pmc0,extra=1", "'extra=1': expected" },
		{ "ev=8,extra0=1", "'extra0=1': this set does not name pmc0" },
		{ "ev", "'ev': expected" },
		{ "ev0=8", "'ev0=8': expected" },
		{ "ev=", "'' in 'ev=' is no number" },
		{ "ev=:u", "'' in 'ev=:u' is no number" },
		{ "ev=cycles", "'cycles' in 'ev=cycles' is no number" },
		{ "ev=8:", "unknown option of ev= ''" },
		{ "ev=8::u", "unknown option of ev= ''" },
		{ "ev=8:usr", "unknown option of ev= 'usr': use one of umask, cmask, edge, inv, any, u, k, ebs, extra" },
		{ "ev=8:umask", "'umask': needs a value" },
		{ "ev=8:ebs", "'ebs': needs a value" },
		{ "ev=8:umask=", "'' in 'umask=' is no number" },
		{ "ev=8:cmask=1.5", "'1.5' in 'cmask=1.5' is no number" },
		{ "ev=8:u=1", "'u=1': takes no value" },
		{ "ev=8:edge=1", "'edge=1': takes no value" },
		{ "ev=8:u:u", "'u': this attribute is there twice" },
		{ "ev=8:ebs=0", "'ebs=0': a sampling period is at least 1" },
		{ "ev=8:extra", "'extra': needs a value" },
		{ "ev=8:extra=0", "'extra=0': a register that holds 0" },
		{ "ev=8:extra=5:extra=5", "'extra=5': this attribute is there twice" },
		{ "ev=8:ebs=5:ebs=6", "'ebs=6': this attribute is there twice" },
		{ "sw", "'sw': expected" },
		{ "sw=", "unknown software counter ''" },
		{ "sw=clock", "unknown software counter 'clock': use one of task_clock, context_switches, migrations, page_faults, minor_faults, major_faults" },
		{ "sw=task_clock:u", "unknown software counter 'task_clock:u'" },
		{ "sw=migrations,sw=migrations", "'sw=migrations': is there twice" },
		{ "l3", "'l3': expected" },
		{ "l3=", "'' in 'l3=' is no number" },
		{ "l3=miss", "'miss' in 'l3=miss' is no number" },
		{ "l33=4", "'l33=4': expected" },
		{ "l=4", "'l=4': expected" },
		{ "l3=4:u", "'l3=4:u': a counter that CPUs share takes umask=X and no other" },
		{ "l3=4:ebs=1000", "takes umask=X and no other option" },
		{ "l3=4:umask", "takes umask=X and no other option" },
		{ "l3=4:", "takes umask=X and no other option" },
		{ "l3=4:umask=", "'' in 'l3=4:umask=' is no number" },
		{ "l3=4:umask=1:umask=2", "this attribute is there twice" },
		{ "l3=4:umask=1,ev=4,l3=0x4:umask=0x1", "'l3=0x4:umask=0x1': is there twice" },
		{ "l3=4,umask3=1", "'umask3=1': this set does not name pmc3" },
		{ "coretype", "'coretype': expected" },
		{ "coretype=,pmc0", "'' in 'coretype=' is no number" },
		{ "coretype=big,pmc0", "'big' in 'coretype=big' is no number" },
		{ "coretype=65535,pmc0", "too large: at most 65534" },
		{ "coretype=0,coretype=0,pmc0", "'coretype=0': a set is for one" },
		{ "pmc0\n", "'pmc0?': expected" },
		{ "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
		  "'abcdefghijklmnopqrstuvwxyzabcdef...': expected" },
	};
	struct pmc_setreq req;
	struct pmc_err err;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		int ret = parse(cases[i].text, &req, &err);

		if (ret != -EINVAL)
			fail_msg("'%s' gives %d", cases[i].text, ret);
		check_message(&err, cases[i].message);
	}
}

static void the_longest_message_fits(void **state)
{
	struct pmc_setreq req;
	struct pmc_err err;

	assert_int_equal(parse("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqr",
			       &req, &err), -EINVAL);
	check_message(&err, "extraN=");
}

static void a_zero_byte_is_no_end(void **state)
{
	struct pmc_setreq req;
	struct pmc_err err;

	assert_int_equal(pmc_parse_events("pmc0\0,pmc1=1", 12, &req, &err),
			 -EINVAL);
	check_message(&err, "'pmc0?'");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(pinned_counters),
		cmocka_unit_test(a_code_of_zero_is_a_code),
		cmocka_unit_test(codes_have_64_bits),
		cmocka_unit_test(every_attribute_of_a_pinned_counter),
		cmocka_unit_test(attributes_find_their_counter_in_any_order),
		cmocka_unit_test(events_on_any_counter),
		cmocka_unit_test(the_same_event_may_be_counted_twice),
		cmocka_unit_test(every_software_counter),
		cmocka_unit_test(counters_that_cpus_share),
		cmocka_unit_test(a_set_may_be_for_one_core_type),
		cmocka_unit_test(a_full_set),
		cmocka_unit_test(modes),
		cmocka_unit_test(errors),
		cmocka_unit_test(the_longest_message_fits),
		cmocka_unit_test(a_zero_byte_is_no_end),
	};

	return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
