// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Turns. An event is counted in some of the time, x in a turn of length t, and estimated for all
 * of it as T * sum(x) / sum(t). This is a ratio estimate from a sample of turns, whose variance
 * is known (W. G. Cochran, Sampling Techniques, third edition, 1977, chapter 6). With
 * r = sum(x) / sum(t), n turns and the part f of the time that was counted, the relative standard
 * error is
 *
 *	sqrt((1 - f) / n * sum((x - r * t)^2) / (n - 1)) / mean(x)
 *
 * The formula is for turns drawn at random. Real ones come at regular intervals: where a program
 * changes slowly, the error is smaller than this; where its phases keep step with the turns, it
 * may be larger. An error that is computed from n turns is itself uncertain by about
 * 1 / sqrt(2 * (n - 1)), a quarter with PMCPAPI_MIN_TURNS.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "multiplex_estimate.h"
#include "pmcpapi.h"

/**
 * struct event_sums - sums over turns, of an event's counts x and the turns' lengths t
 * @now: the count of the turn that has not ended
 */
struct event_sums {
	double x;
	double xx;
	double xt;
	double now;
};

/**
 * struct set_turns - the turns of an event set
 * @nr: number of turns that were seen
 * @t, @tt: sums of their lengths, and of the squares
 * @now: length of the turn that has not ended
 * @has_time: there is a @running and @all: ns that the set was counted, and that the core type
 *	was used
 * @running_before, @all_before: their values at the restart
 * @events: sums of each event
 */
struct set_turns {
	long long nr;
	double t;
	double tt;
	double now;
	int has_time;
	uint64_t running, running_before;
	uint64_t all, all_before;
	int nr_events;
	struct event_sums *events;
};

struct type_turns {
	int nr_sets;
	struct set_turns *sets;
};

/**
 * struct turns - the turns of a session
 * @restart: a restart that has not been made yet
 */
struct turns {
	int restart;
	int nr_types;
	struct type_turns types[];
};

struct turns *turns_new(int nr_core_types)
{
	struct turns *turns;

	turns = calloc(1, sizeof(*turns) + nr_core_types * sizeof(turns->types[0]));
	if (turns)
		turns->nr_types = nr_core_types;
	return turns;
}

void turns_free(struct turns *turns)
{
	int id, i;

	for (id = 0; turns && id < turns->nr_types; id++) {
		for (i = 0; i < turns->types[id].nr_sets; i++)
			free(turns->types[id].sets[i].events);
		free(turns->types[id].sets);
	}
	free(turns);
}

static void restart_set(struct set_turns *set)
{
	set->nr = 0;
	set->t = 0;
	set->tt = 0;
	set->now = 0;
	set->running_before = set->running;
	set->all_before = set->all;
	if (set->events)
		memset(set->events, 0, set->nr_events * sizeof(*set->events));
}

static void restart(struct turns *turns)
{
	int id, i;

	for (id = 0; id < turns->nr_types; id++)
		for (i = 0; i < turns->types[id].nr_sets; i++)
			restart_set(&turns->types[id].sets[i]);
	turns->restart = 0;
}

void turns_restart(struct turns *turns)
{
	turns->restart = 1;
}

void turns_clear(struct turns *turns)
{
	int id, i;

	for (id = 0; id < turns->nr_types; id++)
		for (i = 0; i < turns->types[id].nr_sets; i++) {
			turns->types[id].sets[i].has_time = 0;
			turns->types[id].sets[i].running = 0;
			turns->types[id].sets[i].all = 0;
		}
	restart(turns);
}

/* A set, with room for the sums of @nr_events events; NULL: there is no such, or no memory. */
static struct set_turns *get_set(struct turns *turns, int core_type, int number, int nr_events)
{
	struct type_turns *type;
	struct event_sums *events;
	struct set_turns *sets, *set;

	if (turns->restart)
		restart(turns);
	if (core_type < 0 || core_type >= turns->nr_types || number < 0)
		return NULL;
	type = &turns->types[core_type];
	if (number >= type->nr_sets) {
		sets = realloc(type->sets, (number + 1) * sizeof(*sets));
		if (!sets)
			return NULL;
		memset(sets + type->nr_sets, 0, (number + 1 - type->nr_sets) * sizeof(*sets));
		type->sets = sets;
		type->nr_sets = number + 1;
	}
	set = &type->sets[number];
	if (nr_events > set->nr_events) {
		events = realloc(set->events, nr_events * sizeof(*events));
		if (!events)
			return NULL;
		memset(events + set->nr_events, 0, (nr_events - set->nr_events) * sizeof(*events));
		set->events = events;
		set->nr_events = nr_events;
	}
	return set;
}

int turns_reserve(struct turns *turns, int core_type, int set, int nr_events)
{
	return get_set(turns, core_type, set, nr_events) ? 0 : -1;
}

static void end_turn(struct set_turns *s)
{
	struct event_sums *e;

	s->nr++;
	s->t += s->now;
	s->tt += s->now * s->now;
	for (e = s->events; e < s->events + s->nr_events; e++) {
		e->x += e->now;
		e->xx += e->now * e->now;
		e->xt += e->now * s->now;
		e->now = 0;
	}
	s->now = 0;
}

void turns_add(struct turns *turns, const struct pmc_reading *sample, int ends)
{
	struct set_turns *s = get_set(turns, sample->core_type, sample->set, sample->nr_counts);
	int i;

	if (!s)
		return;
	s->now += sample->running;
	for (i = 0; i < sample->nr_counts; i++)
		s->events[i].now += sample->counts[i];
	/* In a turn in which the thread did not run, nothing could be counted. */
	if (ends && s->now)
		end_turn(s);
}

void turns_set_time(struct turns *turns, int core_type, int set, uint64_t running, uint64_t all)
{
	struct set_turns *s = get_set(turns, core_type, set, 0);

	if (!s)
		return;
	s->has_time = 1;
	s->running = running;
	s->all = all;
}

/* The formula at the head of this file. If turns were lost, n is the number of all. */
static double error_of(const struct set_turns *s, const struct event_sums *e, double running,
		       double all)
{
	double r = e->x / s->t, n = running / (s->t / s->nr);
	double squares = e->xx - 2 * r * e->xt + r * r * s->tt;

	/* Rounding can make it less than 0. */
	if (!e->x || squares <= 0)
		return 0;
	if (n < s->nr)
		n = s->nr;
	return sqrt((1 - running / all) / n * squares / (s->nr - 1)) / (e->x / s->nr);
}

double turns_error(const struct turns *turns, int core_type, int set, int event)
{
	const struct set_turns *s;
	double running, all;

	if (core_type < 0 || core_type >= turns->nr_types || set < 0 ||
	    set >= turns->types[core_type].nr_sets)
		return NAN;
	s = &turns->types[core_type].sets[set];
	if (!s->has_time)
		return NAN;
	running = s->running - s->running_before;
	all = (int64_t)(s->all - s->all_before);
	if (running == all)
		return 0;
	/* The known part of the time has become smaller. */
	if (running > all)
		return NAN;
	if (s->nr < PMCPAPI_MIN_TURNS || event >= s->nr_events)
		return NAN;
	return error_of(s, &s->events[event], running, all);
}
