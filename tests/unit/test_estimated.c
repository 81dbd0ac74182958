// SPDX-License-Identifier: GPL-2.0
/*
 * The monitoring modules that estimate: the text of models, their estimates, and the
 * rounds of event sets that detect a program's phases.
 */
#include <math.h>

#include "unit.h"

#include "average.h"
#include "estimated/phase_rounds.h"
#include "estimated/text.h"
#include "ipc_sampling_sf/settings.h"
#include "module_error.h"
#include <pmctrack/monitoring_module.h>

#define NR_CORE_TYPES 2

static char events[MODEL_EVENTS_LEN];

static int line(struct model *model, const char *key, const char *value)
{
	return model_line(model, "estimated_sf.big", key, value, events);
}

/* Two sets, as needed for table 1 of the paper on a big core. */
static void table_1(struct model *model)
{
	model_init(model);
	assert_int_equal(line(model, "set", "instr:ev=0xc0,cycles:ev=0x3c,llc_misses:ev=0x412e"), 0);
	assert_string_equal(events, "ev=0xc0,ev=0x3c,ev=0x412e");
	assert_int_equal(line(model, "set", "cycles:ev=0x3c, instr:ev=0xc0, branches:ev=0xc4:u"), 0);
	assert_string_equal(events, "ev=0x3c,ev=0xc0,ev=0xc4:u");
	assert_int_equal(line(model, "metric.ipc", "instr/cycles"), 0);
	assert_int_equal(line(model, "metric.llc", "1000*llc_misses/instr"), 0);
	assert_int_equal(line(model, "metric.br", "1000000 * branches / instr"), 0);
}

static void a_model_is_read(void **state)
{
	struct model m;

	table_1(&m);
	assert_int_equal(line(&m, "range", "0.5,4"), 0);
	assert_int_equal(line(&m, "estimate", "1.5 + 0.25*ipc - 0.000000000001*llc"
			      " - (llc<5.5?-1:2) + 3*above(br,-1.5) - 2"), 0);
	assert_int_equal(m.nr_sets, 2);
	assert_int_equal(m.nr_events, 4);
	assert_int_equal(m.set[1].nr, 3);
	assert_int_equal(m.set[1].event[0], model_event(&m, "cycles"));
	assert_int_equal(m.nr_metrics, 3);
	assert_int_equal(m.metric[0].factor, 1);
	assert_int_equal(m.metric[2].factor, 1000000);
	assert_int_equal(m.least, MODEL_ONE / 2);
	assert_int_equal(m.most, 4 * MODEL_ONE);
	assert_true(m.estimates);
	assert_int_equal(m.constant, -(1LL << 39));
	assert_int_equal(m.nr_terms, 4);
	assert_int_equal(m.term[0].a, 1LL << 38);
	assert_int_equal(m.term[1].a, -1);
	assert_int_equal(m.term[2].shape, MODEL_STUMP);
	assert_int_equal(m.term[2].a, 1LL << 40);
	assert_int_equal(m.term[2].b, -(2LL << 40));
	assert_int_equal(m.term[2].at, 11 * MODEL_ONE / 2);
	assert_int_equal(m.term[3].shape, MODEL_HINGE);
	assert_int_equal(m.term[3].at, -3 * MODEL_ONE / 2);
	/* A second formula replaces the first. */
	assert_int_equal(line(&m, "estimate", "-1"), 0);
	assert_int_equal(m.nr_terms, 0);
	assert_int_equal(m.constant, -(1LL << 40));
}

static void wrong_lines_are_refused_with_the_word_at_fault(void **state)
{
	static const struct {
		const char *key, *value, *message;
	} cases[] = {
		{ "sets", "instr:ev=1", "'sets'" },
		{ "set", "", "a name is of" },
		{ "set", "instr", "NAME:EVENT" },
		{ "set", "instr:,cycles:ev=1", "an event is missing" },
		{ "set", "instr:ev=0xc0,cycles:ev=0x3c,instr:ev=3", "'instr': the set has this name twice" },
		{ "set", "instr:ev=0xc0,misses:ev=2", "each set needs instr and cycles" },
		{ "set", "Instr:ev=1,cycles:ev=0x3c", "'Instr:ev=1,cycles:ev=0x3c'" },
		{ "set", "instr:ev=0xc0,cycles:ev=0x3c,a:ev=1,b:ev=1,c:ev=1,d:ev=1,e:ev=1,f:ev=1,g:ev=1",
		  "at most 8 events" },
		{ "set", "instr:ev=0xc0,cycles:ev=0x3c,a23456789012345678901234:ev=1", "at most 23" },
		/* Each name stands for a count: an attribute adds none. */
		{ "set", "instr:ev=0xc0,cycles:ev=0x3c,misses:usr0=1", "'usr0=1': an event is ev=CODE" },
		{ "set", "instr:ev=0xc0,cycles:coretype=0", "'coretype=0': an event is ev=CODE" },
		{ "set", "instr:ev=0xc0,cycles:ev=0x3c,ns:ev=3", "'ns': this is the name of a sample's time" },
		{ "metric.", "instr/cycles", "a name is of" },
		{ "metric.a b", "instr/cycles", "' b': here the line is to end" },
		{ "metric.x", "instr", "a metric is EVENT/EVENT" },
		{ "metric.x", "instr/nothing", "'nothing': no event has this name" },
		{ "metric.x", "llc_misses/branches", "no event set has both" },
		{ "metric.x", "0*instr/cycles", "a factor is a whole number" },
		{ "metric.x", "1.5*instr/cycles", "a factor is a whole number" },
		{ "metric.x", "1000001*instr/cycles", "a factor is a whole number" },
		{ "metric.x", "10 instr/cycles", "with * after it" },
		{ "metric.x", "instr/cycles/instr", "'/instr': here the line is to end" },
		{ "range", "1", "LEAST,MOST" },
		{ "range", "2,1", "to a greater MOST" },
		{ "range", "-1,1", "not below 0" },
		{ "range", "a,1", "'a,1': here a number is to be" },
		{ "estimate", "", "here a number is to be" },
		{ "estimate", "1 +", "here a number is to be" },
		{ "estimate", "1 2", "'2': here the line is to end" },
		{ "estimate", "ipc", "'ipc': here a number is to be" },
		{ "estimate", "2*ipx", "'ipx': no metric has this name" },
		{ "estimate", "1000000*ipc", "less than 1000000" },
		{ "estimate", "0.0000000000001", "at most 12 digits" },
		{ "estimate", "999999.9+0.2", "sum of the constants is too large" },
		{ "estimate", "2*above(ipc)", "NUMBER*above(METRIC,NUMBER)" },
		{ "estimate", "2*above(ipc,1", "NUMBER*above(METRIC,NUMBER)" },
		{ "estimate", "(ipc<1?2:3", "(METRIC<NUMBER?NUMBER:NUMBER)" },
		{ "estimate", "(ipc>1?2:3)", "(METRIC<NUMBER?NUMBER:NUMBER)" },
	};
	struct model m, before;
	unsigned int i;

	table_1(&m);
	before = m;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (line(&m, cases[i].key, cases[i].value) != -EINVAL)
			fail_msg("%s=%s was taken", cases[i].key, cases[i].value);
		check_message(&error, cases[i].message);
		check_message(&error, "estimated_sf.big");
		assert_memory_equal(&m, &before, sizeof(m));
	}
}

/* A second model on the same core type would use what the first one has under these names. */
static void models_are_not_mixed(void **state)
{
	struct model m, before;

	table_1(&m);
	before = m;
	assert_int_equal(line(&m, "metric.ipc", "branches/cycles"), -EINVAL);
	check_message(&error, "'ipc': there is a metric of this name already; model=NAME forgets the model");
	assert_int_equal(line(&m, "set", "instr:ev=0xc0,cycles:ev=0x3c,llc_misses:ev=0x412f"), -EINVAL);
	check_message(&error, "'llc_misses': there is another event of this name already; model=NAME forgets the model");
	assert_memory_equal(&m, &before, sizeof(m));
	assert_int_equal(line(&m, "set", "instr:ev=0xc0,cycles:ev=0x3c,llc_misses:ev=0x412"), -EINVAL);
	assert_int_equal(line(&m, "set", "instr:ev=0xc0,cycles:ev=0x3c,llc_misses:ev=0x412e"), 0);
}

static void there_is_an_end_to_everything(void **state)
{
	char text[2000] = "0", name[40];
	struct model m;
	unsigned int i;

	table_1(&m);
	for (i = 2; i < MODEL_SETS_MAX; i++)
		assert_int_equal(line(&m, "set", "instr:ev=0xc0,cycles:ev=0x3c"), 0);
	assert_int_equal(line(&m, "set", "instr:ev=0xc0,cycles:ev=0x3c"), -EINVAL);
	check_message(&error, "at most 8 event sets");
	for (i = 3; i < MODEL_METRICS_MAX; i++) {
		snprintf(name, sizeof(name), "metric.m%u", i);
		assert_int_equal(line(&m, name, "instr/cycles"), 0);
	}
	assert_int_equal(line(&m, "metric.more", "instr/cycles"), -EINVAL);
	check_message(&error, "at most 16 metrics");
	for (i = 0; i < MODEL_TERMS_MAX; i++)
		strcat(text, "+1*ipc");
	assert_int_equal(line(&m, "estimate", text), 0);
	strcat(text, "+1*ipc");
	assert_int_equal(line(&m, "estimate", text), -EINVAL);
	check_message(&error, "at most 48 terms");
	/* The text of an event may be as long as that of a set. */
	memset(text, '1', sizeof(text));
	memcpy(text, "instr:", 6);
	strcpy(text + 6 + MODEL_EVENTS_LEN, ",cycles:1");
	model_init(&m);
	assert_int_equal(line(&m, "set", text), -EINVAL);
	check_message(&error, "text of the set is too long");
}

static void ratios_of_any_counts(void **state)
{
	static const u32 factors[] = { 1, 3, 1000, 1000000 };
	u64 random = 7;
	int i;

	assert_int_equal(model_ratio(3, 4, 1), 3 * MODEL_ONE / 4);
	assert_int_equal(model_ratio(0, 0, 1), 0);
	assert_int_equal(model_ratio(1, 0, 1), MODEL_RATIO_MAX);
	assert_int_equal(model_ratio(U64_MAX, 1, 1000000), MODEL_RATIO_MAX);
	assert_int_equal(model_ratio(U64_MAX, U64_MAX, 1000000), 1000000 * MODEL_ONE);
	for (i = 0; i < 100000; i++) {
		u64 over = next_random(&random) >> next_random(&random) % 64;
		u64 under = (next_random(&random) >> next_random(&random) % 64) | 1;
		u32 factor = factors[i % ARRAY_SIZE(factors)];
		double want = (double)over / under * factor * MODEL_ONE;
		double got = model_ratio(over, under, factor);

		if (want > MODEL_RATIO_MAX)
			want = MODEL_RATIO_MAX;
		if (fabs(got - want) > want * 2e-6 + 1)
			fail_msg("%lu / %lu x %u: %f, not %f", over, under, factor, got, want);
	}
}

static double estimate(const struct model *m, double ipc, double llc, double br)
{
	u64 metrics[] = { ipc * MODEL_ONE, llc * MODEL_ONE, br * MODEL_ONE };
	s64 value;

	assert_true(model_estimate(m, metrics, &value));
	return (double)value / MODEL_ONE;
}

static void estimates_are_what_the_formula_says(void **state)
{
	struct model m;
	u64 random = 3;
	int i;

	table_1(&m);
	assert_int_equal(line(&m, "range", "0,100000"), 0);
	assert_int_equal(line(&m, "estimate", "100.5+1.25*ipc-0.03125*llc+0.0000625*br"
			      "+(llc<10?1.5:-2.5)+0.5*above(llc,20)"), 0);
	for (i = 0; i < 10000; i++) {
		double ipc = next_random(&random) % 6000 / 1000.;
		double llc = next_random(&random) % 400000 / 1000.;
		double br = next_random(&random) % 1000000;
		double want = 100.5 + 1.25 * ipc - 0.03125 * llc + 0.0000625 * br +
			      (llc < 10 ? 1.5 : -2.5) + (llc > 20 ? 0.5 * (llc - 20) : 0);

		if (fabs(estimate(&m, ipc, llc, br) - want) > 1e-4)
			fail_msg("%f, not %f", estimate(&m, ipc, llc, br), want);
	}
	/* Not beyond the range */
	assert_int_equal(line(&m, "range", "1.5,2"), 0);
	assert_true(fabs(estimate(&m, 1, 1, 1) - 2) < 1e-6);
	assert_int_equal(line(&m, "estimate", "-5*ipc"), 0);
	assert_true(fabs(estimate(&m, 1, 1, 1) - 1.5) < 1e-6);
}

static void an_inverse_is_one_over_the_formula(void **state)
{
	struct model m;

	table_1(&m);
	assert_int_equal(line(&m, "range", "0.5,8"), 0);
	assert_int_equal(line(&m, "inverse", "0.125+0.5*ipc"), 0);
	assert_true(fabs(estimate(&m, 1, 0, 0) - 1.6) < 1e-5);
	assert_true(fabs(estimate(&m, 0, 0, 0) - 8) < 1e-5);
	/* Not beyond the range; the inverse of 0 is the upper limit. */
	assert_true(fabs(estimate(&m, 100, 0, 0) - 0.5) < 1e-5);
	assert_int_equal(line(&m, "inverse", "0.5-0.5*ipc"), 0);
	assert_true(fabs(estimate(&m, 1, 0, 0) - 8) < 1e-5);
	assert_true(fabs(estimate(&m, 2, 0, 0) - 8) < 1e-5);
	assert_int_equal(line(&m, "estimate", "1"), 0);
	assert_true(fabs(estimate(&m, 2, 0, 0) - 1) < 1e-5);
}

static void thousandths_of_whatever_it_is(void **state)
{
	assert_int_equal(model_thousandths(MODEL_ONE), 1000);
	assert_int_equal(model_thousandths(MODEL_ONE * 3 / 2), 1500);
	/* To the nearest. */
	assert_int_equal(model_thousandths(MODEL_ONE / 1000 + 1), 1);
	assert_int_equal(model_thousandths(MODEL_ONE / 2500), 0);
	assert_int_equal(model_thousandths(MODEL_ONE / 1500), 1);
	assert_int_equal(model_thousandths(-MODEL_ONE), 0);
	/* The inverse of 0 is not 0. */
	assert_true(model_thousandths(S64_MAX) == (1ULL << 43) * 1000);
}

static void sums_that_are_too_large_are_noticed(void **state)
{
	const u64 metrics[] = { MODEL_RATIO_MAX, 0, 0 };
	char text[500] = "0";
	struct model m;
	s64 value;
	int i;

	table_1(&m);
	for (i = 0; i < 3; i++) {
		strcat(text, "+999999*ipc");
		assert_int_equal(line(&m, "estimate", text), 0);
		assert_int_equal(model_estimate(&m, metrics, &value), i < 2);
	}
}

#define SAMPLE_NS 500000

/* A thread with table_1()'s two sets multiplexed. */
static struct {
	struct model model;
	struct round_settings settings;
	union {
		struct round round;
		u64 room[sizeof(struct round) / 8 + NR_CORE_TYPES];
	};
	unsigned int next;
	u64 metrics[MODEL_METRICS_MAX];
} thread;

static void start(void)
{
	memset(&thread, 0xff, sizeof(thread));
	table_1(&thread.model);
	thread.settings = (struct round_settings){ 250, 200, 1000 };
	thread.next = 0;
	round_forget(&thread.round, NR_CORE_TYPES);
}

/* A million cycles; @event is the count of set 0's misses and of set 1's branches. */
static bool sample_on(unsigned int core_type, double ipc, u64 event)
{
	unsigned int set = thread.next++ % 2;
	u64 counts[3] = { ipc * 1000000, 1000000, event };

	if (set) {
		counts[0] = 1000000;
		counts[1] = ipc * 1000000;
	}
	return round_add(&thread.round, &thread.model, &thread.settings,
			 &(struct pmc_module_sample){
				 .core_type = core_type, .set = set, .nr_counts = 3,
				 .counts = counts, .running = SAMPLE_NS },
			 thread.metrics);
}

static bool sample(double ipc, u64 event)
{
	return sample_on(0, ipc, event);
}

static void a_round_ends_with_its_last_set(void **state)
{
	start();
	assert_false(sample(0.5, 1000));
	assert_true(sample(0.5, 100000));
	assert_int_equal(thread.metrics[0], MODEL_ONE / 2);
	assert_int_equal(thread.metrics[1], 2 * MODEL_ONE);
	assert_int_equal(thread.metrics[2], 200000 * MODEL_ONE);
	/* The next sample begins a new round. */
	assert_false(sample(0.5, 2000));
	assert_true(sample(0.5, 0));
	assert_int_equal(thread.metrics[1], 4 * MODEL_ONE);
	assert_int_equal(thread.metrics[2], 0);
	assert_int_equal(thread.round.phases, 0);
}

/* Every set has the time: a metric of it is of all samples whose set has the event. */
static void events_for_each_nanosecond(void **state)
{
	start();
	assert_int_equal(line(&thread.model, "metric.rate", "1000*instr/ns"), 0);
	assert_int_equal(line(&thread.model, "metric.missrate", "1000*llc_misses/ns"), 0);
	assert_int_equal(line(&thread.model, "metric.wait", "ns/cycles"), 0);
	assert_false(sample(0.5, 2500));
	assert_true(sample(0.55, 9));
	assert_int_equal(thread.metrics[3], 1050 * MODEL_ONE);
	assert_int_equal(thread.metrics[4], 5 * MODEL_ONE);
	assert_int_equal(thread.metrics[5], MODEL_ONE / 2);
}

/* Figure 7: the first sample of a new phase begins a new round. */
static void a_sudden_change_discards_the_round(void **state)
{
	start();
	assert_false(sample(1, 1000));
	assert_true(sample(1, 1000));
	assert_false(sample(1, 1000));
	/* In set 1, after a set 0 of the old phase */
	assert_false(sample(0.5, 5000));
	assert_int_equal(thread.round.phases, 1);
	/* Now both sets have samples of the new phase. */
	assert_true(sample(0.5, 3000));
	assert_int_equal(thread.metrics[1], 6 * MODEL_ONE);
	assert_int_equal(thread.metrics[2], 10000 * MODEL_ONE);
}

static void slow_changes_are_followed(void **state)
{
	double ipc = 1;
	int i, complete = 0;

	start();
	for (i = 0; i < 60; i++, ipc *= 0.97)
		complete += sample(ipc, 1000);
	assert_int_equal(thread.round.phases, 0);
	assert_int_equal(complete, 30);
}

static void the_threshold_is_the_average_s(void **state)
{
	start();
	sample(1, 0);
	sample(1.199, 0);
	assert_int_equal(thread.round.phases, 0);
	/* The average moved by a quarter of the difference. */
	assert_in_range(thread.round.ipc[0], 1.0496 * MODEL_ONE, 1.0499 * MODEL_ONE);
	sample(0.839, 0);
	assert_int_equal(thread.round.phases, 1);
	assert_in_range(thread.round.ipc[0], 0.8389 * MODEL_ONE, 0.8391 * MODEL_ONE);
}

static void each_core_type_has_its_average_and_its_round(void **state)
{
	start();
	assert_false(sample_on(0, 1, 1000));
	/* On the other core type a new round begins, but no new phase. */
	assert_false(sample_on(1, 0.5, 1000));
	assert_int_equal(thread.round.phases, 0);
	assert_true(sample_on(1, 0.5, 1000));
	assert_int_equal(thread.metrics[0], MODEL_ONE / 2);
	assert_false(sample_on(0, 1, 1000));
	assert_int_equal(thread.round.phases, 0);
	assert_true(sample_on(0, 1, 1000));
	assert_int_equal(thread.metrics[0], MODEL_ONE);
}

static void samples_of_next_to_nothing_are_passed_over(void **state)
{
	start();
	sample(1, 1000);
	thread.next = 0;
	assert_false(sample(0.0009, 1000));
	assert_int_equal(thread.round.phases, 0);
	assert_true(sample(1, 1000));
}

/* A thread's speed after three samples of a phase in which it is @percent of the old speed */
static double speed_after_three(int percent)
{
	u64 average = 0, before = 1000000, after = before * percent / 100;
	int i;

	pmc_average_add(&average, before, SETTINGS_WEIGHT, SETTINGS_THRESHOLD);
	assert_int_equal(average, before);
	for (i = 0; i < 3; i++)
		pmc_average_add(&average, after, SETTINGS_WEIGHT, SETTINGS_THRESHOLD);
	return (double)average / after;
}

/* For any change of the program's speed on either core type */
static void a_sampled_factor_is_right_after_three_samples(void **state)
{
	int fast, slow;

	for (fast = 20; fast <= 500; fast++)
		for (slow = 20; slow <= 500; slow++) {
			double off = speed_after_three(fast) / speed_after_three(slow) - 1;

			if (fabs(off) > 0.04)
				fail_msg("to %d %% and to %d %%: %.1f %% off", fast, slow, off * 100);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_model_is_read),
		cmocka_unit_test(wrong_lines_are_refused_with_the_word_at_fault),
		cmocka_unit_test(models_are_not_mixed),
		cmocka_unit_test(there_is_an_end_to_everything),
		cmocka_unit_test(ratios_of_any_counts),
		cmocka_unit_test(estimates_are_what_the_formula_says),
		cmocka_unit_test(an_inverse_is_one_over_the_formula),
		cmocka_unit_test(thousandths_of_whatever_it_is),
		cmocka_unit_test(sums_that_are_too_large_are_noticed),
		cmocka_unit_test(a_round_ends_with_its_last_set),
		cmocka_unit_test(events_for_each_nanosecond),
		cmocka_unit_test(a_sudden_change_discards_the_round),
		cmocka_unit_test(slow_changes_are_followed),
		cmocka_unit_test(the_threshold_is_the_average_s),
		cmocka_unit_test(each_core_type_has_its_average_and_its_round),
		cmocka_unit_test(samples_of_next_to_nothing_are_passed_over),
		cmocka_unit_test(a_sampled_factor_is_right_after_three_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
