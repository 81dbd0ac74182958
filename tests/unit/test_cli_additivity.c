// SPDX-License-Identifier: GPL-2.0
/* pmc-additivity: programs, the fewest runs, folders, and verdicts on simulated counts. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "additivity.h"
#include "additivity/cover.h"
#include "additivity/programs.h"
#include "additivity/verb.h"
#include "additivity/verdicts.h"

#define KINDS 4

/* Can the events from number @i on be counted in @runs runs? Tries all. */
static int possible(const struct cover_event *events, int nr, int i, int runs, uint64_t *used,
		    int (*of_kind)[KINDS])
{
	int run, counter, kind;

	if (i == nr)
		return 1;
	kind = events[i].kind;
	for (run = 0; run < runs; run++) {
		if (kind && of_kind[run][kind] == events[i].limit)
			continue;
		for (counter = 0; counter < 5; counter++) {
			if (!(events[i].counters & ~used[run] & 1ULL << counter))
				continue;
			used[run] |= 1ULL << counter;
			of_kind[run][kind]++;
			if (possible(events, nr, i + 1, runs, used, of_kind))
				return 1;
			used[run] &= ~(1ULL << counter);
			of_kind[run][kind]--;
		}
	}
	return 0;
}

static int brute_force(const struct cover_event *events, int nr)
{
	int runs;

	for (runs = 1;; runs++) {
		uint64_t used[16] = { 0 };
		int of_kind[16][KINDS] = { 0 };

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

/* As many kinds of second registers as there are besides 0 in a round; a kind has one or two. */
static void test_cover(void **state)
{
	struct cover_event events[7];
	int round, nr, i, kinds, runs, expected, sum = 0;

	seed = 1;
	for (round = 0; round < 1200; round++) {
		nr = 1 + next() % 7;
		kinds = round % KINDS;
		for (i = 0; i < nr; i++) {
			/* Half of the events can be counted by all general counters. */
			events[i] = (struct cover_event){ next() & 1 ? 0x1e : 1 + next() % 31, 0, 0, -1 };
			if (kinds && next() % 4) {
				events[i].kind = 1 + next() % kinds;
				events[i].limit = 1 + (round / KINDS >> events[i].kind) % 2;
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
	assert_true(sum > 960);
}

/* The largest limit of a kind is its limit: events with a smaller one are on one counter alone. */
static void test_cover_limits(void **state)
{
	struct cover_event events[] = {
		{ 1, 1, 1, -1 }, { 1, 1, 2, -1 }, { 2, 1, 2, -1 }, { 2, 1, 2, -1 },
	};

	assert_int_equal(cover_runs(events, 4), 2);
	assert_int_not_equal(events[0].run, events[1].run);
	assert_int_not_equal(events[2].run, events[3].run);
}

/* Two events of each of 20 kinds, and 300 others, on 8 counters: as on a machine */
static void test_cover_large(void **state)
{
	struct cover_event events[340];
	int i, runs;

	for (i = 0; i < 340; i++) {
		events[i] = (struct cover_event){ i % 3 ? 0xff : 0xf, 0, 0, -1 };
		if (i < 40)
			events[i] = (struct cover_event){ 0xf, 1 + i % 20, 1, -1 };
	}
	runs = cover_runs(events, 340);
	assert_int_equal(runs, (340 + 7) / 8);
	for (i = 0; i < 20; i++)
		assert_int_not_equal(events[i].run, events[20 + i].run);
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

static double error_of(const struct judgement *j, const struct results *r, const char *compound)
{
	int i;

	for (i = 0; i < j->nr_pairs; i++)
		if (!strcmp(r->programs.all[j->pairs[i].program].name, compound))
			return j->pairs[i].error;
	return -1;
}

/*
 * The test of normality, with numbers worked out by hand. Of 8 numbers, 7 are 10 and the last is
 * 18: the mean is 11, the moments of order 2, 3 and 4 are 7, 42 and 301, the skewness squared is
 * 42^2 / 7^3 = 36/7, the kurtosis 301/49 - 3 = 22/7, and the statistic of Jarque and Bera
 * 8/6 (36/7 + 121/49) = 1492/147. The autocorrelation is (6 - 7) / 56, and the statistic of Ljung
 * and Box 8 * 10 / 7 / 56^2 = 5/1372.
 *
 * Of 9 and 11 in turn, they are 8/6 (0 + (-2)^2 / 4) = 4/3, and, with the autocorrelation -7/8,
 * 8 * 10 / 7 * 49/64 = 35/4.
 */
static void test_assumptions(void **state)
{
	static const double last[] = { 10, 10, 10, 10, 10, 10, 10, 18 };
	static const double turns[] = { 9, 11, 9, 11, 9, 11, 9, 11 };
	struct mean m = mean_of(last, 8);

	/* Chi-squared with 2 and with 1 degrees of freedom */
	assert_float_equal(m.normal, exp(-1492.0 / 147 / 2), 1e-9);
	assert_float_equal(m.independent, erfc(sqrt(5.0 / 1372 / 2)), 1e-9);
	m = mean_of(turns, 8);
	assert_float_equal(m.normal, exp(-4.0 / 3 / 2), 1e-9);
	assert_float_equal(m.independent, erfc(sqrt(35.0 / 4 / 2)), 1e-9);
	assert_true(isnan(mean_of(turns, 7).normal) && isnan(mean_of(turns, 7).independent));
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
	 * Each mean has variance 1/3. The compound is 1.05 times the sum, so that the variance is
	 * (1 + 2 * 1.05^2) / 3. Degrees of freedom are 5.988, alpha 0.05 / 3; t is 3.290 (0.99167
	 * of Student's distribution).
	 */
	assert_float_equal(j->pairs[0].half, 3.2899 * sqrt(1.068333) / 300, 1e-6);
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

/*
 * The sum is uncertain, too: of c / (a + b), the interval is c / (a + b) times as wide as that of
 * a + b. A mean has the variance 100 / 3, the sum 200 / 3, and degrees of freedom are 4. The
 * program a, named twice, has 400 / 3 with 2 degrees of freedom. t is 3.4954 and 6.2053 (alpha
 * 0.025, as there are two compounds).
 */
static void test_uncertain_sum(void **state)
{
	struct judgement *j;
	struct results r;
	int i, n;

	begin_programs(&r, "sum", "a: true\nb: true\nab = a + b\naa = a + a\n", NAN, NULL);
	for (i = 0; i < 4; i++)
		for (n = -1; n <= 1; n++)
			add(&r, i, "e", i < 2 ? 50 + 10 * n : 3000, 1, NAN);
	j = judge(&r, PHASE_CORES, 0, 0.05);
	assert_int_equal(j->nr_pairs, 2);
	assert_float_equal(j->pairs[0].error, 29, 1e-9);
	assert_float_equal(j->pairs[0].half, 3.495406 * 30 * sqrt(200.0 / 3) / 100, 1e-4);
	assert_float_equal(j->pairs[1].error, 29, 1e-9);
	assert_float_equal(j->pairs[1].half, 6.205347 * 30 * sqrt(400.0 / 3) / 100, 1e-4);
	judgement_free(j);
	results_free(&r);
}

/* A sum of 0 joules, in which nothing has a share */
static void test_no_sum(void **state)
{
	static const double joules[] = { 5, -5, 10 };
	struct judgement *j;
	struct results r;
	int i, n;

	begin_programs(&r, "no-sum", "a: true\nb: true\nab = a + b\n", 0, NULL);
	for (i = 0; i < 3; i++)
		for (n = -1; n <= 1; n++)
			add(&r, i, "e", 100, 1, joules[i] + 0.1 * n);
	j = judge(&r, PHASE_CORES, VARIABLE_ENERGY, 0.05);
	assert_int_equal(j->nr_pairs, 1);
	assert_true(isinf(j->pairs[0].error));
	assert_int_not_equal(j->verdict, POTENTIALLY_ADDITIVE);
	judgement_free(j);
	results_free(&r);
}

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

/* Counts below 10 say nothing, unless the compound has more. */
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
	check_refused(continue_with, other, "has measurements with processor '0x906a3', not '0xb0671': name another folder");
	begin_with(&r, "machine", NAN, node);
	results_free(&r);
	check_refused(continue_with, other_node, "has measurements with memory node '0', not '1': name another folder");
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
	check_refused(open_again, "locked", "locked is being measured by another pmc-additivity");
	add(&r, 0, "e", 1, 1, NAN);
	results_read(&reader, path_of("locked"));
	assert_int_equal(reader.nr, 1);
	results_free(&reader);
	results_free(&r);
	begin(&r, "locked", NAN);
	assert_int_equal(r.nr, 1);
	results_free(&r);
}

static void read_programs(void *lines)
{
	struct programs programs;

	put("programs", lines);
	programs_read(&programs, path_of("programs"));
}

/* The names of two programs, of 40 letters each, are that of their compound in the folder. */
static void test_long_names(void **state)
{
	char lines[200], name[42], compound[100];
	struct results r;

	memset(name, 'n', 40);
	name[40] = '\0';
	snprintf(lines, sizeof(lines), "a%s: 1\nb%s: 2\n", name + 1, name + 1);
	snprintf(compound, sizeof(compound), "a%s_b%s", name + 1, name + 1);
	begin_programs(&r, "long-names", lines, NAN, NULL);
	add(&r, 2, "e", 7, 1, NAN);
	results_free(&r);
	results_read(&r, path_of("long-names"));
	assert_int_equal(r.nr, 1);
	assert_int_equal(r.all[0].program, 2);
	assert_string_equal(r.programs.all[2].name, compound);
	results_free(&r);
	snprintf(lines, sizeof(lines), "n%s: 1\n", name);
	check_refused(read_programs, lines, "is no name: it has 1 to 40 letters");
	snprintf(lines, sizeof(lines), "a: 1\nb: 2\nn%s = a + b\n", compound);
	check_refused(read_programs, lines, "is no name: it has 1 to 81 letters");
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

/* The end of the command while it writes about.txt: the disk is full after the first facts. */
static void begin_on_full_disk(void *lines)
{
	const struct rlimit limit = { 100, 100 };
	struct about about = { 0 };
	struct programs programs;
	struct results r;

	put("programs", lines);
	programs_read(&programs, path_of("programs"));
	about_set(&about, LEFT_OUT_FACT, "%0100d", 0);
	about_set(&about, IDLE_POWER_FACT, "3");
	signal(SIGXFSZ, SIG_IGN);
	/* The other files are shorter. */
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	results_open(&r, path_of("full"), &about, &programs);
}

/* A part of about.txt is no about.txt: the next command makes the folder anew, with all facts. */
static void test_begun_with_facts(void **state)
{
	static const char *idle[] = { IDLE_POWER_FACT, "3" };
	struct results r;

	check_refused(begin_on_full_disk, "a: true 1\nb: true 2\nc: true 3\n", "cannot write");
	assert_int_not_equal(access(path_of("full/about.txt"), F_OK), 0);
	begin_with(&r, "full", NAN, idle);
	assert_float_equal(judge_idle_power(&r), 3, 1e-9);
	results_free(&r);
}

static void model_energy(void *name)
{
	char *argv[] = { "energy", (char *)path_of(name), NULL };

	verb_energy(2, argv);
}

/*
 * Six programs of 10 J; a compound has 20 J and @more. One program's energies are 10 J, and 10 J
 * with @noise.
 */
static void make_energies(const char *name, double more, double noise)
{
	struct about about = { 0 };
	struct programs programs;
	char *path = strdup(path_of(name));
	struct results r;
	int i, n;

	put("six", "a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\nab = a + b\n");
	programs_read(&programs, path_of("six"));
	about_set(&about, IDLE_POWER_FACT, "0");
	results_open(&r, path, &about, &programs);
	for (i = 0; i < 7; i++)
		for (n = 0; n < 3; n++)
			add(&r, i, "e", i == 6 ? 300 : 100 * (1 + i % 2), 1,
			    (i == 6 ? 20 + more : 10) + (i == 2 ? noise * (n - 1) : 0));
	results_free(&r);
	about_free(&about);
	programs_free(&programs);
	free(path);
}

/* A model of energy needs an energy that is additive. */
static void test_energy_first(void **state)
{
	char text[2048] = "";
	int p[2], status;
	pid_t pid;

	make_energies("energy-more", 4, 0);
	check_refused(model_energy, "energy-more", "dynamic energy is non-additive, by 20.0 % in 'ab'");
	make_energies("energy-noise", 0, 1);
	assert_int_equal(pipe(p), 0);
	pid = fork();
	if (!pid) {
		dup2(p[1], 2);
		dup2(open("/dev/null", O_WRONLY), 1);
		model_energy("energy-noise");
		_exit(0);
	}
	close(p[1]);
	waitpid(pid, &status, 0);
	assert_true(read(p[0], text, sizeof(text) - 1) > 0);
	close(p[0]);
	assert_non_null(strstr(text, "dynamic energy is not reproducible within 5 %"));
}

static char *print_to_text(const struct verdicts *v,
			   void (*print)(const struct verdicts *v, int pairs, FILE *f), int pairs)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	print(v, pairs, f);
	fclose(f);
	return text;
}

static void check_form(const struct verdicts *v, void (*print)(const struct verdicts *v, int pairs, FILE *f),
		       int pairs, const char *expected)
{
	char *text = print_to_text(v, print, pairs);

	if (!strstr(text, expected))
		print_error("no '%s' in:\n%s", expected, text);
	assert_non_null(strstr(text, expected));
	free(text);
}

static void check_table_lacks(const struct verdicts *v, const char *part)
{
	char *text = print_to_text(v, verdicts_print_table, 0);

	assert_null(strstr(text, part));
	free(text);
}

/*
 * Times of a program are 0.8, 1 and 1.2 s: their standard deviation is 0.2, and half the interval
 * is 4.303 * 0.2 / sqrt(3). Dynamic energy is 5 J each time, and 10 J of compounds.
 */
static void test_imprecise(void **state)
{
	struct verdicts v;
	struct results r;
	int i, n;

	begin(&r, "imprecise", 10);
	for (i = 0; i < 6; i++)
		for (n = -1; n <= 1; n++)
			add(&r, i, "e", i < 3 ? 100 : 200, 1 + 0.2 * n,
			    (i < 3 ? 5 : 10) + 10 * (1 + 0.2 * n));
	verdicts_find(&v, &r, 0.05);
	check_form(&v, verdicts_print_table, 0, "\ntime has a mean with a confidence interval of +-49.7 %, wider than +-5 %: more");
	check_table_lacks(&v, "dynamic energy has a mean");
	check_form(&v, verdicts_print_table, 0, "tolerance 5 %\ntime is non-additive: other programs");
	check_table_lacks(&v, "dynamic energy is");
	check_form(&v, verdicts_print_table, 0, "\n1 events have too few measurements to check their distribution: it takes 8 ");
	verdicts_free(&v);
	results_free(&r);
}

static void test_forms(void **state)
{
	static const char *left_out[] = { LEFT_OUT_FACT, "one:u, two, cpu/event=0x3,umask=0x4/" };
	static const double counts[] = { 100, 200, 50, 400, 150, 250 };
	struct measurement m = { 1, NAN, 1, { 3 } };
	struct verdicts v;
	struct results r;
	char text[4000];
	int i, n, number;
	FILE *f;

	begin_with(&r, "forms", NAN, left_out);
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
	check_form(&v, verdicts_print_table, 0, "\n3 events left out, as this machine does not count them:\n  one:u, two, cpu/event=0x3,umask=0x4/\n");
	check_form(&v, verdicts_print_table, 1, "odd            a_b                     300.0          400.0    33.33   0.00\n");
	check_form(&v, verdicts_print_csv, 0, "\ncores,odd,non-additive,0.333333,0.000000,a_b,1,3,0.000000,0.000000,,,9,9,non-additive,non-additive,non-additive,non-additive\n");
	check_form(&v, verdicts_print_csv, 0, ",most_runs,verdict_at_5,verdict_at_10,verdict_at_20,verdict_at_30\n");
	check_form(&v, verdicts_print_csv, 0, "\nscan,never,set aside,,,,,,,,,,,,,,,\n");
	check_form(&v, verdicts_print_csv, 0, "\nscan,one:u,left out,,,,,,,,,,,,,,,\n");
	check_form(&v, verdicts_print_csv, 0, "\nscan,\"cpu/event=0x3,umask=0x4/\",left out,,,,,,,,,,,,,,,\n");
	check_form(&v, verdicts_print_csv, 1, "\ncores,odd,non-additive,a_b,300,400,0.333333,0.000000\n");
	check_form(&v, verdicts_print_json, 0, "\"event\": \"odd\", \"verdict\": \"non-additive\", \"error\": 0.333333333");
	check_form(&v, verdicts_print_json, 1, "\"pairs\": [{\"compound\": \"a_b\", \"sum\": 300, \"counted\": 400");
	check_form(&v, verdicts_print_json, 0, "{\"tolerance\": 0.3, \"non-additive\": 1, \"not reproducible\": 0, \"undecided\": 0, \"potentially additive\": 1}],");
	check_form(&v, verdicts_print_json, 0, "\"set_aside\": [\"never\"],\n \"left_out\": [\"one:u\", \"two\", \"cpu/event=0x3,umask=0x4/\"]}\n");
	/* All counts are equal. */
	check_table_lacks(&v, "their distribution");
	verdicts_draw(&v, path_of("plot.gp"));
	/* The tolerance is in front of the bars that it crosses. */
	f = fopen(path_of("plot.gp"), "r");
	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	assert_non_null(strstr(text, "set arrow from 5, graph 0 to 5, graph 1 nohead front dashtype 2"));
	verdicts_free(&v);
	results_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cover),
		cmocka_unit_test(test_cover_limits),
		cmocka_unit_test(test_cover_large),
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_assumptions),
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_uncertain_sum),
		cmocka_unit_test(test_no_sum),
		cmocka_unit_test(test_not_reproducible),
		cmocka_unit_test(test_small_counts),
		cmocka_unit_test(test_simulated),
		cmocka_unit_test(test_continued),
		cmocka_unit_test(test_other_machine),
		cmocka_unit_test(test_locked),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_begun),
		cmocka_unit_test(test_begun_with_facts),
		cmocka_unit_test(test_energy_first),
		cmocka_unit_test(test_imprecise),
		cmocka_unit_test(test_forms),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
