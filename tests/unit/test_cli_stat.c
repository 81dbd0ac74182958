// SPDX-License-Identifier: GPL-2.0
/* pmctrack stat: accuracy, metrics and spread of invented counts, and the forms of output. */
#include <math.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "lib.h"
#include "stat.h"
#include "stat_events.h"
#include "stat_metrics.h"
#include "stat_threads.h"

int __wrap_pmc_session_set_counts(pmc_session_t *session, int core_type, int set,
				  struct pmc_set_counts *counts);

static struct fixture {
	pmc_machine_t *machine;
	pmc_config_t *config;
	struct layout layout;
	struct summary summary;
	struct rusage usage;
	struct stat_counts counts;
	pmc_plan_t *plan;
	struct stat_metrics metrics;
	struct stat_form form;
	char *text;
	size_t size;
	FILE *f;
} x;

static void start(void)
{
	assert_int_equal(layout_init(&x.layout, x.machine, x.config, NULL), 0);
	assert_int_equal(totals_init(&x.summary.totals, &x.layout), 0);
	x.summary.totals.exact = 1;
	x.summary.usage = &x.usage;
	x.summary.real_ns = 2000000000;
	x.form = (struct stat_form){ .title = "'true'", .runs = 1, .suffix = "", .separator = "," };
	stat_counts_init(&x.counts, &x.layout);
	x.f = open_memstream(&x.text, &x.size);
}

static void setup(const char *machine, const char *set0, const char *set1)
{
	memset(&x, 0, sizeof(x));
	x.machine = open_machine(machine);
	x.config = pmc_config_new(x.machine);
	assert_int_equal(pmc_config_add(x.config, set0, -1, 0), 0);
	if (set1)
		assert_int_equal(pmc_config_add(x.config, set1, -1, 0), 0);
	start();
}

/* tests/host/output.sh checks what JSON has to be like. */
static void keep_json(void)
{
	static int nr;
	const char *folder = getenv("PMCTRACK_TEST_REPORTS");
	char path[512];
	FILE *f;

	if (!folder || !x.text || *x.text != '{')
		return;
	snprintf(path, sizeof(path), "%s/stat-%d.lines", folder, ++nr);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(x.text, f);
	fclose(f);
}

static void teardown(void)
{
	if (x.f)
		fclose(x.f);
	keep_json();
	free(x.text);
	stat_counts_free(&x.counts);
	totals_free(&x.summary.totals);
	layout_free(&x.layout);
	pmc_config_free(x.config);
	pmc_machine_close(x.machine);
}

/* Of core type @id: event number @name, counted for @covered of @running ns */
static void count(int id, int name, uint64_t value, uint64_t covered, uint64_t running)
{
	struct totals *t = &x.summary.totals;
	int i = id * x.layout.nr_names + name;

	t->counts[i] = value;
	t->covered[i] = covered;
	t->running[id] = running;
}

static void add_run(void)
{
	stat_counts_add(&x.counts, &x.layout, &x.summary);
}

static void has(const char *part)
{
	if (!strstr(x.text, part))
		fail_msg("no\n%s\nin\n%s", part, x.text);
}

static void print(void (*form)(FILE *f, const struct stat_form *form, const struct stat_counts *c))
{
	form(x.f, &x.form, &x.counts);
	fclose(x.f);
	x.f = NULL;
}

/* The same counts in another form */
static void print_again(void (*form)(FILE *f, const struct stat_form *form, const struct stat_counts *c))
{
	free(x.text);
	x.f = open_memstream(&x.text, &x.size);
	print(form);
}

static void test_sum_is_exact(void **state)
{
	setup("biglittle", "instructions,cycles", NULL);
	count(0, 0, 1000000, 500, 500);
	count(0, 1, 500000, 500, 500);
	count(1, 0, 234567, 300, 300);
	count(1, 1, 734567, 300, 300);
	add_run();
	assert_int_equal(stat_count(&x.counts, 0, -1)->value.mean, 1234567);
	assert_int_equal(stat_count(&x.counts, 0, -1)->accuracy, ACCURACY_EXACT);
	print(stat_print_table);
	has("Performance counter stats for 'true':\n");
	has("         1,234,567      instructions             #    1.000  insn per cycle\n"
	    "         1,000,000        0:big                  #    2.000  insn per cycle\n"
	    "           234,567        1:little               #    0.319  insn per cycle\n");
	has("       2.000000000 seconds time elapsed\n");
	has(" All counts are exact.\n");
	teardown();
}

static void test_csv(void **state)
{
	setup("biglittle", "instructions,cycles", NULL);
	count(0, 0, 1000000, 500, 500);
	count(0, 1, 500000, 500, 500);
	add_run();
	x.form.suffix = ":u";
	print(stat_print_csv);
	assert_string_equal(x.text,
		"1000000,,instructions:u,500,100.00,2.000,insn per cycle\n"
		"1000000,,armv8_cortex_a72/instructions/u,500,100.00,2.000,insn per cycle\n"
		"0,,armv8_cortex_a53/instructions/u,0,100.00,,\n"
		"500000,,cycles:u,500,100.00,,\n"
		"500000,,armv8_cortex_a72/cycles/u,500,100.00,,\n"
		"0,,armv8_cortex_a53/cycles/u,0,100.00,,\n");
	teardown();
}

/* A separator within an event's name would shift the fields. */
static void test_csv_separator_in_name(void **state)
{
	setup("skylake", "cpu/event=0xc0,umask=1/,cycles", NULL);
	count(0, 0, 3, 500, 500);
	count(0, 1, 4, 500, 500);
	add_run();
	print(stat_print_csv);
	assert_string_equal(x.text,
		"3,,cpu/event=0xc0\\x2cumask=1/,500,100.00,,\n"
		"4,,cycles,500,100.00,,\n");
	x.form.separator = ";";
	print_again(stat_print_csv);
	assert_string_equal(x.text,
		"3;;cpu/event=0xc0,umask=1/;500;100.00;;\n"
		"4;;cycles;500;100.00;;\n");
	teardown();
}

static void test_json(void **state)
{
	setup("skylake", "instructions,cycles", NULL);
	count(0, 0, 3, 500, 500);
	count(0, 1, 4, 500, 500);
	add_run();
	print(stat_print_json);
	assert_string_equal(x.text,
		"{\"counter-value\" : \"3.000000\", \"unit\" : \"\", \"event\" : \"instructions\", "
		"\"event-runtime\" : 500, \"pcnt-running\" : 100.00, \"accuracy\" : \"exact\", "
		"\"metric-value\" : 0.750000, \"metric-unit\" : \"insn per cycle\"}\n"
		"{\"counter-value\" : \"4.000000\", \"unit\" : \"\", \"event\" : \"cycles\", "
		"\"event-runtime\" : 500, \"pcnt-running\" : 100.00, \"accuracy\" : \"exact\"}\n");
	teardown();
}

/* Counts above 2^53, which a double does not hold; their sum, too */
static void test_great_counts(void **state)
{
	setup("biglittle", "instructions,task-clock", NULL);
	count(0, 0, 9007199254740993, 500, 500);
	count(1, 0, 2, 500, 500);
	count(0, 1, 9007199254740993, 500, 500);
	count(1, 1, 0, 500, 500);
	add_run();
	print(stat_print_table);
	has(" 9,007,199,254,740,995      instructions  ");
	has(" 9,007,199,254,740,993        0:big  ");
	has(" All counts are exact.\n");
	print_again(stat_print_csv);
	has("9007199254740995,,instructions,");
	has("9007199254740993,,armv8_cortex_a72/instructions/,");
	print_again(stat_print_json);
	has("\"counter-value\" : \"9007199254740995.000000\", \"unit\" : \"\", \"event\" : \"instructions\",");
	has("\"counter-value\" : \"9007199254740993.000000\",");
	has("\"counter-value\" : \"9007199254.740993\", \"unit\" : \"msec\",");
	teardown();
}

/* Counted for a quarter of the time: four times as many are estimated. */
static void test_turns_are_estimated(void **state)
{
	setup("skylake", "instructions", "cycles");
	count(0, 0, 1000, 100, 400);
	count(0, 1, 9000, 300, 400);
	add_run();
	assert_int_equal(stat_count(&x.counts, 0, -1)->value.mean, 4000);
	assert_int_equal(stat_count(&x.counts, 0, -1)->accuracy, ACCURACY_ESTIMATED);
	assert_int_equal(stat_count(&x.counts, 1, -1)->value.mean, 12000);
	print(stat_print_table);
	has("            ~4,000      instructions             #    0.333  insn per cycle  ");
	has("(25.00%)\n");
	has(" ~: estimated");
	assert_null(strstr(x.text, "exact"));
	teardown();
}

/* An event that had no turn has no count, which is not 0. */
static void test_no_turn(void **state)
{
	setup("skylake", "instructions", "cycles");
	count(0, 0, 1000, 400, 400);
	count(0, 1, 0, 0, 400);
	add_run();
	assert_false(stat_count(&x.counts, 1, -1)->counted);
	print(stat_print_csv);
	has("<not counted>,,cycles,0,0.00,,\n");
	teardown();
	/* The sum is not 0 when the other core type did not run, either. */
	setup("biglittle", "instructions", NULL);
	count(1, 0, 0, 0, 400);
	add_run();
	assert_true(stat_count(&x.counts, 0, 0)->counted);
	assert_false(stat_count(&x.counts, 0, -1)->counted);
	teardown();
}

/* The other core type ran, and cannot count the event: the sum is a lower limit. */
static void test_one_core_type_lacks_it(void **state)
{
	memset(&x, 0, sizeof(x));
	setup("biglittle", "instructions", NULL);
	x.layout.core_types[1].sets[0].nr = 0;
	count(0, 0, 1000, 400, 400);
	x.summary.totals.running[1] = 7;
	add_run();
	assert_int_equal(stat_count(&x.counts, 0, -1)->value.mean, 1000);
	assert_int_equal(stat_count(&x.counts, 0, -1)->accuracy, ACCURACY_PARTIAL);
	assert_false(stat_count(&x.counts, 0, 1)->supported);
	print(stat_print_table);
	has("            >1,000      instructions                                           (98.28%)\n");
	has("   <not supported>        1:little\n");
	has(" >: a lower limit");
	teardown();
}

static void test_lost_threads_are_partial(void **state)
{
	setup("skylake", "instructions", NULL);
	count(0, 0, 1000, 400, 400);
	x.summary.missed_threads = 2;
	add_run();
	assert_int_equal(stat_count(&x.counts, 0, -1)->accuracy, ACCURACY_PARTIAL);
	print(stat_print_table);
	has(" 2 threads could not be counted");
	teardown();
}

/* The library has scaled a count: it and the sum are estimates, and are not scaled again. */
static void test_scaled_by_the_library(void **state)
{
	setup("biglittle", "instructions", NULL);
	count(0, 0, 1000, 400, 400);
	count(1, 0, 10, 400, 400);
	add_run();
	stat_counts_mark(&x.counts, 0, 0, PMC_ESTIMATED);
	stat_counts_mark(&x.counts, 0, 1, PMC_EXACT);
	assert_int_equal(stat_count(&x.counts, 0, 0)->accuracy, ACCURACY_ESTIMATED);
	assert_int_equal(stat_count(&x.counts, 0, 1)->accuracy, ACCURACY_EXACT);
	assert_int_equal(stat_count(&x.counts, 0, -1)->accuracy, ACCURACY_ESTIMATED);
	assert_int_equal(stat_count(&x.counts, 0, -1)->value.mean, 1010);
	teardown();
}

/* Mean 20, standard error sqrt(100 / 3), by hand */
static void test_repeat(void **state)
{
	int i;

	setup("skylake", "instructions", NULL);
	for (i = 1; i <= 3; i++) {
		count(0, 0, 10 * i, 400, 400);
		add_run();
	}
	x.form.runs = 3;
	assert_true(fabs(stat_count(&x.counts, 0, 0)->value.mean - 20) < 1e-9);
	assert_true(fabs(spread_error(&stat_count(&x.counts, 0, 0)->value) - sqrt(100.0 / 3)) < 1e-9);
	print(stat_print_csv);
	assert_string_equal(x.text, "20,,instructions,28.87%,400,100.00,,\n");
	/* A signal has ended the repetition. */
	x.form.runs = 5;
	print_again(stat_print_table);
	has("for 'true' (3 runs):\n");
	teardown();
}

static void test_per_core_type(void **state)
{
	setup("biglittle", "instructions", NULL);
	count(1, 0, 5, 400, 400);
	add_run();
	x.form.per_core_type = 1;
	print(stat_print_csv);
	assert_string_equal(x.text, "0:big,0,,instructions,0,100.00,,\n"
				    "1:little,5,,instructions,400,100.00,,\n");
	teardown();
}

/* The columns of the longest row of the table at this width of a terminal */
static int longest_row(int width)
{
	int longest = 0, len;
	char *line;

	x.form.width = width;
	print_again(stat_print_table);
	for (line = strstr(x.text, ":\n\n") + 3; *line != '\n'; line += len + 1) {
		len = strcspn(line, "\n");
		longest = len > longest ? len : longest;
	}
	return longest;
}

/* Where rows of core types, or means of runs, are wider than the terminal, columns are narrower. */
static void test_narrow_runs(void **state)
{
	setup("hybrid", "instructions,cycles,branch-misses,task-clock", "context-switches");
	count(0, 0, 4000000000, 400, 400);
	add_run();
	count(0, 0, 0, 400, 400);
	add_run();
	x.form.runs = 2;
	x.form.per_core_type = 1;
	x.form.suffix = ":u";
	print(stat_print_table);
	has("0:P             2,000,000,000      instructions:u                                         ( +-100.00% )\n");
	assert_in_range(longest_row(120), 90, 120);
	assert_in_range(longest_row(80), 60, 80);
	has("\n0:P   2,000,000,000      instructions:u                                 +-100.0%\n");
	x.form.per_core_type = 0;
	assert_in_range(longest_row(80), 60, 80);
	has("\n  2,000,000,000");
	teardown();
}

/* A thousand million in a second are 1 G/sec; counts of kernel mode are no part of IPC. */
static void test_metrics(void **state)
{
	struct stat_metric m;

	setup("skylake", "instr:k,cycles,branch-misses,branches,llc_misses", NULL);
	count(0, 0, 50, 400, 400);
	count(0, 1, 100, 400, 400);
	count(0, 2, 3, 400, 400);
	count(0, 3, 200, 400, 400);
	add_run();
	assert_null(stat_metric(&x.counts, 0, -1).unit);
	m = stat_metric(&x.counts, 2, -1);
	assert_string_equal(m.unit, "of all branches");
	assert_true(fabs(m.value - 1.5) < 1e-9);
	assert_null(stat_metric(&x.counts, 4, -1).unit);
	teardown();
	setup("skylake", "task-clock,llc_misses", NULL);
	count(0, 0, 1000000000, 400, 400);
	count(0, 1, 2000000, 400, 400);
	add_run();
	m = stat_metric(&x.counts, 1, -1);
	assert_string_equal(m.unit, "M/sec");
	assert_true(fabs(m.value - 2) < 1e-9);
	m = stat_metric(&x.counts, 0, -1);
	assert_string_equal(m.unit, "CPUs utilized");
	assert_true(fabs(m.value - 0.5) < 1e-9);
	teardown();
}

static int room;

/* Can the counters count as many hardware events at the same time? */
static int fake_fits(void *arg, int core_type, const char *events)
{
	int n = 0;

	for (; (events = strstr(events, "ev=")); events++)
		n++;
	return n <= room;
}

/* Arrange events and metrics as stat does, instead of setup(). @nr: how many events fit a set */
static void setup_plan(const char *machine, const char *events, const char *metrics, int nr)
{
	struct stat_events e = { 0 };

	memset(&x, 0, sizeof(x));
	room = nr;
	x.machine = open_machine(machine);
	x.config = pmc_config_new(x.machine);
	x.plan = pmc_plan_new(x.machine);
	if (events)
		stat_events_add(&e, events);
	if (stat_events_plan(&e, x.plan) ||
	    (metrics && pmc_plan_add_metrics(x.plan, metrics, PMC_EVERY_CORE_TYPE)) ||
	    pmc_plan_make(x.plan, x.config, fake_fits, NULL))
		fail_msg("%s", pmc_last_error());
	stat_events_free(&e);
	start();
	stat_metrics_init(&x.metrics, x.plan, x.layout.nr_core_types);
	x.form.metrics = &x.metrics;
}

static void teardown_plan(void)
{
	stat_metrics_free(&x.metrics);
	pmc_plan_free(x.plan);
	teardown();
}

/* The sets of a core type, with a space between them */
static void check_sets(int id, const char *wanted)
{
	char text[1024] = "";
	int i, j;

	for (i = 0; i < pmc_config_nr_sets(x.config, id); i++)
		for (j = 0; j < pmc_config_nr_events(x.config, id, i); j++)
			sprintf(text + strlen(text), "%s%s", j ? "," : i ? " " : "",
				pmc_config_event(x.config, id, i, j));
	assert_string_equal(text, wanted);
}

/* Events take turns, but those of the kernel itself are in each set; braces stay together. */
static void test_sets(void **state)
{
	setup_plan("skylake", "page-faults,{branches,branch-misses},instructions,cycles,task-clock",
		   NULL, 2);
	check_sets(0, "page-faults,branches,branch-misses,task-clock page-faults,instructions,cycles,task-clock");
	teardown_plan();
	setup_plan("skylake", "page-faults,task-clock", NULL, 2);
	check_sets(0, "page-faults,task-clock");
	teardown_plan();
	/* perf's form names the core type. */
	setup_plan("hybrid", "cpu_core/instructions/,cycles", NULL, 2);
	check_sets(0, "cpu_core/instructions/,cycles");
	check_sets(1, "cycles");
	teardown_plan();
	/* A core type counts what it has. */
	setup_plan("hybrid", "instructions,UOPS_RETIRED.SLOTS", NULL, 2);
	check_sets(0, "instructions,UOPS_RETIRED.SLOTS");
	check_sets(1, "instructions");
	teardown_plan();
}

static struct pmc_reading sum_of(pid_t tid, const char *name, int id, uint64_t count)
{
	struct pmc_reading r = { .pid = 10, .tid = tid, .core_type = id, .running = 100,
				 .nr_counts = 2, .counts = { count, 2 * count } };

	snprintf(r.name, sizeof(r.name), "%s", name);
	return r;
}

/* Long names of events and threads make their columns wider. */
static void test_columns(void **state)
{
	struct stat_threads threads = { 0 };
	struct pmc_reading sums[] = {
		sum_of(11, "\033\033\033\033\033\033", 0, 7), sum_of(12, "größe", 0, 5),
	};

	setup_plan("hybrid", "TOPDOWN.BACKEND_BOUND_SLOTS,cycles,instructions", NULL, 4);
	count(0, 0, 5, 30, 120);
	count(0, 1, 10, 120, 120);
	count(0, 2, 10, 120, 120);
	add_run();
	print(stat_print_table);
	has("               ~20      TOPDOWN.BACKEND_BOUND_SLOTS                               (25.00%)\n");
	has("                10      instructions                #    1.000  insn per cycle\n");
	stat_threads_add(&threads, &sums[0]);
	stat_threads_add(&threads, &sums[1]);
	stat_threads_end(&threads, &x.layout, NULL, x.plan, &x.summary, &x.counts);
	x.form.threads = &threads;
	print_again(stat_print_table);
	has("\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b-11                       7      TOPDOWN");
	has("\n                   größe-12                       5      TOPDOWN");
	/* On a terminal for which that is too wide, columns are as wide as what is in them. */
	x.form.width = 80;
	print_again(stat_print_table);
	has("\n\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b-11                  7      TOPDOWN.BACKEND_BOUND_SLOTS\n");
	has("\n                   größe-12                  5      TOPDOWN");
	has("\n                                             7        0:P\n");
	stat_threads_free(&threads);
	teardown_plan();
}

static void test_no_such_events(void **state)
{
	struct stat_events e = { 0 };
	pmc_machine_t *machine = open_machine("skylake");
	pmc_plan_t *plan = pmc_plan_new(machine);

	stat_events_add(&e, "instructions,nosuch,cycles");
	assert_int_equal(stat_events_plan(&e, plan), -1);
	check_error("has no event 'nosuch'");
	e.optional = 1;
	assert_int_equal(stat_events_plan(&e, plan), 0);
	stat_events_free(&e);
	pmc_plan_free(plan);
	pmc_machine_close(machine);
}

static struct pmc_set_counts set_counts(int id, int set, uint64_t running, uint64_t a, uint64_t b)
{
	return (struct pmc_set_counts){ .core_type = id, .set = set, .running = running,
					.nr_counts = 2, .counts = { a, b } };
}

/* 3 of 6 and 1 of 4: 4 of 10 together, not the mean of 0.50 and 0.25. */
static void test_metric_of_all_core_types(void **state)
{
	static const uint64_t counts[] = { 3, 6, 1, 4 };
	struct pmc_set_counts sets[] = { set_counts(0, 0, 10, 3, 6), set_counts(1, 0, 10, 1, 4) };
	int i;

	setup_plan("biglittle", NULL, "ipc,x[%.1f per 100]=100*instr/max(cycles,1)", 4);
	for (i = 0; i < 4; i++)
		count(i / 2, i % 2, counts[i], 10, 10);
	add_run();
	stat_metrics_add(&x.metrics, sets, 2, 1, 0);
	print(stat_print_csv);
	has("\n,,,,,0.40,ipc\n,,,,,0.50,armv8_cortex_a72/ipc/\n,,,,,0.25,armv8_cortex_a53/ipc/\n"
	    ",,,,,40.0,per 100 x\n");
	print_again(stat_print_json);
	has("{\"accuracy\" : \"exact\", \"metric-value\" : 0.40, \"metric-unit\" : \"ipc\"}\n");
	has("{\"core-type\" : \"0:big\", \"accuracy\" : \"exact\", \"metric-value\" : 0.50, \"metric-unit\" : \"ipc\"}\n");
	print_again(stat_print_table);
	has("              0.40      ipc\n              0.50      ipc 0:big\n");
	teardown_plan();
}

/*
 * The misses are in one set and the branches in another, and the sets take turns. On P, the
 * estimates are 3 * 100 / 25 = 12 misses and 60 * 100 / 75 = 80 branches: 15 %. On E the rate is
 * 2.5 %. A metric whose events are all in one set is not scaled.
 */
static void test_metric_of_turns(void **state)
{
	struct pmc_set_counts sets[] = {
		set_counts(0, 0, 25, 3, 0), set_counts(0, 1, 75, 60, 0),
		set_counts(1, 0, 80, 10, 0), set_counts(1, 1, 20, 100, 0),
	};
	const struct stat_value *v;

	setup_plan("hybrid", NULL, "branch_miss_rate", 1);
	check_sets(0, "branch_misses branches");
	check_sets(1, "branch_misses branches");
	add_run();
	stat_metrics_add(&x.metrics, sets, 4, 1, 0);
	v = stat_metrics_value(&x.metrics, 0, 0);
	assert_true(fabs(v->value.mean - 15) < 1e-9);
	assert_int_equal(v->accuracy, PMC_ESTIMATED);
	v = stat_metrics_value(&x.metrics, 0, 1);
	assert_true(fabs(v->value.mean - 2.5) < 1e-9);
	/* 12 + 12.5 of 80 + 500 */
	v = stat_metrics_value(&x.metrics, 0, PMC_EVERY_CORE_TYPE);
	assert_true(fabs(v->value.mean - 100 * 24.5 / 580) < 1e-9);
	/* Of counts in which threads are missing there is no metric. */
	stat_metrics_add(&x.metrics, sets, 4, 1, 1);
	assert_int_equal(v->value.nr, 1);
	print(stat_print_json);
	has("\"core-type\" : \"0:P\", \"accuracy\" : \"estimated\", \"metric-value\" : 15.0, \"metric-unit\" : \"% branch_miss_rate\"");
	print_again(stat_print_table);
	has("             ~15.0 %    branch_miss_rate 0:P\n");
	teardown_plan();
}

/* No cycles: no value. Several runs: the mean, and its error. */
static void test_metric_of_runs(void **state)
{
	struct pmc_set_counts set = set_counts(0, 0, 100, 10, 0);

	setup_plan("skylake", NULL, "ipc", 4);
	add_run();
	stat_metrics_add(&x.metrics, &set, 1, 1, 0);
	print(stat_print_json);
	has("{\"metric-value\" : null, \"metric-unit\" : \"ipc\"}\n");
	set.counts[1] = 10;
	stat_metrics_add(&x.metrics, &set, 1, 1, 0);
	set.counts[0] = 30;
	stat_metrics_add(&x.metrics, &set, 1, 1, 0);
	x.form.runs = 2;
	print_again(stat_print_table);
	/* 1 and 3: mean 2, standard deviation sqrt(2), by sqrt(2) runs */
	has("              2.00      ipc  ( +- 50.00% )\n");
	teardown_plan();
}

/* Without the module, sets are counted at the same time, and the library has scaled them. */
static void test_metric_of_scaled_sets(void **state)
{
	struct pmc_set_counts sets[] = { set_counts(0, 0, 50, 30, 0), set_counts(0, 1, 100, 60, 0) };
	const struct stat_value *v;

	sets[0].available = sets[1].available = 100;
	setup_plan("skylake", NULL, "branch_miss_rate", 1);
	add_run();
	stat_metrics_add(&x.metrics, sets, 2, 1, 0);
	v = stat_metrics_value(&x.metrics, 0, 0);
	assert_true(fabs(v->value.mean - 50) < 1e-9);
	assert_int_equal(v->accuracy, PMC_ESTIMATED);
	teardown_plan();
}

/* Rows of threads: those with the most events first; a number may come again. */
static void test_threads(void **state)
{
	struct stat_threads threads = { 0 };
	struct pmc_reading sums[] = {
		sum_of(11, "a,\"\033", 0, 100), sum_of(11, "a,\"\033", 1, 50),
		sum_of(12, "busy", 0, 4000), sum_of(11, "later", 0, 5000), sum_of(13, "", 1, 1),
	};
	size_t i;

	setup_plan("biglittle", "instructions,cycles", "ipc", 4);
	for (i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		stat_threads_add(&threads, &sums[i]);
	assert_int_equal(threads.nr, 4);
	stat_threads_end(&threads, &x.layout, NULL, x.plan, &x.summary, &x.counts);
	x.form.threads = &threads;
	print(stat_print_csv);
	assert_ptr_equal(x.text, strstr(x.text,
		"later-11,5000,,instructions,100,100.00,0.500,insn per cycle\n"
		"later-11,5000,,armv8_cortex_a72/instructions/,100,100.00,0.500,insn per cycle\n"
		"later-11,0,,armv8_cortex_a53/instructions/,0,100.00,,\n"
		"busy-12,4000,,instructions,100,100.00,0.500,insn per cycle\n"));
	has("\na\\x2c\"\\x1b-11,150,,instructions,200,100.00,0.500,insn per cycle\n");
	has("\n?-13,1,,instructions,");
	has("\nbusy-12,8000,,cycles,");
	has("\nlater-11,,,,,,0.50,ipc\nlater-11,,,,,,0.50,armv8_cortex_a72/ipc/\nbusy-12,");
	print_again(stat_print_json);
	has("{\"thread\" : \"a,\\\"\\u001b-11\", \"counter-value\" : \"150.000000\", ");
	has("{\"thread\" : \"busy-12\", \"accuracy\" : \"exact\", \"metric-value\" : 0.50, ");
	print_again(stat_print_table);
	has("            busy-12                   4,000      instructions             #    0.500  insn per cycle\n");
	has("      a,\"\\x1b-11                     150      instructions             #    0.500  insn per cycle\n"
	    "                                        100        0:big                  #    0.500  insn per cycle\n"
	    "                                         50        1:little               #    0.500  insn per cycle\n");
	/* Core types on which it never was have no row. */
	has("               ?-13                       1      instructions             #    0.500  insn per cycle\n"
	    "                                          1        1:little ");
	stat_threads_free(&threads);
	teardown_plan();
}

/* If samples were lost, the counts of threads are lower limits. */
static void test_threads_with_losses(void **state)
{
	struct stat_threads threads = { 0 };
	struct pmc_reading sum = sum_of(11, "a", 0, 100);

	setup_plan("biglittle", "instructions,cycles", NULL, 4);
	stat_threads_add(&threads, &sum);
	x.summary.lost = 3;
	add_run();
	stat_threads_end(&threads, &x.layout, NULL, x.plan, &x.summary, &x.counts);
	print(stat_print_table);
	has(" All counts are exact.\n");
	assert_null(strstr(x.text, "lost"));
	x.form.threads = &threads;
	print_again(stat_print_json);
	has("\"accuracy\" : \"partial\"");
	print_again(stat_print_table);
	has(" >: a lower limit: some events were not counted\n");
	has(" 3 samples were lost: the counts of threads are lower limits\n");
	assert_null(strstr(x.text, "All counts are exact"));
	stat_threads_free(&threads);
	teardown_plan();
}

/* A set that was counted for half of the time */
int __wrap_pmc_session_set_counts(pmc_session_t *session, int core_type, int set,
				  struct pmc_set_counts *counts)
{
	*counts = (struct pmc_set_counts){ .core_type = core_type, .set = set, .running = 50,
					   .available = 100 };
	return 0;
}

/* Without the module, a thread's counts have the grades of the totals on the core types it was on. */
static void test_scaled_threads(void **state)
{
	struct pmc_reading sums[] = { sum_of(11, "a", 0, 100), sum_of(12, "b", 1, 7) };
	struct stat_threads threads = { 0 };
	const struct stat_counts *a, *b;

	setup_plan("biglittle", "instructions,cycles", NULL, 4);
	x.layout.without_module = 1;
	count(0, 0, 200, 200, 400);
	count(0, 1, 400, 200, 400);
	add_run();
	stat_counts_mark(&x.counts, 0, 0, PMC_ESTIMATED);
	stat_counts_mark(&x.counts, 1, 0, PMC_PARTIAL);
	stat_threads_add(&threads, &sums[0]);
	stat_threads_add(&threads, &sums[1]);
	stat_threads_end(&threads, &x.layout, NULL, NULL, &x.summary, &x.counts);
	a = &threads.all[0].counts;
	b = &threads.all[1].counts;
	assert_int_equal(stat_count(a, 0, 0)->last, 200);
	assert_int_equal(stat_count(a, 0, 0)->accuracy, ACCURACY_ESTIMATED);
	assert_int_equal(stat_count(a, 0, -1)->accuracy, ACCURACY_ESTIMATED);
	assert_int_equal(stat_count(a, 1, -1)->accuracy, ACCURACY_PARTIAL);
	assert_int_equal(stat_count(b, 0, 1)->accuracy, ACCURACY_EXACT);
	assert_int_equal(stat_count(b, 0, -1)->accuracy, ACCURACY_EXACT);
	stat_threads_free(&threads);
	teardown_plan();
}

/* A thread of a process of -p that does not run has rows, with 0; not if threads may be missing. */
static void test_idle_thread(void **state)
{
	struct stat_threads threads = { 0 };
	char row[64];

	setup_plan("biglittle", "instructions,cycles", "ipc", 4);
	assert_int_equal(prctl(PR_SET_NAME, "idle one"), 0);
	stat_threads_of_process(&threads, getpid());
	assert_int_equal(threads.nr, 1);
	stat_threads_end(&threads, &x.layout, NULL, x.plan, &x.summary, &x.counts);
	x.form.threads = &threads;
	print(stat_print_csv);
	snprintf(row, sizeof(row), "idle one-%d,0,,instructions,0,100.00,,\n", getpid());
	has(row);
	assert_int_equal(stat_count(&threads.all[0].counts, 0, -1)->accuracy, ACCURACY_EXACT);
	stat_threads_free(&threads);
	memset(&threads, 0, sizeof(threads));
	stat_threads_of_process(&threads, getpid());
	x.summary.missed_threads = 1;
	stat_threads_end(&threads, &x.layout, NULL, x.plan, &x.summary, &x.counts);
	assert_int_equal(stat_count(&threads.all[0].counts, 0, -1)->accuracy, ACCURACY_PARTIAL);
	stat_threads_free(&threads);
	teardown_plan();
}

/*
 * Branches are counted on little only, where there are fewer of them than misses on all. The row of
 * all core types has no ratio and no rate of them; that of little has.
 */
static void test_metric_of_different_core_types(void **state)
{
	setup_plan("biglittle", "branch-misses,branches,task-clock", NULL, 4);
	assert_string_equal(x.layout.names[0], "branch-misses");
	assert_string_equal(x.layout.names[1], "task-clock");
	assert_string_equal(x.layout.names[2], "branches");
	count(0, 0, 500, 400, 400);
	count(0, 1, 1000000, 400, 400);
	count(1, 0, 10, 300, 300);
	count(1, 1, 1000000, 300, 300);
	count(1, 2, 200, 300, 300);
	add_run();
	assert_string_equal(stat_metric(&x.counts, 0, PMC_EVERY_CORE_TYPE).unit, "K/sec");
	assert_null(stat_metric(&x.counts, 2, PMC_EVERY_CORE_TYPE).unit);
	assert_string_equal(stat_metric(&x.counts, 0, 1).unit, "of all branches");
	assert_string_equal(stat_metric(&x.counts, 2, 1).unit, "K/sec");
	teardown_plan();
	/* A set that had no turn in a short visit to a core type */
	setup_plan("biglittle", "branch-misses,branches", NULL, 4);
	count(0, 0, 1, 2, 2);
	count(0, 1, 0, 0, 2);
	count(1, 0, 10, 10000, 10000);
	count(1, 1, 200, 10000, 10000);
	add_run();
	assert_string_equal(stat_metric(&x.counts, 0, PMC_EVERY_CORE_TYPE).unit, "of all branches");
	teardown_plan();
	/* On a core type that did not run, nothing is missing. */
	setup_plan("biglittle", "branch-misses,branches", NULL, 4);
	count(1, 0, 10, 300, 300);
	count(1, 1, 200, 300, 300);
	add_run();
	assert_string_equal(stat_metric(&x.counts, 0, PMC_EVERY_CORE_TYPE).unit, "of all branches");
	teardown_plan();
}

/* What init() of stat.c does with an event of -e. Return: the index of its name */
static int spell(const char *event)
{
	int columns[PMC_MAX_COUNTS];

	stat_events_columns(x.machine, &x.layout, event, columns);
	return stat_counts_name(&x.counts, event, columns);
}

/* Two spellings of an event are counted once, and each has its rows. */
static void test_spellings(void **state)
{
	int name, columns[] = { 0, -1 };

	setup_plan("biglittle", "instructions,instr,cycles", NULL, 4);
	check_sets(0, "instructions,cycles");
	assert_int_equal(spell("instructions"), 0);
	assert_int_equal(spell("instr"), 2);
	assert_int_equal(spell("nosuch"), 3);
	/* The same event on one core type only */
	name = stat_counts_name(&x.counts, "other", columns);
	count(0, 0, 70, 500, 500);
	count(1, 0, 5, 300, 300);
	add_run();
	stat_counts_mark(&x.counts, 0, 1, PMC_ESTIMATED);
	assert_int_equal(stat_counts_next(&x.counts, 0, 2), 1);
	assert_int_equal(stat_counts_next(&x.counts, 1, 2), 1);
	assert_int_equal(stat_counts_next(&x.counts, 1, 0), 2);
	print(stat_print_csv);
	assert_ptr_equal(x.text, strstr(x.text, "75,,instr,800,"));
	has("\n75,,instructions,800,");
	has("\n70,,armv8_cortex_a72/instructions/,500,");
	has("\n<not supported>,,nosuch,");
	has("\n70,,other,500,");
	has("\n<not supported>,,armv8_cortex_a53/other/,");
	assert_int_equal(stat_count(&x.counts, 2, 1)->accuracy, ACCURACY_ESTIMATED);
	assert_int_equal(stat_count(&x.counts, 2, -1)->accuracy, ACCURACY_ESTIMATED);
	assert_int_equal(stat_count(&x.counts, name, 0)->accuracy, ACCURACY_EXACT);
	teardown_plan();
}

/* The names of rows, of all core types and of one, for the events that were typed */
static void test_names_of_rows(void **state)
{
	setup_plan("hybrid", "r00c0,0x2e:umask=0x41,cycles:u:cmask=1,cycles:k,cpu_atom/branches/,"
		   "cpu/branch-misses/", NULL, 8);
	x.form.suffix = ":u";
	add_run();
	print(stat_print_csv);
	has("0,,r00c0:u,");
	has("\n0,,cpu_core/r00c0/u,");
	has("\n0,,0x2e:umask=0x41:u,");
	has("\n0,,cpu_core/0x2e:umask=0x41/u,");
	has("\n0,,cycles:u:cmask=1,");
	has("\n0,,cpu_atom/cycles:u:cmask=1/,");
	has("\n0,,cycles:k,");
	has("\n0,,cpu_core/cycles/k,");
	/* An event of one core type has one row, as with perf. */
	has("\n0,,cpu_atom/branches/u,");
	assert_null(strstr(strstr(x.text, "/branches/") + 1, "/branches/"));
	has("\n0,,cpu/branch-misses/u,");
	has("\n0,,cpu_core/branch-misses/u,");
	x.form.per_core_type = 1;
	print_again(stat_print_csv);
	has("\n1:E,0,,cpu_atom/branches/u,");
	assert_null(strstr(x.text, "0:P,0,,cpu_atom/branches"));
	teardown_plan();
}

/* Events of the screen without -e that are missing are named, with the reason. */
static void test_missing_events(void **state)
{
	struct stat_events e = { .optional = 1 };
	pmc_plan_t *plan;
	char *missing;

	setup_plan("skylake", "task-clock", NULL, 2);
	plan = pmc_plan_new(x.machine);
	stat_events_add(&e, "task-clock,nosuch,cycles,none");
	assert_int_equal(stat_events_plan(&e, plan), 0);
	missing = stat_events_in_state(&e, STAT_MISSING);
	assert_string_equal(missing, "nosuch, none");
	add_run();
	x.form.missing = missing;
	print(stat_print_table);
	has("\n Not counted: nosuch, none: there is no PMU here (pmctrack doctor says why, and what to do)\n");
	x.form.has_pmu = 1;
	print_again(stat_print_table);
	has(": no core type has such events\n");
	free(missing);
	stat_events_free(&e);
	memset(&e, 0, sizeof(e));
	e.optional = e.user_mode = 1;
	stat_events_add(&e, "cpu-migrations,page-faults,cycles,context-switches");
	assert_int_equal(stat_events_plan(&e, plan), 0);
	x.form.missing = NULL;
	x.form.forbidden = stat_events_in_state(&e, STAT_FORBIDDEN);
	print_again(stat_print_table);
	has(" Not counted: cpu-migrations, context-switches: in kernel mode, which needs CAP_PERFMON, or");
	free((char *)x.form.forbidden);
	assert_null(stat_events_in_state(&e, STAT_MISSING));
	stat_events_free(&e);
	pmc_plan_free(plan);
	teardown_plan();
}

/* Rows are in the order of -e, whatever sets the events are in. */
static void test_order(void **state)
{
	setup_plan("skylake", "instructions,{branches,branch-misses},cycles", NULL, 2);
	check_sets(0, "branches,branch-misses instructions,cycles");
	add_run();
	stat_counts_next(&x.counts, 0, 2);
	stat_counts_next(&x.counts, 1, 0);
	stat_counts_next(&x.counts, 2, 1);
	stat_counts_next(&x.counts, 3, 3);
	print(stat_print_csv);
	assert_true(strstr(x.text, ",instructions,") < strstr(x.text, ",branches,"));
	assert_true(strstr(x.text, ",branch-misses,") < strstr(x.text, ",cycles,"));
	assert_true(strstr(x.text, ",branches,") < strstr(x.text, ",branch-misses,"));
	teardown_plan();
}

static void test_events(void **state)
{
	struct stat_events e = { 0 };

	stat_events_add(&e, "a,{b,c},cpu/event=0x1,umask=2/,a");
	assert_int_equal(e.nr, 3);
	assert_string_equal(e.groups[0].text, "a");
	assert_string_equal(e.groups[1].text, "b,c");
	assert_true(e.groups[1].together && !e.groups[0].together);
	assert_string_equal(e.groups[2].text, "cpu/event=0x1,umask=2/");
	stat_events_add(&e, "d");
	assert_int_equal(e.nr, 4);
	stat_events_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sum_is_exact),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_csv_separator_in_name),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_great_counts),
		cmocka_unit_test(test_turns_are_estimated),
		cmocka_unit_test(test_no_turn),
		cmocka_unit_test(test_one_core_type_lacks_it),
		cmocka_unit_test(test_lost_threads_are_partial),
		cmocka_unit_test(test_scaled_by_the_library),
		cmocka_unit_test(test_repeat),
		cmocka_unit_test(test_per_core_type),
		cmocka_unit_test(test_narrow_runs),
		cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_metric_of_all_core_types),
		cmocka_unit_test(test_metric_of_different_core_types),
		cmocka_unit_test(test_metric_of_turns),
		cmocka_unit_test(test_metric_of_runs),
		cmocka_unit_test(test_metric_of_scaled_sets),
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_no_such_events),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_idle_thread),
		cmocka_unit_test(test_spellings),
		cmocka_unit_test(test_names_of_rows),
		cmocka_unit_test(test_missing_events),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_threads_with_losses),
		cmocka_unit_test(test_scaled_threads),
		cmocka_unit_test(test_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
