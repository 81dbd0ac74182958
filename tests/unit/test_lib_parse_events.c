// SPDX-License-Identifier: GPL-2.0
/* Parsing of event sets, without a machine. */
#include "lib.h"
#include "format_event.h"

static struct event_set set;

static const struct event *one(const char *spec)
{
	if (parse_events(&set, spec, 0))
		fail_msg("%s: %s", spec, pmc_last_error());
	assert_int_equal(set.nr_events, 1);
	return &set.events[0];
}

static void refused(const char *spec, unsigned int flags, const char *part)
{
	if (!parse_events(&set, spec, flags))
		fail_msg("'%s' was accepted", spec);
	assert_int_equal(errno, EINVAL);
	check_error(part);
}

static void test_numbers(void **state)
{
	uint64_t n = 1;

	assert_int_equal(parse_number("0", &n), 0);
	assert_int_equal(n, 0);
	assert_int_equal(parse_number("010", &n), 0);
	assert_int_equal(n, 10);
	assert_int_equal(parse_number("0xFf", &n), 0);
	assert_int_equal(n, 255);
	assert_int_equal(parse_number("18446744073709551615", &n), 0);
	assert_true(n == UINT64_MAX);
	assert_int_equal(parse_number("18446744073709551616", &n), -1);
	assert_int_equal(parse_number("", &n), -1);
	assert_int_equal(parse_number("0x", &n), -1);
	assert_int_equal(parse_number("-1", &n), -1);
	assert_int_equal(parse_number(" 1", &n), -1);
	assert_int_equal(parse_number("1a", &n), -1);
}

static void test_names(void **state)
{
	const struct event *ev = one("MEM_LOAD_RETIRED:L1_MISS:u:ebs=1000:c=2:edge");

	assert_string_equal(ev->name, "MEM_LOAD_RETIRED:L1_MISS:u:ebs=1000:c=2:edge");
	assert_string_equal(ev->base, "MEM_LOAD_RETIRED:L1_MISS");
	assert_int_equal(ev->place, EVENT_ANYWHERE);
	assert_int_equal(ev->user, 1);
	assert_int_equal(ev->kernel, 0);
	assert_int_equal(ev->ebs, 1000);
	assert_int_equal(ev->cmask, 2);
	assert_int_equal(ev->edge, 1);
	assert_int_equal(ev->inv, UNSET);

	ev = one("OCR.DEMAND_RFO.DRAM:u");
	assert_int_equal(ev->extra, 0);
	ev = one("0x2a:umask=1:extra=0x3fbfc00001:u");
	assert_string_equal(ev->base, "0x2a");
	assert_int_equal(ev->umask, 1);
	assert_int_equal(ev->extra, 0x3fbfc00001);
	ev = one("0xb7:umask=1:offcore_rsp=65537");
	assert_string_equal(ev->base, "0xb7");
	assert_int_equal(ev->extra, 0x10001);
	ev = one("FRONTEND_RETIRED:frontend=0x800ff0ffffff9fff");
	assert_string_equal(ev->base, "FRONTEND_RETIRED");
	assert_true(ev->extra == 0x800ff0ffffff9fff);

	ev = one("cycles:k");
	assert_int_equal(ev->user, 0);
	assert_int_equal(ev->kernel, 1);
	ev = one("cycles:u:k");
	assert_int_equal(ev->user, 1);
	assert_int_equal(ev->kernel, 1);
	ev = one("cycles");
	assert_int_equal(ev->user, UNSET);
	ev = one("instr:ebs");
	assert_int_equal(ev->ebs, 500000000);
	ev = one("instr:pmc=3");
	assert_int_equal(ev->place, EVENT_PINNED);
	assert_int_equal(ev->slot, 3);
	assert_int_equal(one("instr:ebs=10M")->ebs, 10000000);
	assert_int_equal(one("instr:ebs=250k")->ebs, 250000);
	assert_int_equal(one("instr:ebs=2G")->ebs, 2000000000);
	assert_int_equal(one("instr:ebs=1e6")->ebs, 1000000);
	assert_int_equal(one("instr:ebs=18e18")->ebs, 18000000000000000000ULL);
	ev = one("instr,ebs0=7");
	assert_int_equal(ev->ebs, 7);
	assert_int_equal(parse_events(&set, "instr,cycles,ebs1=9", 0), 0);
	assert_int_equal(set.events[0].ebs, 0);
	assert_int_equal(set.events[1].ebs, 9);
}

static void test_raw(void **state)
{
	assert_int_equal(parse_events(&set, "pmc0,pmc3=0x2e,umask3=0x41,ebs3=9,usr3=1,os3=0,cmask3=1,coretype=1",
				    PMC_CONFIG_RAW), 0);
	assert_int_equal(set.core_type, 1);
	assert_int_equal(set.nr_events, 2);
	assert_int_equal(set.events[0].place, EVENT_PINNED);
	assert_int_equal(set.events[0].has_code, 0);
	assert_int_equal(set.events[1].slot, 3);
	assert_int_equal(set.events[1].code, 0x2e);
	assert_int_equal(set.events[1].umask, 0x41);
	assert_int_equal(set.events[1].ebs, 9);
	assert_int_equal(set.events[1].user, 1);
	assert_int_equal(set.events[1].kernel, 0);
	assert_int_equal(set.events[1].cmask, 1);
}

static void test_print(void **state)
{
	char buf[256];

	assert_int_equal(parse_events(&set, "pmc3=0x2e,umask3=0x41,usr3=1,ebs3=9", 0), 0);
	event_print(&set.events[0], buf, sizeof(buf));
	assert_string_equal(buf, "pmc3=0x2e,umask3=0x41,usr3=1,ebs3=9");
	assert_int_equal(parse_events(&set, "x:u:inv:umask=3:ebs=4", 0), 0);
	set.events[0].has_code = 1;
	set.events[0].code = 0x11;
	event_print(&set.events[0], buf, sizeof(buf));
	assert_string_equal(buf, "ev=0x11:umask=0x03:inv:u:ebs=4");
	assert_int_equal(parse_events(&set, "pmc4=0x2a,umask4=1,extra4=65537", 0), 0);
	event_print(&set.events[0], buf, sizeof(buf));
	assert_string_equal(buf, "pmc4=0x2a,umask4=0x01,extra4=0x10001");
	assert_int_equal(parse_events(&set, "x:ebs=4:extra=0x3fbfc00001", 0), 0);
	set.events[0].has_code = 1;
	set.events[0].code = 0x2a;
	event_print(&set.events[0], buf, sizeof(buf));
	assert_string_equal(buf, "ev=0x2a:ebs=4:extra=0x3fbfc00001");
}

static void test_refused(void **state)
{
	char longer[2000];

	refused("", 0, "set is empty");
	refused("instr,,cycles", 0, "missing beside a comma");
	refused("instr,", 0, "missing beside a comma");
	refused("coretype=1", 0, "no events");
	refused("coretype=,instr", 0, "the number or the name of a core type");
	refused("coretype=a_name_that_is_longer_than_any_is,instr", 0, "the number or the name of a core type");
	refused("instr:ebs=19e18", 0, "write 1000000, 1e6 or 1M");
	refused("instr:ebs=1e", 0, "no number of events");
	refused("instr:ebs=1e100", 0, "no number of events");
	refused("instr:ebs=M", 0, "no number of events");
	refused("instr:ebs=1m", 0, "no number of events");
	refused("instr:ebs=1MM", 0, "no number of events");
	refused("instr:ebs=0x1M", 0, "no number of events");
	refused("instr:ebs=0", 0, "must not be zero");
	refused("pmc1=8,ebs1=0", 0, "must not be zero");
	refused("instr:ebs=many", 0, "no number");
	refused("instr:pmc=99", 0, "number of a counter");
	refused("instr:umask=0x10000", 0, "0 to 0xffff");
	refused("instr:cmask=0x100", 0, "0 to 0xff");
	refused("instr:edge=2", 0, "0 or 1");
	refused("x:extra", 0, "extra= takes a number above 0");
	refused("x:extra=0", 0, "extra= takes a number above 0");
	refused("x:offcore_rsp=0x10000000000000000", 0, "offcore_rsp= takes a number above 0");
	refused("x:frontend=dsb", 0, "frontend= takes a number above 0");
	refused("pmc1=8,extra1=0", 0, "must not be zero");
	refused("pmc1=8,extra1", 0, "needs a number: extra1=N");
	refused("pmc1=8,extra2=1", 0, "no pmc2 before it");
	refused(":u", 0, "no event before the colon");
	refused("umask3=1", 0, "no pmc3 before it");
	refused("pmc1=8,umask3=1", 0, "no pmc3 before it");
	refused("pmc1=8,umask1", 0, "needs a number");
	refused("pmc1=8,edge1=2", 0, "must not be above 1");
	refused("pmc1=8,pmc1=9", 0, "in the set already");
	refused("pmc1=instr", 0, "no event code");
	refused("instr,instr", 0, "twice");
	refused("instr,ebs1=5", 0, "no pmc1 before it");
	refused("instr", PMC_CONFIG_RAW, "raw form");

	memset(longer, 'a', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	refused(longer, 0, "too long");
	strcpy(longer, "e0");
	for (int i = 1; i <= PMC_MAX_COUNTS; i++)
		sprintf(longer + strlen(longer), ",e%d", i);
	refused(longer, 0, "more than 32");
}

/* Random text: no word is read past its end. */
static void test_garbage(void **state)
{
	static const char letters[] = "pmcebsuk0129=:,x.instr";
	uint64_t random = 42;
	char spec[40];
	int i, j, n;

	for (i = 0; i < 200000; i++) {
		n = i % (sizeof(spec) - 1);
		for (j = 0; j < n; j++) {
			random = random * 6364136223846793005ULL + 1442695040888963407ULL;
			spec[j] = letters[(random >> 33) % (sizeof(letters) - 1)];
		}
		spec[n] = '\0';
		if (parse_events(&set, spec, i & 1))
			assert_int_equal(errno, EINVAL);
		else
			assert_in_range(set.nr_events, 1, PMC_MAX_COUNTS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_garbage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
