// SPDX-License-Identifier: GPL-2.0
/* What PCP's agent reads in texts of pmctrack openmetrics. */
#include "lib.h"
#include "parse_openmetrics.h"

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
	parsed("pmctrack_threads{state=\"further\"} 12\n", FAMILY_THREADS, "further", 12);
	parsed("pmctrack_thread_lost_samples_total 3\n", FAMILY_THREADS_LOST, "", 3);
}

#define THREAD "pid=\"7\",tid=\"12\",name=\"a b\""

static void test_threads(void **state)
{
	parsed("pmctrack_thread_cpu_seconds_total{" THREAD "} 1.5\n", FAMILY_THREAD_TIME, "12 a b", 1.5);
	assert_int_equal(v.pid, 7);
	parsed("pmctrack_thread_counted_seconds_total{" THREAD ",core_type=\"P\",set=\"1\"} 2.5\n", FAMILY_THREAD_COUNTED,
	       "12:P:1 a b", 2.5);
	parsed("pmctrack_thread_events_total{" THREAD ",core_type=\"E\",set=\"0\",event=\"instr:u\"} 9\n", FAMILY_THREAD_EVENTS,
	       "12:E:0:instr:u a b", 9);
	assert_int_equal(v.pid, 7);
	parsed("pmctrack_thread_metric{" THREAD ",core_type=\"E\",metric=\"ipc\",metric_unit=\"\"} 0.5\n", FAMILY_THREAD_METRIC,
	       "12:E:ipc a b", 0.5);
}

/* A program can have any name; an instance has one line, and no terminal's control characters. */
static void test_thread_names(void **state)
{
	static const struct {
		const char *label, *instance;
	} names[] = {
		{ "", "12" }, { "a\\nb", "12 a?b" }, { "a\\\\nb", "12 a\\nb" }, { "\\\"},tid=\\\"9", "12 \"},tid=\"9" },
		{ "\x1b[1m\x7f", "12 ?[1m?" }, { "\xef\xbf\xbd", "12 \xef\xbf\xbd" }, { "tid=\\\"9\\\"", "12 tid=\"9\"" },
	};
	char line[200];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(line, sizeof(line), "pmctrack_thread_cpu_seconds_total{pid=\"7\",name=\"%s\",tid=\"12\"} 1\n", names[i].label);
		parsed(line, FAMILY_THREAD_TIME, names[i].instance, 1);
	}
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
	refused("pmctrack_thread_cpu_seconds_total{pid=\"1\",tid=\"2\"} 1\n");
	refused("pmctrack_thread_cpu_seconds_total{tid=\"2\",name=\"a\"} 1\n");
	refused("pmctrack_thread_cpu_seconds_total{pid=\"1\",name=\"a\"} 1\n");
	/* Instances that would be too long are none. */
	snprintf(line, sizeof(line), "pmctrack_thread_events_total{pid=\"1\",tid=\"2\",name=\"%063d\",core_type=\"%063d\",set=\"0\","
		 "event=\"%063d\"} 1\n", 0, 0, 0);
	refused(line);
	/* A label longer than a name can be has its first signs. */
	snprintf(line, sizeof(line), "pmctrack_virtual_total{name=\"%0500d\"} 1\n", 0);
	assert_int_equal(text_parse(line, &v), 1);
	assert_int_equal(strlen(v.instance), 63);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_families), cmocka_unit_test(test_large), cmocka_unit_test(test_signs),
		cmocka_unit_test(test_refused), cmocka_unit_test(test_threads), cmocka_unit_test(test_thread_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
