// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Calipers that read values: value i is the sum of one count of each core type that has a term
 * of the value.
 *
 * The page has the sums over all core types. Only the counts of the core type that the thread
 * is on grow, so the kernel is asked for those of the others when the thread has changed core
 * type. If each event of the new core type is a term of one value, and the events are in the
 * order of their values, the rest is a constant for each value, and pmc_caliper_read() reads
 * the values by instruction as those of any caliper: the constant is subtracted as what was
 * counted before. Values without a term on this core type are constants, which are put between
 * the others at the end of the reading.
 *
 * If events are in another order, or a count is a term of two values, a second caliper reads
 * the counts, and this file makes the values from them. If a core type has no term at all,
 * values are constants there.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "caliper_values.h"
#include "error.h"
#include "thread_session.h"
#include "type_counts.h"

/* The end of a list of values */
#define NO_VALUE	PMC_MAX_COUNTS

/* The place of a value that has no term on a core type: this count is always 0. */
#define NO_TERM		PMC_MAX_COUNTS

typedef uint64_t counts_t[PMC_MAX_COUNTS + 1];

/**
 * struct type_terms - the terms of one core type
 * @place: by value: the event, or NO_TERM
 * @value: if @is_direct: by event: the value that it is a term of
 * @is_direct: each event is the term of one value, in the order of values
 * @is_empty: there is no term
 * @is_spread: @is_direct, but some values have no term
 * @nr_events: number of events
 * @nr_in_place: number of the events whose value has the same number; these are the first ones
 * @constants: values that have no term, then NO_VALUE
 */
struct type_terms {
	uint8_t place[PMC_MAX_COUNTS];
	uint8_t value[PMC_MAX_COUNTS];
	uint8_t constants[PMC_MAX_COUNTS + 1];
	int is_direct;
	int is_empty;
	int is_spread;
	int nr_events;
	int nr_in_place;
};

/**
 * struct caliper_values - the values of a caliper
 * @counts: reads counts; NULL: no core type needs it
 * @nr: number of values
 * @generation: how often the following was made
 * @changes: the page's type_changes for which it was made; -1: none
 * @core_type: the core type of the thread
 * @terms: those of this core type
 * @base: what each value has beside the page's count of its term: terms of other core types,
 *	without what the page's count has of these core types
 * @zero: sums at the last pmc_caliper_restart()
 *
 * caliper->before[i] is zero[i] - base[i].
 */
struct caliper_values {
	pmc_caliper_t *counts;
	int nr;
	int nr_types;
	uint32_t generation;
	int64_t changes;
	int core_type;
	const struct type_terms *terms;
	uint64_t base[PMC_MAX_COUNTS];
	uint64_t zero[PMC_MAX_COUNTS];
	struct type_terms types[];
};

void caliper_values_free(struct caliper_values *values)
{
	if (!values)
		return;
	caliper_free(values->counts);
	free(values);
}

int caliper_values_direct(const pmc_caliper_t *caliper)
{
	const struct caliper_values *v = caliper->values;

	return v->changes == type_changes(caliper) && v->terms->is_direct;
}

int caliper_values_are_spread(const pmc_caliper_t *caliper)
{
	return caliper->values->terms->is_spread;
}

int caliper_value_of(const pmc_caliper_t *caliper, int event)
{
	const struct caliper_values *v = caliper->values;

	return v ? v->terms->value[event] : event;
}

#ifdef CALIPER_DIRECT

/* The last event first: no value is written over an event that has not been moved. */
int caliper_values_spread(pmc_caliper_t *caliper, uint64_t *values, uint64_t seq)
{
	const struct caliper_values *v = caliper->values;
	const struct type_terms *terms = v->terms;
	const uint8_t *constant = terms->constants;
	int event;

	for (event = terms->nr_events; event > terms->nr_in_place; event--)
		values[terms->value[event - 1]] = values[event - 1];
	for (; *constant != NO_VALUE; constant++)
		values[*constant] = -caliper->before[*constant];
	__asm__ volatile("" ::: "memory");
	/* A signal's handler may have read the caliper on another core type. */
	return caliper->seq == seq ? v->nr : caliper_read_slowly(caliper, values);
}

#endif

/* Counts of a core type; those that it does not have are 0. */
static int read_type(const pmc_caliper_t *caliper, int core_type, uint64_t *counts)
{
	struct pmc_read arg = { .core_type = core_type };

	memset(counts, 0, sizeof(counts_t));
	if (ioctl(pmc_session_fd(caliper->ts->session), PMC_IOC_READ, &arg))
		return -1;
	memcpy(counts, arg.counts, arg.nr_counts * sizeof(*counts));
	return 0;
}

/* Without the page, or in a child, whose calls fail, the thread may change core type meanwhile. */
static int read_by_calls(const pmc_caliper_t *caliper, uint64_t *values)
{
	const struct caliper_values *v = caliper->values;
	counts_t counts;
	int type, i;

	for (i = 0; i < v->nr; i++)
		values[i] = -v->zero[i];
	for (type = 0; type < v->nr_types; type++) {
		if (read_type(caliper, type, counts))
			return -1;
		for (i = 0; i < v->nr; i++)
			values[i] += counts[v->types[type].place[i]];
	}
	return v->nr;
}

static void add_others(struct caliper_values *v, const uint64_t *counts, int type)
{
	int i;

	for (i = 0; i < v->nr; i++)
		v->base[i] += counts[v->types[type].place[i]] -
			      counts[v->types[v->core_type].place[i]];
}

/* The thread stays on the core type, or this is done again. */
static int make_base(const pmc_caliper_t *caliper)
{
	struct caliper_values *v = caliper->values;
	counts_t counts;
	int type;

	memset(v->base, 0, sizeof(v->base));
	v->core_type = *(const volatile __u16 *)&caliper_page(caliper)->core_type;
	v->terms = &v->types[v->core_type];
	for (type = 0; type < v->nr_types; type++) {
		if (type == v->core_type)
			continue;
		if (read_type(caliper, type, counts))
			return -1;
		add_others(v, counts, type);
	}
	return 0;
}

static int update(pmc_caliper_t *caliper)
{
	struct caliper_values *v = caliper->values;
	uint32_t changes;
	int i;

	v->changes = -1;
	v->generation++;
	caliper->seq = SEQ_NONE;
	do {
		changes = type_changes(caliper);
		if (make_base(caliper))
			return -1;
	} while (changes != type_changes(caliper));
	for (i = 0; i < v->nr; i++)
		caliper->before[i] = v->zero[i] - v->base[i];
	v->changes = changes;
	return 0;
}

/* A signal's handler may read the caliper, too, so it waits. */
int caliper_values_update(pmc_caliper_t *caliper)
{
	sigset_t all, before;
	int rc;

	if (!caliper->page || caliper->values->changes == type_changes(caliper))
		return 0;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	rc = update(caliper);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}

static int read_once(const pmc_caliper_t *caliper, uint64_t *values)
{
	const struct caliper_values *v = caliper->values;
	const struct type_terms *terms = v->terms;
	counts_t counts;
	int i;

	if (terms->is_direct && !terms->is_empty)
		return read_by_calls(caliper, values);
	if (!terms->is_empty && pmc_caliper_read(v->counts, counts) < 0)
		return -1;
	counts[NO_TERM] = 0;
	for (i = 0; i < v->nr; i++)
		values[i] = counts[terms->place[i]] - caliper->before[i];
	return v->nr;
}

/* The reading is repeated if the thread changes core type, or if a handler has read meanwhile. */
int caliper_values_read(pmc_caliper_t *caliper, uint64_t *values)
{
	const struct caliper_values *v = caliper->values;
	uint32_t generation;

	if (!caliper->page)
		return read_by_calls(caliper, values);
	do {
		if (caliper_values_update(caliper))
			return -1;
		generation = v->generation;
		if (read_once(caliper, values) < 0)
			return -1;
	} while (generation != *(const volatile uint32_t *)&v->generation ||
		 v->changes != type_changes(caliper));
	return v->nr;
}

/* Counts have other numbers than their values. */
static void restart_spread(pmc_caliper_t *caliper, const uint64_t *values)
{
	struct caliper_values *v = caliper->values;
	int i;

	for (i = 0; i < v->nr; i++) {
		v->zero[i] += values[i];
		caliper->before[i] += values[i];
	}
	for (i = 0; i < v->terms->nr_events; i++)
		caliper->counts[i].total -= values[v->terms->value[i]];
}

static void restart_plain(pmc_caliper_t *caliper, const uint64_t *values)
{
	struct caliper_values *v = caliper->values;
	int i;

	for (i = 0; i < v->nr; i++) {
		v->zero[i] += values[i];
		caliper->before[i] += values[i];
		caliper->counts[i].total -= values[i];
	}
}

/* If a handler has updated the caliper meanwhile, the sums in between may be wrong. */
void pmc_caliper_restart(pmc_caliper_t *caliper, const uint64_t *values)
{
	struct caliper_values *v = caliper->values;
	uint32_t generation = v->generation;
	uint64_t seq = caliper->seq;

	if (v->terms->is_spread)
		restart_spread(caliper, values);
	else
		restart_plain(caliper, values);
	__asm__ volatile("" ::: "memory");
	if (v->generation != generation)
		v->changes = -1;
	if (v->generation != generation || caliper->seq != seq)
		caliper->seq = SEQ_NONE;
}

/* 0, or -1: a term is none, or a value has two of the core type. */
static int add_term(struct caliper_values *v, const pmc_config_t *config,
		    const struct pmc_caliper_term *term)
{
	uint8_t *place;

	if (term->core_type < 0 || term->core_type >= v->nr_types || term->value < 0 ||
	    term->value >= v->nr || term->event < 0 ||
	    term->event >= pmc_config_nr_events(config, term->core_type, 0))
		return -1;
	place = &v->types[term->core_type].place[term->value];
	if (*place != NO_TERM)
		return -1;
	*place = term->event;
	v->types[term->core_type].is_empty = 0;
	return 0;
}

/* Fill what direct readings need, if they are possible on this core type. */
static void make_direct(struct type_terms *terms, int nr_values, int nr_events)
{
	int i, event = 0, nr_constants = 0;

	for (i = 0; i < nr_values; i++) {
		if (terms->place[i] == NO_TERM) {
			terms->constants[nr_constants++] = i;
		} else if (terms->place[i] == event && event < nr_events) {
			terms->nr_in_place += i == event;
			terms->value[event++] = i;
		} else {
			return;
		}
	}
	terms->constants[nr_constants] = NO_VALUE;
	terms->is_direct = event == nr_events;
	terms->is_spread = terms->is_direct && nr_constants;
	terms->nr_events = nr_events;
}

static struct caliper_values *values_new(const pmc_machine_t *machine, int nr)
{
	int type, nr_types = pmc_machine_nr_core_types(machine);
	struct caliper_values *v = calloc(1, sizeof(*v) + nr_types * sizeof(v->types[0]));

	if (!v) {
		pmc_fail_nomem();
		return NULL;
	}
	v->nr = nr;
	v->nr_types = nr_types;
	v->changes = -1;
	v->terms = v->types;
	for (type = 0; type < nr_types; type++) {
		v->types[type].is_empty = 1;
		memset(v->types[type].place, NO_TERM, sizeof(v->types[type].place));
	}
	return v;
}

static int add_terms(struct caliper_values *v, const pmc_config_t *config,
		     const struct pmc_caliper_term *terms, int nr_terms)
{
	int i;

	for (i = 0; i < nr_terms; i++)
		if (add_term(v, config, &terms[i]))
			return pmc_fail(EINVAL, "term %d is no count of the caliper, or its value has another one of the core type",
					i);
	return 0;
}

static int open_counts(struct caliper_values *v, const pmc_machine_t *machine,
		       const pmc_config_t *config)
{
	int type, needed = 0;

	for (type = 0; type < v->nr_types; type++) {
		struct type_terms *terms = &v->types[type];

		make_direct(terms, v->nr, pmc_config_nr_events(config, type, 0));
		needed |= !terms->is_direct && !terms->is_empty;
	}
	if (!needed)
		return 0;
	v->counts = caliper_of_config(machine, config);
	return v->counts ? 0 : -1;
}

static int begin_at_zero(pmc_caliper_t *caliper)
{
	uint64_t values[PMC_MAX_COUNTS];

	if (caliper_values_read(caliper, values) < 0)
		return pmc_fail(errno, "the thread's counters cannot be read: %m");
	pmc_caliper_restart(caliper, values);
	return 0;
}

pmc_caliper_t *pmc_caliper_open_values(const pmc_machine_t *machine, const pmc_config_t *config,
				       int nr_values, const struct pmc_caliper_term *terms,
				       int nr_terms)
{
	struct caliper_values *v;
	pmc_caliper_t *caliper;

	if (nr_values < 1 || nr_values > PMC_MAX_COUNTS) {
		pmc_fail(EINVAL, "a caliper reads 1 to %d values", PMC_MAX_COUNTS);
		return NULL;
	}
	if (caliper_check(machine, config))
		return NULL;
	v = values_new(machine, nr_values);
	if (!v || add_terms(v, config, terms, nr_terms) || open_counts(v, machine, config)) {
		caliper_values_free(v);
		return NULL;
	}
	caliper = caliper_of_config(machine, config);
	if (!caliper) {
		caliper_values_free(v);
		return NULL;
	}
	caliper->values = v;
	if (!begin_at_zero(caliper))
		return caliper;
	caliper_values_free(v);
	caliper_free(caliper);
	return NULL;
}
