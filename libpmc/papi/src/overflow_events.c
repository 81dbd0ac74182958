// SPDX-License-Identifier: LGPL-2.1-or-later
/* Which events of an EventSet have handlers that are called each time they have happened so often */
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "eventset.h"
#include "histograms.h"
#include "library.h"
#include "overflow_events.h"

static struct overflow_event *find(const struct overflow *overflow, const struct papi_event *event)
{
	int i;

	for (i = 0; overflow && i < overflow->nr; i++)
		if (overflow->events[i].event == event)
			return &overflow->events[i];
	return NULL;
}

/* A child of fork() in another thread does not close again what is closed here. */
static void close_counters(struct overflow *overflow, void (*close)(struct overflow_counter *))
{
	struct overflow_counter *counters;
	int i;

	overflow->closed++;
	for (i = 0; i < overflow->nr; i++) {
		counters = overflow->events[i].counters;
		overflow->events[i].counters = NULL;
		forks_see_this();
		close(counters);
	}
}

/* A thread that ends closes its EventSets while others may do so. */
void overflow_close(struct eventset *set)
{
	if (!set->overflow)
		return;
	papi_lock();
	close_counters(set->overflow, overflow_counter_close);
	papi_unlock();
}

void overflow_forget_parent(struct eventset *set)
{
	if (set->overflow)
		close_counters(set->overflow, overflow_counter_forget_parent);
}

void overflow_free(struct eventset *set)
{
	struct overflow *overflow = set->overflow;

	if (!overflow)
		return;
	papi_lock();
	overflow_close(set);
	set->overflow = NULL;
	set->state &= ~(PAPI_OVERFLOWING | PAPI_PROFILING);
	forks_see_this();
	papi_unlock();
	histograms_free(overflow->profile);
	free(overflow->counted_apart);
	free(overflow->events);
	free(overflow);
}

static int remove_event(struct eventset *set, struct overflow_event *entry)
{
	struct overflow *overflow = set->overflow;

	if (!entry)
		return PAPI_EINVAL;
	*entry = overflow->events[--overflow->nr];
	if (!overflow->nr)
		overflow_free(set);
	return PAPI_OK;
}

static struct overflow_event *new_event(struct overflow *overflow, const struct papi_event *event)
{
	struct overflow_event *events;

	events = realloc(overflow->events, (overflow->nr + 1) * sizeof(*events));
	if (!events)
		return NULL;
	overflow->events = events;
	memset(&events[overflow->nr], 0, sizeof(*events));
	events[overflow->nr].event = event;
	return &events[overflow->nr++];
}

int overflow_set(struct eventset *set, int index, int threshold, overflow_fn fn)
{
	struct overflow_event *entry = find(set->overflow, set->events[index]);

	if (!threshold)
		return remove_event(set, entry);
	if (!set->overflow)
		set->overflow = calloc(1, sizeof(*set->overflow));
	if (!set->overflow)
		return PAPI_ENOMEM;
	if (!entry)
		entry = new_event(set->overflow, set->events[index]);
	if (!entry) {
		if (!set->overflow->nr)
			overflow_free(set);
		return PAPI_ENOMEM;
	}
	entry->threshold = threshold;
	set->overflow->fn = fn;
	return PAPI_OK;
}

int overflow_open(struct eventset *set)
{
	struct overflow *overflow = set->overflow;
	int i, rc = PAPI_OK;

	for (i = 0; i < overflow->nr && rc == PAPI_OK; i++)
		if (!overflow->events[i].counters)
			overflow->events[i].counters =
				overflow_counter_open(overflow->events[i].event, set->target.domain,
						      overflow->events[i].threshold,
						      overflow->counted_apart != NULL, &rc);
	if (rc != PAPI_OK)
		overflow_close(set);
	return rc;
}

void overflow_enable(struct eventset *set)
{
	int i;

	set->overflow->closed++;
	for (i = 0; i < set->overflow->nr; i++) {
		set->overflow->events[i].base = 0;
		overflow_counter_enable(set->overflow->events[i].counters);
	}
}

void overflow_disable(struct eventset *set)
{
	int i;

	for (i = 0; i < set->overflow->nr; i++)
		if (set->overflow->events[i].counters)
			overflow_counter_disable(set->overflow->events[i].counters);
}

/* The EventSet's events, but those that have handlers */
static const struct papi_event **without_handlers(const struct eventset *set)
{
	static const struct papi_event nothing = { .component = COMPONENT_CPU, .name = "" };
	const struct papi_event **events = calloc(set->nr, sizeof(*events));
	int i;

	for (i = 0; events && i < set->nr; i++)
		events[i] = find(set->overflow, set->events[i]) ? &nothing : set->events[i];
	return events;
}

/* The events that the counters of handlers count, beside set->counting */
static int note_twice(struct eventset *set)
{
	struct counting *c = &set->counting;
	int i;

	c->twice = calloc(set->overflow->nr, sizeof(*c->twice));
	if (!c->twice)
		return PAPI_ENOMEM;
	for (i = 0; i < set->overflow->nr; i++)
		c->twice[i] = set->overflow->events[i].event;
	c->nr_twice = set->overflow->nr;
	return PAPI_OK;
}

static int count_apart(struct eventset *set)
{
	int rc;

	set->overflow->counted_apart = without_handlers(set);
	counting_free(&set->counting);
	if (!set->overflow->counted_apart)
		return PAPI_ENOMEM;
	rc = counting_init(&set->counting, set->overflow->counted_apart, set->nr, &set->target);
	return rc == PAPI_OK ? note_twice(set) : rc;
}

/* Can all events be counted, and those that have handlers a second time? */
static int try_twice(struct eventset *set)
{
	int rc = note_twice(set);

	return rc == PAPI_OK ? counting_try_twice(&set->counting) : rc;
}

int overflow_leave_counters(struct eventset *set)
{
	int rc;

	free(set->overflow->counted_apart);
	set->overflow->counted_apart = NULL;
	rc = try_twice(set);
	/* The counters of handlers do not count children. */
	if (rc == PAPI_ECNFLCT && !set->target.inherit)
		rc = count_apart(set);
	if (rc != PAPI_OK)
		counting_free(&set->counting);
	return rc;
}

static int index_of(const struct eventset *set, unsigned int code)
{
	int i;

	for (i = 0; i < set->nr; i++)
		if (set->events[i]->code == code)
			return i;
	return -1;
}

int overflow_store_values(const struct eventset *set, long long *values, int rc)
{
	const struct overflow *overflow = set->overflow;
	const struct overflow_event *event;
	long long count;
	int i, error;

	for (i = 0; overflow && overflow->counted_apart && i < overflow->nr; i++) {
		event = &overflow->events[i];
		error = overflow_counter_count(event->counters, &count);
		rc = rc == PAPI_OK ? error : rc;
		values[index_of(set, event->event->code)] = count - event->base;
	}
	return rc;
}

/* Counters that were lost are enabled again, and count from 0. */
static void restart_now(struct overflow_event *event)
{
	if (overflow_counter_count(event->counters, &event->base) == PAPI_OK)
		return;
	overflow_counter_enable(event->counters);
	event->base = 0;
}

void overflow_restart(struct eventset *set, const long long *values)
{
	struct overflow *overflow = set->overflow;
	struct overflow_event *event;
	int i;

	for (i = 0; overflow && overflow->counted_apart && i < overflow->nr; i++) {
		event = &overflow->events[i];
		if (values)
			event->base += values[index_of(set, event->event->code)];
		else
			restart_now(event);
	}
}

/*
 * The kernel counts an event of a PMU on all its CPUs. So an event of one core type cannot have a
 * handler where other core types have the same PMU.
 */
static int shares_pmu(const struct papi_event *event)
{
	const pmc_machine_t *machine = papi_machine();
	const struct pmc_core_type_info *part = pmc_machine_core_type(machine, event->parts[0].core_type);
	int id, nr = 0;

	for (id = 0; id < pmc_machine_nr_core_types(machine); id++)
		nr += !strcmp(pmc_machine_core_type(machine, id)->pmu, part->pmu);
	return event->nr_parts == 1 && nr > 1;
}

int overflow_check(const struct eventset *set, int code, int threshold)
{
	int i, index;

	if (set->component < 0)
		return PAPI_ENOCMP;
	if (set->state & PAPI_RUNNING)
		return PAPI_EISRUN;
	if (set->target.tid || set->target.cpu >= 0)
		return PAPI_EINVAL;
	index = index_of(set, code);
	if (index < 0)
		return PAPI_ENOEVNT;
	if (threshold < 0)
		return PAPI_EINVAL;
	/* No counter counts a virtual counter. */
	if (!set->events[index]->nr_parts)
		return PAPI_ENOSUPP;
	/* PAPI's vector of overflows has 64 bits. */
	if (index > 63)
		return PAPI_ECNFLCT;
	if (shares_pmu(set->events[index]))
		return PAPI_ENOSUPP;
	/* No counter counts what is computed. */
	for (i = 0; threshold && i < set->events[index]->nr_parts; i++)
		if (set->events[index]->parts[i].formula)
			return PAPI_EINVAL;
	return index;
}
