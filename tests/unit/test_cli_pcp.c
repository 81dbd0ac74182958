// SPDX-License-Identifier: GPL-2.0
/* What PCP's agent reads in texts of pmctrack openmetrics. */
#include "lib.h"
#include "text.h"

static struct value v;

static void parsed(const char *line, enum family family, const char *instance, double number)
{
	memset(&v, 0xff, sizeof(v));
	assert_int_equal(text_parse(line, &v), 1);
	assert_int_equal(v.family, family);
	assert_string_equal(v.instance, instance);
	assert_true(v.number == number);
}

static void test_families(void **state)
{
	parsed("pmctrack_events_total{core_type=\"P\",set=\"0\",event=\"instr\"} 12\n", FAMILY_EVENTS, "P:0:instr", 12);
	parsed("pmctrack_counted_seconds_total{core_type=\"P\",set=\"1\"} 1.500000000\n", FAMILY_COUNTED, "P:1", 1.5);
	parsed("pmctrack_metric{core_type=\"E\",metric=\"ipc\",metric_unit=\"\"} 0.25\n", FAMILY_METRIC, "E:ipc", 0.25);
	parsed("pmctrack_virtual_total{name=\"energy_pkg\",value_unit=\"J\"} 2.5\n", FAMILY_VIRTUAL_COUNT, "energy_pkg", 2.5);
	parsed("pmctrack_virtual_level{name=\"a\",value_unit=\"B\",estimated=\"yes\",cpu=\"3\"} 4096\n", FAMILY_VIRTUAL_LEVEL, "a:cpu3", 4096);
	parsed("pmctrack_interval_seconds 10.5\n", FAMILY_INTERVAL, "", 10.5);
	parsed("pmctrack_lost_samples_total 7\n", FAMILY_LOST, "", 7);
}

/* Counts are whole numbers of 64 bits. */
static void test_large(void **state)
{
	assert_int_equal(text_parse("pmctrack_events_total{core_type=\"P\",set=\"0\",event=\"a\"} 18446744073709551615\n", &v), 1);
	assert_true(v.count == 18446744073709551615ULL);
	assert_int_equal(text_parse("pmctrack_lost_samples_total 9007199254740993\n", &v), 1);
	assert_true(v.count == 9007199254740993ULL);
}

/* Names may have all signs; a backslash is in front of backslash and quotation mark. */
static void test_signs(void **state)
{
	parsed("pmctrack_events_total{core_type=\"a}b\",set=\"0\",event=\"x,set=\\\"9\\\"\\\\{y\"} 3\n", FAMILY_EVENTS,
	       "a}b:0:x,set=\"9\"\\{y", 3);
}

static void refused(const char *line)
{
	assert_int_equal(text_parse(line, &v), 0);
}

static void test_refused(void **state)
{
	char line[1024];

	refused("");
	refused("\n");
	refused("# TYPE pmctrack_events counter\n");
	refused("# EOF\n");
	refused("pmctrack_events_total\n");
	refused("pmctrack_events_total{core_type=\"P\",set=\"0\"} 12\n");
	refused("pmctrack_events_total{core_type=\"P\",set=\"0\",event=\"instr\"}\n");
	refused("pmctrack_events_total{core_type=\"P\",set=\"0\",event=\"instr\n");
	refused("pmctrack_events_totals{core_type=\"P\",set=\"0\",event=\"instr\"} 12\n");
	refused("pmctrack_metric{core_type\n");
	refused("pmctrack_lost_samples_total x\n");
	/* A label longer than a name can be has its first signs. */
	snprintf(line, sizeof(line), "pmctrack_virtual_total{name=\"%0500d\"} 1\n", 0);
	assert_int_equal(text_parse(line, &v), 1);
	assert_int_equal(strlen(v.instance), 63);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_families), cmocka_unit_test(test_large), cmocka_unit_test(test_signs),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
