// SPDX-License-Identifier: GPL-2.0
/* The formats of reports for programs, CSV and JSON, with invented samples; lost samples. */
#include <unistd.h>

#include "cli_report.h"
#include "quote.h"

static void csv_is(const char *s, const char *expected)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	print_csv_string(f, s);
	fclose(f);
	assert_string_equal(text, expected);
	free(text);
}

static void test_csv_string(void **state)
{
	csv_is("ev=0xc0:u", "ev=0xc0:u");
	csv_is("a,b", "\"a,b\"");
	csv_is("a\"b", "\"a\"\"b\"");
	csv_is("a\nb", "\"a\nb\"");
}

static void test_csv(void **state)
{
	setup("biglittle", "instr,cycles", "pmc1=0x3,cycles:u");
	x.summary.totals.exact = 1;
	x.summary.totals.valid[0] = 1;
	x.summary.totals.counts[0] = 12;
	run(&report_csv);
	assert_string_equal(x.text,
		"nsample,time_s,pid,tid,cpu,coretype,set,event,elapsed_us,running_us,instr,cycles,pmc1=0x3,cycles:u,name\n"
		"1,2.000000,7008,7009,1,0,0,migration,1000000.000,900000.000,1961001132,110634,,,main\n"
		"2,2.500000,7008,7009,3,1,1,exit,500000.000,300000.000,,,5,110634,main\n"
		",,,,,0,,total,,0.000,12,,,,\n"
		",,,,,1,,total,,0.000,,,,,\n");
	teardown();
}

static void test_json(void **state)
{
	static char *command[] = { "./a \"b\"\n", NULL };

	setup("biglittle", "instr,cycles", NULL);
	x.o.command = command;
	x.summary.totals.exact = 1;
	x.summary.lost = 3;
	run(&report_json);
	has("\"command\": [\"./a \\\"b\\\"\\u000a\"],\n");
	has("\"title\": \"pmctrack: instr, cycles of ./a \\\"b\\\"\\u000a (user mode), every 100 ms, on core types big, little\",\n");
	has("{\"id\": 1, \"name\": \"little\", \"pmu\": \"armv8_cortex_a53\", \"cpus\": \"2-3\", \"sets\": [[{\"event\": \"instr\", \"counter\": 0, \"ebs_period\": null}, {\"event\": \"cycles\", \"counter\": 1, \"ebs_period\": null}]]}\n],");
	has("\"mode\": \"user\", \"period_ns\": 100000000, \"start_ns\": 0,\n");
	has("\n{\"nsample\": 2, \"time_ns\": 2500000000, \"pid\": 7008, \"tid\": 7009, \"name\": \"main\", \"cpu\": 3, \"core_type\": 1, \"set\": 0, \"type\": \"exit\",");
	has("\"counts\": {\"instr\": 5, \"cycles\": 110634}}\n],\n\"totals\": [");
	has("\"lost\": 3,");
	teardown();
}

/* Each number of what was lost, and the times, under its own name. */
static void test_json_summary(void **state)
{
	struct pmc_reading r = {
		.nr_counts = 2, .type = PMC_TICK_SAMPLE, .elapsed = 20, .running = 10, .lost = 9,
		.flags = PMC_READING_THROTTLED,
	};

	setup("biglittle", "instr,cycles", NULL);
	x.summary.totals.exact = 1;
	x.summary.totals.valid[1] = 1;
	x.summary.totals.counts[1] = 8;
	x.summary.totals.running[1] = 6;
	x.summary.totals.nr_threads = 2;
	x.summary.lost = 3;
	x.summary.throttled = 4;
	x.summary.left_out = 8;
	x.summary.missed_threads = 5;
	x.summary.losses[0] = 6;
	x.summary.losses[1] = 7;
	x.summary.usage = &x.usage;
	x.summary.real_ns = 2500000000;
	x.usage.ru_utime.tv_sec = 1;
	x.usage.ru_utime.tv_usec = 500000;
	x.usage.ru_stime.tv_usec = 250000;
	x.report.ops = &report_json;
	assert_int_equal(report_json.begin(&x.report), 0);
	report_json.sample(&x.report, 1, &r);
	r.flags = PMC_READING_COUNTER_LOST;
	r.lost = 8;
	report_json.sample(&x.report, 2, &r);
	report_json.end(&x.report, &x.summary);
	fclose(x.report.f);
	has("\"elapsed_ns\": 20, \"running_ns\": 10, \"lost\": 9, \"throttled\": true");
	has("\"lost\": 8, \"throttled\": false");
	has("{\"core_type\": 0, \"running_ns\": 0, \"counts\": {\"cycles\": 8}, \"counted_ns\": {\"cycles\": 0}}");
	has("{\"core_type\": 1, \"running_ns\": 6, \"counts\": {}, \"counted_ns\": {}}");
	has("\"threads\": 2, \"lost\": 3, \"throttled\": 4, \"left_out\": 8, \"missed_threads\": 5, \"counter_lost\": 6, \"evicted\": 7");
	has("\"real_s\": 2.500000, \"user_s\": 1.500000, \"sys_s\": 0.250000");
	teardown();
}

/* Lost samples are reported below the table, and on standard error with CSV. */
static void test_where_losses_go(void **state)
{
	static const char *const said[] = {
		"3 samples were lost", "4 samples by event count", "5 threads could not be counted",
		"in 6 samples a counter is missing", "7 threads or CPUs were not counted to the end",
	};
	char name[] = "/tmp/pmctrack-losses-XXXXXX", text[4096];
	int fd = mkstemp(name), saved = dup(2), csv;
	size_t i;

	unlink(name);
	for (csv = 0; csv < 2; csv++) {
		setup("skylake", "instr,cycles", NULL);
		x.summary.lost = 3;
		x.summary.left_out = 4;
		x.summary.missed_threads = 5;
		x.summary.losses[0] = 6;
		x.summary.losses[1] = 7;
		dup2(fd, 2);
		run(csv ? &report_csv : &report_table);
		dup2(saved, 2);
		text[pread(fd, text, sizeof(text) - 1, 0)] = '\0';
		for (i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
			assert_int_equal(!strstr(x.text, said[i]), csv);
			assert_int_equal(!strstr(text, said[i]), !csv);
		}
		teardown();
	}
	close(saved);
	close(fd);
}

static void json_is(const char *s, const char *expected)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	print_json_string(f, s);
	fclose(f);
	assert_string_equal(text, expected);
	free(text);
}

/* Arguments and file names may contain any bytes, but JSON is UTF-8. */
static void test_json_string(void **state)
{
	json_is("", "\"\"");
	json_is("a\"\\\t\x7f", "\"a\\\"\\\\\\u0009\\u007f\"");
	/* The reader may be a terminal: U+009B begins an escape sequence. */
	json_is("\xc2\x9b" "2J\xc2\xa0", "\"\\u009b2J\xc2\xa0\"");
	/* The first and the last character of each length, and next to the surrogates */
	json_is("\xc2\xa0\xdf\xbf", "\"\xc2\xa0\xdf\xbf\"");
	json_is("\xc2\x80", "\"\\u0080\"");
	json_is("\xe0\xa0\x80\xef\xbf\xbf", "\"\xe0\xa0\x80\xef\xbf\xbf\"");
	json_is("\xed\x9f\xbf\xee\x80\x80", "\"\xed\x9f\xbf\xee\x80\x80\"");
	json_is("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"");
	/* Overlong forms, surrogates, numbers above the last character */
	json_is("\xc0\xaf", "\"\\ufffd\\ufffd\"");
	json_is("\xc1\xbf", "\"\\ufffd\\ufffd\"");
	json_is("\xe0\x9f\xbf", "\"\\ufffd\\ufffd\\ufffd\"");
	json_is("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");
	json_is("\xf0\x8f\xbf\xbf", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
	json_is("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
	json_is("\xf5", "\"\\ufffd\"");
	/* An incomplete character; the following one is kept. */
	json_is("a\xff" "b\x80" "c", "\"a\\ufffdb\\ufffdc\"");
	json_is("\xe2\x82\"", "\"\\ufffd\\ufffd\\\"\"");
	json_is("\xe2\x82\xc3\xa4", "\"\\ufffd\\ufffd\xc3\xa4\"");
	json_is("\xf0\x90\x80", "\"\\ufffd\\ufffd\\ufffd\"");
}

static void name_is(const char *name, const char *also, const char *expected)
{
	char buf[NAME_QUOTED];

	assert_string_equal(quote_name(buf, sizeof(buf), name, also), expected);
}

/* A program chooses the names of its threads. */
static void test_names(void **state)
{
	char small[7];

	name_is("", "", "");
	name_is("kworker/0:1 \xc3\xa4", ",", "kworker/0:1 \xc3\xa4");
	name_is("a\n\033[31m\x7f", "", "a\\x0a\\x1b[31m\\x7f");
	name_is("\xc2\x9b" "2J", "", "\\xc2\\x9b2J");
	name_is("a\xff\xe2\x82", "", "a\\xff\\xe2\\x82");
	name_is("c:\\x,\"", ",\"", "c:\\x5cx\\x2c\\x22");
	name_is("\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17", "",
		"\\x01\\x02\\x03\\x04\\x05\\x06\\x07\\x08\\x09\\x0a\\x0b\\x0c\\x0d\\x0e\\x0f");
	assert_string_equal(quote_name(small, sizeof(small), "abc\033", ""), "abc");
}

/* A thread's sum covers several CPUs, so its row names none; with -S it is that of one CPU. */
static void test_sums_rows(void **state)
{
	setup("skylake", "instr,cycles", NULL);
	x.o.aggregate = 1;
	run(&report_csv);
	has("\n1,2.000000,7008,7009,,0,0,sum,1000000.000,900000.000,1961001132,110634,main\n");
	teardown();

	setup("skylake", "instr,cycles", NULL);
	x.o.aggregate = 1;
	run(&report_json);
	has("\"pid\": 7008, \"tid\": 7009, \"name\": \"main\", \"core_type\": 0, \"set\": 0, \"type\": \"sum\",");
	assert_null(strstr(x.text, "\"cpu\""));
	teardown();

	setup("skylake", "instr,cycles", NULL);
	x.o.aggregate = 1;
	x.o.syswide = 1;
	run(&report_csv);
	has("\n1,2.000000,,,1,0,0,sum,");
	teardown();

	setup("skylake", "instr,cycles", NULL);
	x.o.aggregate = 1;
	x.o.syswide = 1;
	run(&report_json);
	has("\"time_ns\": 2000000000, \"cpu\": 1, \"core_type\": 0,");
	teardown();
}

static void test_virtual_csv(void **state)
{
	setup_virtual("hybrid", "instr,cycles", NULL, VIRTUALS);
	x.summary.totals.exact = 1;
	x.summary.totals.virtuals[0].sum = 2600;
	x.summary.totals.running[0] = 1250000;
	x.summary.totals.running[1] = 3500;
	run(&report_csv);
	assert_string_equal(x.text,
		"nsample,time_s,pid,tid,cpu,coretype,set,event,elapsed_us,running_us,instr,cycles,energy_core[uJ],energy_psys[mJ],~sf,name\n"
		"1,2.000000,7008,7009,1,0,0,migration,1000000.000,900000.000,1961001132,110634,2500,,1.250,main\n"
		"2,2.500000,7008,7009,3,1,0,exit,500000.000,300000.000,5,110634,70,,2.000,main\n"
		",,,,,0,,total,,1250.000,,,2600,,,\n"
		",,,,,0,,mean,,1250.000,,,,,1.250,\n"
		",,,,,1,,total,,3.500,,,0,,,\n"
		",,,,,1,,mean,,3.500,,,,,2.000,\n");
	teardown();
}

static void test_virtual_json(void **state)
{
	setup_virtual("hybrid", "instr", NULL, VIRTUALS);
	x.summary.totals.exact = 1;
	x.summary.totals.virtuals[0].sum = 2600;
	run(&report_json);
	has("\"virtual_counters\": [\n"
	    "{\"name\": \"energy_core\", \"module\": \"energy\", \"kind\": \"count\", \"unit\": \"uJ\", \"estimated\": false, \"description\": \"energy of the cores\"},\n");
	has("{\"name\": \"sf\", \"module\": \"estimated_sf\", \"kind\": \"ratio\", \"unit\": ");
	has("\"estimated\": true, \"description\": \"speedup factor\"}\n],\n\"samples\": [");
	has("\"counts\": {\"instr\": 1961001132}, \"virtual\": {\"energy_core\": 2500, \"energy_psys\": null, \"sf\": 1.250}},");
	has("\"counts\": {}, \"counted_ns\": {}, \"virtual\": {\"energy_core\": 2600, \"energy_psys\": null}, \"virtual_means\": {\"sf\": 1.250}}");
	teardown();
}

static void test_marks(void **state)
{
	run_left_out(&report_csv, 0);
	has("elapsed_us,running_us,left_out,throttled,ebs_event,ebs_period,instr,cycles,name\n");
	has(",0,0,ebs,0.000,0.001,0,0,instr,1000,1000,5,\n");
	has(",0,0,ebs,0.000,0.001,4887,1,instr,1000,4888000,5,\n");
	has(",,,,,0,,total,,0.000,,,,,,,\n");
	teardown();

	run_left_out(&report_json, 0);
	has("\"left_out\": 0, \"ebs_event\": \"instr\", \"counts\": {\"instr\": 1000,");
	has("\"left_out\": 4887, \"ebs_event\": \"instr\", \"counts\": {\"instr\": 4888000,");
	has("\"event\": \"instr\", \"counter\": 0, \"ebs_period\": 1000}");
	has("\"period_ns\": null");
	has("\"throttled\": 2, \"left_out\": 4887,");
	teardown();
}

/* Each loss has its line and its number. */
static void test_losses(void **state)
{
	const struct summary all = {
		.lost = 1, .throttled = 2, .left_out = 3, .missed_threads = 4,
		.losses = { 5, 6 },
	};
	struct summary one = { .left_out = 7 };
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	print_losses(f, "> ", &all);
	print_losses(f, "> ", &one);
	fclose(f);
	assert_string_equal(text,
		"> 1 samples were lost: use a larger -k, or sample less often\n"
		"> 3 samples by event count were left out in 2 pauses: use a larger ebs=, or raise ebs_max_rate in /proc/pmc/config\n"
		"> 4 threads could not be counted: no memory was available, or too many sessions count them\n"
		"> in 5 samples a counter is missing for part of the time: another user, such as perf, took it\n"
		"> 6 threads or CPUs were not counted to the end: a privileged session, a monitoring module or a scheduler needed their counters\n"
		"> 7 samples by event count were left out, because the next period ended during an interrupt: use a larger ebs=\n");
	free(text);

	setup("skylake", "instr,cycles", NULL);
	one = x.summary;
	x.summary = all;
	x.summary.totals = one.totals;
	run(&report_json);
	has("\"lost\": 1, \"throttled\": 2, \"left_out\": 3, \"missed_threads\": 4, \"counter_lost\": 5, \"evicted\": 6\n");
	teardown();
}

/* A sample's flags in JSON: throttled, or something else */
static void test_json_throttled(void **state)
{
	struct pmc_reading r = ebs_sample(1, 2);

	setup("skylake", "instr,cycles", NULL);
	assert_int_equal(report_json.begin(&x.report), 0);
	r.flags = (unsigned int)~PMC_READING_THROTTLED;
	report_json.sample(&x.report, 1, &r);
	r.flags = PMC_READING_THROTTLED;
	report_json.sample(&x.report, 2, &r);
	report_json.end(&x.report, &x.summary);
	fclose(x.report.f);
	has("\"throttled\": false, \"counts\": {\"instr\": 1, \"cycles\": 2}},\n{\"nsample\": 2,");
	has("\"throttled\": true, \"counts\"");
	teardown();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_csv_string),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_json_summary),
		cmocka_unit_test(test_where_losses_go),
		cmocka_unit_test(test_json_string),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_sums_rows),
		cmocka_unit_test(test_virtual_csv),
		cmocka_unit_test(test_virtual_json),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_json_throttled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
