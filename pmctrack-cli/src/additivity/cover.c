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
 */
struct matching {
	const struct cover_event *events;
	int nr;
	int runs;
	int *place;
	int load[COUNTERS];
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

/* How many events of this kind are counted in a run */
static int of_kind(const struct cover_event *events, int nr, int kind, int run)
{
	int i, n = 0;

	for (i = 0; i < nr; i++)
		n += events[i].kind == kind && events[i].run == run;
	return n;
}

static int is_free(const struct matching *m, const struct cover_event *events, int counter, int run)
{
	int i;

	for (i = 0; i < m->nr; i++)
		if (m->place[i] == counter && events[i].run == run)
			return 0;
	return 1;
}

/* The run with the fewest events of the kind; that of kind 0 with a free counter; -1: none */
static int choose_run(const struct matching *m, const struct cover_event *events, int event)
{
	int run, n, best = -1, least = 0;

	for (run = 0; run < m->runs; run++) {
		if (!is_free(m, events, m->place[event], run))
			continue;
		if (!events[event].kind)
			return run;
		n = of_kind(events, m->nr, events[event].kind, run);
		if (n < events[event].limit && (best < 0 || n < least)) {
			best = run;
			least = n;
		}
	}
	return best;
}

/*
 * Events with second registers first: a counter's events go to those runs that have fewest of
 * their kind, so that no run has two more than another.
 */
static int arrange(const struct matching *m, struct cover_event *events)
{
	int plain, i;

	for (i = 0; i < m->nr; i++)
		events[i].run = events[i].counters ? -1 : 0;
	for (plain = 0; plain < 2; plain++)
		for (i = 0; i < m->nr; i++) {
			if (!events[i].counters || (events[i].kind == 0) != plain)
				continue;
			events[i].run = choose_run(m, events, i);
			if (events[i].run < 0)
				return 0;
		}
	return 1;
}

/* No run has two events of a kind and of one counter: take the events counter by counter. */
static int by_counter(const struct matching *m, struct cover_event *events)
{
	struct cover_event *sorted = new_array(m->nr, sizeof(*sorted));
	struct matching s = *m;
	int *from = new_array(m->nr, sizeof(*from));
	int counter, i, n = 0, done;

	s.place = new_array(m->nr, sizeof(*s.place));
	s.events = sorted;
	for (counter = -1; counter < COUNTERS; counter++)
		for (i = 0; i < m->nr; i++)
			if (m->place[i] == counter) {
				sorted[n] = events[i];
				s.place[n] = counter;
				from[n++] = i;
			}
	done = arrange(&s, sorted);
	for (i = 0; i < n; i++)
		events[from[i]].run = sorted[i].run;
	free(sorted);
	free(s.place);
	free(from);
	return done;
}

int cover_runs(struct cover_event *events, int nr)
{
	struct matching m = { events, nr, 1, new_array(nr, sizeof(int)), { 0 } };

	while (!match(&m) || !by_counter(&m, events))
		m.runs++;
	free(m.place);
	return m.runs;
}
