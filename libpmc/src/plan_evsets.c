// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Put events into as few event sets as possible. Each metric's events go into one set, the one
 * where most of them are already; a set is opened if none has room. Large groups come first.
 * Events of a metric that do not fit one set are spread over several.
 *
 * Events of the kernel itself take no counter. Where sets take turns they are in each set, and
 * so are counted all the time. Without the kernel module, sets are counted at the same time:
 * such events have a set of their own, if there are several. On machines with several core types
 * each of several sets then leaves a counter for cycles, by which perf_session.c measures the time
 * on the core type; a set that the user has made may take all counters.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "perf_set.h"
#include "plan.h"

struct placement {
	struct plan_core_type *ct;
	int nr_counters;
	int core_type;
	pmc_fits_fn fits;
	void *arg;
	const struct core_type *clock;	/* NULL: sets may take all counters */
};

static int set_has(const struct plan_set *set, int event)
{
	int i;

	for (i = 0; i < set->nr; i++)
		if (set->events[i] == event)
			return 1;
	return 0;
}

/* Number of the events that the set lacks */
static int missing(const struct plan_set *set, const int *events, int nr)
{
	int i, n = 0;

	for (i = 0; i < nr; i++)
		n += !set_has(set, events[i]);
	return n;
}

/* The set with the events; in the order in which they were asked for. -1: no place for them */
static int merge(struct plan_set *set, const int *events, int nr)
{
	int i, j;

	for (i = 0; i < nr; i++) {
		if (set_has(set, events[i]))
			continue;
		if (set->nr == PMC_MAX_COUNTS)
			return -1;
		for (j = set->nr++; j > 0 && set->events[j - 1] > events[i]; j--)
			set->events[j] = set->events[j - 1];
		set->events[j] = events[i];
	}
	return 0;
}

/* 1: the counters can count the set; 0: they cannot; -1: error */
static int ask(const struct placement *p, const struct plan_set *set)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int i, rc;

	if (!f)
		return pmc_fail_nomem();
	for (i = 0; i < set->nr; i++)
		fprintf(f, "%s,", p->ct->events[set->events[i]].raw);
	if (p->clock)
		fprintf(f, "ev=%#x:u,", perf_cycles_code(p->clock));
	fprintf(f, "coretype=%d", p->core_type);
	if (fclose(f)) {
		free(text);
		return pmc_fail_nomem();
	}
	rc = p->fits(p->arg, p->core_type, text);
	free(text);
	return rc;
}

static int nr_hardware(const struct plan_core_type *ct, const struct plan_set *set)
{
	int i, n = 0;

	for (i = 0; i < set->nr; i++)
		n += !ct->events[set->events[i]].software;
	return n;
}

/* 1: the events are in the set now; 0: they do not fit; -1: error */
static int try_set(const struct placement *p, struct plan_set *set, const int *events, int nr)
{
	struct plan_set larger = *set;
	int rc;

	if (merge(&larger, events, nr) || nr_hardware(p->ct, &larger) > p->nr_counters)
		return 0;
	rc = larger.nr == set->nr ? 1 : ask(p, &larger);
	if (rc > 0)
		*set = larger;
	return rc;
}

static int open_set(const struct placement *p, const int *events, int nr)
{
	struct plan_set *sets, set = { 0 };
	int rc = try_set(p, &set, events, nr);

	if (rc <= 0)
		return rc;
	sets = realloc(p->ct->sets, (p->ct->nr_sets + 1) * sizeof(*sets));
	if (!sets)
		return pmc_fail_nomem();
	p->ct->sets = sets;
	sets[p->ct->nr_sets++] = set;
	return 1;
}

/* First the sets that lack the fewest of the events */
static int place_together(const struct placement *p, const int *events, int nr)
{
	int lacking, i, rc;

	for (lacking = 0; lacking <= nr; lacking++) {
		for (i = 0; i < p->ct->nr_sets; i++) {
			if (missing(&p->ct->sets[i], events, nr) != lacking)
				continue;
			rc = try_set(p, &p->ct->sets[i], events, nr);
			if (rc)
				return rc;
		}
	}
	return open_set(p, events, nr);
}

static int place_group(const struct placement *p, const struct plan_group *group)
{
	int i, rc = place_together(p, group->events, group->nr);

	for (i = 0; i < group->nr && !rc; i++) {
		int one = place_together(p, &group->events[i], 1);

		if (one < 0)
			return -1;
		if (!one)
			return pmc_fail(EINVAL, "no counter of core type %d can count '%s'",
					p->core_type, p->ct->events[group->events[i]].wanted.name);
	}
	return rc < 0 ? -1 : 0;
}

/* The sets that the user has made stay as they are: metrics may only add to them. */
static int place_alone(const struct placement *p, const struct plan_group *group)
{
	int rc = open_set(p, group->events, group->nr);

	if (!rc)
		return pmc_fail(ENOSPC, "the counters of core type %d cannot count %s and the %d others of its set together: %s",
				p->core_type, p->ct->events[group->events[0]].wanted.name, group->nr - 1,
				"make several sets of them");
	return rc < 0 ? -1 : 0;
}

static int is_software(const struct plan_core_type *ct, const struct plan_group *group)
{
	int i;

	for (i = 0; i < group->nr; i++)
		if (!ct->events[group->events[i]].software)
			return 0;
	return 1;
}

/* Put the events of the kernel itself into the sets from @from on; -1: error */
static int place_software(const struct placement *p, const int *events, int nr, int from)
{
	int i, set, rc;

	for (i = 0; i < nr; i++)
		for (set = from; set < p->ct->nr_sets; set++) {
			rc = try_set(p, &p->ct->sets[set], &events[i], 1);
			if (!rc)
				return pmc_fail(ENOSPC, "no room for '%s' in a set of %d events: ask for fewer",
						p->ct->events[events[i]].wanted.name, p->ct->sets[set].nr);
			if (rc < 0)
				return -1;
		}
	return 0;
}

/* All events of the kernel itself, when the others are in their places */
static int place_all_software(const struct placement *p, int has_module)
{
	int *events = calloc(p->ct->nr_events + 1, sizeof(*events));
	int i, n = 0, rc, own = !has_module && p->ct->nr_sets > 1;

	if (!events)
		return pmc_fail_nomem();
	for (i = 0; i < p->ct->nr_events; i++)
		if (p->ct->events[i].software)
			events[n++] = i;
	/* Metrics and sets of the user may have put them into a set already. */
	rc = n && (own || !p->ct->nr_sets) ? open_set(p, events, 1) : 1;
	if (!rc)
		rc = pmc_fail(EINVAL, "core type %d cannot count '%s'", p->core_type,
			      p->ct->events[events[0]].wanted.name);
	if (rc > 0)
		rc = place_software(p, events, n, own ? p->ct->nr_sets - 1 : 0);
	free(events);
	return rc;
}

/* The first set that has all events of the metric */
static void find_home(const struct plan_core_type *ct, struct plan_metric *m)
{
	int set, i, n;

	for (set = ct->nr_sets - 1; set >= 0; set--) {
		for (i = 0, n = 0; i < m->nr_events; i++)
			n += m->events[i] < 0 || set_has(&ct->sets[set], m->events[i]);
		if (n == m->nr_events)
			m->home = set;
	}
}

static int note_places(struct plan_core_type *ct)
{
	short *places = realloc(ct->places, (ct->nr_sets * ct->nr_events + 1) * sizeof(*places));
	int set, i;

	if (!places) {
		ct->nr_sets = 0;
		return pmc_fail_nomem();
	}
	ct->places = places;
	for (i = 0; i < ct->nr_sets * ct->nr_events; i++)
		places[i] = -1;
	for (set = 0; set < ct->nr_sets; set++)
		for (i = 0; i < ct->sets[set].nr; i++)
			places[set * ct->nr_events + ct->sets[set].events[i]] = i;
	return 0;
}

static int place_sets_of_user(const struct placement *p)
{
	int i, rc = 0;

	for (i = 0; i < p->ct->nr_groups && !rc; i++)
		if (p->ct->groups[i].alone)
			rc = place_alone(p, &p->ct->groups[i]);
	return rc;
}

static int place_groups(const struct placement *p)
{
	const struct plan_core_type *ct = p->ct;
	int i, size, rc = 0;

	for (size = ct->nr_events; size > 0 && !rc; size--)
		for (i = 0; i < ct->nr_groups && !rc; i++)
			if (!ct->groups[i].alone && ct->groups[i].nr == size &&
			    !is_software(ct, &ct->groups[i]))
				rc = place_group(p, &ct->groups[i]);
	return rc;
}

/* Place all events that take counters, beside an event of cycles if several sets need one. */
static int place_hardware(struct placement *p, const pmc_machine_t *machine)
{
	int rc = place_sets_of_user(p);

	if (!rc)
		rc = place_groups(p);
	if (rc || p->ct->nr_sets < 2 || machine->nr_core_types == 1 || pmc_machine_has_module(machine))
		return rc;
	p->ct->nr_sets = 0;
	rc = place_sets_of_user(p);
	p->clock = &machine->core_types[p->core_type];
	return rc ? rc : place_groups(p);
}

int plan_place(pmc_plan_t *plan, int core_type, pmc_fits_fn fits, void *arg)
{
	struct plan_core_type *ct = &plan->core_types[core_type];
	struct placement p = {
		ct, plan->machine->core_types[core_type].info.nr_hw_counters, core_type, fits, arg, NULL
	};
	int i, rc = place_hardware(&p, plan->machine);

	p.clock = NULL;
	if (!rc)
		rc = place_all_software(&p, pmc_machine_has_module(plan->machine));
	for (i = 0; i < plan->nr_metrics && !rc; i++)
		find_home(ct, plan_metric(plan, i, core_type));
	return note_places(ct) ? -1 : rc;
}
