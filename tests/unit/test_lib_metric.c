// SPDX-License-Identifier: GPL-2.0
/* Metrics: the language of formulas, their events, users' files, values by hand-worked numbers. */
#include <math.h>
#include <unistd.h>

#include "expr.h"
#include "lib.h"
#include "metric.h"

enum { P, E };

static pmc_machine_t *hybrid;

/* A formula without events has its value without counts. */
static double value_of(const char *text)
{
	char spec[512];
	pmc_metric_t *m;
	double value;

	snprintf(spec, sizeof(spec), "x=%s", text);
	m = pmc_metric_compile(hybrid, P, spec);
	if (!m)
		fail_msg("%s: %s", text, pmc_last_error());
	assert_int_equal(pmc_metric_nr_events(m), 0);
	value = pmc_metric_value(m, NULL);
	pmc_metric_free(m);
	return value;
}

static pmc_metric_t *compile(int core_type, const char *spec)
{
	pmc_metric_t *m = pmc_metric_compile(hybrid, core_type, spec);

	if (!m)
		fail_msg("%s: %s", spec, pmc_last_error());
	return m;
}

static void check_refused(const char *spec, int err, const char *why)
{
	assert_null(pmc_metric_compile(hybrid, P, spec));
	assert_int_equal(errno, err);
	check_error(why);
}

#define same_double(a, b) do { \
	double a_ = (a), b_ = (b); \
	if (a_ != b_) \
		fail_msg("%s:%d: %s is %.17g, not %.17g", __FILE__, __LINE__, #a, a_, b_); \
} while (0)

static void test_arithmetic(void **state)
{
	same_double(value_of("1 + 2 * 3"), 7);
	same_double(value_of("(1 + 2) * 3"), 9);
	same_double(value_of("10 - 4 - 3"), 3);
	same_double(value_of("24 / 4 / 2"), 3);
	same_double(value_of("17 % 5"), 2);
	same_double(value_of("-3 - -5"), 2);
	same_double(value_of("- (2 + 3)"), -5);
	same_double(value_of("1e6"), 1000000);
	same_double(value_of("1.5e-3"), 0.0015);
	same_double(value_of("2.5E+2"), 250);
	same_double(value_of("0x1F"), 31);
	same_double(value_of(".5"), 0.5);
	same_double(value_of("1e-9*1e9"), 1);
}

static void test_precedence(void **state)
{
	/* As perf's: | ^ & then comparisons, sums, products */
	same_double(value_of("4 | 2 + 1"), 7);
	same_double(value_of("6 & 3 ^ 1"), 3);
	same_double(value_of("1 | 6 ^ 2 & 3"), 5);
	same_double(value_of("1 + 1 < 3 & 4 > 3"), 1);
	same_double(value_of("2 <= 2"), 1);
	same_double(value_of("2 >= 3"), 0);
	same_double(value_of("2 == 2"), 1);
	same_double(value_of("2 != 2"), 0);
}

static void test_functions(void **state)
{
	same_double(value_of("min(3, 2)"), 2);
	same_double(value_of("max(3, 2)"), 3);
	same_double(value_of("max(1 - (0.25 + 0.5), 0)"), 0.25);
	same_double(value_of("d_ratio(6, 4)"), 1.5);
	same_double(value_of("d_ratio(6, 0)"), 0);
	same_double(value_of("5 if 1 < 2 else 7"), 5);
	same_double(value_of("5 if 1 > 2 else 7"), 7);
	same_double(value_of("5 if 0 else 6 if 0 else 7"), 7);
	same_double(value_of("2 * (5 if 1 else 7)"), 10);
	same_double(value_of("source_count(instr)"), 1);
	same_double(value_of("has_event(instr)"), 1);
	same_double(value_of("has_event(NO_SUCH_EVENT)"), 0);
	/* What does not apply need not be defined. */
	same_double(value_of("1 / 0 if 0 else 7"), 7);
	same_double(value_of("#nonsense if has_event(NO_SUCH_EVENT) else 7"), 7);
}

static void test_undefined(void **state)
{
	assert_true(isnan(value_of("1 / 0")));
	assert_true(isnan(value_of("0 / 0")));
	assert_true(isnan(value_of("5 % 0")));
	assert_true(isnan(value_of("5 % 0.5")));
	assert_true(isnan(value_of("1 if 0 / 0 else 2")));
	assert_true(isnan(value_of("max(0 / 0, 1)")));
	assert_true(isnan(value_of("min(1, 0 / 0)")));
	same_double(value_of("-9223372036854775808 % -1"), 0);
	same_double(value_of("1e30 | 0"), 9223372036854775807.0);
}

static void test_bad_syntax(void **state)
{
	check_refused("x=1 +", EINVAL, "a number or a name is missing at the end");
	check_refused("x=(1", EINVAL, "')' is missing at the end");
	check_refused("x=1 2", EINVAL, "an operator is missing before '2'");
	check_refused("x=* 2", EINVAL, "a number or a name is missing before '* 2'");
	check_refused("x=1 if 2", EINVAL, "'else' is missing");
	check_refused("x=max(1)", EINVAL, "',' is missing before ')'");
	check_refused("x=has_event()", EINVAL, "a name is missing before ')'");
	check_refused("x=2x", EINVAL, "'2x' is neither a number nor a name");
	check_refused("x=1e999", EINVAL, "too large");
	check_refused("x=$", EINVAL, "missing before '$'");
	check_refused("x=", EINVAL, "'x' has no expression");
	check_refused("=1", EINVAL, "no name for a metric");
	check_refused("a b=1", EINVAL, "no name for a metric");
	check_refused("x[%.2f=1", EINVAL, "] is missing");
	check_refused("x[]y=1", EINVAL, "= is missing after ]");
	check_refused("x[%.2d]=1", EINVAL, "not of the form %.2f");
	check_refused("x[%]", EINVAL, "not of the form NAME=EXPRESSION");
}

static void test_limits(void **state)
{
	char spec[EXPR_LENGTH + 16];
	int i;

	strcpy(spec, "x=");
	memset(spec + 2, '(', EXPR_DEPTH + 2);
	strcpy(spec + EXPR_DEPTH + 4, "1");
	check_refused(spec, EINVAL, "more than 100 levels");
	for (i = 0; i < EXPR_LENGTH / 2; i++)
		memcpy(spec + 2 + 2 * i, "1+", 2);
	strcpy(spec + 1 + EXPR_LENGTH, "1");
	assert_non_null(spec);
	memmove(spec + 2, spec + 4, strlen(spec + 4) + 1);
	pmc_metric_free(compile(P, spec));
	strcat(spec, "+1+1");
	check_refused(spec, EINVAL, "more than 8192 characters");
}

static void test_ipc(void **state)
{
	const double counts[] = { 3000, 1500 }, none[] = { 0, 0 };
	pmc_metric_t *m = compile(P, "ipc");
	char text[32];

	assert_string_equal(pmc_metric_name(m), "ipc");
	assert_string_equal(pmc_metric_unit(m), "");
	assert_int_equal(pmc_metric_nr_events(m), 2);
	assert_string_equal(pmc_metric_event(m, 0), "instr");
	assert_string_equal(pmc_metric_event(m, 1), "cycles");
	assert_null(pmc_metric_event(m, 2));
	same_double(pmc_metric_value(m, counts), 2);
	pmc_metric_format(m, 2, text, sizeof(text));
	assert_string_equal(text, "2.00");
	pmc_metric_format(m, pmc_metric_value(m, none), text, sizeof(text));
	assert_string_equal(text, "-");
	pmc_metric_free(m);
}

static void test_definition(void **state)
{
	const double counts[] = { 7, 2000 };
	pmc_metric_t *m = compile(P, "llcmr[%.1f per 1000]=1000*llc_misses/instr");
	char text[32];

	assert_string_equal(pmc_metric_name(m), "llcmr");
	assert_string_equal(pmc_metric_unit(m), "per 1000");
	assert_string_equal(pmc_metric_expr(m), "1000*llc_misses/instr");
	assert_string_equal(pmc_metric_event(m, 0), "llc_misses");
	same_double(pmc_metric_value(m, counts), 3.5);
	pmc_metric_format(m, 3.5, text, sizeof(text));
	assert_string_equal(text, "3.5");
	pmc_metric_free(m);
	m = compile(P, " x [ MB ] = 1 == 1");
	assert_string_equal(pmc_metric_name(m), "x");
	assert_string_equal(pmc_metric_unit(m), "MB");
	same_double(pmc_metric_value(m, NULL), 1);
	pmc_metric_free(m);
}

/* perf has a fraction of which it prints percents; formulas get the fraction. */
static void test_percent(void **state)
{
	const double counts[] = { 5, 200 };
	pmc_metric_t *m = compile(P, "branch_miss_rate");

	assert_string_equal(pmc_metric_unit(m), "%");
	same_double(pmc_metric_value(m, counts), 2.5);
	pmc_metric_free(m);
	m = compile(P, "x=branch_miss_rate");
	same_double(pmc_metric_value(m, counts), 0.025);
	pmc_metric_free(m);
}

static void test_events(void **state)
{
	static const struct {
		const char *expr;
		const char *event;
	} spellings[] = {
		{ "cpu_core@UOPS_RETIRED.SLOTS@", "UOPS_RETIRED.SLOTS" },
		{ "cpu@UOPS_RETIRED.SLOTS\\,cmask\\=1@", "UOPS_RETIRED.SLOTS:cmask=1" },
		{ "cpu_core@event\\=0xc2\\,umask\\=0x2\\,inv@", "0xc2:umask=0x2:inv" },
		{ "cpu_core@UOPS_RETIRED.SLOTS@k", "UOPS_RETIRED.SLOTS:k" },
		{ "0xc2:umask=0x02:cmask=1", "0xc2:umask=0x02:cmask=1" },
		{ "cache\\-misses", "cache-misses" },
		{ "cpu\\/event\\=0xc2\\,umask\\=0x2\\/u", "cpu/event=0xc2,umask=0x2/u" },
		{ "duration_time", "duration_time" },
	};
	char spec[128];
	pmc_metric_t *m;
	size_t i;

	for (i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		snprintf(spec, sizeof(spec), "x=2*%s/%s", spellings[i].expr, spellings[i].expr);
		m = compile(P, spec);
		assert_int_equal(pmc_metric_nr_events(m), 1);
		assert_string_equal(pmc_metric_event(m, 0), spellings[i].event);
		same_double(pmc_metric_value(m, (double[]){ 5 }), 2);
		pmc_metric_free(m);
	}
}

static void test_bad_events(void **state)
{
	check_refused("x=instr/NO_SUCH", EINVAL, "metric 'x': core type 0 (P) has no event 'NO_SUCH'");
	check_refused("x=cpu_atom@instr@", EINVAL, "of the PMU cpu_atom, and not of core type 0 (P)");
	check_refused("x=msr@tsc@", EINVAL, "of the PMU msr");
	check_refused("x=cpu_atom\\/instr\\/", EINVAL,
		      "of the PMU cpu_atom, and not of core type 0 (P)");
	check_refused("x=instr\\,cycles", EINVAL, "metric 'x': ");
	check_refused("x=instr\\,coretype\\=P", EINVAL, "metric 'x': ");
	check_refused("x=cpu\\/instr\\/\\,coretype\\=P", EINVAL, "metric 'x': ");
	check_refused("x=cpu_core@instr", EINVAL, "the second @ is missing");
	check_refused("x=cpu_core@instr,period=1@", EINVAL, "'period=1' is not understood");
	check_refused("x=cpu_core@instr@R", EINVAL, "the modifiers 'R' are not understood");
	check_refused("x=#system_tsc_freq", EINVAL, "metric 'x': #system_tsc_freq is not known");
	check_refused("x=strcmp_cpuid_str(0x1)", EINVAL, "strcmp_cpuid_str(0x1) is not known");
	check_refused("ipx", ENOENT, "core type 0 (P) has no metric 'ipx' (did you mean ipc");
}

/* Only what applies is counted. */
static void test_conditions(void **state)
{
	pmc_metric_t *m = compile(P, "x=(NO_SUCH / cycles if has_event(NO_SUCH) else instr)");

	assert_int_equal(pmc_metric_nr_events(m), 1);
	assert_string_equal(pmc_metric_event(m, 0), "instr");
	pmc_metric_free(m);
	m = compile(P, "x=(instr if cycles > 10 else 0)");
	same_double(pmc_metric_value(m, (double[]){ 3, 11 }), 3);
	same_double(pmc_metric_value(m, (double[]){ 3, 10 }), 0);
	pmc_metric_free(m);
}

static double *tma_counts(const pmc_metric_t *m, const char *const *names, const double *values,
			  double *counts)
{
	int i, j;

	for (i = 0; i < pmc_metric_nr_events(m); i++) {
		for (j = 0; names[j] && strcmp(names[j], pmc_metric_event(m, i)); j++)
			;
		if (!names[j])
			fail_msg("%s: unexpected event %s", pmc_metric_name(m), pmc_metric_event(m, i));
		counts[i] = values[j];
	}
	return counts;
}

static void check_tma(int core_type, const char *const *names, const double *values,
		      const double *wanted)
{
	static const char *const metrics[] = { "tma_retiring", "tma_bad_speculation",
					       "tma_frontend_bound", "tma_backend_bound" };
	double counts[8], sum = 0;
	pmc_metric_t *m;
	int i;

	for (i = 0; i < 4; i++) {
		m = compile(core_type, metrics[i]);
		same_double(pmc_metric_value(m, tma_counts(m, names, values, counts)), wanted[i]);
		sum += wanted[i];
		pmc_metric_free(m);
	}
	same_double(sum, 100);
}

static void test_tma(void **state)
{
	static const char *const p_events[] = { "TOPDOWN.SLOTS_P", "UOPS_RETIRED.SLOTS",
		"TOPDOWN.BAD_SPEC_SLOTS", "TOPDOWN.BACKEND_BOUND_SLOTS", NULL };
	static const char *const e_events[] = { "TOPDOWN_RETIRING.ALL", "TOPDOWN_BAD_SPECULATION.ALL",
		"TOPDOWN_FE_BOUND.ALL", "TOPDOWN_BE_BOUND.ALL", NULL };

	check_tma(P, p_events, (double[]){ 800, 200, 50, 450 }, (double[]){ 25, 6.25, 12.5, 56.25 });
	check_tma(E, e_events, (double[]){ 200, 50, 100, 450 }, (double[]){ 25, 6.25, 12.5, 56.25 });
}

static int count_metric(void *arg, const struct pmc_metric_info *info)
{
	int *found = arg;

	if (!strcmp(info->name, "ipc"))
		found[0]++;
	if (!strcmp(info->name, "tma_retiring"))
		found[1] += !!strstr(info->groups, "tma");
	if (!strncmp(info->name, "topdown-", 8))
		found[2]++;
	return 0;
}

static void test_list(void **state)
{
	int found[3] = { 0 };

	assert_int_equal(pmc_machine_each_metric(hybrid, E, count_metric, found), 0);
	assert_int_equal(found[0], 1);
	assert_int_equal(found[1], 1);
	assert_int_equal(found[2], 0);
	assert_int_equal(pmc_machine_each_metric(hybrid, 7, count_metric, found), -1);
}

/* A core type without hardware counters has metrics of software events. */
static void test_no_counters(void **state)
{
	pmc_machine_t *machine = open_machine("software");
	pmc_metric_t *m;

	assert_null(pmc_metric_compile(machine, 0, "ipc"));
	check_error("metric 'ipc':");
	check_error("no hardware counters for 'instr'");
	m = pmc_metric_compile(machine, 0, "cpu_utilization");
	assert_non_null(m);
	same_double(pmc_metric_value(m, (double[]){ 3e9, 2 }), 1.5);
	pmc_metric_free(m);
	pmc_machine_close(machine);
}

static void write_metrics(const char *text)
{
	static char path[] = "/tmp/pmc_metrics_XXXXXX";
	FILE *f;

	if (!text) {
		unlink(path);
		unsetenv("PMCTRACK_METRICS");
		return;
	}
	if (strstr(path, "XXXXXX"))
		close(mkstemp(path));
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	setenv("PMCTRACK_METRICS", path, 1);
}

static void test_files(void **state)
{
	pmc_metric_t *m;

	write_metrics("# of the project\n\n  double[%.0f]=2*instr\nquad = 2 * double\n"
		      "ipc=instr / ref_cycles\nquad=1\n");
	m = compile(P, "quad");
	same_double(pmc_metric_value(m, (double[]){ 3 }), 12);
	pmc_metric_free(m);
	m = compile(P, "ipc");
	assert_string_equal(pmc_metric_event(m, 1), "ref_cycles");
	pmc_metric_free(m);
	write_metrics("a=1\nnonsense\n");
	check_refused("ipc", EINVAL, ":2: 'nonsense' is not of the form NAME=EXPRESSION");
	write_metrics("a=1+b\nb=2*c\nc=a\ninstr=instr*2\n");
	check_refused("a", ELOOP, "metric 'a' depends on itself: a -> b -> c -> a");
	/* Within its own definition a name is an event's. */
	m = compile(P, "instr");
	same_double(pmc_metric_value(m, (double[]){ 3 }), 6);
	pmc_metric_free(m);
	write_metrics(NULL);
	setenv("PMCTRACK_METRICS", "/nonexistent/metrics", 1);
	check_refused("ipc", ENOENT, "cannot read the metrics in /nonexistent/metrics");
	unsetenv("PMCTRACK_METRICS");
}

/* A metric that is named twice is computed once. */
static void test_nesting(void **state)
{
	char text[8192] = "m0=instr\n";
	pmc_metric_t *m;
	int i, len = strlen(text);

	for (i = 1; i < 60; i++)
		len += sprintf(text + len, "m%d=m%d+m%d\n", i, i - 1, i - 1);
	write_metrics(text);
	m = compile(P, "m50");
	assert_in_range(m->nr_steps, 50, 200);
	same_double(pmc_metric_value(m, (double[]){ 1 }), 0x1p50);
	pmc_metric_free(m);
	for (; i < 70; i++)
		len += sprintf(text + len, "m%d=m%d+m%d\n", i, i - 1, i - 1);
	write_metrics(text);
	check_refused("m69", ELOOP, "more than 64 deep");
	write_metrics(NULL);
}

static void write_table(const char *folder, const char *file, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	if (!text) {
		unlink(path);
		return;
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* perf's metrics are in the table of the model: they name each other, and the library's. */
static void test_tables(void **state)
{
	char folder[] = "/tmp/pmc_tables_XXXXXX";
	pmc_machine_t *others = hybrid;
	pmc_plan_t *plan;
	pmc_metric_t *m;

	assert_non_null(mkdtemp(folder));
	write_table(folder, "index", "* - t.events\n");
	write_table(folder, "t.events",
		    "metric\tipc\t\t1\tA\t\tnever: the library has it\n"
		    "metric\tpart\t100%\td_ratio(whole, cpu@INST_RETIRED.ANY\\,cmask\\=0x2@)\tA;B\t\tx\n"
		    "metric\tper_k\t1e3per_1k_instr\twhole / instr\tB\t\tx\n"
		    "metric\tslow\t\tmsr@tsc@ / cycles\tB\t\tx\n"
		    "metric\twhole\t\t2 * tma_retiring * cycles\tA\t\tx\n"
		    "event\tINST_RETIRED.ANY\t0xc0\tx\n");
	setenv("PMCTRACK_EVENTS", folder, 1);
	hybrid = open_machine("hybrid");
	m = compile(P, "part");
	assert_string_equal(pmc_metric_unit(m), "%");
	assert_int_equal(pmc_metric_nr_events(m), 4);
	assert_string_equal(pmc_metric_event(m, 3), "INST_RETIRED.ANY:cmask=0x2");
	/* 2 * 10/40 * 6 of 4, in percent */
	same_double(pmc_metric_value(m, (double[]){ 10, 40, 6, 4 }), 75);
	pmc_metric_free(m);
	m = compile(P, "PER_K");
	assert_string_equal(pmc_metric_unit(m), "per_1k_instr");
	pmc_metric_free(m);
	m = compile(P, "ipc");
	assert_int_equal(pmc_metric_nr_events(m), 2);
	pmc_metric_free(m);
	/* An event that the core type cannot count is not in the group. */
	plan = pmc_plan_new(hybrid);
	assert_int_equal(pmc_plan_add_metrics(plan, "B", P), 0);
	assert_int_equal(pmc_plan_nr_metrics(plan), 2);
	assert_string_equal(pmc_plan_name(plan, 0), "part");
	assert_string_equal(pmc_plan_name(plan, 1), "per_k");
	pmc_plan_free(plan);
	pmc_machine_close(hybrid);
	hybrid = others;
	setenv("PMCTRACK_EVENTS", "", 1);
	write_table(folder, "index", NULL);
	write_table(folder, "t.events", NULL);
	rmdir(folder);
}

static int open_hybrid(void **state)
{
	setenv("HOME", "/nonexistent", 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("PMCTRACK_METRICS");
	hybrid = open_machine("hybrid");
	return 0;
}

static int close_hybrid(void **state)
{
	pmc_machine_close(hybrid);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_precedence),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_undefined),
		cmocka_unit_test(test_bad_syntax),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_ipc),
		cmocka_unit_test(test_definition),
		cmocka_unit_test(test_percent),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_bad_events),
		cmocka_unit_test(test_conditions),
		cmocka_unit_test(test_tma),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_no_counters),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_nesting),
		cmocka_unit_test(test_tables),
	};

	return cmocka_run_group_tests(tests, open_hybrid, close_hybrid);
}
