// SPDX-License-Identifier: GPL-2.0
/* The forms of output, on samples that were made up. */
#include "lib.h"
#include "report.h"

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

static void setup(const char *machine, const char *set0, const char *set1)
{
	memset(&x, 0, sizeof(x));
	x.machine = open_machine(machine);
	x.config = pmc_config_new(x.machine);
	assert_int_equal(pmc_config_add(x.config, set0, -1, 0), 0);
	if (set1)
		assert_int_equal(pmc_config_add(x.config, set1, -1, 0), 0);
	assert_int_equal(layout_init(&x.layout, x.machine, x.config, NULL), 0);
	assert_int_equal(totals_init(&x.summary.totals, &x.layout), 0);
	x.report.o = &x.o;
	x.report.layout = &x.layout;
	x.report.f = open_memstream(&x.text, &x.size);
}

static void teardown(void)
{
	free(x.text);
	totals_free(&x.summary.totals);
	layout_free(&x.layout);
	pmc_config_free(x.config);
	pmc_machine_close(x.machine);
}

/* Two samples of one thread, that moves to the other core type in between. */
static void run(const struct report_ops *ops)
{
	struct pmc_reading r = {
		.time = 2000000000, .elapsed = 1000000000, .running = 900000000,
		.pid = 7008, .tid = 7009, .cpu = 1, .type = PMC_MIGRATION_SAMPLE,
		.nr_counts = 2, .counts = { 1961001132, 110634 },
	};

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
	    "instr          1961001132               8      1961001140\n");
	has("running        0.000000 s      0.250000 s      0.250000 s\n"
	    "(event sets took turns: each count is of its set's turns only)\n"
	    "4 samples were lost: use a larger -k, or sample less often (the totals are complete)\n"
	    "[Process times]\nreal\t1:01:01\nuser\t0.00\nsys\t0.00\n");
	teardown();
}

static void test_mapping_of_sets(void **state)
{
	setup("biglittle", "instr,cycles", "L1D_CACHE");
	run(&report_table);
	has("pmc0=instr(0),L1D_CACHE(1)\npmc1=cycles(0)\n[Event counts]\n");
	teardown();

	setup("biglittle", "instr,cycles,coretype=0", "cycles,coretype=1");
	run(&report_table);
	has("core type 0 (big):\npmc0=instr\npmc1=cycles\ncore type 1 (little):\npmc0=cycles\n");
	teardown();
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
		"2,2.500000,7008,7009,3,1,1,exit,500000.000,900000.000,,,5,110634\n"
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

static void test_sums(void **state)
{
	struct sums *sums = sums_new();
	struct pmc_reading r = { .tid = 1, .nr_counts = 1, .counts = { 10 } };
	int i;

	for (i = 0; i < 100; i++) {
		r.tid = i % 40;
		r.core_type = i & 1;
		assert_int_equal(sums_add(sums, &r), 0);
	}
	assert_int_equal(sums_get(sums, 0)->counts[0], 30);
	assert_int_equal(sums_get(sums, 39)->counts[0], 20);
	assert_null(sums_get(sums, 40));
	sums_free(sums);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_table_extended),
		cmocka_unit_test(test_mapping_of_sets),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_plot),
		cmocka_unit_test(test_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
