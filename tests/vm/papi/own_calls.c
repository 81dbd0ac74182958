// SPDX-License-Identifier: GPL-2.0
/*
 * The calls of pmcpapi.h: the choice of events that fit, against what the kernel accepts; errors
 * of multiplexed values and of estimates by samples, against exact counts; core types.
 */
#include <math.h>
#include <pmcpapi.h>
#include <stdlib.h>
#include <unistd.h>

#include "papi_calls.h"

#define N	20000000L

static const char *const names[] = {
	"instr", "cycles", "branches", "branch_misses", "loads", "stores", "llc_misses",
	"llc_references", "l1d_misses", "dtlb_misses", "itlb_misses", "l1i_misses",
	"stall_backend", "stall_frontend",
};
#define NR	((int)(sizeof(names) / sizeof(names[0])))

/* Codes of those that the machine has */
static int find_codes(int *codes)
{
	int i, nr = 0;

	for (i = 0; i < NR; i++)
		nr += PAPI_event_name_to_code(names[i], &codes[nr]) == PAPI_OK;
	return nr;
}

/* Add the chosen events, and then every other one: none of these may fit. */
static int check_choice(const int *codes, const int *chosen, int nr)
{
	int set = PAPI_NULL, i, rc, added = 0;

	OK(PAPI_create_eventset(&set));
	for (i = 0; i < nr; i++)
		if (chosen[i]) {
			OK(PAPI_add_event(set, codes[i]));
			added++;
		}
	for (i = 0; i < nr; i++) {
		rc = chosen[i] ? PAPI_ECNFLCT : PAPI_add_event(set, codes[i]);
		CHECK(rc == PAPI_ECNFLCT, "an event that was not chosen: %d", rc);
	}
	end_set(set);
	return added;
}

/* How many of them fit */
static int most;

static void test_choice(void)
{
	int codes[NR], chosen[NR], weights[NR], nr = find_codes(codes), i, rc, optimal;

	most = pmcpapi_choose_events(PMCPAPI_EVERY_CORE_TYPE, codes, NULL, nr, chosen, &optimal);
	same(check_choice(codes, chosen, nr), most, "events that were chosen");
	same(optimal, 1, "the choice is known to be the best");
	printf("%d of %d events fit\n", most, nr);
	/* The last event matters more than all others. */
	for (i = 0; i < nr; i++)
		weights[i] = i < nr - 1 ? 1 : 100;
	rc = pmcpapi_choose_events(PMCPAPI_EVERY_CORE_TYPE, codes, weights, nr, chosen, NULL);
	CHECK(rc > 0 && chosen[nr - 1], "the event that matters most is not chosen");
	check_choice(codes, chosen, nr);
	chosen[0] = 0;
	codes[0] = PAPI_NATIVE_MASK | 0xfffff;
	RETURNS(PAPI_ENOEVNT, pmcpapi_choose_events(PMCPAPI_EVERY_CORE_TYPE, codes, NULL, nr, chosen, NULL));
}

static int multiplexed_set(void)
{
	int set = new_set("instr"), i;

	OK(PAPI_set_multiplex(set));
	for (i = 1; i < NR; i++)
		PAPI_add_named_event(set, names[i]);
	return set;
}

/*
 * A short run has no known error, unless the event was counted all the time; then the value is
 * exact. The error of long runs is about right.
 */
static void test_multiplex_error(void)
{
	int set = multiplexed_set(), nr = PAPI_num_events(set), i;
	double errors[NR], error;
	long long values[NR];

	same(pmcpapi_is_estimate(set), 1, "a multiplexed set is an estimate");
	OK(PAPI_start(set));
	spin(1000);
	OK(PAPI_stop(set, values));
	OK(pmcpapi_multiplex_error(set, errors));
	if (nr == most || !isnan(errors[0])) {
		CHECK(errors[0] == 0, "a run of a moment has the error %g", errors[0]);
		/* With those of the calls that start and stop. */
		within(values[0], 2000, 6000, "a run of a moment without an error");
	}
	OK(PAPI_start(set));
	spin(50 * N);
	OK(PAPI_stop(set, values));
	OK(pmcpapi_multiplex_error(set, errors));
	error = values[0] / (double)(100 * N) - 1;
	printf("%d events: %lld of %ld instructions, %.3f %% off, standard error %.3f %%\n", nr,
	       values[0], 100 * N, 100 * error, 100 * errors[0]);
	/* Parts of a run are estimated from their own turns. */
	OK(PAPI_start(set));
	for (i = 0; i < 5; i++) {
		spin(10 * N);
		memset(values, 0, sizeof(values));
		OK(PAPI_accum(set, values));
		within(values[0], 20 * N * 9 / 10, 20 * N * 11 / 10, "part %d of a multiplexed run", i);
	}
	OK(PAPI_stop(set, values));
	CHECK(errors[0] >= 0 && errors[0] < 0.2, "standard error %g", errors[0]);
	CHECK(fabs(error) < 5 * errors[0] + 0.01, "%g off, with the standard error %g", error, errors[0]);
	end_set(set);
	set = new_set("instr");
	OK(PAPI_start(set));
	OK(PAPI_stop(set, NULL));
	same(pmcpapi_is_estimate(set), 0, "a plain set is an estimate");
	OK(pmcpapi_multiplex_error(set, errors));
	CHECK(errors[0] == 0, "exact counts have the error %g", errors[0]);
	end_set(set);
}

/* The error is part of a period: it falls with the length of the run. */
static void test_samples(void)
{
	const long long period = 1000000;
	double errors[1], before = 1;
	int set = new_set("instr");
	long long value;
	long n;

	OK(pmcpapi_estimate_by_samples(set, 1, period));
	same(pmcpapi_is_estimate(set), 1, "a set by samples is an estimate");
	for (n = 5 * period; n <= 500 * period; n *= 10) {
		OK(PAPI_start(set));
		spin(n / 2);
		OK(PAPI_stop(set, &value));
		OK(pmcpapi_multiplex_error(set, errors));
		within(value, n - period, n + period, "by samples");
		CHECK(errors[0] > 0 && errors[0] < before, "standard error %g, before %g", errors[0], before);
		printf("by samples: %lld of %ld, standard error %.2f %%\n", value, n, 100 * errors[0]);
		before = errors[0];
	}
	OK(pmcpapi_estimate_by_samples(set, 0, 0));
	OK(PAPI_start(set));
	spin(N);
	OK(PAPI_stop(set, &value));
	within(value, 2 * N, 2 * N + 3000, "exact again");
	end_set(set);
}

static void test_core_types(void)
{
	struct pmcpapi_core_type type;
	int n, cpus = 0;

	for (n = 0; pmcpapi_core_type(n, &type) == PAPI_OK; n++) {
		printf("%d: %s, %s, CPUs %s, PMU %s, %d + %d counters, capacity %d, by %s\n", type.id,
		       type.name, type.model, type.cpus, type.pmu, type.nr_fixed, type.nr_general,
		       type.capacity, type.source);
		cpus += type.nr_cpus;
		CHECK(type.nr_general > 0, "core type %d has no counters", n);
	}
	same(n, nr_core_types, "core types");
	same(cpus, sysconf(_SC_NPROCESSORS_ONLN), "CPUs of all core types");
}

static void test_memory(void)
{
	static char object[1 << 20];
	struct pmcpapi_machine_memory machine;
	struct pmcpapi_high_water most;
	long long kib[8] = { 0 }, absent;

	OK(pmcpapi_memory_of_machine(&machine));
	CHECK(machine.total > machine.available && machine.available > 0, "memory of the machine");
	OK(pmcpapi_memory_high_water(&most));
	CHECK(most.resident > 0, "resident memory");
	CHECK(pmcpapi_memory_location(object, sizeof(object), kib, 8, &absent) >= 0, "location");
	within(absent, 1000, 1030, "KiB that were not touched");
	memset(object, 1, sizeof(object));
	CHECK(pmcpapi_memory_location(object, sizeof(object), kib, 8, &absent) >= 0, "location");
	same(absent, 0, "KiB that are absent");
	within(kib[0], 1024, 1030, "KiB on node 0");
}

int main(void)
{
	need_counters();
	begin_papi();
	test_choice();
	test_multiplex_error();
	test_samples();
	test_core_types();
	test_memory();
	PAPI_shutdown();
	return result();
}
