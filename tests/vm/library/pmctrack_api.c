// SPDX-License-Identifier: GPL-2.0
/* PMCTrack's calls, as PMCTrack's programs use them. */
#include <pmctrack.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "vm.h"

#define N 1000000

/* Instructions in PMCTrack's raw form */
static char raw_instructions[20];

/* The counter of the first set's instructions; it may differ between descriptors. */
static int instr_counter(pmctrack_desc_t *desc)
{
	counter_mapping_t mapping[MAX_PERFORMANCE_COUNTERS];
	unsigned int nr_sets, mask;
	const char *name;
	int i;

	CHECK(!pmctrack_get_event_mapping(desc, mapping, &nr_sets, &mask), "mapping");
	for (i = 0; i < MAX_PERFORMANCE_COUNTERS; i++) {
		name = mapping[i].events[0];
		if (name && (!strcmp(name, "instr") || !strcmp(name, raw_instructions)))
			return i;
	}
	CHECK(0, "no counter has the instructions");
	return 0;
}

/* Instructions of all samples. */
static uint64_t instructions(pmctrack_desc_t *desc, int *nr_samples)
{
	pmc_sample_t *samples = pmctrack_get_samples(desc, nr_samples);
	unsigned int bit = 1U << instr_counter(desc);
	uint64_t sum = 0;
	int i;

	for (i = 0; i < *nr_samples; i++) {
		CHECK(samples[i].nr_counts == 2 && samples[i].pmc_mask & bit,
		      "sample %d: %u counts, mask %x", i, samples[i].nr_counts, samples[i].pmc_mask);
		sum += samples[i].pmc_counts[__builtin_popcount(samples[i].pmc_mask & (bit - 1))];
	}
	return sum;
}

static void *run(void *arg)
{
	pmctrack_desc_t *desc = arg;
	uint64_t sum;
	int i, n;

	for (i = 0; i < 5; i++) {
		CHECK(!pmctrack_start_counters(desc), "start");
		spin(N);
		CHECK(!pmctrack_stop_counters(desc), "stop");
		sum = instructions(desc, &n);
		CHECK(n >= 1 && sum >= 2 * N, "%d samples, %lu instructions", n, sum);
	}
	return NULL;
}

static void test_raw(void)
{
	const char *sets[] = { expanded("@F,pmc@1=@I"), NULL };
	pmctrack_desc_t *desc = pmctrack_init(100);

	if (!desc)
		exit(1);
	CHECK(pmctrack_start_counters(desc), "counts without a configuration");
	CHECK(!pmctrack_config_counters(desc, sets, NULL, 0), "raw configuration");
	run(desc);
	pmctrack_print_counts(desc, stdout, 0);
	CHECK(!pmctrack_destroy(desc), "destroy");
}

/* The counter of an event of a set, -1: none; each event has one counter. */
static int counter_of(const counter_mapping_t *mapping, int set, const char *event)
{
	int i, found = -1;

	for (i = 0; i < MAX_PERFORMANCE_COUNTERS; i++) {
		if (!(mapping[i].experiment_mask & 1 << set) ||
		    strcmp(mapping[i].events[set], event))
			continue;
		CHECK(found < 0, "set %d: %s is on two counters", set, event);
		CHECK(mapping[i].nr_counter == i, "counter %d has another number", i);
		found = i;
	}
	return found;
}

static void test_mnemonic(void)
{
	static const char *sets[] = { "instr,cycles", NULL, NULL };
	counter_mapping_t mapping[MAX_PERFORMANCE_COUNTERS];
	int i, n, seen = 0, first = general_slot(-1, 1), second = general_slot(-1, 2);
	pmctrack_desc_t *desc = pmctrack_init(0);
	unsigned int nr_sets, mask, used = 0;
	char user[30], all[30], both[60];
	pmc_sample_t *samples;

	if (!desc)
		exit(1);
	snprintf(user, sizeof(user), "instr:u:pmc=%d", second);
	snprintf(all, sizeof(all), "instr:pmc=%d", first);
	snprintf(both, sizeof(both), "%s,%s", user, all);
	sets[1] = both;
	CHECK(!pmctrack_config_counters_mnemonic(desc, sets, NULL, 5, 0), "configuration");
	CHECK(!pmctrack_get_event_mapping(desc, mapping, &nr_sets, &mask), "mapping");
	same(nr_sets, 2, "sets");
	same(counter_of(mapping, 1, user), second, "counter of %s", user);
	same(counter_of(mapping, 1, all), first, "counter of %s", all);
	used = 1U << first | 1U << second;
	for (i = 0; i < 2; i++) {
		int counter = counter_of(mapping, 0, i ? "cycles" : "instr");

		CHECK(counter >= 0, "%s is on no counter", i ? "cycles" : "instr");
		used |= 1U << counter;
	}
	same(mask, used, "counters in use");
	CHECK(!pmctrack_start_counters(desc), "start");
	spin(20L * N);
	CHECK(!pmctrack_stop_counters(desc), "stop");
	samples = pmctrack_get_samples(desc, &n);
	CHECK(n > 5, "only %d samples in 40 ms", n);
	for (i = 0; i < n; i++)
		seen |= 1 << samples[i].exp_idx;
	CHECK(seen == 3, "the sets were not multiplexed");
	pmctrack_print_counts(desc, stdout, 1);
	pmctrack_destroy(desc);
}

static void test_clones(void)
{
	static const char *sets[] = { "instr,cycles", NULL };
	pmctrack_desc_t *desc = pmctrack_init(10), *clones[3];
	pthread_t threads[3];
	int i, n;

	if (!desc || pmctrack_config_counters_mnemonic(desc, sets, NULL, 0, 0))
		exit(1);
	for (i = 0; i < 3; i++) {
		clones[i] = pmctrack_clone_descriptor(desc);
		CHECK(clones[i] && !pthread_create(&threads[i], NULL, run, clones[i]), "clone");
	}
	run(desc);
	for (i = 0; i < 3; i++) {
		pthread_join(threads[i], NULL);
		CHECK(pmctrack_get_samples(clones[i], &n) && n, "a clone has no samples");
	}
	/* Clones work after the original is destroyed. */
	pmctrack_destroy(desc);
	run(clones[0]);
	for (i = 0; i < 3; i++)
		pmctrack_destroy(clones[i]);
}

#define NESTED	20

/* Descriptors with the same events, each started inside another: one session counts. */
static void test_nested(void)
{
	static const char *sets[] = { "instr,cycles", NULL };
	pmctrack_desc_t *desc[NESTED];
	uint64_t sum, outer = 0;
	int i, n;

	for (i = 0; i < NESTED; i++) {
		desc[i] = pmctrack_init(10);
		if (!desc[i] || pmctrack_config_counters_mnemonic(desc[i], sets, NULL, 0, 0))
			exit(1);
	}
	for (i = 0; i < NESTED; i++) {
		CHECK(!pmctrack_start_counters(desc[i]), "start");
		spin(N);
	}
	same(proc_value("stats", "threads"), 1, "threads counted by %d descriptors", NESTED);
	for (i = NESTED - 1; i >= 0; i--)
		CHECK(!pmctrack_stop_counters(desc[i]), "stop");
	for (i = NESTED - 1; i >= 0; i--) {
		sum = instructions(desc[i], &n);
		within(sum - outer, 2 * N, 3 * N, "descriptor %d, more than the next inner one", i);
		outer = sum;
	}
	for (i = 0; i < NESTED; i++)
		pmctrack_destroy(desc[i]);
	same(proc_value("stats", "threads"), 0, "threads counted at the end");
}

static pthread_t last_thread;

static void *run_alone(void *arg)
{
	CHECK(!last_thread || pthread_equal(last_thread, pthread_self()),
	      "no thread with the name of one that has ended");
	last_thread = pthread_self();
	return run(arg);
}

/* A descriptor passed from thread to thread; a new thread may get the name of an ended one. */
static void test_handed_over(void)
{
	static const char *sets[] = { "instr,cycles", NULL };
	pmctrack_desc_t *desc = pmctrack_init(10);
	pthread_t thread;
	int i;

	if (!desc || pmctrack_config_counters_mnemonic(desc, sets, NULL, 0, 0))
		exit(1);
	for (i = 0; i < 3; i++) {
		CHECK(!pthread_create(&thread, NULL, run_alone, desc), "no thread");
		pthread_join(thread, NULL);
	}
	run(desc);
	pmctrack_destroy(desc);
}

static void *stop_others(void *desc)
{
	CHECK(pmctrack_stop_counters(desc), "stops what another thread has started");
	CHECK(*pmc_last_error(), "refused without a word");
	return NULL;
}

/* A run is stopped once, by the thread that started it: with a snapshot, then without. */
static void test_stops(void)
{
	static const char *sets[] = { "instr,cycles", NULL };
	pmctrack_desc_t *desc = pmctrack_init(100);
	pthread_t thread;
	int i, n;

	if (!desc)
		exit(1);
	for (i = 0; i < 2; i++) {
		CHECK(!pmctrack_config_counters_mnemonic(desc, sets, NULL, 50 * i, 0), "configuration");
		CHECK(pmctrack_stop_counters(desc), "a stop before any start");
		mentions(pmc_last_error(), "nothing to stop", "a stop before any start");
		CHECK(!pmctrack_start_counters(desc), "start");
		CHECK(!pthread_create(&thread, NULL, stop_others, desc), "no thread");
		pthread_join(thread, NULL);
		CHECK(pmctrack_stop_counters_syswide(desc), "stops CPUs that are not counted");
		spin(N);
		CHECK(!pmctrack_stop_counters(desc), "stop");
		CHECK(instructions(desc, &n) >= 2 * N, "a run with stops that were refused");
		CHECK(pmctrack_stop_counters(desc), "a second stop");
		CHECK(instructions(desc, &n) >= 2 * N, "the samples are gone");
		CHECK(!pmctrack_start_counters_syswide(desc), "start");
		CHECK(pmctrack_stop_counters(desc), "stops a thread that is not counted");
		CHECK(!pmctrack_stop_counters_syswide(desc), "stop");
		CHECK(pmctrack_stop_counters_syswide(desc), "a second stop");
	}
	pmctrack_destroy(desc);
}

/* A run in which nothing happened, on two core types if there are two, has one sample. */
static void test_nothing(void)
{
	static const char *sets[] = { "major_faults", NULL };
	pmctrack_desc_t *desc = pmctrack_init(10);
	pmc_sample_t *samples;
	int n;

	if (!desc)
		exit(1);
	CHECK(!pmctrack_config_counters_mnemonic(desc, sets, NULL, 0, 0), "configuration");
	pin(0, 0);
	CHECK(!pmctrack_start_counters(desc), "start");
	pin(0, sysconf(_SC_NPROCESSORS_ONLN) - 1);
	CHECK(!pmctrack_stop_counters(desc), "stop");
	samples = pmctrack_get_samples(desc, &n);
	CHECK(samples && n == 1 && !samples->pmc_counts[0], "%d samples", n);
	unpin(0);
	pmctrack_destroy(desc);
}

static void test_syswide(void)
{
	static const char *sets[] = { "instr,cycles", NULL };
	static const char *other[] = { "cycles:k,instr:k", NULL };
	pmctrack_desc_t *desc = pmctrack_init(1000);
	int n;

	if (!desc || pmctrack_config_counters_mnemonic(desc, sets, NULL, 10, 0))
		exit(1);
	run(desc);
	CHECK(!pmctrack_start_counters_syswide(desc), "start");
	spin(20L * N);
	CHECK(!pmctrack_stop_counters_syswide(desc), "stop");
	CHECK(instructions(desc, &n) >= 40L * N && n >= 4, "%d samples", n);
	/* And back, with other events */
	CHECK(!pmctrack_config_counters_mnemonic(desc, other, NULL, 0, 0), "configuration");
	CHECK(!pmctrack_start_counters(desc) && !pmctrack_stop_counters(desc), "other events");
	CHECK(pmctrack_get_samples(desc, &n) && n == 1, "%d samples", n);
	pmctrack_destroy(desc);
}

static void test_refused(void)
{
	static const char *bad[] = { "instr", "nonsense", NULL };
	static const char *good[] = { "instr,cycles", NULL };
	pmctrack_desc_t *desc = pmctrack_init(10);

	if (!desc)
		exit(1);
	CHECK(!pmctrack_config_counters_mnemonic(desc, good, NULL, 0, 0), "configuration");
	CHECK(pmctrack_config_counters_mnemonic(desc, bad, NULL, 0, 0), "an unknown event");
	CHECK(pmctrack_config_counters(desc, good, NULL, 0), "names as raw form");
	CHECK(pmctrack_config_counters(desc, NULL, NULL, 0), "nothing to count");
	CHECK(pmctrack_config_counters_mnemonic(desc, good, "energy_pkg", 0, 0), "virtual counters");
	CHECK(pmctrack_config_counters_mnemonic(desc, good, NULL, 0, 9), "an unknown core type");
	/* The earlier configuration is kept. */
	run(desc);
	pmctrack_destroy(desc);
}

/* The kernel module accepts the first set and refuses the second. Neither is left. */
static void test_refused_halfway(void)
{
	static const char *bad[] = { "cycles", "instr:ebs=10", NULL };
	static const char *good[] = { "instr,cycles", NULL };
	pmctrack_desc_t *desc = pmctrack_init(10);

	if (!desc)
		exit(1);
	CHECK(pmctrack_config_counters_mnemonic(desc, bad, NULL, 0, 0), "a period of 10");
	mentions(pmc_last_error(), "ebs_min_period", "a period of 10");
	CHECK(pmctrack_start_counters(desc), "counts what was refused");
	CHECK(!pmctrack_config_counters_mnemonic(desc, good, NULL, 0, 0), "configuration");
	run(desc);
	/* The earlier configuration is kept, again and again. */
	CHECK(pmctrack_config_counters_mnemonic(desc, bad, NULL, 0, 0), "a period of 10");
	mentions(pmc_last_error(), "ebs_min_period", "a period of 10");
	run(desc);
	CHECK(pmctrack_config_counters_mnemonic(desc, bad, NULL, 0, 0), "a period of 10");
	run(desc);
	pmctrack_destroy(desc);
}

/* The table says so if samples were lost. */
static bool reports_losses(pmctrack_desc_t *desc)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool reported;

	if (!f)
		die("no memory");
	pmctrack_print_counts(desc, f, 0);
	fclose(f);
	reported = strstr(text, "samples were lost");
	free(text);
	return reported;
}

/* Losses are those of the last run only. */
static void test_losses(void)
{
	static const char *sets[] = { "instr,cycles", NULL };
	pmctrack_desc_t *desc = pmctrack_init(4);

	if (!desc || pmctrack_config_counters_mnemonic(desc, sets, NULL, 1, 0))
		exit(1);
	CHECK(!pmctrack_start_counters(desc), "start");
	spin(20L * N);
	CHECK(!pmctrack_stop_counters(desc), "stop");
	CHECK(reports_losses(desc), "40 ms of samples, and none was lost");
	CHECK(!pmctrack_start_counters(desc), "start");
	CHECK(!pmctrack_stop_counters(desc), "stop");
	CHECK(!reports_losses(desc), "losses of an earlier run");
	pmctrack_destroy(desc);
}

/* A new configuration ends a run; the stop that belonged to it is refused. */
static void test_configured_while_counting(void)
{
	static const char *sets[] = { "instr,cycles", NULL };
	pmctrack_desc_t *desc = pmctrack_init(10);

	if (!desc || pmctrack_config_counters_mnemonic(desc, sets, NULL, 0, 0))
		exit(1);
	CHECK(!pmctrack_start_counters(desc), "start");
	CHECK(!pmctrack_config_counters_mnemonic(desc, sets, NULL, 0, 0), "configuration");
	CHECK(pmctrack_stop_counters(desc), "a stop without a start");
	run(desc);
	pmctrack_destroy(desc);
}

int main(void)
{
	need_counters();
	snprintf(raw_instructions, sizeof(raw_instructions), "pmc%d=0x%x", general_slot(-1, 1),
		 event_codes()->instructions);
	test_raw();
	test_mnemonic();
	test_clones();
	test_nested();
	test_handed_over();
	test_stops();
	test_nothing();
	test_syswide();
	test_refused();
	test_refused_halfway();
	test_losses();
	test_configured_while_counting();
	return result();
}
