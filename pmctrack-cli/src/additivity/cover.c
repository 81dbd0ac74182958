// SPDX-License-Identifier: GPL-2.0
/* Which events are counted in which run: a matching of events to counters. */
#include <stdlib.h>
#include <string.h>

#include "additivity/cover.h"
#include "common.h"

#define COUNTERS 64

/**
 * struct matching - events on counters
 * @runs: so many events a counter takes
 * @place: the counter of each event, or -1
 * @load: how many events a counter has
 * @group: of each event, the first event of its group. A group has at most @runs events, of one
 *	kind, and a kind has at most as many groups as its limit; an event of kind 0 is alone.
 */
struct matching {
	struct cover_event *events;
	int nr;
	int runs;
	int *place;
	int load[COUNTERS];
	int *group;
};

/* Find a counter for an event; others may have to move. @seen: counters that were tried */
static int augment(struct matching *m, int event, uint64_t *seen)
{
	int counter, other;

	for (counter = 0; counter < COUNTERS; counter++) {
		if (!(m->events[event].counters & ~*seen & 1ULL << counter))
			continue;
		*seen |= 1ULL << counter;
		if (m->load[counter] < m->runs) {
			m->load[counter]++;
			m->place[event] = counter;
			return 1;
		}
		for (other = 0; other < m->nr; other++)
			if (m->place[other] == counter && augment(m, other, seen)) {
				/* Its place is taken by this event. */
				m->place[event] = counter;
				return 1;
			}
	}
	return 0;
}

static int match(struct matching *m)
{
	uint64_t seen;
	int i;

	for (i = 0; i < m->nr; i++)
		m->place[i] = -1;
	memset(m->load, 0, sizeof(m->load));
	for (i = 0; i < m->nr; i++) {
		seen = 0;
		if (m->events[i].counters && !augment(m, i, &seen))
			return 0;
	}
	return 1;
}

static int is_of_kind(const struct cover_event *event, int kind)
{
	return event->counters && event->kind == kind;
}

/* The fewest runs that the second registers allow */
static int least_runs(const struct cover_event *events, int nr)
{
	int i, k, n, limit, runs, most = 1;

	for (i = 0; i < nr; i++) {
		if (!events[i].kind)
			continue;
		for (k = n = 0, limit = 1; k < nr; k++) {
			if (!is_of_kind(&events[k], events[i].kind))
				continue;
			limit = events[k].limit > limit ? events[k].limit : limit;
			n++;
		}
		runs = (n + limit - 1) / limit;
		most = runs > most ? runs : most;
	}
	return most;
}

static void make_groups(struct matching *m)
{
	const struct cover_event *events = m->events;
	int i, k, n;

	for (i = 0; i < m->nr; i++) {
		m->group[i] = i;
		for (k = n = 0; k < i && events[i].counters && events[i].kind; k++)
			if (is_of_kind(&events[k], events[i].kind) && n++ % m->runs == 0)
				m->group[i] = k;
		if (n % m->runs == 0)
			m->group[i] = i;
	}
}

/* The event of a counter (@of: place) or group (@of: group) in a run; -1: none */
static int event_in(const struct matching *m, const int *of, int number, int run)
{
	int i;

	for (i = 0; i < m->nr; i++)
		if (of[i] == number && m->events[i].run == run)
			return i;
	return -1;
}

/* A run without an event of the counter or group: it has at most as many as there are runs. */
static int free_run(const struct matching *m, const int *of, int number)
{
	int run;

	for (run = 0; event_in(m, of, number, run) >= 0; run++)
		;
	return run;
}

/*
 * Move an event to another run. If its counter has an event there, that one moves to the run that
 * the first one leaves; if its group has one there, that moves on in turn, and so on.
 */
static void move(struct matching *m, int event, int run)
{
	const int *of = m->place;
	int next, left;

	for (; event >= 0; event = next) {
		next = event_in(m, of, of[event], run);
		left = m->events[event].run;
		m->events[event].run = run;
		run = left;
		of = of == m->place ? m->group : m->place;
	}
}

/* No two events of a counter are in one run, nor two of a group. See cover_runs(). */
static void arrange(struct matching *m)
{
	int i, run, other;

	for (i = 0; i < m->nr; i++)
		m->events[i].run = m->events[i].counters ? -1 : 0;
	for (i = 0; i < m->nr; i++) {
		if (!m->events[i].counters)
			continue;
		run = free_run(m, m->place, m->place[i]);
		other = event_in(m, m->group, m->group[i], run);
		if (other >= 0)
			move(m, other, free_run(m, m->group, m->group[i]));
		m->events[i].run = run;
	}
}

int cover_runs(struct cover_event *events, int nr)
{
	struct matching m = {
		.events = events, .nr = nr, .runs = least_runs(events, nr),
		.place = new_array(nr, sizeof(int)), .group = new_array(nr, sizeof(int)),
	};

	while (!match(&m))
		m.runs++;
	make_groups(&m);
	arrange(&m);
	free(m.place);
	free(m.group);
	return m.runs;
}
