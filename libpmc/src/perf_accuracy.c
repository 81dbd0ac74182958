// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Grade counts by the kernel's times of their groups. A group is enabled while its thread
 * runs on any CPU, and running while it counts (kernel/events/core.c: the clock of a
 * context runs whenever the thread does, and pmu->filter keeps groups of another core type
 * off the CPU). So running time is less than enabled time for two reasons: the thread ran
 * on another core type, which loses nothing, or the kernel had no counter for the group.
 *
 * The time on a core type is at least what any of its groups was running, and at most the
 * enabled time less what groups of other core types were running. A count is exact if its
 * group was running for the most that is possible.
 */
#include "perf_accuracy.h"

/* The longest time that a group of a core type was running */
static __u64 longest(const struct perf_set *sets, const struct perf_values *values, int nr,
		     int core_type)
{
	__u64 most = 0;
	int i;

	for (i = 0; i < nr; i++)
		if (sets[i].core_type == core_type && values[i].running > most)
			most = values[i].running;
	return most;
}

/* The time that the threads ran on other core types, as far as it is known */
static __u64 elsewhere(const struct perf_set *sets, const struct perf_values *values, int nr,
		       int core_type)
{
	__u64 sum = 0;
	int i, j, seen;

	for (i = 0; i < nr; i++) {
		seen = sets[i].core_type == core_type;
		for (j = 0; j < i; j++)
			seen |= sets[j].core_type == sets[i].core_type;
		if (!seen)
			sum += longest(sets, values, nr, sets[i].core_type);
	}
	return sum;
}

static int has_others(const struct perf_set *sets, int nr, int i)
{
	int other;

	for (other = 0; other < nr; other++)
		if (sets[other].core_type != sets[i].core_type)
			return 1;
	return 0;
}

/* Do the sets of the core type take turns on its counters? */
static int take_turns(const struct perf_set *sets, const struct perf_values *values, int nr, int i)
{
	int other;

	for (other = 0; other < nr; other++)
		if (sets[other].core_type == sets[i].core_type &&
		    values[other].running != values[i].running)
			return 1;
	return 0;
}

void perf_accuracy(const struct perf_set *sets, const struct perf_values *values, int nr, int i,
		   int by_cpu, __u64 slack, struct accuracy *result)
{
	__u64 running = values[i].running, most, least, away;

	least = longest(sets, values, nr, sets[i].core_type);
	away = elsewhere(sets, values, nr, sets[i].core_type);
	most = values[i].enabled > away ? values[i].enabled - away : 0;
	if (by_cpu || !has_others(sets, nr, i)) {
		/* See add_clocks() of perf_session.c. */
		if (by_cpu || values[i].enabled > least)
			least = values[i].enabled;
		most = least;
		slack = 0;
	} else if (most < least) {
		most = least;
	} else if (!away && take_turns(sets, values, nr, i)) {
		/* Some set of another core type would have run there. */
		least = most;
	}
	result->available = running > least ? running : least;
	if (running + slack >= most)
		result->is = PMC_EXACT;
	else if (!running && (least > slack || !away))
		result->is = PMC_NOT_COUNTED;
	else if (running + slack < least)
		result->is = PMC_ESTIMATED;
	else
		result->is = PMC_PARTIAL;
	if (result->is == PMC_PARTIAL)
		result->available = most;
}

/*
 * Groups are read one after the other while a thread runs, so the later ones have more time. Less
 * the shortest one's enabled time than all have counted: nothing was missed.
 */
__u64 perf_missed(const struct perf_set *sets, const struct perf_values *values, int nr)
{
	__u64 enabled = 0, running = 0;
	int i, other;

	for (i = 0; i < nr; i++) {
		for (other = 0; other < i; other++)
			if (sets[other].core_type == sets[i].core_type)
				return 0;
		running += values[i].running;
		/* A CPU has groups of its own core type alone. */
		if (values[i].enabled && (!enabled || values[i].enabled < enabled))
			enabled = values[i].enabled;
	}
	return enabled > running ? enabled - running : 0;
}

__u64 perf_scale(__u64 count, __u64 running, __u64 available)
{
	if (!running || running >= available)
		return count;
	return (long double)count * available / running + 0.5L;
}
