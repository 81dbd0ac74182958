// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which of many events can be counted at the same time? The kernel is asked about sets of
 * events, and about the counters of single ones. A matching on the latter leaves out all other
 * conditions, so its weight is a bound that no choice exceeds. Mostly a choice reaches it: then
 * the choice is known to be the best without more questions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assign.h"
#include "components.h"
#include "count_events.h"
#include "errors.h"
#include "library.h"
#include "pmcpapi.h"

/* A question is some system calls. These take about a tenth of a second. */
#define MAX_QUESTIONS 500

/**
 * struct candidates - the events to choose from
 * @events: those that can be counted at all; copies, with parts of the wanted core types only
 * @number: place of each in the caller's list
 * @weights: how much each matters
 * @some: room for those that the kernel is asked about
 * @error: why a question has failed
 */
struct candidates {
	int nr;
	struct papi_event *events;
	int *number;
	int *weights;
	const struct papi_event **some;
	struct target target;
	int error;
};

static int alloc(struct candidates *c, int nr)
{
	memset(c, 0, sizeof(*c));
	c->error = PAPI_ENOMEM;
	c->target.domain = component_get(COMPONENT_CPU)->default_domain;
	c->target.cpu = -1;
	c->events = calloc(nr, sizeof(*c->events));
	c->number = calloc(nr, sizeof(*c->number));
	c->weights = calloc(nr, sizeof(*c->weights));
	c->some = calloc(nr, sizeof(*c->some));
	return c->events && c->number && c->weights && c->some ? PAPI_OK : PAPI_ENOMEM;
}

static void free_candidates(struct candidates *c)
{
	free(c->events);
	free(c->number);
	free(c->weights);
	free(c->some);
}

/* The event without its parts on other core types */
static struct papi_event restrict_to(const struct papi_event *event, int core_type)
{
	struct papi_event one = *event;
	int i;

	if (core_type == PMCPAPI_EVERY_CORE_TYPE)
		return one;
	one.nr_parts = 0;
	for (i = 0; i < event->nr_parts; i++)
		if (event->parts[i].core_type == core_type) {
			one.parts = &event->parts[i];
			one.nr_parts = 1;
		}
	return one;
}

static int is_listed(const struct candidates *c, unsigned int code)
{
	int i;

	for (i = 0; i < c->nr; i++)
		if (c->events[i].code == code)
			return 1;
	return 0;
}

/* An event that is listed twice can be a member of an EventSet once. */
static int add(struct candidates *c, int core_type, int code, int weight, int number)
{
	const struct papi_event *event = papi_event_by_code(code);

	if (!event)
		return PAPI_ENOEVNT;
	if (weight <= 0)
		return PAPI_EINVAL;
	c->events[c->nr] = restrict_to(event, core_type);
	if (!c->events[c->nr].nr_parts || is_listed(c, event->code))
		return PAPI_OK;
	c->number[c->nr] = number;
	c->weights[c->nr++] = weight;
	return PAPI_OK;
}

static int fits(void *arg, const unsigned char *chosen)
{
	struct candidates *c = arg;
	int i, rc, nr = 0;

	for (i = 0; i < c->nr; i++)
		if (chosen[i])
			c->some[nr++] = &c->events[i];
	rc = counting_try(c->some, nr, &c->target);
	if (rc == PAPI_OK || rc == PAPI_ECNFLCT)
		return rc == PAPI_OK;
	c->error = rc;
	return -1;
}

/* ---- the bound ---- */

/* Does the kernel accept an event of a core type on counter @n? */
static int fits_counter(pmc_session_t *session, int core_type, const char *event, int n)
{
	pmc_config_t *config = pmc_config_new(papi_machine());
	char words[COUNTING_WORDS + 16];
	int yes;

	snprintf(words, sizeof(words), "%s:pmc=%d", event, n);
	yes = config && !pmc_config_add(config, words, core_type, 0) &&
	      pmc_plan_fits(session, core_type, pmc_config_raw(config, 0)) > 0;
	pmc_config_free(config);
	return yes;
}

/* The hardware counters that can count an event; 0: it needs none, or they are not known. */
static uint64_t counters_of(pmc_session_t *session, int core_type, const char *term, int domain)
{
	const struct pmc_core_type_info *info = pmc_machine_core_type(papi_machine(), core_type);
	char event[COUNTING_WORDS];
	uint64_t mask = 0;
	int i, n;

	counting_words(term, domain, event);
	for (i = 0; i < info->nr_counters; i++)
		for (n = info->counters[i].first; n <= info->counters[i].last && n < 64; n++)
			if (info->counters[i].kind != PMC_COUNTER_SOFTWARE &&
			    fits_counter(session, core_type, event, n))
				mask |= 1ULL << n;
	return mask;
}

/**
 * struct relaxed - a core type with the condition that each event needs a counter of its own
 * @counters: of one term of each event that has a part on the core type
 * @terms: these terms
 * @free_weight: of the other events
 */
struct relaxed {
	int nr;
	uint64_t *counters;
	const char **terms;
	int *weights;
	int *counter;
	long long free_weight;
};

static int alloc_relaxed(struct relaxed *r, int nr)
{
	memset(r, 0, sizeof(*r));
	r->counters = calloc(nr, sizeof(*r->counters));
	r->terms = calloc(nr, sizeof(*r->terms));
	r->weights = calloc(nr, sizeof(*r->weights));
	r->counter = calloc(nr, sizeof(*r->counter));
	return r->counters && r->terms && r->weights && r->counter ? PAPI_OK : PAPI_ENOMEM;
}

static void free_relaxed(struct relaxed *r)
{
	free(r->counters);
	free(r->terms);
	free(r->weights);
	free(r->counter);
}

static const struct papi_part *part_on(const struct papi_event *event, int core_type)
{
	int i;

	for (i = 0; i < event->nr_parts; i++)
		if (event->parts[i].core_type == core_type)
			return &event->parts[i];
	return NULL;
}

/* A term that no event before has: events with the same term share its counter. */
static const char *own_term(const struct relaxed *r, const struct papi_part *part)
{
	int i, j;

	for (i = 0; part && i < part->nr_terms; i++) {
		for (j = 0; j < r->nr && strcmp(r->terms[j], part->terms[i]); j++)
			;
		if (j == r->nr)
			return part->terms[i];
	}
	return NULL;
}

static void relax(struct relaxed *r, const struct candidates *c, int core_type,
		  pmc_session_t *session)
{
	const char *term;
	uint64_t mask;
	int i;

	for (i = 0; i < c->nr; i++) {
		term = own_term(r, part_on(&c->events[i], core_type));
		mask = term ? counters_of(session, core_type, term, c->target.domain) : 0;
		if (!mask) {
			r->free_weight += c->weights[i];
			continue;
		}
		r->terms[r->nr] = term;
		r->counters[r->nr] = mask;
		r->weights[r->nr++] = c->weights[i];
	}
}

/* No choice has a larger weight: the kernel can only have more conditions. -1: no memory */
static long long bound_on(const struct candidates *c, int core_type, pmc_session_t *session)
{
	struct relaxed r;
	struct assign a = { .nr_groups = 1 };
	long long sum = -1;

	if (alloc_relaxed(&r, c->nr) == PAPI_OK) {
		relax(&r, c, core_type, session);
		a.nr_events = r.nr;
		a.counters = r.counters;
		a.weights = r.weights;
		sum = assign_events(&a, r.counter, NULL);
		if (sum >= 0)
			sum += r.free_weight;
	}
	free_relaxed(&r);
	return sum;
}

/* The choice has to fit every core type. */
static long long bound(const struct candidates *c)
{
	pmc_session_t *session = pmc_session_open();
	long long sum, least = 0;
	int i;

	for (i = 0; i < c->nr; i++)
		least += c->weights[i];
	for (i = 0; session && i < pmc_machine_nr_core_types(papi_machine()); i++) {
		sum = bound_on(c, i, session);
		if (sum >= 0 && sum < least)
			least = sum;
	}
	pmc_session_close(session);
	return least;
}

/* ---- the choice ---- */

static int choose(struct candidates *c, unsigned char *chosen, int *is_optimal)
{
	struct choice choice = {
		.nr_events = c->nr, .weights = c->weights, .fits = fits, .arg = c,
		.questions = MAX_QUESTIONS,
	};
	int rc;

	memset(chosen, 1, c->nr);
	*is_optimal = 1;
	rc = fits(c, chosen);
	if (rc)
		return rc > 0 ? PAPI_OK : c->error;
	choice.bound = bound(c);
	return assign_choose(&choice, chosen, is_optimal) ? c->error : PAPI_OK;
}

static int choose_and_report(struct candidates *c, int *chosen, int *is_optimal)
{
	unsigned char *flags = calloc(c->nr, 1);
	int i, optimal, nr = 0, rc = flags ? choose(c, flags, &optimal) : PAPI_ENOMEM;

	for (i = 0; rc == PAPI_OK && i < c->nr; i++) {
		chosen[c->number[i]] = flags[i];
		nr += flags[i];
	}
	if (rc == PAPI_OK && is_optimal)
		*is_optimal = optimal;
	free(flags);
	return rc == PAPI_OK ? nr : rc;
}

int pmcpapi_choose_events(int core_type, const int *events, const int *weights, int nr,
			  int *chosen, int *is_optimal)
{
	struct candidates c;
	int i, rc;

	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	if (!events || !chosen || nr <= 0 || core_type < PMCPAPI_EVERY_CORE_TYPE ||
	    core_type >= pmc_machine_nr_core_types(papi_machine()))
		return papi_fail(PAPI_EINVAL);
	rc = alloc(&c, nr);
	for (i = 0; i < nr && rc == PAPI_OK; i++) {
		chosen[i] = 0;
		rc = add(&c, core_type, events[i], weights ? weights[i] : 1, i);
	}
	if (is_optimal)
		*is_optimal = 1;
	if (rc == PAPI_OK && c.nr)
		rc = choose_and_report(&c, chosen, is_optimal);
	free_candidates(&c);
	return rc < 0 ? papi_fail(rc) : rc;
}
