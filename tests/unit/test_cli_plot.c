// SPDX-License-Identifier: GPL-2.0
/* Charts of invented samples. */
#include "cli_report.h"

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

/* After the end of a thread, its number is another thread's. */
static void test_plot_number_again(void **state)
{
	struct pmc_reading r = {
		.tid = 7, .elapsed = 1000000, .running = 1000000, .nr_counts = 1, .counts = { 3000 },
	};
	const char *first;

	setup("skylake", "branches", NULL);
	x.o.plot = PLOT_THREADS;
	x.report.ops = &report_plot;
	assert_int_equal(report_plot.begin(&x.report), 0);
	for (r.time = 1000000; r.time <= 3000000; r.time += r.elapsed) {
		r.flags = r.time == 2000000 ? PMC_READING_LAST : 0;
		report_plot.sample(&x.report, r.time / r.elapsed, &r);
	}
	report_plot.end(&x.report, &x.summary);
	fclose(x.report.f);
	has("branches per second, thread 7 ");
	first = strstr(x.text, "thread 7 ");
	assert_non_null(strstr(first + 1, "thread 7 "));
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

/*
 * Instructions are in both sets, cycles are in the first. While the second is loaded, the thread
 * executes ten times as many instructions: that does not belong to the cycles.
 */
static void test_plot_ipc(void **state)
{
	struct pmc_reading r = {
		.elapsed = 10000000, .running = 10000000, .tid = 1, .type = PMC_TICK_SAMPLE,
	};
	int i;

	setup("skylake", "instr,cycles", "instr,branches");
	x.o.plot = PLOT_CORE_TYPES;
	x.report.ops = &report_plot;
	assert_int_equal(report_plot.begin(&x.report), 0);
	for (i = 0; i < 280; i++) {
		r.set = i & 1;
		r.nr_counts = 2;
		r.counts[0] = r.set ? 20000 : 2000;
		r.counts[1] = 1000;
		r.time += r.elapsed;
		report_plot.sample(&x.report, i + 1, &r);
	}
	report_plot.end(&x.report, &x.summary);
	fclose(x.report.f);
	has("instructions per cycle");
	has("mean 2.00  max 2.00\n");
	teardown();
}

/* Instructions and cycles of different modes make no ratio; other spellings of both do. */
static void test_plot_modes(void **state)
{
	setup("skylake", "instr:u,cycles:k", NULL);
	x.o.plot = PLOT_CORE_TYPES;
	run(&report_plot);
	assert_null(strstr(x.text, "instructions per cycle"));
	has("instr:u per second");
	has("cycles:k per second");
	teardown();
	setup("skylake", "instructions:u,cpu_cycles:u", NULL);
	x.o.plot = PLOT_CORE_TYPES;
	run(&report_plot);
	has("instructions per cycle");
	assert_null(strstr(x.text, "per second"));
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
	assert_null(strstr(x.text, "energy_psys[mJ]"));
	teardown();
}

/* Below zero, the axis begins there; where there is no sample, the chart is empty. */
static void test_plot_below_zero(void **state)
{
	setup_metrics("skylake", BELOW_ZERO);
	run_below_zero(&report_plot);
	has("difference");
	has("mean 0.00  max 2.00k\n");
	has("  2.00k +          ##########                                                  \n"
	    "        |          ##########                                                  \n"
	    "        |          ##########          ########################################\n"
	    "        |..........##########          ########################################\n"
	    " -2.00k +-");
	teardown();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plot),
		cmocka_unit_test(test_plot_threads),
		cmocka_unit_test(test_plot_number_again),
		cmocka_unit_test(test_plot_turns),
		cmocka_unit_test(test_plot_sleep),
		cmocka_unit_test(test_plot_ipc),
		cmocka_unit_test(test_plot_modes),
		cmocka_unit_test(test_virtual_plot),
		cmocka_unit_test(test_plot_below_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
