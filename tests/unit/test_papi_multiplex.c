// SPDX-License-Identifier: GPL-2.0
/* Errors of estimates from turns, compared with the errors that made-up programs have. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "errors.h"
#include "eventset.h"
#include "library.h"
#include "multiplex_estimate.h"
#include "pmcpapi.h"

#define NR_SETS		2
#define NR_TURNS	400
#define NR_RUNS		300
#define TURN_NS		10000000

static uint32_t seed = 1;

/* From 0 to 1 */
static double uniform(void)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) / 16777216.0;
}

/* A program: events in a turn, by the turn's number and length */
typedef double (*program_fn)(int turn, double ns);

static double steady(int turn, double ns)
{
	return 0.5 * ns;
}

static double erratic(int turn, double ns)
{
	return (0.2 + uniform()) * ns;
}

static double rising(int turn, double ns)
{
	return (0.1 + (double)turn / NR_TURNS) * ns;
}

static double silent(int turn, double ns)
{
	return 0;
}

/* A turn, as two samples if @parts is 2 */
static void add_turn(struct turns *turns, int set, double ns, double count, int parts)
{
	struct pmc_reading r = { .set = set, .nr_counts = 2 };
	int i;

	for (i = 0; i < parts; i++) {
		r.running = ns / parts;
		r.counts[1] = count / parts;
		turns_add(turns, &r, i == parts - 1);
	}
}

/**
 * struct run - a program that was run
 * @error: relative error of the estimate for set 0, with its sign
 * @claimed: the standard error that multiplex_estimate.c has for it
 */
struct run {
	double error;
	double claimed;
};

/* @seen: only so many turns of each set are seen, while times are known of all */
static struct run run_program(struct turns *turns, program_fn program, int nr, int parts, int seen)
{
	double ns, count, truth = 0, all = 0, running[NR_SETS] = { 0 }, counted = 0;
	struct run run = { 0 };
	int turn, set;

	turns_clear(turns);
	for (turn = 0; turn < nr; turn++) {
		set = turn % NR_SETS;
		ns = floor(TURN_NS * (0.5 + uniform()));
		count = floor(program(turn, ns));
		truth += count;
		all += ns;
		running[set] += ns;
		counted += set ? 0 : count;
		if (turn / NR_SETS < seen)
			add_turn(turns, set, ns, count, parts);
	}
	for (set = 0; set < NR_SETS; set++)
		turns_set_time(turns, 0, set, running[set], all);
	run.error = truth ? counted * all / running[0] / truth - 1 : 0;
	run.claimed = turns_error(turns, 0, 0, 1);
	return run;
}

/* Mean square of error / claimed error over many runs: 1 if the claim is right */
static double ratio_of(program_fn program, int parts, int seen)
{
	struct turns *turns = turns_new(1);
	double sum = 0, ratio;
	struct run run;
	int i;

	assert_non_null(turns);
	for (i = 0; i < NR_RUNS; i++) {
		run = run_program(turns, program, NR_TURNS, parts, seen);
		assert_true(run.claimed > 0);
		ratio = run.error / run.claimed;
		sum += ratio * ratio;
	}
	turns_free(turns);
	return sum / NR_RUNS;
}

static void is_near_one(double ratio)
{
	/* The mean of 300 squares is within 4 * sqrt(2 / 300) of 1. */
	assert_true(ratio > 0.67 && ratio < 1.33);
}

static void test_erratic(void **state)
{
	is_near_one(ratio_of(erratic, 1, NR_TURNS));
}

/* Readings in the middle of turns change nothing, nor do lost samples. */
static void test_parts_and_losses(void **state)
{
	is_near_one(ratio_of(erratic, 3, NR_TURNS));
	is_near_one(ratio_of(erratic, 1, 50));
}

/* Turns at regular intervals see a slow change better than turns drawn at random. */
static void test_slow_change(void **state)
{
	assert_true(ratio_of(rising, 1, NR_TURNS) < 0.5);
}

static void test_no_error(void **state)
{
	struct turns *turns = turns_new(1);
	struct run run;

	run = run_program(turns, steady, NR_TURNS, 1, NR_TURNS);
	/* Counts are whole numbers. */
	assert_true(run.claimed >= 0 && run.claimed < 1e-6);
	run = run_program(turns, silent, NR_TURNS, 1, NR_TURNS);
	assert_true(run.claimed == 0);
	/* One set has all the time. */
	turns_set_time(turns, 0, 0, 1000, 1000);
	assert_true(turns_error(turns, 0, 0, 1) == 0);
	/* Of the time on the core type, less is known now than before. */
	turns_restart(turns);
	turns_set_time(turns, 0, 0, 1100, 1050);
	assert_true(isnan(turns_error(turns, 0, 0, 1)));
	turns_set_time(turns, 0, 0, 1100, 990);
	assert_true(isnan(turns_error(turns, 0, 0, 1)));
	turns_free(turns);
}

static void test_too_short(void **state)
{
	int enough = PMCPAPI_MIN_TURNS * NR_SETS;
	struct turns *turns = turns_new(1);

	assert_true(isnan(turns_error(turns, 0, 0, 0)));
	assert_true(isnan(run_program(turns, erratic, enough - NR_SETS, 1, NR_TURNS).claimed));
	/* Parts of turns are no turns. */
	assert_true(isnan(run_program(turns, erratic, enough - NR_SETS, 5, NR_TURNS).claimed));
	assert_false(isnan(run_program(turns, erratic, enough, 1, NR_TURNS).claimed));
	assert_true(isnan(turns_error(turns, 0, 0, 2)));
	assert_true(isnan(turns_error(turns, 0, NR_SETS, 0)));
	assert_true(isnan(turns_error(turns, 1, 0, 0)));
	assert_true(isnan(turns_error(turns, 0, -1, 0)));
	/* A set that never had a turn, although the core type was used */
	turns_set_time(turns, 0, 9, 0, 1000);
	assert_true(isnan(turns_error(turns, 0, 9, 0)));
	turns_free(turns);
}

/* After a restart only what follows counts. */
static void test_restart(void **state)
{
	struct turns *turns = turns_new(2);
	uint64_t later = 40ULL * NR_TURNS * TURN_NS;
	double before;
	int i;

	before = run_program(turns, erratic, NR_TURNS, 1, NR_TURNS).claimed;
	turns_restart(turns);
	/* PAPI_accum() has just read it. */
	assert_true(turns_error(turns, 0, 0, 1) == before);
	turns_set_time(turns, 0, 0, later / 4, later);
	assert_true(isnan(turns_error(turns, 0, 0, 1)));
	for (i = 0; i < PMCPAPI_MIN_TURNS; i++)
		add_turn(turns, 0, TURN_NS, 1000, 1);
	assert_true(turns_error(turns, 0, 0, 1) < 1e-6);
	/* Samples of what there is not are left out. */
	turns_add(turns, &(struct pmc_reading){ .core_type = 2 }, 1);
	turns_add(turns, &(struct pmc_reading){ .core_type = -1 }, 1);
	/* A core type that was not used has counted all that there was. */
	turns_set_time(turns, 1, 0, 0, 0);
	assert_true(turns_error(turns, 1, 0, 0) == 0);
	turns_clear(turns);
	assert_true(isnan(turns_error(turns, 1, 0, 0)));
	assert_true(isnan(turns_error(turns, 0, 0, 1)));
	turns_free(turns);
	turns_free(NULL);
}

/* ---- errors of an EventSet's values ---- */

/* The last counts, and their errors, by core type and place */
static uint64_t rows[2][3];
static uint64_t *counts[] = { rows[0], rows[1] };
static double errors[2][3];

static struct counted_part parts[][2] = {
	{ { .core_type = 0, .nr_terms = 1, .place = { 0 } },
	  { .core_type = 1, .nr_terms = 1, .place = { 2 } } },
	/* place 0 - place 1 */
	{ { .core_type = 0, .nr_terms = 2, .place = { 0, 1 }, .formula = (void *)parts } },
	/* 100 * place 1 / place 0, of all core types */
	{ { .core_type = 0, .nr_terms = 2, .place = { 1, 0 }, .formula = (void *)parts },
	  { .core_type = 1, .nr_terms = 2, .place = { 1, 0 }, .formula = (void *)parts } },
};

static struct counted_event events[] = { { 2, parts[0] }, { 1, parts[1] }, { 2, parts[2] } };

static uint64_t **counts_of(const struct counting *c)
{
	return counts;
}

static double error_of(const struct counting *c, int core_type, int place)
{
	return errors[core_type][place];
}

static const struct counter_ops ops = { .counts = counts_of, .error = error_of };

static struct eventset set = {
	.nr = 3, .open = 1, .target = { .multiplex_ns = 1 },
	.counting = { .nr_events = 3, .events = events, .ops = &ops },
};

struct eventset *eventset_get(int id)
{
	return id ? NULL : &set;
}

const pmc_machine_t *papi_machine(void)
{
	return (const pmc_machine_t *)&set;
}

int papi_fail(int code)
{
	return code;
}

long long counting_value(const struct counting *c, int event, uint64_t *const *n)
{
	if (!event)
		return n[0][0] + n[1][2];
	if (event == 1)
		return n[0][0] - n[0][1];
	return 100 * (n[0][1] + n[1][1]) / (n[0][0] + n[1][0]);
}

static void is_near(double value, double expected)
{
	assert_true(fabs(value - expected) <= 0.02 * expected);
}

static void test_event_errors(void **state)
{
	double e[3];

	rows[0][0] = 100000;
	rows[0][1] = 60000;
	rows[1][0] = 100000;
	rows[1][1] = 40000;
	rows[1][2] = 300000;
	errors[0][0] = 2000;
	errors[0][1] = 1800;
	errors[1][2] = 3000;
	assert_int_equal(pmcpapi_multiplex_error(0, e), PAPI_OK);
	/* Core types are independent: 2000 and 3000. */
	is_near(e[0], sqrt(2000 * 2000 + 3000 * 3000) / 400000);
	/* Terms of a formula are not: 2000 and 1800. */
	is_near(e[1], 3800.0 / 40000);
	/* A 50th of half of the denominator, and 1800 of 100000 */
	assert_true(e[2] > 0.01 && e[2] < 0.05);
	/* The counts are as they were. */
	assert_int_equal(rows[0][0], 100000);
	assert_int_equal(rows[0][1], 60000);

	errors[0][1] = NAN;
	assert_int_equal(pmcpapi_multiplex_error(0, e), PAPI_OK);
	assert_false(isnan(e[0]));
	assert_true(isnan(e[1]));
	assert_true(isnan(e[2]));
	memset(errors, 0, sizeof(errors));
	assert_int_equal(pmcpapi_multiplex_error(0, e), PAPI_OK);
	assert_true(e[0] == 0 && e[1] == 0 && e[2] == 0);
	/* There is no relative error of a value 0. */
	memset(rows, 0, sizeof(rows));
	rows[1][0] = 1;
	errors[0][0] = 5;
	assert_int_equal(pmcpapi_multiplex_error(0, e), PAPI_OK);
	assert_true(isnan(e[0]) && isnan(e[1]));
}

static void test_event_errors_without(void **state)
{
	double e[3] = { 1, 1, 1 };

	assert_int_equal(pmcpapi_multiplex_error(1, e), PAPI_ENOEVST);
	assert_int_equal(pmcpapi_multiplex_error(0, NULL), PAPI_EINVAL);
	set.target.multiplex_ns = 0;
	set.target.sample_period = 1;
	set.open = 0;
	assert_int_equal(pmcpapi_multiplex_error(0, e), PAPI_OK);
	assert_true(isnan(e[0]) && isnan(e[2]));
	set.target.sample_period = 0;
	assert_int_equal(pmcpapi_multiplex_error(0, e), PAPI_OK);
	assert_true(e[0] == 0 && e[2] == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_erratic),
		cmocka_unit_test(test_parts_and_losses),
		cmocka_unit_test(test_slow_change),
		cmocka_unit_test(test_no_error),
		cmocka_unit_test(test_too_short),
		cmocka_unit_test(test_restart),
		cmocka_unit_test(test_event_errors),
		cmocka_unit_test(test_event_errors_without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
