// SPDX-License-Identifier: GPL-2.0
/* The formats of reports, with invented samples. */
#include <time.h>
#include <unistd.h>

#include "lib.h"
#include "quote.h"
#include "report.h"

int __wrap_pmc_session_totals(pmc_session_t *session, int core_type, int set,
			      uint64_t *counts, uint64_t *running, uint64_t *nr_threads);
int __wrap_pmc_session_totals_virtual(pmc_session_t *session, int core_type, int set,
				      uint64_t *values);

struct fixture {
	pmc_machine_t *machine;
	pmc_config_t *config;
	struct layout layout;
	struct options o;
	struct summary summary;
	struct rusage usage;
	char *text;
	size_t size;
	struct report report;
};

static struct fixture x;

static void setup_virtual(const char *machine, const char *set0, const char *set1,
			  const char *virtuals)
{
	memset(&x, 0, sizeof(x));
	x.machine = open_machine(machine);
	x.config = pmc_config_new(x.machine);
	be_machine(machine);
	if (virtuals)
		assert_int_equal(pmc_config_add_virtual(x.config, virtuals), 0);
	unsetenv("PMCTRACK_PROC");
	if (set0)
		assert_int_equal(pmc_config_add(x.config, set0, -1, 0), 0);
	if (set1)
		assert_int_equal(pmc_config_add(x.config, set1, -1, 0), 0);
	assert_int_equal(layout_init(&x.layout, x.machine, x.config, NULL), 0);
	assert_int_equal(totals_init(&x.summary.totals, &x.layout), 0);
	x.report.o = &x.o;
	x.report.layout = &x.layout;
	x.report.f = open_memstream(&x.text, &x.size);
}

static void setup(const char *machine, const char *set0, const char *set1)
{
	setup_virtual(machine, set0, set1, NULL);
}

static void teardown(void)
{
	free(x.text);
	totals_free(&x.summary.totals);
	layout_free(&x.layout);
	pmc_config_free(x.config);
	pmc_machine_close(x.machine);
}

/* Two samples of a thread that moves to the other core type in between. */
static void run(const struct report_ops *ops)
{
	struct pmc_reading r = {
		.time = 2000000000, .elapsed = 1000000000, .running = 900000000,
		.pid = 7008, .tid = 7009, .cpu = 1, .type = PMC_MIGRATION_SAMPLE,
		.nr_counts = 2, .counts = { 1961001132, 110634 },
		.nr_virtual = 3, .virtual_counts = { 2500, PMC_NO_VALUE, 1250 },
	};

	if (!x.layout.nr_virtual)
		r.nr_virtual = 0;
	totals_sample(&x.summary.totals, &x.layout, &r);
	x.report.ops = ops;
	assert_int_equal(ops->begin(&x.report), 0);
	ops->sample(&x.report, 1, &r);
	r.time += 500000000;
	r.elapsed = 500000000;
	r.core_type = x.layout.nr_core_types - 1;
	r.cpu = 3;
	r.type = PMC_EXIT_SAMPLE;
	r.set = x.layout.core_types[0].nr_sets - 1;
	r.counts[0] = 5;
	r.running = 300000000;
	r.virtual_counts[0] = 70;
	r.virtual_counts[2] = 2000;
	totals_sample(&x.summary.totals, &x.layout, &r);
	ops->sample(&x.report, 2, &r);
	ops->end(&x.report, &x.summary);
	fclose(x.report.f);
}

static void has(const char *part)
{
	if (!strstr(x.text, part))
		fail_msg("no\n%s\nin\n%s", part, x.text);
}

static void test_table(void **state)
{
	setup("skylake", "instr,cycles", NULL);
	run(&report_table);
	assert_string_equal(x.text,
		"[Event-to-counter mappings]\n"
		"pmc0=instr\n"
		"pmc1=cycles\n"
		"[Event counts]\n"
		"nsample    pid      event          pmc0          pmc1\n"
		"      1   7009  migration    1961001132        110634\n"
		"      2   7009       exit             5        110634\n");
	teardown();
}

static void test_table_extended(void **state)
{
	setup("biglittle", "instr,cycles", "L1D_CACHE");
	x.o.extended = 1;
	x.o.elapsed = 1;
	x.o.no_mapping = 1;
	x.o.times = 1;
	x.summary.usage = &x.usage;
	x.usage.ru_utime.tv_sec = 12;
	x.usage.ru_utime.tv_usec = 345678;
	x.usage.ru_stime.tv_usec = 50000;
	x.summary.real_ns = 3661250000000;
	x.summary.totals.exact = 1;
	x.summary.totals.counts[0] = 1961001132;
	x.summary.totals.valid[0] = 1;
	x.summary.totals.counts[3] = 8;
	x.summary.totals.valid[3] = 1;
	x.summary.totals.running[1] = 250000000;
	x.summary.lost = 4;
	run(&report_table);
	has("nsample    pid process cpu coretype expid      event          pmc0          pmc1     etime_us\n"
	    "      1   7009    7008   1        0     0  migration    1961001132        110634      1000000\n"
	    "      2   7009    7008   3        1     1       exit             5             -       500000\n");
	has("[Totals by core type]\n"
	    "event               0:big        1:little             all\n"
	    "instr          1961001132               8      1961001140\n"
	    "cycles                  -               -               -\n");
	has("running        0.000000 s      0.250000 s      0.250000 s\n"
	    "(event sets were multiplexed: each count covers only its own set's time)\n"
	    "4 samples were lost: use a larger -k, or sample less often (the totals are complete)\n"
	    "[Process times]\nreal\t1:01:01\nuser\t12.34\nsys\t0.05\n");
	teardown();
}

/* 3 of 6 and 1 of 4 cycles: 4 of 10 together. Half of the time, scaled: an estimate. */
static void test_ipc(void **state)
{
	static const uint64_t counts[] = { 3, 6, 1, 4 };
	int i;

	setup("biglittle", "instr,cycles", NULL);
	x.summary.totals.exact = 1;
	for (i = 0; i < 4; i++) {
		x.summary.totals.counts[i] = counts[i];
		x.summary.totals.covered[i] = 100;
		x.summary.totals.running[i / 2] = 100;
	}
	run(&report_table);
	has("\nipc               0.500           0.250           0.400\n");
	teardown();
	setup("biglittle", "instr", "cycles");
	x.summary.totals.exact = 1;
	for (i = 0; i < 2; i++) {
		x.summary.totals.counts[i] = counts[i];
		x.summary.totals.covered[i] = i ? 200 : 100;
		x.summary.totals.running[0] = 300;
	}
	run(&report_table);
	has("\n~ipc              1.000               -           1.000\n");
	teardown();
	/* The modes differ. */
	setup("biglittle", "instr,cycles:k", NULL);
	x.summary.totals.exact = 1;
	for (i = 0; i < 4; i++)
		x.summary.totals.covered[i] = x.summary.totals.counts[i] = x.summary.totals.running[i / 2] = 9;
	run(&report_table);
	assert_null(strstr(x.text, "ipc"));
	teardown();
}

/* With several sets each sample shows its set, even without -e. */
static void test_mapping_of_sets(void **state)
{
	setup("biglittle", "instr,cycles", "L1D_CACHE");
	run(&report_table);
	has("pmc0=instr(0),L1D_CACHE(1)\npmc1=cycles(0)\n[Event counts]\n"
	    "nsample    pid coretype expid      event          pmc0          pmc1\n"
	    "      1   7009        0     0  migration    1961001132        110634\n"
	    "      2   7009        1     1       exit             5             -\n");
	teardown();

	setup("biglittle", "instr,cycles,coretype=0", "cycles,coretype=1");
	run(&report_table);
	has("core type 0 (big):\npmc0=instr\npmc1=cycles\ncore type 1 (little):\npmc0=cycles\n");
	has("nsample    pid coretype expid      event          pmc0          pmc1\n");
	teardown();

	setup("biglittle", "instr,coretype=0", "cycles,coretype=1");
	run(&report_table);
	has("core type 0 (big):\npmc0=instr\ncore type 1 (little):\npmc0=cycles\n");
	has("nsample    pid coretype expid      event          pmc0\n");
	teardown();

	setup("biglittle", "instr,cycles,coretype=0", NULL);
	run(&report_table);
	has("nsample    pid      event          pmc0          pmc1\n");
	teardown();
}

/* Columns are counters, whichever order the events of the set have. */
static void test_counters(void **state)
{
	setup("skylake", "instr,cycles", NULL);
	x.layout.core_types[0].sets[0].slots[0] = 4;
	x.layout.core_types[0].sets[0].slots[1] = 2;
	x.layout.slots = 1 << 4 | 1 << 2;
	run(&report_table);
	has("pmc2=cycles\npmc4=instr\n[Event counts]\n"
	    "nsample    pid      event          pmc2          pmc4\n"
	    "      1   7009  migration        110634    1961001132\n");
	assert_non_null(layout_set(&x.layout, 0, 0));
	assert_null(layout_set(&x.layout, 0, 1));
	assert_null(layout_set(&x.layout, 1, 0));
	teardown();
}

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
		"nsample,time_s,pid,tid,cpu,coretype,set,event,elapsed_us,running_us,instr,cycles,pmc1=0x3,cycles:u\n"
		"1,2.000000,7008,7009,1,0,0,migration,1000000.000,900000.000,1961001132,110634,,\n"
		"2,2.500000,7008,7009,3,1,1,exit,500000.000,300000.000,,,5,110634\n"
		",,,,,0,,total,,0.000,12,,,\n"
		",,,,,1,,total,,0.000,,,,\n");
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
	has("{\"id\": 1, \"name\": \"little\", \"pmu\": \"armv8_cortex_a53\", \"cpus\": \"2-3\", \"sets\": [[{\"event\": \"instr\", \"counter\": 0}, {\"event\": \"cycles\", \"counter\": 1}]]}\n],");
	has("\n{\"nsample\": 2, \"time_ns\": 2500000000, \"pid\": 7008, \"tid\": 7009, \"cpu\": 3, \"core_type\": 1, \"set\": 0, \"type\": \"exit\",");
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
	x.summary.counter_lost = 6;
	x.summary.evicted = 7;
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
	has("{\"core_type\": 0, \"running_ns\": 0, \"counts\": {\"cycles\": 8}}");
	has("{\"core_type\": 1, \"running_ns\": 6, \"counts\": {}}");
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
		x.summary.counter_lost = 6;
		x.summary.evicted = 7;
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

/* A thread's sums have the name that it ended with; one without events has no sum. */
static void test_sums_have_names(void **state)
{
	struct pmc_reading r = { .tid = 5, .nr_counts = 1, .counts = { 10 }, .running = 1,
				 .name = "before" };
	struct layout layout = { 0 };
	struct sums *sums = sums_new(&layout);

	assert_int_equal(sums_add(sums, &r), 0);
	r.core_type = 1;
	assert_int_equal(sums_add(sums, &r), 0);
	strcpy(r.name, "");
	assert_int_equal(sums_add(sums, &r), 0);
	assert_string_equal(sums_get(sums, 1)->name, "before");
	strcpy(r.name, "last");
	r.flags = PMC_READING_LAST;
	r.core_type = 2;
	r.nr_counts = 0;
	r.running = 0;
	assert_int_equal(sums_add(sums, &r), 0);
	r.tid = 6;
	assert_int_equal(sums_add(sums, &r), 0);
	assert_string_equal(sums_get(sums, 0)->name, "last");
	assert_string_equal(sums_get(sums, 1)->name, "last");
	assert_null(sums_get(sums, 2));
	sums_free(sums);
}

static void test_plot(void **state)
{
	unsetenv("LC_ALL");
	unsetenv("LC_CTYPE");
	unsetenv("LANG");
	setup("biglittle", "instr,cycles", NULL);
	x.o.plot = PLOT_CORE_TYPES;
	run(&report_plot);
	has("instructions per cycle, core type 0 (big)");
	has("instructions per cycle, core type 1 (little)");
	/* Two thirds of the time, then nothing more. */
	has("|###############################################                       \n");
	has("0 s                                                              1.5 s\n");
	teardown();
}

/* Samples of one thread, each half a column wide, that alternate between sets or core types. */
static void run_turns(int sets)
{
	struct pmc_reading r = {
		.elapsed = 10000000, .running = 10000000, .tid = 1, .type = PMC_TICK_SAMPLE,
		.nr_counts = 1, .counts = { 3000 },
	};
	int i;

	x.report.ops = &report_plot;
	assert_int_equal(report_plot.begin(&x.report), 0);
	for (i = 0; i < 140; i++) {
		r.time += r.elapsed;
		if (sets)
			r.set = i & 1;
		else
			r.core_type = i & 1;
		report_plot.sample(&x.report, i + 1, &r);
	}
	report_plot.end(&x.report, &x.summary);
	fclose(x.report.f);
}

/* Of more threads than can be shown, those with the most samples, in order. */
static void test_plot_threads(void **state)
{
	struct pmc_reading r = {
		.elapsed = 1000000, .running = 1000000, .nr_counts = 1, .counts = { 3000 },
	};
	uint64_t nr = 0;
	char title[64];
	int i;

	setup("skylake", "branches", NULL);
	x.o.plot = PLOT_THREADS;
	x.report.ops = &report_plot;
	assert_int_equal(report_plot.begin(&x.report), 0);
	for (r.tid = 101; r.tid <= 110; r.tid++) {
		for (i = 101; i <= r.tid; i++) {
			r.time += r.elapsed;
			report_plot.sample(&x.report, ++nr, &r);
		}
	}
	report_plot.end(&x.report, &x.summary);
	fclose(x.report.f);
	for (i = 101; i <= 110; i++) {
		snprintf(title, sizeof(title), "branches per second, thread %d ", i);
		assert_int_equal(!strstr(x.text, title), i < 103);
	}
	has("(8 of 10 threads are shown)\n");
	teardown();
}

/* A rate covers the time of all sets, but not the time on another core type. */
static void test_plot_turns(void **state)
{
	setup("skylake", "branches", "branch_misses");
	x.o.plot = PLOT_CORE_TYPES;
	run_turns(1);
	has("branches per second");
	has("branch_misses per second");
	has("mean 300k  max 300k\n");
	assert_null(strstr(x.text, "150k"));
	teardown();

	setup("biglittle", "L1D_CACHE,coretype=0", NULL);
	x.o.plot = PLOT_THREADS;
	run_turns(0);
	has("L1D_CACHE per second, thread 1");
	has("mean 150k  max 150k\n");
	teardown();
}

/*
 * Two sets are multiplexed. The thread runs 10 ms with each, and also sleeps 10 ms with the
 * second. So it runs two thirds of the time, and counts 3000 events in 10 ms of that.
 */
static void test_plot_sleep(void **state)
{
	struct pmc_reading r = {
		.running = 10000000, .tid = 1, .type = PMC_TICK_SAMPLE,
		.nr_counts = 1, .counts = { 3000 },
	};
	int i;

	setup("skylake", "branches", "branch_misses");
	x.o.plot = PLOT_CORE_TYPES;
	x.report.ops = &report_plot;
	assert_int_equal(report_plot.begin(&x.report), 0);
	for (i = 0; i < 280; i++) {
		r.set = i & 1;
		r.elapsed = r.set ? 20000000 : 10000000;
		r.time += r.elapsed;
		report_plot.sample(&x.report, i + 1, &r);
	}
	report_plot.end(&x.report, &x.summary);
	fclose(x.report.f);
	has("branches per second");
	has("branch_misses per second");
	has("mean 200k  max 200k\n");
	assert_null(strstr(x.text, "300k"));
	teardown();
}

static void test_sums(void **state)
{
	struct pmc_reading r = { .tid = 1, .nr_counts = 1, .counts = { 10 } };
	struct layout layout = { 0 };
	struct sums *sums = sums_new(&layout);
	int i;

	for (i = 0; i < 100; i++) {
		r.tid = i % 40;
		r.core_type = i & 1;
		r.time = 1000 + i;
		r.elapsed = 2;
		r.lost = i == 41 || i == 81 ? i : 0;
		assert_int_equal(sums_add(sums, &r), 0);
	}
	assert_int_equal(sums_get(sums, 0)->counts[0], 30);
	assert_int_equal(sums_get(sums, 39)->counts[0], 20);
	/* A sum has the time of its last sample, and all losses. */
	assert_int_equal(sums_get(sums, 1)->time, 1081);
	assert_int_equal(sums_get(sums, 1)->elapsed, 6);
	assert_int_equal(sums_get(sums, 1)->lost, 41 + 81);
	assert_int_equal(sums_get(sums, 2)->lost, 0);
	/* What an empty record reports is not lost: samples lost before it, and its flags. */
	r.tid = 3;
	r.core_type = 0;
	r.counts[0] = 0;
	r.lost = 7;
	r.flags = PMC_READING_COUNTER_LOST;
	assert_int_equal(sums_add(sums, &r), 0);
	assert_null(sums_get(sums, 40));
	assert_int_equal(sums_get(sums, 3)->lost, 7);
	assert_int_equal(sums_get(sums, 3)->flags, PMC_READING_COUNTER_LOST);
	/* A flag of one sample is a flag of the sum. */
	r.core_type = 1;
	r.counts[0] = 1;
	r.flags = PMC_READING_THROTTLED;
	assert_int_equal(sums_add(sums, &r), 0);
	r.flags = 0;
	assert_int_equal(sums_add(sums, &r), 0);
	assert_null(sums_get(sums, 40));
	assert_int_equal(sums_get(sums, 3)->flags,
			 PMC_READING_THROTTLED | PMC_READING_COUNTER_LOST);
	/* Each set has sums of its own. */
	r.set = 1;
	assert_int_equal(sums_add(sums, &r), 0);
	assert_int_equal(sums_get(sums, 40)->set, 1);
	assert_int_equal(sums_get(sums, 40)->counts[0], 1);
	sums_free(sums);
}

/* The time for a sample does not grow with the number of threads. */
static void test_sums_many_threads(void **state)
{
	struct pmc_reading r = { .nr_counts = 1, .counts = { 1 }, .running = 1 };
	struct layout layout = { 0 };
	struct sums *sums = sums_new(&layout);
	clock_t begin = clock();
	int i;

	/* With a list these are 10 thousand million steps. */
	for (i = 0; i < 200000; i++) {
		r.tid = i % 100000;
		assert_int_equal(sums_add(sums, &r), 0);
	}
	assert_in_range(clock() - begin, 0, 5 * CLOCKS_PER_SEC);
	assert_int_equal(sums_get(sums, 99999)->counts[0], 2);
	assert_null(sums_get(sums, 100000));
	sums_free(sums);
}

/* After a thread has ended, another one may get its number. */
static void test_sums_same_tid(void **state)
{
	struct pmc_reading r = { .tid = 5, .nr_counts = 1, .counts = { 10 }, .running = 1 };
	struct layout layout = { 0 };
	struct sums *sums = sums_new(&layout);

	assert_int_equal(sums_add(sums, &r), 0);
	r.flags = PMC_READING_LAST;
	assert_int_equal(sums_add(sums, &r), 0);
	r.flags = 0;
	r.counts[0] = 3;
	assert_int_equal(sums_add(sums, &r), 0);
	assert_int_equal(sums_get(sums, 0)->counts[0], 20);
	assert_int_equal(sums_get(sums, 1)->counts[0], 3);
	/* A CPU with the same number has a sum of its own. */
	r.flags = PMC_READING_SYSWIDE;
	r.cpu = 5;
	assert_int_equal(sums_add(sums, &r), 0);
	assert_int_equal(sums_get(sums, 1)->counts[0], 3);
	assert_int_equal(sums_get(sums, 2)->counts[0], 3);
	assert_null(sums_get(sums, 3));
	sums_free(sums);
}

/* A thread's sum covers several CPUs, so its row names none; with -S it is that of one CPU. */
static void test_sums_rows(void **state)
{
	setup("skylake", "instr,cycles", NULL);
	x.o.aggregate = 1;
	x.o.extended = 1;
	x.o.no_mapping = 1;
	run(&report_table);
	has("\n      1   7009    7008   -        0     0      total    1961001132        110634\n");
	teardown();

	setup("skylake", "instr,cycles", NULL);
	x.o.aggregate = 1;
	run(&report_csv);
	has("\n1,2.000000,7008,7009,,0,0,sum,1000000.000,900000.000,1961001132,110634\n");
	teardown();

	setup("skylake", "instr,cycles", NULL);
	x.o.aggregate = 1;
	run(&report_json);
	has("\"pid\": 7008, \"tid\": 7009, \"core_type\": 0, \"set\": 0, \"type\": \"sum\",");
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

/* Totals of a session: by core type and set. @turn: did the set have a turn? */
static const struct {
	uint64_t counts[2], turn;
} asked[2][2] = {
	{ { { 10, 20 }, 5 }, { { 0, 0 }, 0 } },
	{ { { 1, 2 }, 7 }, { { 3, 4 }, 8 } },
};
static int nothing_ran;

int __wrap_pmc_session_totals(pmc_session_t *session, int core_type, int set,
			      uint64_t *counts, uint64_t *running, uint64_t *nr_threads)
{
	memcpy(counts, asked[core_type][set].counts, sizeof(asked[0][0].counts));
	*running = nothing_ran ? 0 : asked[core_type][set].turn;
	*nr_threads = 4;
	return 2;
}

int __wrap_pmc_session_totals_virtual(pmc_session_t *session, int core_type, int set,
				      uint64_t *values)
{
	values[0] = core_type ? 0 : 6;
	values[1] = PMC_NO_VALUE;
	return 2;
}

static void test_totals(void **state)
{
	struct totals *totals = &x.summary.totals;

	setup_virtual("hybrid", "instr,cycles", "instr,branches", "energy_core,energy_psys");
	assert_int_equal(totals_ask(totals, &x.layout, NULL), 0);
	assert_true(totals->exact);
	assert_int_equal(totals->nr_threads, 4);
	/* Columns: instr, cycles, branches. Without a turn a set's count is unknown. */
	assert_int_equal(x.layout.nr_names, 3);
	assert_int_equal(totals->counts[0], 10);
	assert_int_equal(totals->counts[1], 20);
	assert_memory_equal(totals->valid, "\1\1\0\1\1\1", 6);
	assert_int_equal(totals->counts[3], 1 + 3);
	assert_int_equal(totals->counts[5], 4);
	assert_int_equal(totals->running[0], 5);
	assert_int_equal(totals->running[1], 7 + 8);
	/* Virtual counters are asked for with each set. A sum of zero may be no value at all. */
	assert_int_equal(totals_virtual(totals, &x.layout, 0, 0), 6 + 6);
	assert_true(totals_virtual(totals, &x.layout, 1, 0) == PMC_NO_VALUE);
	assert_true(totals_virtual(totals, &x.layout, 0, 1) == PMC_NO_VALUE);
	fclose(x.report.f);
	teardown();

	/* The counts of the only set are known even if nothing has run. */
	setup("skylake", "instr,cycles", NULL);
	nothing_ran = 1;
	assert_int_equal(totals_ask(totals, &x.layout, NULL), 0);
	assert_memory_equal(totals->valid, "\1\1", 2);
	fclose(x.report.f);
	teardown();
}

/* Virtual counters of the hybrid machine: a count, one without values, a ratio. */
#define VIRTUALS "energy_core,energy_psys,sf"

static void test_virtual_table(void **state)
{
	setup_virtual("hybrid", "instr,cycles", NULL, VIRTUALS);
	x.o.elapsed = 1;
	x.summary.totals.exact = 1;
	x.summary.totals.virtuals[0].sum = 2600;
	x.summary.totals.virtuals[3].sum = 70;
	x.summary.lost = 1;
	run(&report_table);
	has("[Event-to-counter mappings]\n"
	    "pmc0=instr\n"
	    "pmc1=cycles\n"
	    "virt0=energy_core[uJ]\n"
	    "virt1=energy_psys[mJ]\n"
	    "virt2=~sf\n"
	    "[Virtual counters]\n"
	    "energy_core[uJ]: energy of the cores\n"
	    "energy_psys[mJ]: energy of the whole platform\n"
	    "~sf: speedup factor (estimated)\n"
	    "[Event counts]\n"
	    "nsample    pid      event          pmc0          pmc1     etime_us energy_core[uJ] energy_psys[mJ]           ~sf\n"
	    "      1   7009  migration    1961001132        110634      1000000            2500               -         1.250\n"
	    "      2   7009       exit             5        110634       500000              70               -         2.000\n");
	/* (0.9 * 1.25 + 0.3 * 2) / 1.2 */
	has("energy_core[uJ]            2600              70            2670\n"
	    "energy_psys[mJ]               -               -               -\n"
	    "~sf (mean)                1.250           2.000           1.438\n"
	    "running ");
	has("(means are over running time, of the samples that were not lost)\n");
	teardown();
}

static void test_virtual_alone(void **state)
{
	setup_virtual("hybrid", NULL, NULL, VIRTUALS);
	run(&report_table);
	assert_string_equal(x.text,
		"[Event-to-counter mappings]\n"
		"virt0=energy_core[uJ]\n"
		"virt1=energy_psys[mJ]\n"
		"virt2=~sf\n"
		"[Virtual counters]\n"
		"energy_core[uJ]: energy of the cores\n"
		"energy_psys[mJ]: energy of the whole platform\n"
		"~sf: speedup factor (estimated)\n"
		"[Values]\n"
		"nsample    pid      event energy_core[uJ] energy_psys[mJ]           ~sf\n"
		"      1   7009  migration            2500               -         1.250\n"
		"      2   7009       exit              70               -         2.000\n");
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
		"nsample,time_s,pid,tid,cpu,coretype,set,event,elapsed_us,running_us,instr,cycles,energy_core[uJ],energy_psys[mJ],~sf\n"
		"1,2.000000,7008,7009,1,0,0,migration,1000000.000,900000.000,1961001132,110634,2500,,1.250\n"
		"2,2.500000,7008,7009,3,1,0,exit,500000.000,300000.000,5,110634,70,,2.000\n"
		",,,,,0,,total,,1250.000,,,2600,,\n"
		",,,,,0,,mean,,1250.000,,,,,1.250\n"
		",,,,,1,,total,,3.500,,,0,,\n"
		",,,,,1,,mean,,3.500,,,,,2.000\n");
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
	has("\"counts\": {}, \"virtual\": {\"energy_core\": 2600, \"energy_psys\": null}, \"virtual_means\": {\"sf\": 1.250}}");
	teardown();
}

static void test_virtual_plot(void **state)
{
	setup_virtual("hybrid", NULL, NULL, VIRTUALS);
	x.o.plot = PLOT_CORE_TYPES;
	run(&report_plot);
	/* 70 uJ in half a second */
	has("energy_core[uJ] per second, core type 1 (E)");
	has("  max 140\n");
	has("~sf, core type 0 (P)");
	has("mean 1.25  max 1.25\n");
	has("mean 2.00  max 2.00\n");
	assert_null(strstr(x.text, "energy_psys"));
	teardown();
}

/* A sample by event count with these counts */
static struct pmc_reading ebs_sample(uint64_t first, uint64_t second)
{
	return (struct pmc_reading){
		.tid = 1, .type = PMC_EBS_SAMPLE, .nr_counts = 2, .counts = { first, second },
		.running = 1,
	};
}

/* Whole periods in a sample's counts, besides the one that the sample reports */
static void test_left_out(void **state)
{
	struct pmc_reading r = ebs_sample(1000, 99);

	setup("skylake", "instr:ebs=1000,cycles", NULL);
	assert_true(x.layout.uses_ebs);
	assert_int_equal(layout_left_out(&x.layout, &r), 0);
	r.counts[0] = 1999;
	assert_int_equal(layout_left_out(&x.layout, &r), 0);
	r.counts[0] = 2000;
	assert_int_equal(layout_left_out(&x.layout, &r), 1);
	r.counts[0] = 1400123;
	assert_int_equal(layout_left_out(&x.layout, &r), 1399);
	/* No period ended with this one. */
	r.type = PMC_EXIT_SAMPLE;
	r.counts[0] = 999;
	assert_int_equal(layout_left_out(&x.layout, &r), 0);
	r.counts[0] = 3999;
	assert_int_equal(layout_left_out(&x.layout, &r), 3);
	/* Of a set that the layout does not have */
	r.set = 1;
	assert_int_equal(layout_left_out(&x.layout, &r), 0);
	fclose(x.report.f);
	teardown();

	/* The period that ended is that of the second event. */
	r = ebs_sample(2500, 300);
	r.ebs_event = 1;
	setup("skylake", "instr:ebs=1000,cycles:ebs=100", NULL);
	assert_int_equal(layout_left_out(&x.layout, &r), 2 + 2);
	r.counts[1] = 0;
	assert_int_equal(layout_left_out(&x.layout, &r), 2);
	fclose(x.report.f);
	teardown();

	setup("skylake", "instr,cycles", NULL);
	assert_false(x.layout.uses_ebs);
	assert_int_equal(layout_left_out(&x.layout, &r), 0);
	fclose(x.report.f);
	teardown();
}

static void test_sums_left_out(void **state)
{
	struct pmc_reading r = ebs_sample(3000, 0);
	struct sums *sums;

	setup("skylake", "instr:ebs=1000,cycles", NULL);
	sums = sums_new(&x.layout);
	assert_int_equal(sums_add(sums, &r), 0);
	r.counts[0] = 1000;
	assert_int_equal(sums_add(sums, &r), 0);
	r.counts[0] = 6000;
	assert_int_equal(sums_add(sums, &r), 0);
	assert_int_equal(sums_get(sums, 0)->counts[0], 10000);
	assert_int_equal(sums_left_out(sums, 0), 2 + 5);
	sums_free(sums);
	fclose(x.report.f);
	teardown();
}

/* Two samples, and others that are missing before the second one. */
static void run_left_out(const struct report_ops *ops, int aggregate)
{
	struct pmc_reading r = ebs_sample(1000, 5);

	setup("skylake", "instr:ebs=1000,cycles", NULL);
	x.o.aggregate = aggregate;
	x.summary.totals.exact = 1;
	x.summary.left_out = 4887;
	x.summary.throttled = 2;
	assert_int_equal(ops->begin(&x.report), 0);
	ops->sample(&x.report, 1, &r);
	r.counts[0] = 4888000;
	x.report.left_out = 4887;
	ops->sample(&x.report, 2, &r);
	x.report.left_out = 0;
	ops->end(&x.report, &x.summary);
	fclose(x.report.f);
}

static void test_marks(void **state)
{
	run_left_out(&report_table, 0);
	has("      1      1        ebs          1000             5\n"
	    "      2      1       ebs*       4888000             5\n"
	    "(*: samples by event count are missing before this one, which has their counts)\n"
	    "4887 samples by event count were left out in 2 pauses: use a larger ebs=, or raise ebs_max_rate in /proc/pmc/config (the totals are complete)\n");
	teardown();

	run_left_out(&report_table, 1);
	has("    total          1000 ");
	has("   total*       4888000 ");
	teardown();

	run_left_out(&report_csv, 0);
	has("elapsed_us,running_us,left_out,instr:ebs=1000,cycles\n");
	has(",0,0,ebs,0.000,0.001,0,1000,5\n");
	has(",0,0,ebs,0.000,0.001,4887,4888000,5\n");
	has(",,,,,0,,total,,0.000,,,\n");
	teardown();

	run_left_out(&report_json, 0);
	has("\"left_out\": 0, \"counts\": {\"instr:ebs=1000\": 1000,");
	has("\"left_out\": 4887, \"counts\": {\"instr:ebs=1000\": 4888000,");
	has("\"throttled\": 2, \"left_out\": 4887,");
	teardown();
}

/* Each loss has its line and its number. */
static void test_losses(void **state)
{
	const struct summary all = {
		.lost = 1, .throttled = 2, .left_out = 3, .missed_threads = 4, .counter_lost = 5,
		.evicted = 6,
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

/* Counts are summed up, ratios are weighted by time, unknown values are left out. */
static void test_virtual_sums(void **state)
{
	struct pmc_reading r = { .tid = 1, .nr_virtual = 3 };
	const struct pmc_reading *sum;
	struct sums *sums;

	setup_virtual("hybrid", NULL, NULL, VIRTUALS);
	sums = sums_new(&x.layout);
	r.running = 3000;
	r.virtual_counts[0] = 10;
	r.virtual_counts[1] = PMC_NO_VALUE;
	r.virtual_counts[2] = 1000;
	sums_add(sums, &r);
	r.running = 1000;
	r.virtual_counts[1] = 5;
	r.virtual_counts[2] = 2000;
	sums_add(sums, &r);
	r.virtual_counts[0] = PMC_NO_VALUE;
	r.virtual_counts[2] = PMC_NO_VALUE;
	sums_add(sums, &r);
	sum = sums_get(sums, 0);
	assert_int_equal(sum->running, 5000);
	assert_int_equal(sum->virtual_counts[0], 20);
	assert_int_equal(sum->virtual_counts[1], 10);
	assert_int_equal(sum->virtual_counts[2], 1250);
	assert_null(sums_get(sums, 1));
	/* A thread that ended on another core type, where it never ran, adds no row. */
	r.core_type = 1;
	r.running = 0;
	r.virtual_counts[1] = 0;
	sums_add(sums, &r);
	assert_null(sums_get(sums, 1));
	r.virtual_counts[0] = 1;
	sums_add(sums, &r);
	assert_non_null(sums_get(sums, 1));
	sums_free(sums);
	fclose(x.report.f);
	teardown();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_table_extended),
		cmocka_unit_test(test_ipc),
		cmocka_unit_test(test_mapping_of_sets),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_csv_string),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_json_summary),
		cmocka_unit_test(test_where_losses_go),
		cmocka_unit_test(test_json_string),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_sums_have_names),
		cmocka_unit_test(test_plot),
		cmocka_unit_test(test_plot_threads),
		cmocka_unit_test(test_plot_turns),
		cmocka_unit_test(test_plot_sleep),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_sums_many_threads),
		cmocka_unit_test(test_sums_same_tid),
		cmocka_unit_test(test_sums_rows),
		cmocka_unit_test(test_totals),
		cmocka_unit_test(test_virtual_table),
		cmocka_unit_test(test_virtual_alone),
		cmocka_unit_test(test_virtual_csv),
		cmocka_unit_test(test_virtual_json),
		cmocka_unit_test(test_virtual_plot),
		cmocka_unit_test(test_virtual_sums),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_sums_left_out),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_json_throttled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
