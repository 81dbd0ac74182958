// SPDX-License-Identifier: GPL-2.0
/* Figures of recorded runs, by pmctrack plot: they are those of the runs themselves. */
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli_report.h"
#include "verb.h"

static char folder[] = "/tmp/test-recorded-XXXXXX";

static int enter_folder(void **state)
{
	assert_non_null(mkdtemp(folder));
	return chdir(folder);
}

static int remove_folder(void **state)
{
	char command[100];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

static void write_text(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static char *contents(const char *name)
{
	FILE *f = fopen(name, "r");
	char *text = NULL;
	size_t size = 0;

	if (!f)
		fail_msg("no file %s", name);
	if (getdelim(&text, &size, '\0', f) < 0)
		text[0] = '\0';
	fclose(f);
	return text;
}

/* pmctrack plot WORDS: its exit status; what it says is in the file err */
static int plot(const char *words)
{
	char *copy = strdup(words), *next = copy, *argv[8] = { "plot" };
	int argc = 1, status;
	pid_t pid;

	while ((argv[argc] = strsep(&next, " ")))
		argc++;
	pid = fork();
	if (!pid) {
		if (!freopen("err", "w", stderr))
			_exit(1);
		_exit(plot_main(argc, argv));
	}
	waitpid(pid, &status, 0);
	free(copy);
	return WEXITSTATUS(status);
}

/* The file err */
static void says(const char *expected)
{
	char *text = contents("err");

	assert_string_equal(text, expected);
	free(text);
}

/* One line, and no figure */
static void refused(const char *words, const char *part)
{
	char *text;

	unlink("run.gp");
	assert_int_equal(plot(words), 2);
	text = contents("err");
	if (!strstr(text, part))
		fail_msg("%s: no '%s' in '%s'", words, part, text);
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	assert_int_equal(access("run.gp", F_OK), -1);
	free(text);
}

static void quietly(void (*samples)(const struct report_ops *ops), const struct report_ops *ops)
{
	int saved = dup(2);

	/* A program's format says on standard error which events metrics have. */
	assert_non_null(freopen("/dev/null", "w", stderr));
	samples(ops);
	dup2(saved, 2);
	close(saved);
}

/* The figure of a run, and the same of its record in run.json */
static void same_figure(void (*prepare)(void), void (*samples)(const struct report_ops *ops),
			const char *words)
{
	char *figure, *again;

	prepare();
	x.o.output = "run.gp";
	quietly(samples, &report_image);
	teardown();
	figure = contents("run.gp");
	assert_non_null(strstr(figure, "set multiplot layout "));
	unlink("run.gp");
	prepare();
	quietly(samples, &report_json);
	write_text("run.json", x.text);
	teardown();
	if (plot(words))
		fail_msg("%s", contents("err"));
	says("");
	again = contents("run.gp");
	assert_string_equal(again, figure);
	free(figure);
	free(again);
}

static void events(void)
{
	setup("biglittle", "instr,cycles", NULL);
}

static void turns(void)
{
	static char *command[] = { "./app", "it's \"<>\"", NULL };

	setup("hybrid", "instr,cycles", "branches,instr:k");
	x.o.command = command;
}

static void virtuals(void)
{
	setup_virtual("hybrid", "instr,cycles", NULL, VIRTUALS);
}

static void cpus(void)
{
	setup("hybrid", "instr", NULL);
	x.o.syswide = 1;
	x.o.cpus = "1,3";
	x.o.filter = "all";
}

static void test_events(void **state)
{
	same_figure(events, run, "-o run.gp run.json");
	same_figure(turns, run, "-o run.gp run.json");
}

static void test_virtuals(void **state)
{
	same_figure(virtuals, run, "-o run.gp run.json");
}

static void test_cpus(void **state)
{
	char *text;

	same_figure(cpus, run, "-o run.gp run.json");
	text = contents("run.gp");
	assert_non_null(strstr(text, "title 'pmctrack: instr of CPUs 1,3 (user and kernel mode), "));
	assert_non_null(strstr(text, "title 'CPU 3 (E)'"));
	free(text);
}

static void below_zero(void)
{
	setup_metrics("skylake", BELOW_ZERO);
}

/* Its values are below 0.005, and have more digits than people read. */
static void small(void)
{
	setup_metrics("skylake", "small[%.2f %]=instr/(7*cycles*cycles)");
}

/* Metrics have panels; their events, which nobody has asked for, have none. */
static void test_metrics(void **state)
{
	char *text;

	same_figure(below_zero, run_below_zero, "--by=coretype -o run.gp run.json");
	same_figure(small, run_below_zero, "--by coretype -o run.gp run.json");
	text = contents("run.gp");
	assert_non_null(strstr(text, "set multiplot layout 1,1 "));
	assert_non_null(strstr(text, "set title 'small[%]'"));
	assert_non_null(strstr(text, "\n0 1.5873e-05\n"));
	free(text);
}

static void many(const struct report_ops *ops)
{
	struct pmc_reading r = { .elapsed = 1000000, .nr_counts = 1, .name = "a \\thread" };
	int i;

	assert_int_equal(ops->begin(&x.report), 0);
	for (i = 1; i <= 2000; i++) {
		r.tid = 100 + i % 10;
		r.time += r.elapsed;
		r.running = i % 10 * 10000;
		r.counts[0] = 1ULL << (i % 60);
		ops->sample(&x.report, i, &r);
	}
	ops->end(&x.report, &x.summary);
	fclose(x.report.f);
}

static void branches(void)
{
	setup("skylake", "branches", NULL);
}

static void test_many(void **state)
{
	same_figure(branches, many, "-o run.gp run.json");
}

/* Two threads that had the same number, one after the other */
static void one_number(const struct report_ops *ops)
{
	struct pmc_reading r = { .tid = 7, .elapsed = 1000000, .running = 500000, .nr_counts = 1, .name = "cc1" };

	assert_int_equal(ops->begin(&x.report), 0);
	for (r.time = 1000000; r.time <= 4000000; r.time += r.elapsed) {
		r.type = r.time == 2000000 ? PMC_EXIT_SAMPLE : PMC_TICK_SAMPLE;
		r.flags = r.time == 2000000 ? PMC_READING_LAST : 0;
		ops->sample(&x.report, r.time / r.elapsed, &r);
		if (r.flags)
			strcpy(r.name, "sh");
	}
	ops->end(&x.report, &x.summary);
	fclose(x.report.f);
}

static void test_one_number(void **state)
{
	char *text;

	same_figure(branches, one_number, "-o run.gp run.json");
	text = contents("run.gp");
	assert_non_null(strstr(text, " title 'cc1 7 on "));
	assert_non_null(strstr(text, " title 'sh 7 on "));
	free(text);
}

/* Losses are said again. */
static void test_losses(void **state)
{
	events();
	x.summary.lost = 3;
	x.summary.losses[0] = 1;
	run(&report_json);
	write_text("run.json", x.text);
	teardown();
	assert_int_equal(plot("-o run.gp run.json"), 0);
	says("pmctrack: 3 samples were lost: use a larger -k, or sample less often\n"
	     "pmctrack: in 1 samples a counter is missing for part of the time: another user, such as perf, took it\n");
}

/* Without -o, the figure is beside the record. */
static void test_name(void **state)
{
	char *text;

	if (system("command -v gnuplot >/dev/null"))
		skip();
	events();
	run(&report_json);
	write_text("my.json", x.text);
	teardown();
	assert_int_equal(plot("my.json"), 0);
	text = contents("my.svg");
	assert_non_null(strstr(text, "instructions per cycle"));
	assert_non_null(strstr(text, "</svg>"));
	free(text);
}

#define NO_REPORT "bad.json is no report of pmctrack --format=json, or it is not whole"

/* The same text in another layout is the same report; no beginning of it is one. */
static void test_text(void **state)
{
	size_t len, i;
	char *s;

	events();
	run(&report_json);
	len = strlen(x.text);
	while ((s = strstr(x.text, ",\n")))
		s[1] = ' ';
	write_text("run.json", x.text);
	assert_int_equal(plot("-o run.gp run.json"), 0);
	for (i = len - 2; i > 20; i -= len / 12) {
		x.text[i] = '\0';
		write_text("bad.json", x.text);
		refused("-o run.gp bad.json", NO_REPORT);
	}
	teardown();
}

/* Replace a part of the record of two samples. */
static void bad_if(const char *part, const char *other)
{
	char *s, *text;

	events();
	run(&report_json);
	s = strstr(x.text, part);
	if (!s)
		fail_msg("no\n%s\nin\n%s", part, x.text);
	*s = '\0';
	assert_true(asprintf(&text, "%s%s%s", x.text, other, s + strlen(part)) > 0);
	write_text("bad.json", text);
	free(text);
	teardown();
	refused("-o run.gp bad.json", NO_REPORT);
}

static void test_damaged(void **state)
{
	bad_if("\"core_type\": 1, \"set\"", "\"core_type\": 4294967295, \"set\"");
	bad_if("\"core_type\": 1, \"set\"", "\"core_type\": \"little\", \"set\"");
	bad_if("\"elapsed_ns\": 500000000", "\"elapsed_ns\": 9500000000");
	bad_if("\"time_ns\": 2500000000, ", "");
	bad_if("\"counts\": {\"instr\": 5,", "\"counts\": {\"instr\": null,");
	bad_if("\n{\"nsample\": 2,", "\n3, {\"nsample\": 2,");
	bad_if("}}\n]", "}},\nx]");
	bad_if("\"core_types\": [\n", "\"core_types\": [\nnull, ");
	bad_if("\"sets\": [[", "\"sets\": [7, [");
	bad_if("\"lost\": 0, \"throttled\": 0,", "");
	bad_if("\n}\n", "\n} x\n");
}

static void test_refused(void **state)
{
	events();
	x.o.aggregate = 1;
	run(&report_json);
	write_text("sums.json", x.text);
	refused("-o run.gp sums.json", "sums.json has sums only (-A): a figure needs samples");
	teardown();
	events();
	assert_int_equal(report_json.begin(&x.report), 0);
	report_json.end(&x.report, &x.summary);
	fclose(x.report.f);
	write_text("none.json", x.text);
	refused("-o run.gp none.json", "none.json has no samples to draw: record it with a shorter -T");
	teardown();
	write_text("bad.json", "{\"samples\": [{\"a\": 1}], \"lost\": 0}");
	refused("-o run.gp bad.json", NO_REPORT);
	write_text("bad.json", "[1, 2]");
	refused("-o run.gp bad.json", NO_REPORT);
	write_text("bad.json", "nsample,time_s\n");
	refused("-o run.gp bad.json", NO_REPORT);
	write_text("bad.json", "");
	refused("-o run.gp bad.json", "bad.json is empty");
	refused("-o run.gp nothing.json", "cannot read nothing.json: No such file");
	refused("-o run.pdf sums.json", "-o run.pdf: a figure's name ends in .png, .svg or .gp");
	refused("-o run.gp", "name one file that pmctrack --format=json has written");
	refused("-o run.gp sums.json bad.json", "name one file");
	refused("--by=cpu sums.json", "--by takes thread or coretype, not 'cpu'");
}

static void test_without_json_c(void **state)
{
	skip();
}

int main(void)
{
	const struct CMUnitTest none[] = { cmocka_unit_test(test_without_json_c) };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_virtuals),
		cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_one_number),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_refused),
	};

	if (access(PMCTRACK_PLOT, X_OK))
		return cmocka_run_group_tests(none, NULL, NULL);
	return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
