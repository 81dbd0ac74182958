// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opening calipers that read values: the terms of each core type, and whether the values can be
 * read by instruction there.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "caliper_sums.h"
#include "error.h"

void caliper_values_free(struct caliper_values *values)
{
	if (!values)
		return;
	caliper_free(values->counts);
	free(values);
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
	caliper->spread = caliper_values_spread;
	if (!begin_at_zero(caliper))
		return caliper;
	caliper_values_free(v);
	caliper_free(caliper);
	return NULL;
}
