// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Values of metrics from the counts of event sets.
 *
 * If one set has all events of a metric, the value is that of the time in which the set was
 * counted, and nothing is scaled. Else the count of each event is scaled from the time of the
 * sets that have it to the time of all sets of the core type, and the value is estimated.
 *
 * Without the kernel module sets are counted at the same time, and come scaled: each count is
 * that of one of the sets.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "plan.h"
#include "session.h"

/* The counts that a value is computed from */
struct input {
	const pmc_plan_t *plan;
	const struct pmc_set_counts *sets;
	int nr_sets;
};

/* Time that the threads ran on the core type while its sets were loaded */
static double all_time(const struct input *in, int core_type)
{
	double running = 0, available = 0;
	int i;

	for (i = 0; i < in->nr_sets; i++) {
		if (in->sets[i].core_type != core_type)
			continue;
		running += in->sets[i].running;
		if (in->sets[i].available > available)
			available = in->sets[i].available;
	}
	return available > 0 ? available : running;
}

/* The part of that time in which sets with @event were loaded: @set, or any if it is -1 */
static double add_up(const struct input *in, int core_type, int set, int event, double *count)
{
	const struct plan_core_type *ct = &in->plan->core_types[core_type];
	double running = 0;
	int i, own, place;

	for (i = 0; i < in->nr_sets; i++) {
		const struct pmc_set_counts *s = &in->sets[i];

		own = s->set - ct->first_set;
		if (s->core_type != core_type || (set >= 0 && own != set) ||
		    own < 0 || own >= ct->nr_sets)
			continue;
		place = ct->places[own * ct->nr_events + event];
		if (place < 0 || place >= s->nr_counts)
			continue;
		if (s->available && running)
			continue;
		*count += s->counts[place];
		/* Clocks of sets that are counted at the same time differ by a little. */
		running += s->available && s->running >= s->available ?
			   all_time(in, core_type) : s->running;
	}
	return running;
}

static int uses_time(const struct plan_metric *m)
{
	int i;

	for (i = 0; i < m->nr_events; i++)
		if (m->events[i] < 0)
			return 1;
	return 0;
}

/* Is there a reading of the set? */
static int has_set(const struct input *in, int core_type, int set)
{
	int i;

	for (i = 0; i < in->nr_sets; i++)
		if (in->sets[i].core_type == core_type &&
		    in->sets[i].set - in->plan->core_types[core_type].first_set == set)
			return 1;
	return 0;
}

/* Are the sets of the core type counted at the same time? Then their counts are scaled. */
static int at_once(const struct input *in, int core_type)
{
	int i;

	for (i = 0; i < in->nr_sets; i++)
		if (in->sets[i].core_type == core_type && in->sets[i].available)
			return 1;
	return 0;
}

/* Add the counts of a core type to @counts; those that are not known become NAN. */
static enum pmc_accuracy add_counts(const struct input *in, const struct plan_metric *m,
				    int core_type, double *counts)
{
	double count, running, all = all_time(in, core_type);
	enum pmc_accuracy accuracy = PMC_EXACT;
	int i, is_scaled = at_once(in, core_type), scaled = m->home < 0 || uses_time(m);

	for (i = 0; i < m->nr_events; i++) {
		if (m->events[i] < 0)
			continue;
		count = 0;
		running = add_up(in, core_type, m->home, m->events[i], &count);
		if (m->home >= 0 ? !has_set(in, core_type, m->home) : all && !running)
			count = NAN;
		if (running < all && running)
			accuracy = scaled || is_scaled ? PMC_ESTIMATED : PMC_PARTIAL;
		else if (running < all)
			accuracy = PMC_NOT_COUNTED;
		if (scaled && !is_scaled && running && running < all)
			count *= all / running;
		counts[i] += count;
		if (accuracy == PMC_NOT_COUNTED)
			break;
	}
	return accuracy;
}

static enum pmc_accuracy combine(enum pmc_accuracy a, enum pmc_accuracy b)
{
	return a == PMC_NOT_COUNTED || b == PMC_NOT_COUNTED ? PMC_NOT_COUNTED : a > b ? a : b;
}

static double value_of(const struct input *in, int n, int core_type, uint64_t elapsed,
		       enum pmc_accuracy *accuracy)
{
	const pmc_plan_t *plan = in->plan;
	int i, every = core_type == PMC_EVERY_CORE_TYPE;
	const struct plan_metric *m = plan_metric(plan, n, every ? 0 : core_type);
	double counts[m->nr_events + 1];

	*accuracy = PMC_EXACT;
	for (i = 0; i < m->nr_events; i++)
		counts[i] = 0;
	for (i = 0; i < plan->machine->nr_core_types; i++)
		if (every ? all_time(in, i) > 0 : core_type == i)
			*accuracy = combine(*accuracy, add_counts(in, plan_metric(plan, n, i), i, counts));
	for (i = 0; i < m->nr_events; i++)
		if (m->events[i] < 0)
			counts[i] = elapsed / 1e9;
	return *accuracy == PMC_NOT_COUNTED ? NAN : pmc_metric_value(m->metric, counts);
}

/* The metric has one formula on these core types, and its events have places in sets. */
static int has_value(const pmc_plan_t *plan, int n, int core_type)
{
	if (core_type == PMC_EVERY_CORE_TYPE)
		return n >= 0 && n < plan->nr_metrics && plan->same && plan->same[n];
	return plan->made && pmc_plan_metric(plan, n, core_type);
}

double pmc_plan_value(const pmc_plan_t *plan, int n, int core_type,
		      const struct pmc_set_counts *sets, int nr_sets, uint64_t elapsed,
		      enum pmc_accuracy *accuracy)
{
	struct input in = { plan, sets, nr_sets };
	enum pmc_accuracy own = PMC_NOT_COUNTED;
	double value = NAN;

	if (has_value(plan, n, core_type))
		value = value_of(&in, n, core_type, elapsed, &own);
	if (accuracy)
		*accuracy = own;
	return value;
}

double pmc_plan_reading(const pmc_plan_t *plan, int n, const struct pmc_reading *r)
{
	struct pmc_set_counts set = {
		.core_type = r->core_type, .set = r->set, .running = r->running,
		.nr_counts = r->nr_counts,
	};

	memcpy(set.counts, r->counts, r->nr_counts * sizeof(*r->counts));
	return pmc_plan_value(plan, n, r->core_type, &set, 1, r->elapsed, NULL);
}

static int nr_of_sets(const pmc_plan_t *plan, int core_type)
{
	return plan->core_types[core_type].first_set + plan->core_types[core_type].nr_sets;
}

int pmc_session_set_counts(pmc_session_t *session, int core_type, int set,
			   struct pmc_set_counts *counts)
{
	int n, accuracy;

	memset(counts, 0, sizeof(*counts));
	n = pmc_session_totals(session, core_type, set, counts->counts, &counts->running, NULL);
	if (n < 0)
		return -1;
	counts->core_type = core_type;
	counts->set = set;
	counts->nr_counts = n;
	if (!n || !session->ops->at_once)
		return n;
	accuracy = pmc_session_accuracy(session, core_type, set, 0, &counts->available);
	/* Clocks of sets differ by a little. */
	if (accuracy == PMC_EXACT)
		counts->available = counts->running;
	return accuracy < 0 ? -1 : n;
}

double pmc_plan_total(const pmc_plan_t *plan, int n, int core_type, pmc_session_t *session,
		      uint64_t elapsed, enum pmc_accuracy *accuracy)
{
	int i, set, nr = 0, all = 0;
	struct pmc_set_counts *sets;
	double value = NAN;

	for (i = 0; i < plan->machine->nr_core_types; i++)
		all += nr_of_sets(plan, i);
	sets = calloc(all + 1, sizeof(*sets));
	for (i = 0; sets && i < plan->machine->nr_core_types; i++) {
		for (set = 0; set < nr_of_sets(plan, i); set++) {
			nr += pmc_session_set_counts(session, i, set, &sets[nr]) >= 0;
		}
	}
	if (sets)
		value = pmc_plan_value(plan, n, core_type, sets, nr, elapsed, accuracy);
	free(sets);
	return value;
}
