// SPDX-License-Identifier: GPL-2.0
/*
 * One EventSet with events of several core types: the counts of the core types add up to the
 * count of all, in each of a hundred measurements while the thread moves, and a thread that
 * stays on one core type counts nothing on the others. The same work, a hundred times a
 * million instructions, is the example of PAPI's paper on hybrid processors.
 */
#include <string.h>

#include "mover.h"
#include "papi_calls.h"

#define ROUNDS	100
#define WORK	1000000
/* Instructions of a start and a reading, the call of the loop included */
#define LIMIT	2000

/* "instr", and instructions of each core type by name */
static int open_all(const char *rest)
{
	char names[512];
	int id, n = snprintf(names, sizeof(names), "instr");

	for (id = 0; id < nr_core_types; id++)
		n += snprintf(names + n, sizeof(names) - n, ",%s::instr%s", core_types[id].name, rest);
	return new_set(names);
}

static long long sum(const long long *values)
{
	long long all = 0;
	int id;

	for (id = 0; id < nr_core_types; id++)
		all += values[1 + id];
	return all;
}

/* Return: how many of the measurements had counts of several core types. */
static int measure(int set, int round)
{
	long long values[8];
	int id, nr = 0;

	OK(PAPI_start(set));
	spin(WORK / 2);
	OK(PAPI_stop(set, values));
	same(sum(values), values[0], "round %d: sum of the core types", round);
	within(values[0], WORK, WORK + 5 * LIMIT, "round %d: instructions", round);
	for (id = 0; id < nr_core_types; id++)
		nr += values[1 + id] != 0;
	return nr > 1;
}

static void test_moving(void)
{
	int set = open_all(""), i, moved = 0;
	struct mover mover;

	mover_start(&mover);
	for (i = 0; i < ROUNDS; i++)
		moved += measure(set, i);
	mover_stop(&mover);
	printf("%d of %d measurements on several core types\n", moved, ROUNDS);
	CHECK(moved > ROUNDS / 10, "the thread has hardly moved");
	end_set(set);
}

/* A million instructions on one core type: the others have 0. */
static void test_pinned(void)
{
	int set = open_all(""), id, other;
	long long values[8];

	for (id = 0; id < nr_core_types; id++) {
		pin(0, core_types[id].first_cpu);
		OK(PAPI_start(set));
		spin(WORK / 2);
		OK(PAPI_stop(set, values));
		for (other = 0; other < nr_core_types; other++)
			if (other == id)
				within(values[1 + id], WORK, WORK + LIMIT, "on core type %d", id);
			else
				same(values[1 + other], 0, "on core type %d, counts of %d", id, other);
	}
	end_set(set);
}

/*
 * The instructions between start and stop that are not the work's: one number for all rounds
 * without a timer interrupt, and one for those with.
 */
static void test_constant(void)
{
	int set = open_all(""), id, i, others;
	long long values[8], first, second;

	for (id = 0; id < nr_core_types; id++) {
		pin(0, core_types[id].first_cpu);
		second = 0;
		for (i = others = 0; i < ROUNDS + 1; i++) {
			OK(PAPI_start(set));
			spin(WORK / 2);
			OK(PAPI_stop(set, values));
			/* The first round may call functions for the first time. */
			if (i < 2)
				first = values[0];
			else if (values[0] != first && !second)
				second = values[0];
			others += values[0] != first && values[0] != second;
			within(values[0], WORK, WORK + LIMIT, "core type %d, round %d", id, i);
		}
		printf("core type %d: %lld instructions beside the work, or %lld\n", id, first - WORK,
		       (second ?: first) - WORK);
		/* A context switch within a reading makes it begin again. */
		CHECK(others <= 1, "core type %d: %d of %d rounds have another constant", id, others,
		      ROUNDS);
	}
	end_set(set);
}

/* As PAPI has it without the project's library: one core type's event misses the rest. */
static void test_one_type(void)
{
	char name[64];
	long long value;
	int set, id;

	for (id = 0; id < nr_core_types; id++) {
		snprintf(name, sizeof(name), "%.40s::instr", core_types[id].name);
		set = new_set(name);
		pin(0, core_types[id].first_cpu);
		OK(PAPI_start(set));
		spin(WORK / 4);
		pin(0, core_types[(id + 1) % nr_core_types].first_cpu);
		spin(WORK / 4);
		OK(PAPI_stop(set, &value));
		within(value, WORK / 2, WORK / 2 + LIMIT, "half of the work on core type %d", id);
		end_set(set);
	}
}

/* Sets of different length: what is not on a core type is not counted there. */
static void test_lengths(void)
{
	char names[256];
	long long values[4];
	int set, id;

	snprintf(names, sizeof(names), "%s::instr,%s::cycles,%s::instr", core_types[0].name,
		 core_types[0].name, core_types[1].name);
	set = new_set(names);
	for (id = 0; id < 2; id++) {
		pin(0, core_types[id].first_cpu);
		OK(PAPI_start(set));
		spin(WORK / 2);
		OK(PAPI_stop(set, values));
		within(values[id ? 2 : 0], WORK, WORK + LIMIT, "core type %d, longer set", id);
		same(values[id ? 0 : 2], 0, "core type %d, the other's instructions", id);
		CHECK(!values[1] == !!id, "core type %d: %lld cycles of core type 0", id, values[1]);
	}
	end_set(set);
}

/* Nothing is lost between readings that accumulate. */
static void test_accum(void)
{
	int set = open_all(""), i;
	long long values[8] = { 0 };

	unpin(0);
	OK(PAPI_start(set));
	for (i = 0; i < 10; i++) {
		pin(0, core_types[i % nr_core_types].first_cpu);
		spin(WORK / 20);
		OK(PAPI_accum(set, values));
		same(sum(values), values[0], "accum %d: sum of the core types", i);
	}
	within(values[0], WORK, WORK + 20 * LIMIT, "accumulated");
	OK(PAPI_stop(set, NULL));
	end_set(set);
}

/* All events with the name instr of the list of events */
static int open_listed(void)
{
	int set = PAPI_NULL, code = PAPI_NATIVE_MASK, nr = 0;
	char name[PAPI_MAX_STR_LEN];
	const char *colons;

	OK(PAPI_create_eventset(&set));
	OK(PAPI_enum_event(&code, PAPI_ENUM_FIRST));
	do {
		OK(PAPI_event_code_to_name(code, name));
		colons = strstr(name, "::");
		if (!colons || strcmp(colons, "::instr"))
			continue;
		OK(PAPI_add_event(set, code));
		nr++;
	} while (PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK);
	CHECK(nr > 0 && nr <= nr_core_types, "%d events with the name instr in the list", nr);
	return set;
}

/*
 * On each core type one of these events counts: that of its PMU, whose name other core types may
 * have, too. The terms of a preset are of one core type each.
 */
static void test_listed(void)
{
	static PAPI_event_info_t info;
	int set = open_listed(), id, i, counting;
	long long values[8];

	for (id = 0; id < nr_core_types; id++) {
		pin(0, core_types[id].first_cpu);
		OK(PAPI_start(set));
		spin(WORK / 2);
		OK(PAPI_stop(set, values));
		for (i = counting = 0; i < PAPI_num_events(set); i++)
			counting += values[i] >= WORK;
		same(counting, 1, "events that count on core type %d", id);
	}
	end_set(set);
	OK(PAPI_get_event_info(PAPI_TOT_INS, &info));
	same(info.count, nr_core_types, "terms of PAPI_TOT_INS");
	for (id = 1; id < nr_core_types; id++)
		CHECK(strcmp(info.name[0], info.name[id]), "two terms have the name %s", info.name[0]);
}

/* Debian 12's libpfm4 does not know Alder Lake. */
static void test_names_of_libpfm4(void)
{
	if (strcmp(core_types[0].pmu, "cpu_core"))
		return;
	OK(PAPI_query_named_event("adl_glc::INST_RETIRED:ANY"));
	OK(PAPI_query_named_event("adl_grt::INST_RETIRED:ANY"));
}

/* The top-down method's slots are events of P cores. */
static void test_events_of_one_type(void)
{
	if (strcmp(core_types[0].pmu, "cpu_core"))
		return;
	OK(PAPI_query_named_event("P::TOPDOWN.BACKEND_BOUND_SLOTS"));
	RETURNS(PAPI_ENOEVNT, PAPI_query_named_event("E::TOPDOWN.BACKEND_BOUND_SLOTS"));
	RETURNS(PAPI_ENOEVNT, PAPI_query_named_event("E::TOPDOWN.SLOTS"));
}

int main(void)
{
	need_core_types();
	begin_papi();
	test_names_of_libpfm4();
	test_events_of_one_type();
	test_pinned();
	test_constant();
	test_one_type();
	test_lengths();
	test_accum();
	unpin(0);
	test_moving();
	test_listed();
	PAPI_shutdown();
	return result();
}
