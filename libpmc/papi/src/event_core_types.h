/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events of PAPI's. For an event some events of libpmctrack are counted on each core type, and
 * a formula computes the value. A native event has one term and no formula, a preset any number of terms. The
 * event's value is the sum over the core types.
 */
#ifndef PAPI_EVENT_CORE_TYPES_H
#define PAPI_EVENT_CORE_TYPES_H

#include "formula.h"

enum papi_component {
	COMPONENT_CPU,		/* counters of CPUs, and the kernel's software events */
	COMPONENT_VIRTUAL,	/* virtual counters of monitoring modules */
	COMPONENT_SYSDETECT,	/* information about hardware; it has no events */
	NR_COMPONENTS
};

/* Most terms of an event on one core type */
#define PAPI_MAX_TERMS FORMULA_MAX_TERMS

/**
 * struct papi_part - an event on one core type
 * @core_type: libpmctrack's number of the core type
 * @nr_terms: number of @terms
 * @terms: events in libpmctrack's words
 * @formula: computes the value; NULL: the value is that of the only term
 */
struct papi_part {
	int core_type;
	int nr_terms;
	char **terms;
	struct formula *formula;
};

/**
 * struct papi_event - an event that can be a member of an EventSet
 * @code: PAPI's code of it
 * @component: enum papi_component
 * @name: its name
 * @desc: one line about it; may be NULL
 * @nr_parts: number of @parts; 0: it is counted by no event of a core type
 * @parts: one for each core type that counts it, lowest number first
 */
struct papi_event {
	unsigned int code;
	int component;
	char *name;
	char *desc;
	int nr_parts;
	struct papi_part *parts;
};

/*
 * Add a part with one term, or with a formula, which becomes the event's, also on failure.
 * @words: the terms in libpmctrack's words
 *
 * Return: PAPI_OK or PAPI_ENOMEM.
 */
int event_add_term(struct papi_event *event, int core_type, const char *words);
int event_add_formula(struct papi_event *event, int core_type, struct formula *formula,
		      char *const *words);
void event_free_parts(struct papi_event *event);

/* Does the core type have an event, in libpmctrack's words? */
int event_exists(int core_type, const char *words);

/* By code, whatever type of event; NULL: there is none. */
const struct papi_event *papi_event_by_code(unsigned int code);

/* By name; NULL with *@error set to a PAPI_E* code */
const struct papi_event *papi_event_by_name(const char *name, int *error);

#endif
