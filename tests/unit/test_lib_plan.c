// SPDX-License-Identifier: GPL-2.0
/* Plans: events of metrics in as few sets as the counters allow, and values from their counts. */
#include <math.h>
#include <pthread.h>

#include "lib.h"
#include "machine.h"

enum { P, E };

#define SMALL_STACK	(64 * 1024)

static pmc_machine_t *hybrid;
static int room, nr_asked;

/*
 * Counters of this test: @room of them, and one more for instructions and one for cycles, which
 * events with other codes cannot use. Two events of cycles need one of @room, too.
 */
static int fake_fits(void *arg, int core_type, const char *events)
{
	int n = 0, cycles = 0;
	const char *p;

	nr_asked++;
	assert_true(core_type == P || core_type == E);
	for (p = events; (p = strstr(p, "ev=0x")); p++)
		if (!strncmp(p, "ev=0x3c", 7))
			cycles++;
		else
			n += !!strncmp(p, "ev=0xc0", 7);
	return n + (cycles > 1 ? cycles - 1 : 0) <= room;
}

static int broken_fits(void *arg, int core_type, const char *events)
{
	errno = EACCES;
	return -1;
}

struct made {
	pmc_plan_t *plan;
	pmc_config_t *config;
};

static struct made make(const char *set, const char *events, const char *metrics, int core_type)
{
	struct made made = { pmc_plan_new(hybrid), pmc_config_new(hybrid) };

	if ((set && pmc_plan_add_set(made.plan, set, core_type)) ||
	    (events && pmc_plan_add_events(made.plan, events, core_type)) ||
	    (metrics && pmc_plan_add_metrics(made.plan, metrics, core_type)) ||
	    pmc_plan_make(made.plan, made.config, fake_fits, NULL))
		fail_msg("%s", pmc_last_error());
	return made;
}

static void done(struct made *made)
{
	pmc_plan_free(made->plan);
	pmc_config_free(made->config);
}

/* Check the sets of a core type: names with commas between, and a space between sets. */
static void check_sets(const struct made *made, int core_type, const char *wanted)
{
	char text[1024] = "";
	int i, j;

	for (i = 0; i < pmc_config_nr_sets(made->config, core_type); i++)
		for (j = 0; j < pmc_config_nr_events(made->config, core_type, i); j++)
			sprintf(text + strlen(text), "%s%s", j ? "," : i ? " " : "",
				pmc_config_event(made->config, core_type, i, j));
	assert_string_equal(text, wanted);
}

static void test_one_set(void **state)
{
	struct made made;

	room = 4;
	made = make(NULL, NULL, "ipc,branch_mpki,branch_miss_rate", PMC_EVERY_CORE_TYPE);
	/* instr is counted once. */
	check_sets(&made, P, "instr,cycles,branch_misses,branches");
	check_sets(&made, E, "instr,cycles,branch_misses,branches");
	assert_int_equal(pmc_plan_nr_metrics(made.plan), 3);
	assert_string_equal(pmc_plan_name(made.plan, 2), "branch_miss_rate");
	assert_false(pmc_plan_is_estimated(made.plan, 0, P));
	done(&made);
}

static void test_same_event(void **state)
{
	struct made made;

	room = 4;
	/* Other names of the same events */
	made = make(NULL, NULL, "ipc,x=0xc0:umask=0x00/cpu_core@cycles@", P);
	check_sets(&made, P, "instr,cycles");
	check_sets(&made, E, "");
	assert_null(pmc_plan_metric(made.plan, 0, E));
	done(&made);
}

/* Two counters: each metric is within a set. */
static void test_several_sets(void **state)
{
	struct made made;

	room = 2;
	made = make(NULL, NULL, "llc_miss_rate,branch_miss_rate,ipc", P);
	check_sets(&made, P, "llc_misses,llc_references,instr,cycles branch_misses,branches");
	assert_false(pmc_plan_is_estimated(made.plan, 0, P));
	assert_false(pmc_plan_is_estimated(made.plan, 1, P));
	done(&made);
}

/* Metrics that share events are in one set. */
static void test_sharing(void **state)
{
	struct made made;

	room = 2;
	made = make(NULL, NULL, "branch_miss_rate,llc_mpki,branch_mpki", P);
	check_sets(&made, P, "branch_misses,branches,instr llc_misses,instr");
	done(&made);
	/* The set that has most of the events, though the first one has room for them. */
	room = 3;
	made = make(NULL, NULL, "llc_miss_rate,branch_miss_rate,x=branches/instr", P);
	check_sets(&made, P, "llc_misses,llc_references branch_misses,branches,instr");
	done(&made);
}

static void test_split(void **state)
{
	struct made made;

	room = 1;
	made = make(NULL, NULL, "branch_miss_rate,ipc", P);
	check_sets(&made, P, "branch_misses,instr,cycles branches");
	assert_true(pmc_plan_is_estimated(made.plan, 0, P));
	assert_false(pmc_plan_is_estimated(made.plan, 1, P));
	done(&made);
}

static void test_users_sets(void **state)
{
	struct made made;

	room = 2;
	made = make("llc_misses,instr", "branches", "ipc,branch_mpki", P);
	/* The user's set comes first, and metrics add to it. */
	check_sets(&made, P, "llc_misses,instr,cycles,branch_misses branches");
	done(&made);
}

/* Attributes that are words of their own in the raw form, and no part of a name */
static void test_raw_form(void **state)
{
	struct made made;

	room = 4;
	made = make("pmc3=0x2e,umask3=0x41", NULL, "ipc", P);
	assert_string_equal(pmc_config_raw(made.config, 0),
			    "pmc3=0x2e,umask3=0x41,ev=0xc0:umask=0x00,ev=0x3c:umask=0x00,coretype=0");
	done(&made);
	made = make(NULL, "branches,llc_misses,ebs0=1000000", "ipc", P);
	check_sets(&made, P, "branches,llc_misses,instr,cycles");
	assert_int_equal(pmc_config_ebs_period(made.config, P, 0, 0), 1000000);
	done(&made);
}

/* Events of the kernel itself take no counter: they are counted all the time. */
static void test_software(void **state)
{
	struct made made;

	room = 1;
	made = make(NULL, "page_faults,branches,branch_misses", "ghz=cycles/task_clock", P);
	check_sets(&made, P, "page_faults,branches,cycles,task_clock page_faults,branch_misses,task_clock");
	done(&made);
	made = make(NULL, "page_faults,task_clock", NULL, P);
	check_sets(&made, P, "page_faults,task_clock");
	done(&made);
}

/* Without the kernel module, sets are counted at the same time: they have a set of their own. */
static void test_software_without_module(void **state)
{
	pmc_machine_t *with = hybrid;
	struct pmc_machine without = *hybrid;
	struct made made;

	strcpy(without.backend, PERF_EVENT_BACKEND);
	hybrid = &without;
	room = 1;
	made = make(NULL, "page_faults,branches,branch_misses,task_clock", NULL, P);
	check_sets(&made, P, "branches branch_misses page_faults,task_clock");
	done(&made);
	room = 2;
	made = make(NULL, "page_faults,branches,branch_misses,task_clock", NULL, P);
	check_sets(&made, P, "page_faults,branches,branch_misses,task_clock");
	done(&made);
	hybrid = with;
}

/*
 * Without the kernel module, cycles measure the time on a core type where there are several sets.
 * A pinned clock beside a set of all counters would keep that set from being counted.
 */
static void test_room_for_the_clock(void **state)
{
	pmc_machine_t *with = hybrid;
	struct pmc_machine without = *hybrid;
	struct made made;

	strcpy(without.backend, PERF_EVENT_BACKEND);
	hybrid = &without;
	room = 2;
	made = make(NULL, "cycles,branches,branch_misses", NULL, P);
	check_sets(&made, P, "cycles,branches,branch_misses");
	done(&made);
	made = make(NULL, "cycles,branches,branch_misses,llc_misses", NULL, P);
	check_sets(&made, P, "cycles,branches branch_misses,llc_misses");
	done(&made);
	/* The sets of the user stay as they are. */
	made = make("cycles,branches,branch_misses", "llc_misses", NULL, P);
	check_sets(&made, P, "cycles,branches,branch_misses llc_misses");
	done(&made);
	/* Sets may take all counters on machines with one core type, and with the module. */
	without.nr_core_types = 1;
	made = make(NULL, "cycles,branches,branch_misses,llc_misses", NULL, P);
	check_sets(&made, P, "cycles,branches,branch_misses llc_misses");
	done(&made);
	hybrid = with;
	made = make(NULL, "cycles,branches,branch_misses,llc_misses", NULL, P);
	check_sets(&made, P, "cycles,branches,branch_misses llc_misses");
	done(&made);
}

/* A core type counts what it has. */
static void test_events_of_one_core_type(void **state)
{
	struct made made;

	room = 2;
	made = make(NULL, "UOPS_RETIRED.SLOTS", NULL, PMC_EVERY_CORE_TYPE);
	check_sets(&made, P, "UOPS_RETIRED.SLOTS");
	check_sets(&made, E, "");
	done(&made);
	made = make("cpu_atom/instructions/,cpu_atom/cycles/", NULL, NULL, PMC_EVERY_CORE_TYPE);
	check_sets(&made, P, "");
	check_sets(&made, E, "cpu_atom/instructions/,cpu_atom/cycles/");
	done(&made);
}

static void test_refusals(void **state)
{
	pmc_plan_t *plan = pmc_plan_new(hybrid);
	pmc_config_t *config = pmc_config_new(hybrid);

	room = 1;
	assert_int_equal(pmc_plan_add_metrics(plan, "ipc,,cpi", P), -1);
	check_error("the name of a metric is missing");
	assert_int_equal(pmc_plan_add_metrics(plan, "icp", PMC_EVERY_CORE_TYPE), -1);
	check_error("has no metric 'icp' (did you mean");
	assert_int_equal(pmc_plan_add_metrics(plan, "ipc", 5), -1);
	check_error("no core type 5");
	assert_int_equal(pmc_plan_add_events(plan, "no_such_event", P), -1);
	assert_int_equal(pmc_plan_add_set(plan, "branches,llc_misses", P), 0);
	assert_int_equal(pmc_plan_make(plan, config, fake_fits, NULL), -1);
	check_error("cannot count branches and the 1 others of its set together");
	pmc_plan_free(plan);
	plan = pmc_plan_new(hybrid);
	assert_int_equal(pmc_plan_add_metrics(plan, "ipc", P), 0);
	assert_int_equal(pmc_plan_make(plan, config, broken_fits, NULL), -1);
	assert_int_equal(errno, EACCES);
	room = 0;
	pmc_plan_free(plan);
	plan = pmc_plan_new(hybrid);
	assert_int_equal(pmc_plan_add_metrics(plan, "branch_mpki", P), 0);
	assert_int_equal(pmc_plan_make(plan, config, fake_fits, NULL), -1);
	check_error("no counter of core type 0 can count 'branch_misses'");
	assert_int_equal(pmc_config_nr_sets(config, P), 0);
	pmc_plan_free(plan);
	pmc_config_free(config);
}

static void is_made_already(int rc)
{
	assert_int_equal(rc, -1);
	assert_int_equal(errno, EBUSY);
	check_error("the plan is made already");
}

/* What is added after the sets were made would be in none of them. */
static void test_made(void **state)
{
	struct made made;

	room = 4;
	made = make(NULL, NULL, "ipc", P);
	is_made_already(pmc_plan_add_metrics(made.plan, "branch_mpki", P));
	is_made_already(pmc_plan_add_events(made.plan, "branches", P));
	is_made_already(pmc_plan_add_set(made.plan, "branches", P));
	is_made_already(pmc_plan_make(made.plan, made.config, fake_fits, NULL));
	assert_int_equal(pmc_plan_nr_metrics(made.plan), 1);
	check_sets(&made, P, "instr,cycles");
	done(&made);
}

/* A name has one formula on a core type: a second one is refused, wherever it would count. */
static void test_names_again(void **state)
{
	pmc_plan_t *plan = pmc_plan_new(hybrid);

	assert_int_equal(pmc_plan_add_metrics(plan, "x=instr/cycles,X[%.1f]=instr/cycles,ipc,ipc", P), 0);
	assert_int_equal(pmc_plan_nr_metrics(plan), 2);
	assert_int_equal(pmc_plan_add_metrics(plan, "x=cycles/instr", P), -1);
	assert_int_equal(errno, EEXIST);
	check_error("metric 'x' has another formula already: choose another name");
	/* Another core type may have its own. */
	assert_int_equal(pmc_plan_add_metrics(plan, "x=cycles/instr", E), 0);
	pmc_plan_free(plan);
	plan = pmc_plan_new(hybrid);
	assert_int_equal(pmc_plan_add_metrics(plan, "ipc,ipc=instr/(cycles+1)", P), -1);
	assert_int_equal(errno, EEXIST);
	pmc_plan_free(plan);
	plan = pmc_plan_new(hybrid);
	/* Only P-cores have the first one. */
	assert_int_equal(pmc_plan_add_metrics(plan, "x=UOPS_RETIRED.SLOTS,x=instr", PMC_EVERY_CORE_TYPE),
			 -1);
	assert_int_equal(errno, EEXIST);
	pmc_plan_free(plan);
}

static struct pmc_set_counts counts(int core_type, int set, uint64_t running, int nr, uint64_t a,
				    uint64_t b, uint64_t c)
{
	return (struct pmc_set_counts){ core_type, set, running, nr, { a, b, c }, 0 };
}

#define check_value(plan, n, ct, sets, nr, wanted, wanted_accuracy) do { \
	enum pmc_accuracy accuracy_; \
	double v_ = pmc_plan_value(plan, n, ct, sets, nr, 2000000000, &accuracy_), w_ = (wanted); \
	if (v_ != w_ && !(isnan(v_) && isnan(w_))) \
		fail_msg("%s:%d: %g, not %g", __FILE__, __LINE__, v_, w_); \
	assert_int_equal(accuracy_, wanted_accuracy); \
} while (0)

/* One set on each core type: ipc is 2 and 1, and of all instructions and cycles 1.5. */
static void test_exact(void **state)
{
	struct pmc_set_counts sets[2];
	struct made made;

	room = 4;
	made = make(NULL, NULL, "ipc", PMC_EVERY_CORE_TYPE);
	sets[0] = counts(P, 0, 100, 2, 2000, 1000, 0);
	sets[1] = counts(E, 0, 900, 2, 1000, 1000, 0);
	check_value(made.plan, 0, P, sets, 2, 2, PMC_EXACT);
	check_value(made.plan, 0, E, sets, 2, 1, PMC_EXACT);
	check_value(made.plan, 0, PMC_EVERY_CORE_TYPE, sets, 2, 1.5, PMC_EXACT);
	check_value(made.plan, 0, E, sets, 1, NAN, PMC_EXACT);
	check_value(made.plan, 9, P, sets, 2, NAN, PMC_NOT_COUNTED);
	done(&made);
}

/* Without event sets no count has a place. */
static void test_not_made(void **state)
{
	pmc_plan_t *plan = pmc_plan_new(hybrid);
	struct pmc_set_counts set = counts(P, 0, 100, 2, 2000, 1000, 0);

	assert_int_equal(pmc_plan_add_metrics(plan, "ipc", PMC_EVERY_CORE_TYPE), 0);
	check_value(plan, 0, P, &set, 1, NAN, PMC_NOT_COUNTED);
	check_value(plan, 0, PMC_EVERY_CORE_TYPE, &set, 1, NAN, PMC_NOT_COUNTED);
	pmc_plan_free(plan);
}

static void *value_of_ipc(void *plan)
{
	struct pmc_set_counts set = counts(P, 0, 100, 2, 2000, 1000, 0);
	double *value = malloc(sizeof(*value));

	*value = pmc_plan_value(plan, 0, P, &set, 1, 1000, NULL);
	return value;
}

/* A thread with a small stack: the sanitizers need most of it. */
static void test_small_stack(void **state)
{
	pthread_attr_t attr;
	struct made made;
	pthread_t thread;
	void *value;

	room = 4;
	made = make(NULL, NULL, "ipc", P);
	pthread_attr_init(&attr);
	assert_int_equal(pthread_attr_setstacksize(&attr, SMALL_STACK), 0);
	assert_int_equal(pthread_create(&thread, &attr, value_of_ipc, made.plan), 0);
	pthread_join(thread, &value);
	assert_true(*(double *)value == 2);
	free(value);
	pthread_attr_destroy(&attr);
	done(&made);
}

/*
 * Two sets by turns. A metric within one set is that of a part of the time; its counts are not
 * scaled.
 */
static void test_partial(void **state)
{
	struct pmc_set_counts sets[2];
	struct pmc_reading r = { .core_type = P, .set = 0, .running = 25, .nr_counts = 3,
				 .counts = { 30, 60, 7 } };
	struct made made;

	room = 2;
	made = make(NULL, NULL, "llc_miss_rate,branch_miss_rate", P);
	check_sets(&made, P, "llc_misses,llc_references branch_misses,branches");
	sets[0] = counts(P, 0, 25, 2, 30, 60, 0);
	sets[1] = counts(P, 1, 75, 2, 5, 100, 0);
	check_value(made.plan, 0, P, sets, 2, 50, PMC_PARTIAL);
	check_value(made.plan, 1, P, sets, 2, 5, PMC_PARTIAL);
	/* The set has not had its turn. */
	check_value(made.plan, 1, P, sets, 1, NAN, PMC_NOT_COUNTED);
	check_value(made.plan, 0, PMC_EVERY_CORE_TYPE, sets, 2, NAN, PMC_NOT_COUNTED);
	assert_true(pmc_plan_reading(made.plan, 0, &r) == 50);
	assert_true(isnan(pmc_plan_reading(made.plan, 1, &r)));
	r.set = 1;
	assert_true(isnan(pmc_plan_reading(made.plan, 0, &r)));
	assert_true(pmc_plan_reading(made.plan, 1, &r) == 50);
	done(&made);
}

/* A metric over two sets: 30 misses in a quarter of the time, 160 branches in the rest. */
static void test_estimated(void **state)
{
	struct pmc_set_counts sets[2];
	struct made made;

	room = 1;
	made = make(NULL, NULL, "branch_miss_rate", P);
	check_sets(&made, P, "branch_misses branches");
	sets[0] = counts(P, 0, 25, 1, 3, 0, 0);
	sets[1] = counts(P, 1, 75, 1, 60, 0, 0);
	/* 3 * 100 / 25 of 60 * 100 / 75 */
	check_value(made.plan, 0, P, sets, 2, 15, PMC_ESTIMATED);
	check_value(made.plan, 0, P, sets, 1, NAN, PMC_NOT_COUNTED);
	done(&made);
}

/* Sets that are counted at the same time: no count is scaled again, nor added to another one. */
static void test_at_once(void **state)
{
	struct pmc_set_counts sets[2];
	struct made made;

	room = 1;
	made = make(NULL, NULL, "branch_mpki,branch_miss_rate", P);
	check_sets(&made, P, "branch_misses,instr branches");
	sets[0] = counts(P, 0, 25, 2, 30, 1000, 0);
	sets[1] = counts(P, 1, 99, 1, 60, 0, 0);
	sets[0].available = 100;
	sets[1].available = 99;
	check_value(made.plan, 0, P, sets, 2, 30, PMC_ESTIMATED);
	check_value(made.plan, 1, P, sets, 2, 50, PMC_ESTIMATED);
	sets[0].available = sets[0].running = 98;
	check_value(made.plan, 0, P, sets, 2, 30, PMC_EXACT);
	check_value(made.plan, 1, P, sets, 2, 50, PMC_EXACT);
	sets[1].running = 0;
	check_value(made.plan, 1, P, sets, 2, NAN, PMC_NOT_COUNTED);
	done(&made);
}

/* The same with an event that both sets have, and a metric that no set has all events of. */
static void test_in_both_at_once(void **state)
{
	struct pmc_set_counts sets[2];
	struct made made;

	room = 1;
	made = make(NULL, NULL, "x=branch_misses/instr,y=branches/instr,z=(branches-branch_misses)/instr", P);
	check_sets(&made, P, "instr,branches branch_misses,instr");
	sets[0] = counts(P, 0, 50, 2, 1000, 500, 0);
	sets[1] = counts(P, 1, 50, 2, 250, 1000, 0);
	sets[0].available = sets[1].available = 100;
	check_value(made.plan, 2, P, sets, 2, 0.25, PMC_ESTIMATED);
	/* One after the other, both are parts of the whole: 1000 * 100 / 50 and 2000 * 100 / 100. */
	sets[0].available = sets[1].available = 0;
	check_value(made.plan, 2, P, sets, 2, 0.25, PMC_ESTIMATED);
	sets[1].counts[1] = 3000;
	check_value(made.plan, 2, P, sets, 2, 0.125, PMC_ESTIMATED);
	done(&made);
}

/* Counts of a part of the time are scaled before they are divided by the whole time. */
static void test_rate(void **state)
{
	struct pmc_set_counts sets[2];
	struct made made;

	room = 1;
	made = make(NULL, NULL, "x=branches/duration_time,llc_mpki", P);
	check_sets(&made, P, "llc_misses,instr branches");
	sets[0] = counts(P, 0, 75, 2, 1, 1, 0);
	sets[1] = counts(P, 1, 25, 1, 10, 0, 0);
	/* 10 * 100 / 25 in 2 s */
	check_value(made.plan, 0, P, sets, 2, 20, PMC_ESTIMATED);
	check_value(made.plan, 0, P, sets + 1, 1, 5, PMC_EXACT);
	sets[1].running = 0;
	check_value(made.plan, 0, P, sets, 2, NAN, PMC_NOT_COUNTED);
	done(&made);
}

/* Core types whose formulas differ have no common value. */
static void test_group(void **state)
{
	static const struct { int core_type; const char *sets; } wanted[] = {
		{ P, "UOPS_RETIRED.SLOTS,TOPDOWN.SLOTS_P,TOPDOWN.BAD_SPEC_SLOTS,TOPDOWN.BACKEND_BOUND_SLOTS" },
		{ E, "TOPDOWN_RETIRING.ALL,TOPDOWN_BAD_SPECULATION.ALL,TOPDOWN_FE_BOUND.ALL,TOPDOWN_BE_BOUND.ALL" },
	};
	struct pmc_set_counts sets[2];
	struct made made;
	double sum = 0;
	int i;

	room = 5;
	made = make(NULL, NULL, "tma", PMC_EVERY_CORE_TYPE);
	for (i = 0; i < 2; i++)
		check_sets(&made, wanted[i].core_type, wanted[i].sets);
	assert_int_equal(pmc_plan_nr_metrics(made.plan), 4);
	sets[0] = counts(P, 0, 100, 4, 200, 800, 50);
	sets[0].counts[3] = 450;
	sets[1] = counts(E, 0, 100, 4, 100, 0, 0);
	sets[1].counts[3] = 300;
	check_value(made.plan, 0, P, sets, 2, 25, PMC_EXACT);
	check_value(made.plan, 0, E, sets, 2, 25, PMC_EXACT);
	check_value(made.plan, 0, PMC_EVERY_CORE_TYPE, sets, 2, NAN, PMC_NOT_COUNTED);
	for (i = 0; i < 4; i++)
		sum += pmc_plan_value(made.plan, i, E, sets, 2, 1, NULL);
	assert_true(sum == 100);
	done(&made);
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
		cmocka_unit_test(test_one_set),
		cmocka_unit_test(test_same_event),
		cmocka_unit_test(test_several_sets),
		cmocka_unit_test(test_sharing),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_users_sets),
		cmocka_unit_test(test_raw_form),
		cmocka_unit_test(test_software),
		cmocka_unit_test(test_software_without_module),
		cmocka_unit_test(test_room_for_the_clock),
		cmocka_unit_test(test_events_of_one_core_type),
		cmocka_unit_test(test_at_once),
		cmocka_unit_test(test_in_both_at_once),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_names_again),
		cmocka_unit_test(test_made),
		cmocka_unit_test(test_not_made),
		cmocka_unit_test(test_small_stack),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_partial),
		cmocka_unit_test(test_estimated),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_group),
	};

	return cmocka_run_group_tests(tests, open_hybrid, close_hybrid);
}
