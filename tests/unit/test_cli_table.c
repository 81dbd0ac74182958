// SPDX-License-Identifier: GPL-2.0
/* The table of samples and its totals, with invented samples, at several widths. */
#include "cli_report.h"

static void test_table(void **state)
{
	setup("skylake", "instr,cycles", NULL);
	run(&report_table);
	assert_string_equal(x.text,
		"pmctrack: instr, cycles of ./app (user mode), every 100 ms\n"
		"sample    tid name                  type         instr        cycles\n"
		"     1   7009 main             migration    1961001132        110634\n"
		"     2   7009 main                  exit             5        110634\n");
	teardown();
}

static void test_table_extended(void **state)
{
	setup("biglittle", "instr,cycles", "L1D_CACHE");
	x.o.extended = 1;
	x.o.elapsed = 1;
	x.o.time = 1;
	x.o.no_mapping = 1;
	x.o.times = 1;
	x.report.start_ns = 1500000000;
	x.summary.usage = &x.usage;
	x.usage.ru_utime.tv_sec = 12;
	x.usage.ru_utime.tv_usec = 345678;
	x.usage.ru_stime.tv_usec = 50000;
	x.summary.real_ns = 3661250000000;
	x.summary.lost = 4;
	run(&report_table);
	has("sample     time_s    tid name               pid cpu   core set       type         instr        cycles     L1D_CACHE      etime_us\n"
	    "     1   0.500000   7009 main              7008   1    big   0  migration    1961001132        110634             -       1000000\n"
	    "     2   1.000000   7009 main              7008   3 little   1       exit             -             -             5        500000\n");
	has("4 samples were lost: use a larger -k, or sample less often\n"
	    "[Process times]\nreal\t1:01:01\nuser\t12.34\nsys\t0.05\n");
	teardown();
}

/* Two sets took turns: the big cores counted instructions half of the time, the others not at all. */
static void run_turns(int estimate)
{
	setup("biglittle", "instr,cycles", "L1D_CACHE");
	x.o.estimate = estimate;
	x.summary.totals.exact = 1;
	x.summary.totals.counts[0] = 1961001132;
	x.summary.totals.covered[0] = 500;
	x.summary.totals.running[0] = 1000;
	x.summary.totals.valid[0] = 1;
	x.summary.totals.counts[3] = 8;
	x.summary.totals.covered[3] = 250000000;
	x.summary.totals.running[1] = 250000000;
	x.summary.totals.valid[3] = 1;
	run(&report_table);
}

static void test_totals_of_turns(void **state)
{
	run_turns(0);
	has("[Totals by core type]\n"
	    "event               0:big        1:little             all counted\n"
	    "instr          1961001132               8      1961001140  100.0%\n"
	    "cycles                  -               -               -    0.0%\n"
	    "L1D_CACHE               -               -               -    0.0%\n"
	    "running        0.000001 s      0.250000 s      0.250001 s\n"
	    "(event sets took turns: a count is of the part of the time in column counted; --estimate scales it)\n"
	    "(an event set had no turn on some core type: a shorter -T lets more sets have one)\n");
	teardown();
	run_turns(1);
	has("instr         ~3922002264               8     ~3922002272  100.0%\n");
	has("(~: estimated from the part of the time that is in column counted, as event sets took turns)\n");
	teardown();
	/* One set for each core type: no turns. */
	setup("biglittle", "instr,cycles,coretype=0", "cycles,coretype=1");
	x.summary.totals.exact = 1;
	x.summary.totals.counts[0] = 3;
	x.summary.totals.valid[0] = 1;
	x.summary.totals.running[0] = 9;
	run(&report_table);
	has("event             0:big        1:little             all\n"
	    "instr                 3               -               3\n");
	assert_null(strstr(x.text, "turns"));
	teardown();
}

/* With -n and -K totals are above the sums of the samples, and a line says why. */
static void test_limit(void **state)
{
	static const char note[] = "(totals cover the time until counting stopped, which is later than the last sample of";
	int i;

	for (i = 0; i < 4; i++) {
		setup("biglittle", "instr,cycles", NULL);
		x.summary.totals.exact = 1;
		x.summary.limited = i != 3;
		x.o.max_samples = i == 1 ? 0 : 2;
		x.o.aggregate = i == 2;
		run(&report_table);
		has("[Totals by core type]\n");
		if (i > 1)
			assert_null(strstr(x.text, note));
		else
			has(note);
		if (i < 2)
			has(i ? " sample of -K)\n" : " sample of -n)\n");
		teardown();
	}
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
		x.summary.totals.counts[i] = counts[i] * 100;
		x.summary.totals.covered[i] = i ? 200 : 100;
		x.summary.totals.running[0] = 300;
	}
	run(&report_table);
	has("\n~ipc              1.000               -           1.000\n");
	teardown();
	/* A core type counts instructions, and the other one cycles. */
	setup("biglittle", "instr,coretype=0", "cycles,coretype=1");
	x.summary.totals.exact = 1;
	for (i = 0; i < 4; i += 3)
		x.summary.totals.covered[i] = x.summary.totals.counts[i] = x.summary.totals.running[i / 2] = 9;
	run(&report_table);
	assert_null(strstr(x.text, "ipc"));
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

/* What core types or sets do not count has a "-". */
static void test_sets(void **state)
{
	setup("biglittle", "instr,cycles", "L1D_CACHE");
	run(&report_table);
	has("pmctrack: in turns instr, cycles / L1D_CACHE of ./app (user mode), every 100 ms, on core types big, little\n"
	    "sample    tid name              core set       type         instr        cycles     L1D_CACHE\n"
	    "     1   7009 main               big   0  migration    1961001132        110634             -\n"
	    "     2   7009 main            little   1       exit             -             -             5\n");
	teardown();

	setup("biglittle", "instr,cycles,coretype=0", "cycles,coretype=1");
	run(&report_table);
	has("pmctrack: big: instr, cycles; little: cycles of ./app (user mode), every 100 ms, on core types big, little\n"
	    "sample    tid name              core       type         instr        cycles\n"
	    "     1   7009 main               big  migration    1961001132        110634\n"
	    "     2   7009 main            little       exit             -             5\n");
	teardown();

	setup("biglittle", "instr,coretype=0", "cycles,coretype=1");
	run(&report_table);
	has("pmctrack: big: instr; little: cycles of ./app (user mode), every 100 ms, on core types big, little\n");
	teardown();

	setup("biglittle", "instr,cycles,coretype=0", NULL);
	run(&report_table);
	has("pmctrack: instr, cycles of ./app (user mode), every 100 ms, on core type big\n");
	has("     2   7009 main            little       exit             -             -\n");
	teardown();
}

/* The first line: whom, in which mode, and when */
static void test_head(void **state)
{
	static char *long_command[] = {
		"sh", "-c", "a", "an argument that is much longer than the others are", "x", NULL,
	};

	setup("skylake", "instr,task_clock", NULL);
	x.o.syswide = 1;
	x.o.filter = "all";
	x.o.period_us = 2000000;
	run(&report_table);
	has("pmctrack: instr, task_clock of all CPUs (user and kernel mode), every 2 s\nsample cpu       type ");
	teardown();

	setup("skylake", "task_clock", NULL);
	x.layout.core_types[0].sets[0].slots[0] = 7;
	x.o.syswide = 1;
	x.o.cpus = "0-2";
	x.o.period_us = 1500;
	run(&report_table);
	has("pmctrack: task_clock of CPUs 0-2, every 1500 us\n");
	teardown();

	setup("skylake", "instr:ebs=1000000,cycles", NULL);
	x.o.command = NULL;
	x.o.nr_pids = 2;
	x.o.pids[0] = 7;
	x.o.pids[1] = 9;
	x.o.filter = "kernel";
	run(&report_table);
	has("pmctrack: instr, cycles of processes 7, 9 (kernel mode), every 1,000,000 instr\n");
	teardown();

	setup("skylake", "instr", NULL);
	x.o.command = long_command;
	x.o.aggregate = 1;
	run(&report_table);
	has("pmctrack: instr of sh -c a ... (user mode), sums\n");
	has("     1   7009 main             sum    1961001132\n");
	teardown();
}

/* With -r the columns are PMCTrack's: counters, whichever order the events of the set have. */
static void test_counters(void **state)
{
	setup("skylake", "instr,cycles", NULL);
	x.o.raw = 1;
	x.layout.core_types[0].sets[0].slots[0] = 4;
	x.layout.core_types[0].sets[0].slots[1] = 2;
	x.layout.slots = 1 << 4 | 1 << 2;
	run(&report_table);
	assert_string_equal(x.text,
		"nsample    pid      event          pmc2          pmc4\n"
		"      1   7009  migration        110634    1961001132\n"
		"      2   7009       exit        110634             5\n");
	assert_non_null(layout_set(&x.layout, 0, 0));
	assert_null(layout_set(&x.layout, 0, 1));
	assert_null(layout_set(&x.layout, 1, 0));
	teardown();

	setup("biglittle", "instr,cycles", NULL);
	x.o.raw = 1;
	x.o.extended = 1;
	x.o.elapsed = 1;
	run(&report_table);
	has("nsample    pid process cpu coretype expid      event          pmc0          pmc1     etime_us\n"
	    "      1   7009    7008   1        0     0  migration    1961001132        110634      1000000\n");
	teardown();
}

/* A thread's sum covers several CPUs, so its row names none. */
static void test_sums_row(void **state)
{
	setup("skylake", "instr,cycles", NULL);
	x.o.aggregate = 1;
	x.o.extended = 1;
	x.o.no_mapping = 1;
	run(&report_table);
	has("sample    tid name               pid set type         instr        cycles\n"
	    "     1   7009 main              7008   0  sum    1961001132        110634\n");
	teardown();
}

static void test_virtual_table(void **state)
{
	setup_virtual("hybrid", "instr,cycles", NULL, VIRTUALS);
	x.o.elapsed = 1;
	x.summary.totals.exact = 1;
	x.summary.totals.virtuals[0].sum = 2600;
	x.summary.totals.virtuals[3].sum = 70;
	x.summary.lost = 1;
	run(&report_table);
	has("pmctrack: instr, cycles, energy_core, energy_psys, sf of ./app (user mode), every 100 ms, on core types P, E\n"
	    "energy_core[uJ]: energy of the cores\n"
	    "energy_psys[mJ]: energy of the whole platform\n"
	    "~sf: speedup factor (estimated)\n"
	    "sample    tid name            core       type         instr        cycles      etime_us energy_core[uJ] energy_psys[mJ]      ~sf\n"
	    "     1   7009 main               P  migration    1961001132        110634       1000000            2500               -    1.250\n"
	    "     2   7009 main               E       exit             5        110634        500000              70               -    2.000\n");
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
		"pmctrack: energy_core, energy_psys, sf of ./app, every 100 ms, on core types P, E\n"
		"energy_core[uJ]: energy of the cores\n"
		"energy_psys[mJ]: energy of the whole platform\n"
		"~sf: speedup factor (estimated)\n"
		"sample    tid name            core       type energy_core[uJ] energy_psys[mJ]      ~sf\n"
		"     1   7009 main               P  migration            2500               -    1.250\n"
		"     2   7009 main               E       exit              70               -    2.000\n");
	teardown();
}

/* A narrow terminal has no room for a long name; control characters have no effect. */
static void test_thread_names(void **state)
{
	struct pmc_reading r = ebs_sample(1, 2);
	int wide;

	for (wide = 0; wide < 2; wide++) {
		setup("skylake", "instr,cycles", NULL);
		x.report.width = wide ? 120 : 80;
		strcpy(r.name, "a\033[31m pooled");
		assert_int_equal(report_table.begin(&x.report), 0);
		report_table.sample(&x.report, 1, &r);
		report_table.end(&x.report, &x.summary);
		fclose(x.report.f);
		has(wide ? "     1      1 a\\x1b[31m poole        ebs " : "     1      1 a\\x1b[31        ebs ");
		teardown();
	}
}

/* A character takes a column, however many bytes it has, and is shown as a whole or not at all. */
static void test_thread_names_utf8(void **state)
{
	static const char *const names[][3] = {
		{ "größe", "größe          ", "größe   " },
		{ "worker", "worker         ", "worker  " },
		{ "abcdefgö", "abcdefgö       ", "abcdefgö" },
		{ "abcdefghö", "abcdefghö      ", "abcdefgh" },
		{ "abcdefg€hi", "abcdefg€hi     ", "abcdefg€" },
		{ "abcdef\033", "abcdef\\x1b     ", "abcdef  " },
		{ "abcd\033e", "abcd\\x1be      ", "abcd\\x1b" },
	};
	struct pmc_reading r = ebs_sample(1, 2);
	char row[64];
	size_t i;
	int wide;

	for (wide = 0; wide < 2; wide++) {
		setup("skylake", "instr,cycles", NULL);
		x.report.width = wide ? 120 : 80;
		assert_int_equal(report_table.begin(&x.report), 0);
		for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
			strcpy(r.name, names[i][0]);
			report_table.sample(&x.report, i + 1, &r);
		}
		report_table.end(&x.report, &x.summary);
		fclose(x.report.f);
		for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
			snprintf(row, sizeof(row), "\n     %zu      1 %s        ebs ", i + 1,
				 names[i][wide ? 1 : 2]);
			has(row);
		}
		teardown();
	}
}

/* On a terminal: separators, then units, then headings of several lines, then rows of several. */
static void test_terminal(void **state)
{
	static const int narrow[] = { 72, 79, 80 };
	size_t i;

	setup("skylake", "instr,cycles", NULL);
	x.report.width = 80;
	run(&report_table);
	has("     1   7009 main      migration 1,961,001,132       110,634\n");
	teardown();

	setup("skylake", "instr,cycles,branches,branch_misses,llc_misses", NULL);
	x.o.no_mapping = 1;
	x.report.width = 81;
	run(&report_table);
	assert_string_equal(x.text,
		"sample    tid name           type  instr cycles branches branch_misses llc_misses\n"
		"     1   7009 main      migration  1.96G   111k        -             -          -\n"
		"     2   7009 main           exit      5   111k        -             -          -\n");
	teardown();

	/* The line has 81 characters: up to a width of 80 it does not fit. */
	for (i = 0; i < sizeof(narrow) / sizeof(*narrow); i++) {
		setup("skylake", "instr,cycles,branches,branch_misses,llc_misses", NULL);
		x.o.no_mapping = 1;
		x.report.width = narrow[i];
		run(&report_table);
		assert_string_equal(x.text,
			"                                                         branch_   llc_\n"
			"sample    tid name           type  instr cycles branches  misses misses\n"
			"     1   7009 main      migration  1.96G   111k        -       -      -\n"
			"     2   7009 main           exit      5   111k        -       -      -\n");
		teardown();
	}
}

/* Lines behind the first that have nothing to show are left out. */
static void test_several_lines(void **state)
{
	struct pmc_reading r = {
		.tid = 7009, .type = PMC_TICK_SAMPLE, .nr_counts = 5, .counts = { 1, 2, 3000, 4, 50000 },
	};

	setup("skylake", "instr,cycles,branches,branch_misses,llc_misses", NULL);
	x.o.no_mapping = 1;
	x.report.width = 57;
	assert_int_equal(report_table.begin(&x.report), 0);
	report_table.sample(&x.report, 1, &r);
	r.nr_counts = 2;
	report_table.sample(&x.report, 2, &r);
	report_table.end(&x.report, &x.summary);
	fclose(x.report.f);
	assert_string_equal(x.text,
		"sample    tid name           type  instr cycles branches\n"
		"                                  branch_   llc_\n"
		"                                   misses misses\n"
		"     1   7009 -              tick      1      2    3.00k\n"
		"                                        4  50.0k\n"
		"     2   7009 -              tick      1      2        -\n");
	teardown();
}

/* A line without values stays where values of a further line are below its headings. */
static void test_empty_middle_line(void **state)
{
	struct pmc_reading r = {
		.tid = 7009, .type = PMC_TICK_SAMPLE, .core_type = 1, .nr_counts = 2, .counts = { 1, 2 },
	};

	setup("hybrid", "instr,branches,branch_misses,coretype=0", "instr,llc_misses,coretype=1");
	x.o.no_mapping = 1;
	x.report.width = 48;
	assert_int_equal(report_table.begin(&x.report), 0);
	report_table.sample(&x.report, 1, &r);
	r = (struct pmc_reading){ .tid = 7009, .type = PMC_TICK_SAMPLE, .nr_counts = 3, .counts = { 3, 4, 5 } };
	report_table.sample(&x.report, 2, &r);
	report_table.end(&x.report, &x.summary);
	fclose(x.report.f);
	assert_string_equal(x.text,
		"sample    tid name     core       type  instr\n"
		"                                       branches\n"
		"                                       branch_\n"
		"                                        misses\n"
		"                                         llc_\n"
		"                                       misses\n"
		"     1   7009 -           E       tick      1\n"
		"                                              -\n"
		"                                             -\n"
		"                                            2\n"
		"     2   7009 -           P       tick      3\n"
		"                                              4\n"
		"                                             5\n");
	teardown();
}

static void number_is(uint64_t value, enum numbers numbers, const char *text)
{
	char buf[NUMBER_MAX];

	number_format(buf, value, numbers);
	assert_string_equal(buf, text);
}

static void test_numbers(void **state)
{
	number_is(UINT64_MAX, NUMBERS_RAW, "18446744073709551615");
	number_is(UINT64_MAX, NUMBERS_GROUPS, "18,446,744,073,709,551,615");
	number_is(0, NUMBERS_GROUPS, "0");
	number_is(999, NUMBERS_GROUPS, "999");
	number_is(1000, NUMBERS_GROUPS, "1,000");
	number_is(123456, NUMBERS_GROUPS, "123,456");
	number_is(999, NUMBERS_UNITS, "999");
	number_is(1961001132, NUMBERS_UNITS, "1.96G");
}

/* A form that is asked for is used on a terminal and elsewhere. */
static void test_asked_numbers(void **state)
{
	setup("skylake", "instr,cycles", NULL);
	x.o.numbers = NUMBERS_GROUPS;
	run(&report_table);
	has(" 1,961,001,132       110,634\n");
	teardown();

	setup("skylake", "instr,cycles", NULL);
	x.o.numbers = NUMBERS_RAW;
	x.report.width = 80;
	run(&report_table);
	has("    1961001132        110634\n");
	teardown();
}

/* All is 0 in user mode although something ran: a hint, in the table and with CSV. */
static void test_hint(void **state)
{
	static const char hint[] = "all counts are 0: only user mode is counted";
	int i;

	for (i = 0; i < 4; i++) {
		setup("skylake", i == 3 ? "task_clock" : "instr,cycles", NULL);
		x.summary.totals.exact = 1;
		x.summary.totals.running[0] = 5;
		x.summary.totals.valid[0] = 1;
		x.summary.totals.counts[0] = i == 1;
		x.o.filter = i == 2 ? "all" : NULL;
		if (i == 3)
			x.layout.core_types[0].sets[0].slots[0] = 7;
		run(&report_table);
		assert_int_equal(strstr(x.text, hint) != NULL, i == 0);
		teardown();
	}
}

/* Threads that ran where no event is counted are no reason for the hint. */
static void test_hint_elsewhere(void **state)
{
	int i;

	for (i = 0; i < 2; i++) {
		setup("hybrid", "instr,cycles,coretype=0", NULL);
		x.summary.totals.exact = 1;
		x.summary.totals.running[i] = 5;
		x.summary.totals.valid[i] = 1;
		run(&report_table);
		assert_int_equal(strstr(x.text, "all counts are 0") != NULL, i == 0);
		teardown();
	}
}

/* Samples that are missing, and those before which sampling was throttled */
static void test_marks(void **state)
{
	struct pmc_reading r = ebs_sample(5000, 6);

	run_left_out(&report_table, 0);
	has("     1      1 -                      ebs          1000             5\n"
	    "     2      1 -                     ebs*       4888000             5\n"
	    "(*: samples by event count are missing before this one, which has their counts)\n"
	    "4887 samples by event count were left out in 2 pauses: use a larger ebs=, or raise ebs_max_rate in /proc/pmc/config (the totals are complete)\n");
	teardown();

	run_left_out(&report_table, 1);
	has("  sum          1000 ");
	has(" sum*       4888000 ");
	teardown();

	setup("skylake", "instr:ebs=1000,cycles", NULL);
	assert_int_equal(report_table.begin(&x.report), 0);
	r.flags = PMC_READING_THROTTLED;
	x.report.left_out = 4;
	report_table.sample(&x.report, 1, &r);
	report_table.end(&x.report, &x.summary);
	fclose(x.report.f);
	has("       ebs!          5000             6\n"
	    "(!: sampling was throttled before this sample, which has the counts of the pause)\n");
	teardown();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_table_extended),
		cmocka_unit_test(test_totals_of_turns),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_ipc),
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_sums_row),
		cmocka_unit_test(test_virtual_table),
		cmocka_unit_test(test_virtual_alone),
		cmocka_unit_test(test_thread_names),
		cmocka_unit_test(test_thread_names_utf8),
		cmocka_unit_test(test_terminal),
		cmocka_unit_test(test_several_lines),
		cmocka_unit_test(test_empty_middle_line),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_asked_numbers),
		cmocka_unit_test(test_hint),
		cmocka_unit_test(test_hint_elsewhere),
		cmocka_unit_test(test_marks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
