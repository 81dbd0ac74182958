// SPDX-License-Identifier: GPL-2.0
/* Figures of invented samples: gnuplot's commands. tests/host/figure.sh draws them. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli_report.h"

static char path[512];
static char *text;

/* Figures stay in the folder of tests/host/figure.sh, if it runs this. */
static void begin(const char *name)
{
	const char *folder = getenv("PMCTRACK_TEST_REPORTS");

	snprintf(path, sizeof(path), "%s/figure-%s-%d.gp", folder ? folder : "/tmp", name,
		 folder ? 0 : getpid());
	x.o.output = path;
	x.o.format = &report_image;
}

static void read_figure(void)
{
	FILE *f = fopen(path, "r");
	size_t size = 0;

	assert_non_null(f);
	text = NULL;
	assert_true(getdelim(&text, &size, '\0', f) > 0);
	fclose(f);
	if (!getenv("PMCTRACK_TEST_REPORTS"))
		unlink(path);
}

static void shows(const char *part)
{
	if (!strstr(text, part))
		fail_msg("no\n%s\nin\n%s", part, text);
}

static int lines_with(const char *part)
{
	const char *s = text;
	int n = 0;

	while ((s = strstr(s, part))) {
		n++;
		s += strlen(part);
	}
	return n;
}

static void finish(void)
{
	free(text);
	teardown();
}

/* A thread that moves: a line for each core type, each of its own colour and dashes */
static void test_core_types(void **state)
{
	setup_virtual("hybrid", "instr,cycles", NULL, "sf");
	begin("core-types");
	run(&report_image);
	read_figure();
	shows(".png'\n");
	shows("set multiplot layout 2,1 title 'pmctrack: instr, cycles");
	shows("set title 'instructions per cycle'\n");
	shows("set title '~sf'\n");
	shows("dt 1 lc rgb '#0072b2' title 'main 7009 on P', \\\n$line1 using 1:2 with lines lw 2 dt 2 lc rgb '#d55e00' title 'main 7009 on E'\n");
	/* 1.5 s in 500 bins: the thread moves after a second. */
	shows("0.999 17725.1\n1.002 17725.1\n1.002 NaN\n");
	shows("$line1 << end\n0 NaN\n");
	finish();
}

/* Of more threads than can be shown, those that ran for the longest time */
static void test_many_threads(void **state)
{
	struct pmc_reading r = {
		.elapsed = 1000000, .nr_counts = 1, .counts = { 3000 }, .name = "it's a \\thread",
	};
	int i;

	setup("skylake", "branches", NULL);
	begin("threads");
	assert_int_equal(report_image.begin(&x.report), 0);
	for (i = 1; i <= 10; i++) {
		r.tid = 100 + i;
		r.time += r.elapsed;
		r.running = i * 10000;
		report_image.sample(&x.report, i, &r);
	}
	report_image.end(&x.report, &x.summary);
	fclose(x.report.f);
	read_figure();
	assert_int_equal(lines_with(" << end\n"), 6);
	shows("title 'it''s a \\x5cthread 110 on ");
	shows("thread 105 on ");
	assert_null(strstr(text, "thread 104 on "));
	/* 3000 in a millisecond */
	shows(" 3e+06\n");
	finish();
}

/* A sample of a thread that ran for all of its time */
static void add_sample_of(pid_t pid, pid_t tid, const char *name, uint64_t time, unsigned int flags)
{
	struct pmc_reading r = {
		.pid = pid, .tid = tid, .time = time, .elapsed = 1000000, .running = 1000000, .nr_counts = 1, .counts = { 3000 },
		.flags = flags,
	};

	snprintf(r.name, sizeof(r.name), "%s", name);
	report_image.sample(&x.report, 1, &r);
}

static void add_sample(pid_t tid, const char *name, uint64_t time, unsigned int flags)
{
	add_sample_of(7, tid, name, time, flags);
}

/* After the end of a thread, its number is another thread's; samples of the time of its end are its own. */
static void test_number_again(void **state)
{
	setup("skylake", "branches", NULL);
	begin("number-again");
	assert_int_equal(report_image.begin(&x.report), 0);
	add_sample(7, "cc1", 2000000, 0);
	add_sample(7, "cc1", 3000000, PMC_READING_LAST);
	add_sample(7, "cc1", 3000000, PMC_READING_LAST);
	add_sample(7, "sh", 5000000, 0);
	add_sample(7, "sh", 6000000, PMC_READING_LAST);
	report_image.end(&x.report, &x.summary);
	fclose(x.report.f);
	read_figure();
	assert_int_equal(lines_with(" << end\n"), 2);
	shows("lc rgb '#0072b2' title 'cc1 7 on ");
	shows("lc rgb '#d55e00' title 'sh 7 on ");
	finish();
}

/* A thread that calls exec has no last sample with its number. */
static void test_number_of_another_process(void **state)
{
	setup("skylake", "branches", NULL);
	begin("another-process");
	assert_int_equal(report_image.begin(&x.report), 0);
	add_sample_of(5, 7, "cc1", 2000000, 0);
	add_sample_of(6, 7, "sh", 5000000, 0);
	report_image.end(&x.report, &x.summary);
	fclose(x.report.f);
	read_figure();
	shows("title 'cc1 7 on ");
	shows("title 'sh 7 on ");
	finish();
}

/* CPUs and core types do not end with a thread, nor with a CPU that goes offline. */
static void test_no_threads(void **state)
{
	int plot;

	for (plot = PLOT_NONE; plot <= PLOT_CORE_TYPES; plot++) {
		setup("skylake", "branches", NULL);
		x.o.plot = plot;
		x.o.syswide = plot != PLOT_CORE_TYPES;
		begin("no-threads");
		assert_int_equal(report_image.begin(&x.report), 0);
		add_sample(7, "cc1", 2000000, PMC_READING_LAST);
		add_sample(7, "sh", 5000000, 0);
		report_image.end(&x.report, &x.summary);
		fclose(x.report.f);
		read_figure();
		assert_int_equal(lines_with(" << end\n"), 1);
		finish();
	}
}

/* However many threads there were, little of the stack is used. */
static void test_storm(void **state)
{
	const struct rlimit limit = { 512 << 10, 512 << 10 };
	int i, status;
	pid_t pid;

	setup("skylake", "branches", NULL);
	begin("storm");
	pid = fork();
	if (!pid) {
		setrlimit(RLIMIT_STACK, &limit);
		assert_int_equal(report_image.begin(&x.report), 0);
		for (i = 0; i < 50000; i++)
			add_sample(1000 + i, "short", (i + 1) * 1000000ULL, PMC_READING_LAST);
		report_image.end(&x.report, &x.summary);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	fclose(x.report.f);
	assert_int_equal(status, 0);
	read_figure();
	assert_int_equal(lines_with(" << end\n"), 6);
	shows("'short 1005 on ");
	finish();
}

static void has_title(char *word, const char *part)
{
	char *command[] = { word, NULL };

	setup("skylake", "instr", NULL);
	x.o.command = command;
	begin("title");
	run(&report_image);
	read_figure();
	shows(part);
	finish();
}

/* An SVG is UTF-8 without control characters, whatever the program's name and arguments are. */
static void test_title(void **state)
{
	has_title("a\x1b\xff'", " of a\\x1b\\xff'' (user mode)");
	has_title("./x\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
		  "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4z\xc3\xa4\xc3\xa4",
		  "\xc3\xa4\xc3\xa4z (user mode)");
	has_title("./\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
		  "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4z\xc3\xa4\xc3\xa4",
		  "\xc3\xa4\xc3\xa4z (user mode)");
}

/* --plot=coretype: all threads together */
static void test_by_core_type(void **state)
{
	setup("biglittle", "instr", NULL);
	begin("by-core-type");
	x.o.plot = PLOT_CORE_TYPES;
	run(&report_image);
	read_figure();
	shows("set title 'instr per second'\n");
	/* The second core type has no sample at the beginning. */
	shows("$line1 << end\n0 NaN\n");
	shows("title 'big', \\\n");
	shows("title 'little'\n");
	finish();
}

/* A line without values is left out. A panel without lines has its title. */
static void test_empty_panel(void **state)
{
	setup_virtual("hybrid", NULL, NULL, VIRTUALS);
	begin("empty-panel");
	run(&report_image);
	read_figure();
	shows("set title 'energy_core[uJ] per second'\n");
	shows("set title 'energy_psys[mJ]");
	shows("plot [][0:1] NaN notitle\n");
	finish();
}

/* The panel has room for values below zero. */
static void test_below_zero(void **state)
{
	setup_metrics("skylake", BELOW_ZERO);
	begin("below-zero");
	run_below_zero(&report_image);
	read_figure();
	shows("\n0 -2000\n");
	shows(" 2000\n");
	shows("\n2.1 NaN\n");
	shows("set format y '%.1s%c'\n");
	shows("plot [][*:] $line0 ");
	finish();
}

/*
 * Draw to NAME.svg in a process of its own, in which SIGCHLD does @sigchld before and after that.
 * Return: its exit status; @errors: what it says
 */
static int draw_svg(char *errors, size_t size, void (*sigchld)(int number))
{
	FILE *err = tmpfile();
	int status;
	pid_t pid;

	setup("skylake", "instr", NULL);
	begin("svg");
	strcpy(path + strlen(path) - 2, "svg");
	pid = fork();
	if (!pid) {
		dup2(fileno(err), STDERR_FILENO);
		signal(SIGCHLD, sigchld);
		run(&report_image);
		_exit(signal(SIGCHLD, SIG_DFL) == sigchld ? 0 : 3);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	rewind(err);
	errors[fread(errors, 1, size - 1, err)] = '\0';
	fclose(err);
	fclose(x.report.f);
	teardown();
	return WEXITSTATUS(status);
}

/* A full disk is an error, whether gnuplot says so or not. */
static void test_full(void **state)
{
	char errors[1024];

	if (system("command -v gnuplot >/dev/null"))
		skip();
	assert_int_equal(draw_svg(errors, sizeof(errors), SIG_DFL), 0);
	read_figure();
	shows("</svg>");
	free(text);
	unlink(path);
	assert_int_equal(symlink("/dev/full", path), 0);
	if (draw_svg(errors, sizeof(errors), SIG_DFL) != 2 || !strstr(errors, "cannot write /"))
		fail_msg("no error: '%s'", errors);
	unlink(path);
}

/* A process that was started with SIGCHLD ignored sees how gnuplot ends, and still ignores it then. */
static void test_sigchld_ignored(void **state)
{
	char errors[1024];

	if (system("command -v gnuplot >/dev/null"))
		skip();
	if (draw_svg(errors, sizeof(errors), SIG_IGN))
		fail_msg("no figure: '%s'", errors);
	read_figure();
	shows("</svg>");
	free(text);
	unlink(path);
}

static void test_no_samples(void **state)
{
	setup("skylake", "instr", NULL);
	begin("none");
	assert_int_equal(report_image.begin(&x.report), 0);
	report_image.end(&x.report, &x.summary);
	fclose(x.report.f);
	assert_int_equal(access(path, F_OK), -1);
	teardown();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_core_types),
		cmocka_unit_test(test_many_threads),
		cmocka_unit_test(test_number_again),
		cmocka_unit_test(test_number_of_another_process),
		cmocka_unit_test(test_no_threads),
		cmocka_unit_test(test_storm),
		cmocka_unit_test(test_title),
		cmocka_unit_test(test_by_core_type),
		cmocka_unit_test(test_empty_panel),
		cmocka_unit_test(test_below_zero),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_sigchld_ignored),
		cmocka_unit_test(test_no_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
