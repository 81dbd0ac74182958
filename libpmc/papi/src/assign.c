// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Placing events on counters is a matching in a bipartite graph: events on one side, counters on
 * the other, an edge where a counter can count an event.
 *
 * Sets of events that can be matched are the independent sets of a transversal matroid (Edmonds
 * and Fulkerson 1965). In a matroid, and only there, taking the heaviest first and leaving out
 * what does not fit gives the largest sum for any weights (Rado 1957, Edmonds 1971). So events
 * are placed in the order of their weights, each by an augmenting path (Kuhn): events that have
 * a place may move, and none loses its place. An event without a path now has none later (Berge
 * 1957), so each is tried once.
 *
 * The sets that one of several groups can count are a union of matroids, which is no matroid.
 * The best of each group is found in this way, and then the best of these.
 *
 * Other conditions are no matching: two events share a register; a derived event takes several
 * counters, or counters of several core types. The heaviest first may then be far from the
 * best: one event in the way of three. For these, assign_choose() tries choices by branch and
 * bound. Its first choice is the one that would be right in a matroid.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "assign.h"

#define MAX_COUNTERS 64

/* Numbers of the events, the heaviest first; equal ones in their order. To be freed */
static int *by_weight(const int *weights, int nr)
{
	int *order = malloc((nr + 1) * sizeof(*order));
	int i, j;

	for (i = 0; order && i < nr; i++) {
		for (j = i; weights && j && weights[order[j - 1]] < weights[i]; j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
	return order;
}

/* ---- matching ---- */

/**
 * struct matching - which event is on which counter
 * @counters: of each event: a mask
 * @owner: event of each counter, or ASSIGN_NOWHERE
 */
struct matching {
	const uint64_t *counters;
	int owner[MAX_COUNTERS];
};

/* Give an event a counter that is not in @seen, whose event may have to move. */
static int place(struct matching *m, int event, uint64_t *seen)
{
	uint64_t room;
	int counter;

	while ((room = m->counters[event] & ~*seen)) {
		counter = __builtin_ctzll(room);
		*seen |= 1ULL << counter;
		if (m->owner[counter] == ASSIGN_NOWHERE || place(m, m->owner[counter], seen)) {
			m->owner[counter] = event;
			return 1;
		}
	}
	return 0;
}

static long long match(struct matching *m, const struct assign *a, int group, const int *order)
{
	long long sum = 0;
	uint64_t seen;
	int i;

	m->counters = a->counters + (size_t)group * a->nr_events;
	memset(m->owner, 0xff, sizeof(m->owner));
	for (i = 0; i < a->nr_events; i++) {
		seen = 0;
		if (place(m, order[i], &seen))
			sum += a->weights ? a->weights[order[i]] : 1;
	}
	return sum;
}

static void report_counters(const struct matching *m, int *counter, int nr_events)
{
	int i;

	for (i = 0; i < nr_events; i++)
		counter[i] = ASSIGN_NOWHERE;
	for (i = 0; i < MAX_COUNTERS; i++)
		if (m->owner[i] != ASSIGN_NOWHERE)
			counter[m->owner[i]] = i;
}

long long assign_events(const struct assign *a, int *counter, int *group)
{
	int *order = by_weight(a->weights, a->nr_events);
	long long sum, best = -1;
	struct matching m;
	int i;

	for (i = 0; order && i < a->nr_groups; i++) {
		sum = match(&m, a, i, order);
		if (sum <= best)
			continue;
		best = sum;
		report_counters(&m, counter, a->nr_events);
		if (group)
			*group = i;
	}
	if (!order)
		errno = ENOMEM;
	free(order);
	return best;
}

/* ---- choice ---- */

/**
 * struct search - a search for the best choice
 * @order: of the events
 * @left: sum of the weights from each place of @order on
 * @now: the choice that is being looked at, with weight @sum
 * @best: the best so far, with weight @most
 * @asked: number of questions
 */
struct search {
	const struct choice *choice;
	int *order;
	long long *left;
	unsigned char *now;
	long long sum;
	unsigned char *best;
	long long most;
	int asked;
};

static int is_over(const struct search *s)
{
	return s->most >= s->choice->bound || s->asked >= s->choice->questions;
}

static void keep(struct search *s)
{
	if (s->sum <= s->most)
		return;
	s->most = s->sum;
	memcpy(s->best, s->now, s->choice->nr_events);
}

/* Decide on the events from a place of the order on: first with, then without the event there. */
static int decide(struct search *s, int at)
{
	const struct choice *choice = s->choice;
	int event, rc;

	for (; at < choice->nr_events && s->sum + s->left[at] > s->most && !is_over(s); at++) {
		event = s->order[at];
		s->now[event] = 1;
		s->asked++;
		rc = choice->fits(choice->arg, s->now);
		if (rc > 0) {
			s->sum += choice->weights[event];
			keep(s);
			rc = decide(s, at + 1);
			s->sum -= choice->weights[event];
		}
		s->now[event] = 0;
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int search(struct search *s)
{
	const struct choice *choice = s->choice;
	int i;

	s->left[choice->nr_events] = 0;
	for (i = choice->nr_events - 1; i >= 0; i--)
		s->left[i] = s->left[i + 1] + choice->weights[s->order[i]];
	return decide(s, 0);
}

int assign_choose(const struct choice *choice, unsigned char *chosen, int *is_optimal)
{
	struct search s = { .choice = choice, .best = chosen };
	int rc = -1;

	memset(chosen, 0, choice->nr_events);
	s.order = by_weight(choice->weights, choice->nr_events);
	s.left = calloc(choice->nr_events + 1, sizeof(*s.left));
	s.now = calloc(choice->nr_events + 1, 1);
	if (s.order && s.left && s.now)
		rc = search(&s);
	*is_optimal = !rc && (s.asked < choice->questions || s.most >= choice->bound);
	free(s.order);
	free(s.left);
	free(s.now);
	return rc;
}
