/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events that the high level counts: the same in all threads. */
#ifndef PAPI_HIGH_EVENTS_H
#define PAPI_HIGH_EVENTS_H

#include <stdbool.h>

#include "papi.h"

enum hl_type {
	HL_DELTA,	/* the difference between the end of a region and its beginning */
	HL_INSTANT,	/* the value at the end: a temperature, a frequency */
};

struct hl_event {
	char *name;
	int code;
	enum hl_type type;
};

/* An EventSet for each component, as PAPI has it */
struct hl_component {
	int id;
	char name[PAPI_MAX_STR_LEN];
	int trial;	/* an EventSet; it exists while events are chosen */
	int nr_events;
	struct hl_event *events;
};

struct hl_events {
	bool multiplex;
	int nr_components;
	struct hl_component *components;
	int nr_events;	/* of all components */
	bool *instant;	/* for each of them, in the order of the components */
};

/*
 * The low level's way to read an EventSet with its values apart by core type, where a
 * machine has several. NULL, as at first: there is none.
 */
struct hl_split {
	int component;		/* whose events have parts: the CPU's */
	int nr_types;
	const char *(*type_name)(int type);
	/* A quotient has none: those of the core types do not add up to it. */
	bool (*has_parts)(int code);
	/*
	 * values[event] is what PAPI_read() gives, by_type[event * nr_types + type] its part
	 * on a core type, from the same reading. cycles may be NULL.
	 */
	int (*read)(int set, long long *values, long long *by_type, long long *cycles);
};

extern const struct hl_split *hl_split;

/*
 * Choose the events: those of the list, separated by commas, each with "=instant" or "=delta"
 * at its end if wanted. Events that cannot be counted, or not by core type, are left out with a
 * warning. Without a list, and if nothing of the list can be counted: PAPI_TOT_CYC.
 */
int hl_events_choose(struct hl_events *events, const char *list);
void hl_events_free(struct hl_events *events);

/* A new EventSet with the component's events. */
int hl_events_new_set(const struct hl_events *events, const struct hl_component *component,
		      int *set);
/* Also if it counts, or was made in part only. */
void hl_events_delete_set(int *set);

#endif
