// SPDX-License-Identifier: GPL-2.0
/*
 * The choice of events on a machine that is part of the test: two core types, whose counters
 * count some events each, and random events with several terms. The choice is compared with all
 * possible choices.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "components.h"
#include "count_events.h"
#include "errors.h"
#include "library.h"
#include "pmcpapi.h"

#define NR_TYPES	2
#define NR_COUNTERS	4
#define NR_TERMS	8
#define MAX_EVENTS	6
#define NR_CASES	1000
#define CODE(i)		((int)PAPI_NATIVE_MASK + (i))

/**
 * struct machine - the machine of the test
 * @counters: of each term on each core type; 0: the kernel itself counts the term
 * @enemy: a term that cannot be counted with this one on the same core type; itself: none
 * @events: PAPI's events
 */
static struct machine {
	uint64_t counters[NR_TYPES][NR_TERMS];
	int enemy[NR_TERMS];
	int nr_events;
	struct papi_event events[MAX_EVENTS];
	struct papi_part parts[MAX_EVENTS][NR_TYPES];
	char *terms[MAX_EVENTS][NR_TYPES][2];
	int has_module;
	int try_error;
	int nr_tries;
	int nr_pinned;
} m;

static char names[NR_TERMS][8];
static uint32_t seed;

static int below(int n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static int term_number(const char *name)
{
	return name[1] - '0';
}

/* Each term on a counter of its own that is left? */
static int can_place(int type, int terms, uint64_t taken)
{
	int term = terms ? __builtin_ctz(terms) : 0;
	uint64_t left = m.counters[type][term];

	if (!terms)
		return 1;
	terms &= terms - 1;
	if (!left)
		return can_place(type, terms, taken);
	for (left &= ~taken; left; left &= left - 1)
		if (can_place(type, terms, taken | (left & -left)))
			return 1;
	return 0;
}

static int has_enemies(int terms)
{
	int i;

	for (i = 0; i < NR_TERMS; i++)
		if (terms >> i & 1 && m.enemy[i] != i && terms >> m.enemy[i] & 1)
			return 1;
	return 0;
}

/* ---- what the library has ---- */

/* The terms of an event on a core type, one bit each */
static int terms_on(const struct papi_event *event, int type)
{
	const struct papi_part *part;
	int i, terms = 0;

	for (part = event->parts; part < event->parts + event->nr_parts; part++)
		for (i = 0; i < part->nr_terms; i++)
			if (part->core_type == type)
				terms |= 1 << term_number(part->terms[i]);
	return terms;
}

int counting_try(const struct papi_event *const *events, int nr, const struct target *target)
{
	int type, i, terms;

	m.nr_tries++;
	assert_int_equal(target->domain, PAPI_DOM_USER);
	assert_int_equal(target->cpu, -1);
	if (m.try_error)
		return m.try_error;
	for (type = 0; type < NR_TYPES; type++) {
		for (i = terms = 0; i < nr; i++)
			terms |= terms_on(events[i], type);
		if (has_enemies(terms) || !can_place(type, terms, 0))
			return PAPI_ECNFLCT;
	}
	return PAPI_OK;
}

void counting_words(const char *term, int domain, char words[COUNTING_WORDS])
{
	sprintf(words, "%s:u", term);
}

PAPI_component_info_t *component_get(int component)
{
	static PAPI_component_info_t info = { .default_domain = PAPI_DOM_USER };

	return &info;
}

const struct papi_event *papi_event_by_code(unsigned int code)
{
	unsigned int i = code - PAPI_NATIVE_MASK;

	return i < (unsigned int)m.nr_events ? &m.events[i] : NULL;
}

int papi_fail(int code)
{
	return code;
}

const pmc_machine_t *papi_machine(void)
{
	return m.nr_events ? (const pmc_machine_t *)&m : NULL;
}

/* ---- what libpmctrack has ---- */

int pmc_machine_nr_core_types(const pmc_machine_t *machine)
{
	return NR_TYPES;
}

const struct pmc_core_type_info *pmc_machine_core_type(const pmc_machine_t *machine, int id)
{
	static const struct pmc_counter_info counters[] = {
		{ 0, 1, PMC_COUNTER_GENERAL, "any", 1 },
		{ 2, NR_COUNTERS - 1, PMC_COUNTER_FIXED, "x", 1 },
		{ 40, 45, PMC_COUNTER_SOFTWARE, "y", 0 },
	};
	static const struct pmc_core_type_info info = { .nr_counters = 3, .counters = counters };

	return &info;
}

pmc_session_t *pmc_session_open(void)
{
	return (pmc_session_t *)&m;
}

void pmc_session_close(pmc_session_t *session)
{
}

pmc_config_t *pmc_config_new(const pmc_machine_t *machine)
{
	return malloc(64);
}

void pmc_config_free(pmc_config_t *config)
{
	free(config);
}

int pmc_config_add(pmc_config_t *config, const char *spec, int core_type, unsigned int flags)
{
	strcpy((char *)config, spec);
	return m.has_module ? 0 : -1;
}

const char *pmc_config_raw(const pmc_config_t *config, int n)
{
	return (const char *)config;
}

int pmc_plan_fits(void *session, int core_type, const char *events)
{
	int term, counter;

	m.nr_pinned++;
	assert_int_equal(sscanf(events, "t%d:u:pmc=%d", &term, &counter), 2);
	assert_true(counter < NR_COUNTERS);
	return m.counters[core_type][term] >> counter & 1;
}

/* ---- random machines ---- */

static void add_part(int event, int type, int nr_terms)
{
	struct papi_part *part = &m.parts[event][m.events[event].nr_parts++];
	int first = below(NR_TERMS), i;

	part->core_type = type;
	part->terms = m.terms[event][type];
	part->nr_terms = nr_terms;
	for (i = 0; i < nr_terms; i++)
		part->terms[i] = names[(first + i) % NR_TERMS];
}

/* @simple: events have one term, and only counters matter */
static void draw(int number, int simple)
{
	int i, type;

	seed = number * 2654435761u + 3;
	memset(&m, 0, sizeof(m));
	m.has_module = 1;
	for (i = 0; i < NR_TERMS; i++) {
		sprintf(names[i], "t%d", i);
		for (type = 0; type < NR_TYPES; type++)
			m.counters[type][i] = below(8) ? 1 + below((1 << NR_COUNTERS) - 1) : 0;
		m.enemy[i] = simple || below(4) ? i : below(NR_TERMS);
	}
	m.nr_events = 1 + below(MAX_EVENTS);
	for (i = 0; i < m.nr_events; i++) {
		m.events[i].code = CODE(i);
		m.events[i].parts = m.parts[i];
		for (type = 0; type < NR_TYPES; type++)
			if (below(4) || (type && !m.events[i].nr_parts))
				add_part(i, type, simple ? 1 : 1 + below(2));
	}
}

/* The events of a choice that can be counted on a core type, or -1: all. -1: they do not fit */
static long long weight_of(int choice, int core_type, const int *weights)
{
	const struct papi_event *list[MAX_EVENTS];
	struct papi_event copies[MAX_EVENTS];
	struct target target = { .domain = PAPI_DOM_USER, .cpu = -1 };
	long long sum = 0;
	int i, p, nr = 0;

	for (i = 0; i < m.nr_events; i++) {
		if (!(choice >> i & 1))
			continue;
		copies[nr] = m.events[i];
		for (p = 0; core_type >= 0 && p < m.events[i].nr_parts; p++)
			if (m.parts[i][p].core_type == core_type)
				break;
		if (core_type >= 0 && p == m.events[i].nr_parts)
			return -1;
		if (core_type >= 0) {
			copies[nr].parts = &m.parts[i][p];
			copies[nr].nr_parts = 1;
		}
		list[nr] = &copies[nr];
		nr++;
		sum += weights ? weights[i] : 1;
	}
	return counting_try(list, nr, &target) == PAPI_OK ? sum : -1;
}

static long long best_of_all(int core_type, const int *weights)
{
	long long best = 0, sum;
	int choice;

	for (choice = 0; choice < 1 << m.nr_events; choice++) {
		sum = weight_of(choice, core_type, weights);
		best = sum > best ? sum : best;
	}
	return best;
}

static int is_best(int core_type, const int *weights)
{
	int codes[MAX_EVENTS], chosen[MAX_EVENTS], optimal = 0, choice = 0, i, nr;

	for (i = 0; i < m.nr_events; i++)
		codes[i] = CODE(i);
	m.nr_tries = 0;
	nr = pmcpapi_choose_events(core_type, codes, weights, m.nr_events, chosen, &optimal);
	for (i = 0; i < m.nr_events; i++)
		choice |= chosen[i] << i;
	return optimal && nr == __builtin_popcount(choice) &&
	       weight_of(choice, core_type, weights) == best_of_all(core_type, weights);
}

static void check_cases(int simple, int has_module)
{
	int number, i, core_type, weights[MAX_EVENTS];

	for (number = 0; number < NR_CASES; number++) {
		draw(number, simple);
		m.has_module = has_module;
		core_type = below(3) - 1;
		for (i = 0; i < MAX_EVENTS; i++)
			weights[i] = 1 + below(9);
		assert_true(is_best(core_type, below(2) ? weights : NULL));
	}
}

static void test_best(void **state)
{
	check_cases(1, 1);
	check_cases(0, 1);
}

/* Without the module the kernel does not take numbers of counters. */
static void test_best_without_counters(void **state)
{
	check_cases(0, 0);
}

/* Many events that only differ in name: the bound ends the search at once. */
static void test_bound(void **state)
{
	int codes[MAX_EVENTS], chosen[MAX_EVENTS], optimal, i;

	draw(0, 1);
	m.nr_events = MAX_EVENTS;
	for (i = 0; i < MAX_EVENTS; i++) {
		m.counters[0][i] = 3;
		m.events[i] = (struct papi_event){ .code = CODE(i), .parts = m.parts[i] };
		m.parts[i][0].terms = m.terms[i][0];
		m.parts[i][0].terms[0] = names[i];
		m.parts[i][0].core_type = 0;
		m.parts[i][0].nr_terms = m.events[i].nr_parts = 1;
		codes[i] = CODE(i);
	}
	m.nr_tries = 0;
	assert_int_equal(pmcpapi_choose_events(-1, codes, NULL, MAX_EVENTS, chosen, &optimal), 2);
	assert_true(optimal);
	assert_true(chosen[0] && chosen[1] && !chosen[2]);
	assert_int_equal(m.nr_tries, 3);
	/* Nothing is to be chosen: no counter has to be known. */
	m.nr_pinned = 0;
	assert_int_equal(pmcpapi_choose_events(-1, codes, NULL, 2, chosen, NULL), 2);
	assert_int_equal(m.nr_pinned, 0);
	/* The same event twice is one. */
	codes[1] = codes[0];
	assert_int_equal(pmcpapi_choose_events(-1, codes, NULL, 2, chosen, NULL), 1);
	assert_true(chosen[0] && !chosen[1]);
	/* No event is counted on that core type. */
	assert_int_equal(pmcpapi_choose_events(1, codes, NULL, 2, chosen, &optimal), 0);
	assert_true(optimal && !chosen[0]);
}

static void test_errors(void **state)
{
	int codes[2] = { CODE(0), CODE(99) }, weights[2] = { 1, 0 }, chosen[2], optimal;

	draw(0, 1);
	assert_int_equal(pmcpapi_choose_events(-1, codes, NULL, 2, chosen, NULL), PAPI_ENOEVNT);
	codes[1] = CODE(0);
	assert_int_equal(pmcpapi_choose_events(-1, codes, weights, 2, chosen, NULL), PAPI_EINVAL);
	assert_int_equal(pmcpapi_choose_events(-2, codes, NULL, 1, chosen, NULL), PAPI_EINVAL);
	assert_int_equal(pmcpapi_choose_events(2, codes, NULL, 1, chosen, NULL), PAPI_EINVAL);
	assert_int_equal(pmcpapi_choose_events(-1, codes, NULL, 0, chosen, NULL), PAPI_EINVAL);
	assert_int_equal(pmcpapi_choose_events(-1, NULL, NULL, 1, chosen, NULL), PAPI_EINVAL);
	m.try_error = PAPI_EPERM;
	assert_int_equal(pmcpapi_choose_events(-1, codes, NULL, 1, chosen, &optimal), PAPI_EPERM);
	m.nr_events = 0;
	assert_int_equal(pmcpapi_choose_events(-1, codes, NULL, 1, chosen, NULL), PAPI_ENOINIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_best),
		cmocka_unit_test(test_best_without_counters),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
