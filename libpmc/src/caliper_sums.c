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
#include <string.h>
#include <sys/ioctl.h>

#include "caliper_sums.h"
#include "thread_session.h"
#include "type_counts.h"

typedef uint64_t counts_t[PMC_MAX_COUNTS + 1];

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
	return caliper->seq == seq ? v->nr : caliper->read_slowly(caliper, values);
}

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
