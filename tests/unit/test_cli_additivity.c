// SPDX-License-Identifier: GPL-2.0
/* pmc-additivity: programs, the fewest runs, folders, and verdicts on simulated counts. */
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "additivity/collect.h"
#include "additivity/cover.h"
#include "additivity/energy_domain.h"
#include "additivity/energy_model.h"
#include "additivity/metric_model.h"
#include "additivity/module_model.h"
#include "additivity/programs.h"
#include "additivity/verdicts.h"
#include "lib.h"
#include "node/folder.h"

static char folder[] = "/tmp/pmctrack-additivity-XXXXXX";

static int make_folder(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void put(const char *name, const char *text)
{
	FILE *f = fopen(path_of(name), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Check for exit status 2 and a message that contains @part. */
static void refused(void (*run)(void *arg), void *arg, const char *part)
{
	char text[1024];
	int p[2], status;
	ssize_t n, len = 0;
	pid_t pid;

	assert_int_equal(pipe(p), 0);
	pid = fork();
	if (!pid) {
		dup2(p[1], 2);
		close(p[0]);
		run(arg);
		_exit(0);
	}
	close(p[1]);
	while ((n = read(p[0], text + len, sizeof(text) - 1 - len)) > 0)
		len += n;
	text[len] = '\0';
	close(p[0]);
	waitpid(pid, &status, 0);
	if (status != 2 << 8 || !strstr(text, part))
		fail_msg("status %#x, no '%s' in '%s'", status, part, text);
}

/* xorshift; with the same numbers each time */
static uint64_t seed;

static uint64_t next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

static double normal(void)
{
	double sum = 0;
	int i;

	for (i = 0; i < 12; i++)
		sum += (next() >> 11) / 9007199254740992.0;
	return sum - 6;
}

/* Can the events from number @i on be counted in @runs runs? Tries all. */
static int possible(const struct cover_event *events, int nr, int i, int runs, uint64_t *used,
		    int *of_kind)
{
	int run, counter;

	if (i == nr)
		return 1;
	for (run = 0; run < runs; run++) {
		if (events[i].kind && of_kind[run] == events[i].limit)
			continue;
		for (counter = 0; counter < 5; counter++) {
			if (!(events[i].counters & ~used[run] & 1ULL << counter))
				continue;
			used[run] |= 1ULL << counter;
			of_kind[run] += !!events[i].kind;
			if (possible(events, nr, i + 1, runs, used, of_kind))
				return 1;
			used[run] &= ~(1ULL << counter);
			of_kind[run] -= !!events[i].kind;
		}
	}
	return 0;
}

static int brute_force(const struct cover_event *events, int nr)
{
	int runs;

	for (runs = 1;; runs++) {
		uint64_t used[16] = { 0 };
		int of_kind[16] = { 0 };

		if (possible(events, nr, 0, runs, used, of_kind))
			return runs;
	}
}

/* Each event has a run; a run's events have different counters, and not too many of a kind. */
static void check_cover(const struct cover_event *events, int nr, int runs)
{
	struct cover_event of_run[16];
	int run, i, n;

	for (run = 0; run < runs; run++) {
		for (i = n = 0; i < nr; i++)
			if (events[i].run == run)
				of_run[n++] = events[i];
		assert_int_equal(brute_force(of_run, n), 1);
	}
	for (i = 0; i < nr; i++)
		assert_in_range(events[i].run, 0, runs - 1);
}

static void test_cover(void **state)
{
	struct cover_event events[7];
	int round, nr, i, kinds, runs, expected, sum = 0;

	seed = 1;
	for (round = 0; round < 1000; round++) {
		nr = 1 + next() % 7;
		kinds = round % 3;
		for (i = 0; i < nr; i++) {
			/* Half of the events can be counted by all general counters. */
			events[i] = (struct cover_event){ next() & 1 ? 0x1e : 1 + next() % 31, 0, 0, -1 };
			if (kinds && next() & 1) {
				events[i].kind = 7;
				events[i].limit = kinds;
			}
		}
		runs = cover_runs(events, nr);
		expected = brute_force(events, nr);
		if (runs != expected)
			print_error("round %d: %d runs instead of %d\n", round, runs, expected);
		assert_int_equal(runs, expected);
		check_cover(events, nr, runs);
		sum += runs;
	}
	assert_true(sum > 800);
}

static void test_programs(void **state)
{
	struct programs p;

	put("programs", "# comment\na: one 1\n\nab = a + b: own  compound\nb: two:2 = x + y\nc: three\nca = c + a\n");
	/* A compound names programs of lines before. */
	put("programs", "# comment\na: one 1\n\n b : two:2 = x + y\nc: three\nab = a + b: own  compound\nca = c + a\n");
	programs_read(&p, path_of("programs"));
	assert_int_equal(p.nr, 5);
	assert_int_equal(p.nr_bases, 3);
	assert_string_equal(p.all[1].name, "b");
	assert_string_equal(p.all[1].line, "two:2 = x + y");
	assert_string_equal(p.all[3].line, "own  compound");
	assert_null(p.all[4].line);
	assert_int_equal(p.all[4].parts[0], 2);
	assert_int_equal(p.all[4].parts[1], 0);
	programs_write(&p, path_of("again"));
	programs_free(&p);
	programs_read(&p, path_of("again"));
	assert_int_equal(p.nr, 5);
	assert_string_equal(p.all[3].line, "own  compound");
	programs_free(&p);
	put("programs", "a: 1\nb: 2\nc: 3\n");
	programs_read(&p, path_of("programs"));
	assert_int_equal(p.nr, 6);
	assert_string_equal(p.all[5].name, "b_c");
	programs_free(&p);
}

/*
 * A folder of measurements of its own for each test; the base programs a, b, c and all pairs.
 * @fact: another fact, and its text; NULL: none
 */
static void begin_with(struct results *r, const char *name, double idle, const char *const *fact)
{
	struct about about = { 0 };
	struct programs programs;
	char *path = strdup(path_of(name));

	put("programs", "a: true 1\nb: true 2\nc: true 3\n");
	programs_read(&programs, path_of("programs"));
	about_set(&about, CORE_TYPE_FACT, "P");
	if (!isnan(idle) && access(path_of(name), F_OK))
		about_set(&about, IDLE_POWER_FACT, "%f", idle);
	if (fact)
		about_set(&about, fact[0], "%s", fact[1]);
	results_open(r, path, &about, &programs);
	about_free(&about);
	programs_free(&programs);
	free(path);
}

static void begin(struct results *r, const char *name, double idle)
{
	begin_with(r, name, idle, NULL);
}

static void add(struct results *r, int program, const char *event, double count, double seconds,
		double joules)
{
	struct measurement m = { seconds, joules, 1, { count } };
	int number = results_event(r, event);

	results_add(r, PHASE_CORES, program, 0, &number, &m);
}

static double error_of(const struct judgement *j, const struct results *r, const char *compound)
{
	int i;

	for (i = 0; i < j->nr_pairs; i++)
		if (!strcmp(r->programs.all[j->pairs[i].program].name, compound))
			return j->pairs[i].error;
	return -1;
}

/* Errors worked out by hand */
static void test_arithmetic(void **state)
{
	static const double counts[] = { 100, 200, 50, 315, 150, 245 };	/* a b c a+b a+c b+c */
	struct judgement *j;
	struct results r;
	int i, n;

	begin(&r, "arithmetic", 2);
	for (i = 0; i < 6; i++)
		for (n = 0; n < 3; n++)
			add(&r, i, "e", counts[i] + n - 1, i + 1, 2 * (i + 1) + counts[i]);
	j = judge(&r, PHASE_CORES, 0, 0.05);
	assert_int_equal(j->nr_pairs, 3);
	assert_float_equal(error_of(j, &r, "a_b"), 15.0 / 300, 1e-12);
	assert_float_equal(error_of(j, &r, "a_c"), 0, 1e-12);
	assert_float_equal(error_of(j, &r, "b_c"), 5.0 / 250, 1e-12);
	assert_float_equal(judge_error(j), 0.05, 1e-12);
	assert_int_equal(j->verdict, POTENTIALLY_ADDITIVE);
	assert_float_equal(j->spread, 1.0 / 50, 1e-12);
	assert_int_equal(j->spread_program, 2);
	/*
	 * Each mean has variance 1/3, and their sum 1. Degrees of freedom are 6, alpha 0.05 / 3; t is
	 * 3.287 (0.99167 of Student's distribution).
	 */
	assert_float_equal(j->pairs[0].half, 3.2875 / 300, 1e-5);
	assert_int_equal(judge_again(j, 0.045), UNDECIDED);
	assert_int_equal(judge_again(j, 0.03), NON_ADDITIVE);
	assert_int_equal(judge_pairs_above(j, 0.01), 2);
	judgement_free(j);

	/* 1 + 2 = 4 seconds, 1 + 3 = 5, 2 + 3 = 6 */
	j = judge(&r, PHASE_CORES, VARIABLE_TIME, 0.05);
	assert_float_equal(error_of(j, &r, "a_b"), 1.0 / 3, 1e-12);
	assert_float_equal(error_of(j, &r, "b_c"), 1.0 / 5, 1e-12);
	assert_int_equal(j->verdict, NON_ADDITIVE);
	judgement_free(j);
	/* Dynamic energy is without 2 W of the idle machine: as many joules as counts */
	j = judge(&r, PHASE_CORES, VARIABLE_ENERGY, 0.05);
	assert_float_equal(error_of(j, &r, "a_b"), 15.0 / 300, 1e-9);
	judgement_free(j);
	results_free(&r);
}

/* Counts below 10 say nothing, unless the compound has more. */
/* A program's counts differ by 8 % from their mean, and sums are right: it is not potentially additive. */
static void test_not_reproducible(void **state)
{
	static const double counts[] = { 100, 200, 300, 300, 400, 500 };
	struct judgement *j;
	struct results r;
	int i, n;

	begin(&r, "not-reproducible", NAN);
	for (i = 0; i < 6; i++)
		for (n = -1; n <= 1; n++)
			add(&r, i, "e", counts[i] * (i == 1 ? 1 + 0.08 * n : 1), 1, NAN);
	j = judge(&r, PHASE_CORES, 0, 0.05);
	assert_float_equal(judge_error(j), 0, 1e-12);
	assert_float_equal(j->spread, 0.08, 1e-12);
	assert_int_equal(j->spread_program, 1);
	assert_int_equal(j->verdict, NOT_REPRODUCIBLE);
	assert_int_equal(judge_again(j, 0.1), POTENTIALLY_ADDITIVE);
	judgement_free(j);
	results_free(&r);
}

static void test_small_counts(void **state)
{
	static const double counts[] = { 4, 5, 0, 8, 4, 1000 };
	struct judgement *j;
	struct results r;
	int i, n;

	begin(&r, "small", NAN);
	for (i = 0; i < 6; i++)
		for (n = 0; n < 3; n++)
			add(&r, i, "e", counts[i], 1, NAN);
	j = judge(&r, PHASE_CORES, 0, 0.05);
	assert_int_equal(j->nr_pairs, 1);
	assert_float_equal(error_of(j, &r, "b_c"), 99.5, 1e-12);
	assert_int_equal(j->verdict, NON_ADDITIVE);
	judgement_free(j);
	assert_null(judge(&r, PHASE_CORES, VARIABLE_ENERGY, 0.05));
	assert_null(judge(&r, PHASE_MEMORY, 0, 0.05));
	results_free(&r);
}

/*
 * 50 times: counts of an additive event with noise of 1.5 %, of one whose compounds have 8 % more,
 * and of one that depends on the program before. The first is never called non-additive; the
 * others always are.
 */
static void test_simulated(void **state)
{
	static const double work[] = { 1e6, 3e6, 2e5 };
	int round, program, n, wrong = 0, caught = 0, context = 0;
	const struct program *p;
	struct verdicts v;
	struct results r;
	double true_count;
	char name[32];

	seed = 42;
	for (round = 0; round < 50; round++) {
		snprintf(name, sizeof(name), "simulated-%d", round);
		begin(&r, name, NAN);
		for (program = 0; program < r.programs.nr; program++)
			for (n = 0; n < 10; n++) {
				p = &r.programs.all[program];
				true_count = p->parts[0] < 0 ? work[program] :
					     work[p->parts[0]] + work[p->parts[1]];
				add(&r, program, "additive", true_count * (1 + 0.015 * normal()), 1, NAN);
				add(&r, program, "more", true_count * (p->parts[0] < 0 ? 1 : 1.08) *
				    (1 + 0.005 * normal()), 1, NAN);
				add(&r, program, "context", true_count * (p->parts[0] != 0 || p->parts[1] != 2 ?
				    1 : 0.5) * (1 + 0.015 * normal()), 1, NAN);
			}
		verdicts_find(&v, &r, 0.05);
		assert_int_equal(v.nr, 3);
		for (n = 0; n < 3; n++) {
			const char *event = judge_name(&r, v.events[n]->variable);

			if (v.events[n]->verdict != NON_ADDITIVE)
				continue;
			wrong += !strcmp(event, "additive");
			caught += !strcmp(event, "more");
			context += !strcmp(event, "context");
			if (!strcmp(event, "context"))
				assert_int_equal(judge_pairs_above(v.events[n], 0.05), 1);
		}
		verdicts_free(&v);
		results_free(&r);
	}
	assert_int_equal(wrong, 0);
	assert_int_equal(caught, 50);
	assert_int_equal(context, 50);
}

/* What an interrupted command wrote of a run is not there; the folder goes on behind it. */
static void test_continued(void **state)
{
	struct results r;
	double *values;
	FILE *f;
	int n;

	begin(&r, "continued", 3);
	add(&r, 0, "a,b", 111, 0.5, 7);
	add(&r, 0, "c", 222, 0.25, 8);
	results_free(&r);
	f = fopen(path_of("continued/measurements.csv"), "a");
	fputs("cores,a,0,\"a,b\",999,0.1,0.2\ncores,a,0,c,77", f);
	fclose(f);
	begin(&r, "continued", 3);
	assert_int_equal(r.nr, 2);
	assert_float_equal(judge_idle_power(&r), 3, 1e-9);
	add(&r, 0, "c", 333, 0.25, 9);
	results_free(&r);
	results_read(&r, path_of("continued"));
	assert_int_equal(r.nr, 3);
	assert_string_equal(r.events[0], "a,b");
	n = results_counts(&r, PHASE_CORES, 0, 1, &values);
	assert_int_equal(n, 2);
	assert_true(values[0] == 222 && values[1] == 333);
	free(values);
	n = results_cost(&r, PHASE_CORES, 0, 1, &values);
	assert_int_equal(n, 3);
	assert_true(values[0] == 7 && values[2] == 9);
	free(values);
	results_free(&r);
}

static void continue_with(void *fact)
{
	struct results r;

	begin_with(&r, "machine", NAN, fact);
}

/*
 * A folder has measurements of one processor, with memory of one node. One that does not say
 * which gets the facts of the command that continues it.
 */
static void test_other_machine(void **state)
{
	static const char *processor[] = { PROCESSOR_FACT, "0x906a3" }, *other[] = { PROCESSOR_FACT, "0xb0671" };
	static const char *node[] = { MEMORY_NODE_FACT, "0" }, *other_node[] = { MEMORY_NODE_FACT, "1" };
	struct results r;

	begin(&r, "machine", NAN);
	results_free(&r);
	begin_with(&r, "machine", NAN, processor);
	results_free(&r);
	refused(continue_with, other, "has measurements with processor '0x906a3', not '0xb0671': name another folder");
	begin_with(&r, "machine", NAN, node);
	results_free(&r);
	refused(continue_with, other_node, "has measurements with memory node '0', not '1': name another folder");
	begin(&r, "machine", NAN);
	assert_string_equal(about_get(&r.about, PROCESSOR_FACT), "0x906a3");
	results_free(&r);
}

static void open_again(void *name)
{
	struct results r;

	begin(&r, name, NAN);
}

/* A second command that measures for the folder is refused; reading it is not. */
static void test_locked(void **state)
{
	struct results r, reader;

	begin(&r, "locked", NAN);
	refused(open_again, "locked", "locked is being measured by another pmc-additivity");
	add(&r, 0, "e", 1, 1, NAN);
	results_read(&reader, path_of("locked"));
	assert_int_equal(reader.nr, 1);
	results_free(&reader);
	results_free(&r);
	begin(&r, "locked", NAN);
	assert_int_equal(r.nr, 1);
	results_free(&r);
}

/* A command that was ended before about.txt was there leaves nothing that is in the way. */
static void test_begun(void **state)
{
	struct results r;

	mkdir(path_of("begun"), 0777);
	put("begun/measurements.csv", "phase,pro");
	begin(&r, "begun", NAN);
	add(&r, 0, "e", 1, 1, NAN);
	results_free(&r);
	results_read(&r, path_of("begun"));
	assert_int_equal(r.nr, 1);
	results_free(&r);
}

static void check_form(const struct verdicts *v, void (*print)(const struct verdicts *v, int pairs, FILE *f),
		       int pairs, const char *expected)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	print(v, pairs, f);
	fclose(f);
	if (!strstr(text, expected))
		print_error("no '%s' in:\n%s", expected, text);
	assert_non_null(strstr(text, expected));
	free(text);
}

static void test_forms(void **state)
{
	static const double counts[] = { 100, 200, 50, 400, 150, 250 };
	struct measurement m = { 1, NAN, 1, { 3 } };
	struct verdicts v;
	struct results r;
	int i, n, number;

	begin(&r, "forms", NAN);
	number = results_event(&r, "never");
	results_add(&r, PHASE_SCAN, 0, 0, &number, &m);
	for (i = 0; i < 6; i++)
		for (n = 0; n < 9; n++) {
			add(&r, i, "even", i == 3 ? 300 : counts[i], 1, NAN);
			add(&r, i, "odd", counts[i], 1, NAN);
		}
	m.counts[0] = 100;
	number = results_event(&r, "odd");
	for (i = 0; i < 6; i++)
		for (n = 0; n < 3; n++)
			results_add(&r, PHASE_MEMORY, i, 0, &number, &m);
	verdicts_find(&v, &r, 0.05);
	assert_int_equal(v.nr, 2);
	assert_int_equal(v.nr_aside, 1);
	assert_int_equal(verdicts_changed(&v), 0);
	assert_string_equal(judge_name(&r, v.events[0]->variable), "odd");
	check_form(&v, verdicts_print_table, 0, "odd            non-additive            33.33   0.00     1/3     0.00     9 a_b                      50.00 non-additive");
	check_form(&v, verdicts_print_table, 0, "2 events: 1 non-additive, 1 potentially additive\n");
	check_form(&v, verdicts_print_table, 0, "     30 %            1                0         0                    1\n");
	check_form(&v, verdicts_print_table, 0, "1 events set aside, with counts below 10 in each program:\n  never\n");
	check_form(&v, verdicts_print_table, 1, "odd            a_b                     300.0          400.0    33.33   0.00\n");
	check_form(&v, verdicts_print_csv, 0, "\ncores,odd,non-additive,0.333333,0.000000,a_b,1,3,0.000000,0.000000,,,9,9\n");
	check_form(&v, verdicts_print_csv, 0, "\nscan,never,set aside,,,,,,,,,,,\n");
	check_form(&v, verdicts_print_csv, 1, "\ncores,odd,non-additive,a_b,300,400,0.333333,0.000000\n");
	check_form(&v, verdicts_print_json, 0, "\"event\": \"odd\", \"verdict\": \"non-additive\", \"error\": 0.333333333");
	check_form(&v, verdicts_print_json, 1, "\"pairs\": [{\"compound\": \"a_b\", \"sum\": 300, \"counted\": 400");
	check_form(&v, verdicts_print_json, 0, "\"set_aside\": [\"never\"]}\n");
	verdicts_draw(&v, path_of("plot.gp"));
	assert_int_equal(access(path_of("plot.gp"), R_OK), 0);
	verdicts_free(&v);
	results_free(&r);
}

/* Programs whose energy is a sum of some of their counts; @noise of it is random. */
static void make_energy(struct energy_data *data, int nr, int nr_events, double noise)
{
	int i, k;

	*data = (struct energy_data){ nr, nr_events, calloc(nr * nr_events, sizeof(double)),
				      calloc(nr, sizeof(double)) };
	for (i = 0; i < nr; i++) {
		for (k = 0; k < nr_events; k++)
			data->counts[i * nr_events + k] = 1e6 * (1 + next() % 1000);
		data->joules[i] = (3e-9 * data->counts[i * nr_events + 1] + 2e-9 * data->counts[i * nr_events + 4]) *
				  (1 + noise * normal());
	}
}

static void test_nnls(void **state)
{
	/* The least squares are at x = (2, -1): without what is negative, at (1, 0). */
	static const double a[] = { 1, 1, 1, 2, 0, 1 }, b[] = { 1, 0, -1 };
	static const int columns[] = { 0, 1 };
	double x[2];

	nnls(a, 3, 2, columns, 2, b, x);
	assert_float_equal(x[0], 0.5, 1e-12);
	assert_float_equal(x[1], 0, 1e-12);
	nnls(a, 3, 2, columns + 1, 1, b, x);
	assert_float_equal(x[0], 0, 1e-12);
}

/* What energies are made of is found, and said of programs that were left out. */
static void test_energy(void **state)
{
	struct energy_model m;
	struct energy_data data;
	char may[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	double errors[12];
	int i;

	seed = 7;
	make_energy(&data, 12, 6, 0);
	energy_fit(&m, &data, may, 0, 4);
	assert_int_equal(m.nr, 2);
	assert_int_equal(m.events[0] + m.events[1], 5);
	assert_float_equal(m.joules[m.events[0] == 1 ? 0 : 1], 3e-9, 1e-15);
	energy_left_out(&data, may, 4, errors);
	for (i = 0; i < 12; i++)
		assert_float_equal(errors[i], 0, 1e-6);
	assert_float_equal(energy_chance(&data, may, 2), 1.0 / (PERMUTATIONS + 1), 1e-12);
	/* An event that may not be chosen is not; a given one stays. */
	may[1] = 0;
	energy_fit(&m, &data, may, 0, 3);
	for (i = 0; i < m.nr; i++)
		assert_int_not_equal(m.events[i], 1);
	m.events[0] = 5;
	energy_fit(&m, &data, may, 1, 2);
	assert_int_equal(m.events[0], 5);
	energy_data_free(&data);
}

static double error_in(const struct energy_model *m, const struct energy_data *data)
{
	double sum = 0;
	int i;

	for (i = 0; i < data->nr; i++)
		sum += fabs(energy_of(m, data->counts + i * data->nr_events) / data->joules[i] - 1);
	return sum / data->nr;
}

/*
 * Event 0 is as good as event 1 for base programs, even better. In compounds there is half as much
 * again: a model with it is wrong there.
 */
static void test_non_additive(void **state)
{
	static const char additive[6] = { 0, 1, 1, 1, 1, 1 }, all[6] = { 1, 1, 1, 1, 1, 1 };
	struct energy_data bases, compounds;
	struct energy_model with, without;
	int i;

	seed = 11;
	make_energy(&bases, 12, 6, 0);
	make_energy(&compounds, 12, 6, 0);
	for (i = 0; i < 12; i++) {
		bases.counts[i * 6] = bases.counts[i * 6 + 1];
		compounds.counts[i * 6] = 1.5 * compounds.counts[i * 6 + 1];
		bases.counts[i * 6 + 1] *= 1 + 0.01 * normal();
	}
	energy_fit(&without, &bases, additive, 0, 3);
	energy_fit(&with, &bases, all, 0, 3);
	assert_true(error_in(&with, &bases) < error_in(&without, &bases));
	assert_true(error_in(&without, &compounds) < 0.02);
	assert_true(error_in(&with, &compounds) > 0.1);
	energy_data_free(&bases);
	energy_data_free(&compounds);
}

/*
 * A model has to beat the constant with the least squared relative errors. Energies are those of
 * docs/additivity.md; by the mean of the others, the mean error is 0.7348.
 */
static void test_constant(void **state)
{
	static double joules[] = {
		0.094039, 0.067879, 0.238200, 0.190193, 0.178684, 0.260636, 0.126723, 0.517422,
	};
	static double two[] = { 1, 2 };
	struct energy_data data = { .nr = 8, .joules = joules };

	assert_float_equal(energy_constant_error(&data), 0.5382, 1e-4);
	/* Each of two is predicted to be the other. */
	data = (struct energy_data){ .nr = 2, .joules = two };
	assert_float_equal(energy_constant_error(&data), 0.75, 1e-12);
}

/* Of 6 sets of random, unrelated numbers, one in twenty may seem good. */
static void test_random(void **state)
{
	struct energy_data data;
	char may[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	int round, i, good = 0;

	seed = 3;
	for (round = 0; round < 6; round++) {
		make_energy(&data, 10, 5, 0);
		for (i = 0; i < data.nr; i++)
			data.joules[i] = 0.001 * (1 + next() % 1000);
		good += energy_chance(&data, may, 2) <= 0.05;
		energy_data_free(&data);
	}
	assert_in_range(good, 0, 1);
}

/* The names that powercap and perf have for them */
static void test_domains(void **state)
{
	static const struct {
		const char *name, *where[2], *other;
	} domains[] = {
		{ "package", { "package-0", "pkg-cpu0" }, "package-0/core" },
		{ "core", { "package-1/core", "cores-cpu4" }, "package-1" },
		{ "dram", { "package-0/dram", "ram-cpu0" }, "psys" },
		{ "psys", { "psys", "psys-cpu0" }, "package-0/dram" },
	};
	const struct energy_domain *d;
	size_t i, k;

	for (i = 0; i < 4; i++) {
		d = energy_domain_find(domains[i].name);
		assert_true(energy_domain_has(d, domains[i].where[0]));
		assert_true(energy_domain_has(d, domains[i].where[1]));
		assert_false(energy_domain_has(d, domains[i].other));
		for (k = 0; k < 8; k++)
			assert_true(k / 2 == i || !energy_domain_has(d, domains[k / 2].where[k % 2]));
	}
}

/* On AMD's processors the zone of the cores has the energy of one core. */
static void test_one_core(void **state)
{
	const struct energy_domain *core = energy_domain_find("core"), *package = energy_domain_find("package");

	assert_false(energy_domain_is_whole(core, 0xa20f12));
	assert_false(energy_domain_is_whole(core, 0x800f82));
	assert_true(energy_domain_is_whole(package, 0xa20f12));
	/* Raptor Lake, a later family of Intel's, an Arm core */
	assert_true(energy_domain_is_whole(core, 0xb0671));
	assert_true(energy_domain_is_whole(core, 0x400f10));
	assert_true(energy_domain_is_whole(core, 0x411fd070));
}

/* Instructions and cycles are in the set once, and watts are nanojoules by events per nanosecond. */
static void test_module(void **state)
{
	static const char *const events[] = { "branches:u:k", "instr:u:k" };
	static const double joules[] = { 0.25e-9, 3.5e-9 };
	struct module_model m = {
		.machine = open_machine("biglittle"), .core_type = 1, .modes = ":u:k", .nr = 2,
		.events = events, .joules = joules,
	};
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	module_model_write(f, &m);
	fclose(f);
	assert_string_equal(text,
			    "# Dynamic power on core type little, estimated by pmc-additivity: pmc-load-model loads this file.\n"
			    "estimated_power.little.set=instr:ev=0x08:u:k,cycles:ev=0x11:u:k,event_1:ev=0x0c:u:k\n"
			    "# branches:u:k\n"
			    "estimated_power.little.metric.rate_1=1000*event_1/ns\n"
			    "# instr:u:k\n"
			    "estimated_power.little.metric.rate_2=1000*instr/ns\n"
			    "estimated_power.little.estimate=0.000250000000*rate_1+0.003500000000*rate_2\n");
	free(text);
	pmc_machine_close((pmc_machine_t *)m.machine);
}

/* Sessions may count all modes by default: events that were counted in user mode have it in their names. */
static void test_metric(void **state)
{
	static const char *const events[] = { "instr", "page_faults", "branches:k", "no_such_event" };
	static const double joules[] = { 2e-9, 3e-6, 1e-9, 5e-9 };
	struct metric_model m = {
		.machine = open_machine("biglittle"), .core_type = "little", .domain = "package",
		.user = 1, .nr = 4, .events = events, .joules = joules,
	};
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	metric_model_write(f, &m);
	pmc_machine_close((pmc_machine_t *)m.machine);
	m.machine = NULL;
	m.domain = "dram";
	m.nr = 1;
	metric_model_write(f, &m);
	m.user = 0;
	metric_model_write(f, &m);
	fclose(f);
	assert_string_equal(text,
			    "# Dynamic energy on core type little, estimated by pmc-additivity\n"
			    "energy[%.6f J]=2e-09*instr:u+3e-06*page_faults+1e-09*branches:k+5e-09*no_such_event:u\n"
			    "# Dynamic energy on core type little, estimated by pmc-additivity\n"
			    "energy_dram[%.6f J]=2e-09*instr:u\n"
			    "# Dynamic energy on core type little, estimated by pmc-additivity\n"
			    "energy_dram[%.6f J]=2e-09*instr\n");
	free(text);
}

/* ---- runs of programs, whose session counts 1000 ---- */

static struct {
	int samples;		/* that are not read yet; they say that a counter was taken away */
	int incomplete;		/* one of them was read */
	int nr;			/* number of events */
} session = { .nr = 1 };

/* A register of energy, which has these microjoules after each 10 s; it wraps twice */
static const char *const energies[] = { "900000", "400000", "999000", "300000" };
#define NR_ENERGIES 4
#define ENERGY_RANGE "999999"
#define ENERGY_SUM 2.3
static int nr_waits;

int __wrap_nanosleep(const struct timespec *t, struct timespec *left);
int __wrap_poll(struct pollfd *fds, nfds_t nr, int timeout);
int __real_poll(struct pollfd *fds, nfds_t nr, int timeout);

pmc_session_t *__wrap_pmc_session_open(void);
int __wrap_pmc_session_configure(pmc_session_t *s, pmc_config_t *config);
int __wrap_pmc_session_command(pmc_session_t *s, const char *fmt, ...);
int __wrap_pmc_session_next_sized(pmc_session_t *s, struct pmc_reading *r, size_t size);
int __wrap_pmc_session_totals(pmc_session_t *s, int core_type, int set, uint64_t *counts,
			      uint64_t *running, uint64_t *nr_threads);
int __wrap_pmc_session_accuracy(pmc_session_t *s, int core_type, int set, int event,
				uint64_t *available);
void __wrap_pmc_session_close(pmc_session_t *s);

pmc_session_t *__wrap_pmc_session_open(void)
{
	return (pmc_session_t *)&session;
}

int __wrap_pmc_session_configure(pmc_session_t *s, pmc_config_t *config)
{
	return 0;
}

int __wrap_pmc_session_command(pmc_session_t *s, const char *fmt, ...)
{
	return 0;
}

int __wrap_pmc_session_next_sized(pmc_session_t *s, struct pmc_reading *r, size_t size)
{
	if (!session.samples)
		return 0;
	session.samples--;
	session.incomplete = 1;
	memset(r, 0, size);
	return 1;
}

int __wrap_pmc_session_totals(pmc_session_t *s, int core_type, int set, uint64_t *counts,
			      uint64_t *running, uint64_t *nr_threads)
{
	int i;

	for (i = 0; i < session.nr; i++)
		counts[i] = 1000;
	return session.nr;
}

int __wrap_pmc_session_accuracy(pmc_session_t *s, int core_type, int set, int event,
				uint64_t *available)
{
	return session.incomplete ? PMC_PARTIAL : PMC_EXACT;
}

void __wrap_pmc_session_close(pmc_session_t *s)
{
}

#define ZONE "class/powercap/intel-rapl:0"

static void wait_10_s(void)
{
	put(ZONE "/energy_uj", energies[nr_waits++]);
}

int __wrap_nanosleep(const struct timespec *t, struct timespec *left)
{
	assert_in_range(t->tv_sec, 1, 10);
	wait_10_s();
	return 0;
}

int __wrap_poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	if (nr_waits == NR_ENERGIES)
		return __real_poll(fds, nr, timeout);
	assert_in_range(timeout, 1, 10000);
	wait_10_s();
	return 0;
}

static void make_energy_register(void)
{
	mkdir(path_of("class"), 0777);
	mkdir(path_of("class/powercap"), 0777);
	mkdir(path_of(ZONE), 0777);
	put(ZONE "/name", "package-0");
	put(ZONE "/max_energy_range_uj", ENERGY_RANGE);
	put(ZONE "/energy_uj", "0");
	nr_waits = 0;
}

static void open_bench(struct bench *bench)
{
	cpu_set_t cpus;

	nr_waits = NR_ENERGIES;

	sched_getaffinity(0, sizeof(cpus), &cpus);
	bench_open(bench, open_machine("biglittle"), 1, &cpus, "package", folder);
}

static void close_bench(struct bench *bench)
{
	pmc_machine_close((pmc_machine_t *)bench->machine);
	bench_close(bench);
}

static void run_true(struct bench *bench, struct measurement *m)
{
	struct program program = { .name = "a", .line = "true", .parts = { -1, -1 } };
	struct programs programs = { 1, 1, &program };

	bench_run(bench, &programs, 0, "instr", m);
}

static void run_with_losses(void *bench)
{
	struct measurement m;

	session.samples = 2;
	run_true(bench, &m);
}

/* Only a session whose samples were read knows of counters that were taken away. */
static void test_counter_taken_away(void **state)
{
	struct measurement m;
	struct bench bench;

	open_bench(&bench);
	run_true(&bench, &m);
	assert_int_equal(m.counts[0], 1000);
	refused(run_with_losses, &bench, "a count is not exact");
	close_bench(&bench);
}

/* A folder has one event of a run, and the other one is new: the run is measured. */
static void test_new_event(void **state)
{
	struct measurement m = { 1, NAN, 1, { 1000 } };
	struct repeats once = { 1, 1 };
	struct events events;
	struct bench bench;
	struct results r;
	int i, number;

	open_bench(&bench);
	events = (struct events){
		.machine = bench.machine, .core_type = 1, .nr = 2, .names = calloc(2, sizeof(char *)),
		.cover = calloc(2, sizeof(struct cover_event)), .nr_runs = 1,
	};
	for (i = 0; i < 2; i++) {
		events.names[i] = strdup(i ? "instr" : "cycles");
		events.cover[i].counters = 6;
	}
	begin(&r, "new-event", NAN);
	number = results_event(&r, "cycles");
	for (i = 0; i < 3; i++)
		results_add(&r, PHASE_SCAN, i, 0, &number, &m);
	session.nr = 2;
	collect(&r, &bench, &events, &once, PHASE_CORES, -1);
	session.nr = 1;
	assert_int_equal(events.nr, 2);
	assert_int_equal(results_nr(&r, PHASE_SCAN, 2, results_event(&r, "instr")), 1);
	results_free(&r);
	events_free(&events);
	close_bench(&bench);
}

/* A register may wrap more than once while a program runs, or the idle machine is measured. */
static void test_energy_wraps(void **state)
{
	struct measurement m;
	struct bench bench;

	make_energy_register();
	open_bench(&bench);
	assert_true(bench_has_energy(&bench));
	nr_waits = 0;
	run_true(&bench, &m);
	assert_int_equal(nr_waits, NR_ENERGIES);
	assert_float_equal(m.joules, ENERGY_SUM, 1e-5);
	put(ZONE "/energy_uj", "0");
	nr_waits = 0;
	assert_float_equal(bench_idle_joules(&bench, 35), ENERGY_SUM, 1e-5);
	assert_int_equal(nr_waits, NR_ENERGIES);
	close_bench(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cover),
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_not_reproducible),
		cmocka_unit_test(test_small_counts),
		cmocka_unit_test(test_simulated),
		cmocka_unit_test(test_continued),
		cmocka_unit_test(test_other_machine),
		cmocka_unit_test(test_locked),
		cmocka_unit_test(test_begun),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_nnls),
		cmocka_unit_test(test_energy),
		cmocka_unit_test(test_non_additive),
		cmocka_unit_test(test_constant),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_one_core),
		cmocka_unit_test(test_module),
		cmocka_unit_test(test_metric),
		cmocka_unit_test(test_counter_taken_away),
		cmocka_unit_test(test_new_event),
		cmocka_unit_test(test_energy_wraps),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
