/* SPDX-License-Identifier: GPL-2.0 */
/* The events that PAPI knows, collected for lists. */
#ifndef PMCTRACK_PAPI_CATALOGUE_H
#define PMCTRACK_PAPI_CATALOGUE_H

#include "core_pmus.h"

enum event_kind {
	EVENT_PRESET,
	EVENT_USER,	/* defined by the user, in PAPI_USER_EVENTS_FILE */
	EVENT_NATIVE,
	EVENT_UMASK,	/* a native event with one of its unit masks */
	EVENT_KINDS,
};

enum event_state {
	EVENT_UNKNOWN,	/* not tried */
	EVENT_ABSENT,
	EVENT_AVAILABLE,
};

/**
 * struct event - an event
 * @core_types: on which core types it is counted; bit N is core type N
 * @state: can it be counted?
 * @derived: the kind of formula, as DERIVED_ADD; "" for native events
 * @postfix: the formula of DERIVED_POSTFIX, or ""
 * @terms: names of the native events that a preset is made of
 */
struct event {
	int code;
	enum event_kind kind;
	int component;
	unsigned int core_types;
	enum event_state state;
	char *name;
	char *description;
	char *note;
	char *units;
	char *derived;
	char *postfix;
	char **terms;
	int nr_terms;
};

/* Which events: 1 if @ev is one of them */
typedef int event_filter(const struct event *ev, const void *arg);

struct catalogue {
	const struct core_pmus *types;
	struct event *all;
	size_t nr;
};

/* Add all events of a kind; native events of all components that are enabled. */
void catalogue_add_presets(struct catalogue *c);
void catalogue_add_users(struct catalogue *c);
void catalogue_add_natives(struct catalogue *c);

/* Add the event @code, and, of a native event, its unit masks. An error of PAPI, or 0 */
int catalogue_add_event(struct catalogue *c, int code);
void catalogue_add_umasks(struct catalogue *c, int code);

void catalogue_free(struct catalogue *c);

/* Can the event be added to @set? It is removed again. A native event fits if a unit mask does. */
int catalogue_fits(int set, int code);

/* Try events in an EventSet of their own, for their @state; presets are known without that. */
void catalogue_try(struct catalogue *c, event_filter *wanted, const void *arg);

#endif
