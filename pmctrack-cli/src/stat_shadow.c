// SPDX-License-Identifier: GPL-2.0
/* The metric beside each count of pmctrack stat: those that perf stat prints there. */
#include <stddef.h>

#include "event_spelling.h"
#include "stat.h"

/* A metric: count of an event by that of another one, times @scale */
struct rule {
	const char *event;	/* spellings, separated by | */
	const char *by;
	double scale;
	const char *unit;
};

#define BRANCHES "branches|branch_instructions"
#define CLOCK "task_clock"

static const struct rule rules[] = {
	{ EVENT_INSTR, EVENT_CYCLES, 1, "insn per cycle" },
	{ EVENT_CYCLES, CLOCK, 1, "GHz" },
	{ "branch_misses|branch_mispredicts", BRANCHES, 100, "of all branches" },
	{ "cache_misses|llc_misses", "cache_references|llc_references|llc_refs", 100,
	  "of all cache refs" },
	{ "l1d_misses", "l1d_references", 100, "of all L1-dcache accesses" },
	{ "l2_misses", "l2_references", 100, "of all L2 accesses" },
	{ "stall_frontend", EVENT_CYCLES, 100, "frontend cycles idle" },
	{ "stall_backend", EVENT_CYCLES, 100, "backend cycles idle" },
};

int stat_is_time(const char *event)
{
	return event_is(event, CLOCK);
}

/* A core type with a smaller share of the time than this hardly changes a ratio of the sum. */
#define SMALL_SHARE 0.01

/* Was event @name counted during a part of the time that changes ratios? */
static int was_counted(const struct stat_counts *c, int name, int id)
{
	const struct stat_count *count = stat_count(c, name, id);
	const struct stat_count *all = stat_count(c, name, PMC_EVERY_CORE_TYPE);

	return count->counted && count->running.mean > SMALL_SHARE * all->running.mean;
}

/* Was the one counted wherever the other was? Counts of different core types have no ratio. */
static int same_core_types(const struct stat_counts *c, int one, int other)
{
	int id;

	for (id = 0; id < c->nr_core_types; id++)
		if (stat_count(c, one, id)->counted != stat_count(c, other, id)->counted &&
		    (was_counted(c, one, id) || was_counted(c, other, id)))
			return 0;
	return 1;
}

/* The count by which that of event @name is divided, or NULL */
static const struct stat_count *find(const struct stat_counts *c, const char *spellings, int name,
				     int id)
{
	int i;

	for (i = 0; i < c->nr_names; i++)
		if (event_is(c->names[i], spellings) &&
		    (stat_is_time(c->names[i]) || event_same_modifiers(c->names[i], c->names[name])) &&
		    (id != PMC_EVERY_CORE_TYPE || same_core_types(c, name, i)))
			return stat_count(c, i, id);
	return NULL;
}

/* Events in a second: G/sec, M/sec, K/sec or /sec */
static struct stat_metric rate(double per_ns)
{
	if (per_ns >= 1)
		return (struct stat_metric){ per_ns, "G/sec" };
	if (per_ns >= 1e-3)
		return (struct stat_metric){ per_ns * 1e3, "M/sec" };
	if (per_ns >= 1e-6)
		return (struct stat_metric){ per_ns * 1e6, "K/sec" };
	return (struct stat_metric){ per_ns * 1e9, "/sec" };
}

struct stat_metric stat_metric(const struct stat_counts *c, int name, int id)
{
	const struct stat_count *count = stat_count(c, name, id), *by;
	const struct stat_metric none = { 0, NULL };
	const char *event = c->names[name];
	size_t i;

	if (!count->counted)
		return none;
	if (stat_is_time(event))
		return id == PMC_EVERY_CORE_TYPE && c->elapsed.mean > 0 ?
		       (struct stat_metric){ count->value.mean / 1e9 / c->elapsed.mean, "CPUs utilized" } :
		       none;
	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (!event_is(event, rules[i].event))
			continue;
		by = find(c, rules[i].by, name, id);
		if (by && by->value.mean > 0)
			return (struct stat_metric){ rules[i].scale * count->value.mean / by->value.mean,
						     rules[i].unit };
	}
	by = find(c, CLOCK, name, id);
	return by && by->value.mean > 0 ? rate(count->value.mean / by->value.mean) : none;
}
