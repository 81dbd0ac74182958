// SPDX-License-Identifier: GPL-2.0
/* pmctrack stat: accuracy, metrics and spread of invented counts, and the forms of output. */
#include <math.h>

#include "lib.h"
#include "stat.h"
#include "stat_events.h"
#include "stat_metrics.h"

static struct fixture {
	pmc_machine_t *machine;
	pmc_config_t *config;
	struct layout layout;
	struct summary summary;
	struct rusage usage;
	struct stat_counts counts;
	struct stat_form form;
	char *text;
	size_t size;
	FILE *f;
} x;

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
	x.summary.totals.exact = 1;
	x.summary.usage = &x.usage;
	x.summary.real_ns = 2000000000;
	x.form = (struct stat_form){ .title = "'true'", .runs = 1, .suffix = "", .separator = "," };
	stat_counts_init(&x.counts, &x.layout);
	x.f = open_memstream(&x.text, &x.size);
}

static void teardown(void)
{
	if (x.f)
		fclose(x.f);
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
	/* Nor is it 0 because the other core type did not run. */
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

/* 3 of 6 and 1 of 4: 4 of 10 together, not the mean of 0.50 and 0.25. */
static void test_metric_of_all_core_types(void **state)
{
	static const uint64_t counts[] = { 3, 6, 1, 4 };
	struct stat_metrics m = { 0 };
	int i;

	setup("biglittle", "instr,cycles", NULL);
	stat_metrics_add(&m, x.machine, "ipc,x[%.1f per 100]=100*instr/max(cycles,1)");
	assert_int_equal(m.nr, 2);
	x.form.metrics = &m;
	for (i = 0; i < 4; i++)
		count(i / 2, i % 2, counts[i], 10, 10);
	add_run();
	print(stat_print_csv);
	has("\n,,,,,0.40,ipc\n,,,,,0.50,armv8_cortex_a72/ipc/\n,,,,,0.25,armv8_cortex_a53/ipc/\n"
	    ",,,,,40.0,per 100 x\n");
	free(x.text);
	x.f = open_memstream(&x.text, &x.size);
	print(stat_print_json);
	has("{\"accuracy\" : \"exact\", \"metric-value\" : 0.40, \"metric-unit\" : \"ipc\"}\n");
	has("{\"core-type\" : \"0:big\", \"accuracy\" : \"exact\", \"metric-value\" : 0.50, \"metric-unit\" : \"ipc\"}\n");
	free(x.text);
	x.f = open_memstream(&x.text, &x.size);
	print(stat_print_table);
	has("              0.40      ipc\n              0.50      ipc 0:big\n");
	stat_metrics_free(&m);
	teardown();
}

/* The events took turns: the ratio of two estimates is an estimate. No cycles: no value. */
static void test_metric_of_estimates(void **state)
{
	struct stat_metrics m = { 0 };
	struct stat_value v;

	setup("skylake", "instr", "cycles");
	stat_metrics_add(&m, x.machine, "ipc");
	count(0, 0, 10, 100, 400);
	count(0, 1, 60, 300, 400);
	add_run();
	v = stat_metrics_value(&m, 0, PMC_EVERY_CORE_TYPE, &x.counts);
	assert_true(fabs(v.value - 0.5) < 1e-9);
	assert_int_equal(v.accuracy, ACCURACY_ESTIMATED);
	/* Of counts that are lower limits there is no metric. */
	x.summary.missed_threads = 1;
	add_run();
	x.counts.counts[0].accuracy = ACCURACY_PARTIAL;
	assert_true(isnan(stat_metrics_value(&m, 0, 0, &x.counts).value));
	teardown();
	setup("skylake", "instr,cycles", NULL);
	count(0, 0, 10, 100, 100);
	count(0, 1, 0, 100, 100);
	add_run();
	x.form.metrics = &m;
	assert_true(isnan(stat_metrics_value(&m, 0, 0, &x.counts).value));
	print(stat_print_json);
	has("{\"metric-value\" : null, \"metric-unit\" : \"ipc\"}\n");
	stat_metrics_free(&m);
	teardown();
}

/* The events of a metric are a group; a group of metrics has each of them once. */
static void test_events_of_metrics(void **state)
{
	struct stat_events e = { 0 };
	struct stat_metrics m = { 0 };

	setup("skylake", "instr,cycles", NULL);
	stat_metrics_add(&m, x.machine, "ipc");
	stat_metrics_events(&m, 0, &e);
	assert_int_equal(e.nr, 1);
	assert_string_equal(e.groups[0], "instr,cycles");
	stat_events_free(&e);
	stat_metrics_free(&m);
	teardown();
}

static void test_events(void **state)
{
	struct stat_events e = { 0 };

	stat_events_add(&e, "a,{b,c},cpu/event=0x1,umask=2/,a");
	assert_int_equal(e.nr, 3);
	assert_string_equal(e.groups[0], "a");
	assert_string_equal(e.groups[1], "b,c");
	assert_string_equal(e.groups[2], "cpu/event=0x1,umask=2/");
	stat_events_add(&e, "d");
	assert_int_equal(e.nr, 4);
	stat_events_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sum_is_exact),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_turns_are_estimated),
		cmocka_unit_test(test_no_turn),
		cmocka_unit_test(test_one_core_type_lacks_it),
		cmocka_unit_test(test_lost_threads_are_partial),
		cmocka_unit_test(test_scaled_by_the_library),
		cmocka_unit_test(test_repeat),
		cmocka_unit_test(test_per_core_type),
		cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_metric_of_all_core_types),
		cmocka_unit_test(test_metric_of_estimates),
		cmocka_unit_test(test_events_of_metrics),
		cmocka_unit_test(test_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
