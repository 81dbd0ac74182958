// SPDX-License-Identifier: LGPL-2.1-or-later
/* The events that the high level counts: the same in all threads. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "high_events.h"
#include "high_messages.h"

#define DEFAULT_EVENTS	"PAPI_TOT_CYC"

const struct hl_split *hl_split;

/* Only the CPU's events are multiplexed: component 0, as in PAPI. */
static int new_empty_set(const struct hl_events *events, int component, int *set)
{
	int err;

	*set = PAPI_NULL;
	err = PAPI_create_eventset(set);
	if (err || !events->multiplex || component)
		return err;
	err = PAPI_assign_eventset_component(*set, component);
	if (!err)
		err = PAPI_set_multiplex(*set);
	if (err)
		hl_warn("the EventSet is not multiplexed: %s", PAPI_strerror(err));
	return PAPI_OK;
}

void hl_events_delete_set(int *set)
{
	int state;

	if (*set == PAPI_NULL)
		return;
	if (PAPI_state(*set, &state) == PAPI_OK && state & PAPI_RUNNING)
		PAPI_stop(*set, NULL);
	PAPI_cleanup_eventset(*set);
	PAPI_destroy_eventset(set);
	*set = PAPI_NULL;
}

int hl_events_new_set(const struct hl_events *events, const struct hl_component *component,
		      int *set)
{
	int i, err = new_empty_set(events, component->id, set);

	for (i = 0; !err && i < component->nr_events; i++)
		err = PAPI_add_event(*set, component->events[i].code);
	return err;
}

static void name_component(struct hl_component *component)
{
	const PAPI_component_info_t *info = PAPI_get_component_info(component->id);

	snprintf(component->name, sizeof(component->name), "%s", info ? info->name : "");
}

static struct hl_component *new_component(struct hl_events *events, int id)
{
	struct hl_component *component, *grown;

	grown = realloc(events->components, (events->nr_components + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	events->components = grown;
	component = &grown[events->nr_components];
	memset(component, 0, sizeof(*component));
	component->id = id;
	if (new_empty_set(events, id, &component->trial))
		return NULL;
	name_component(component);
	events->nr_components++;
	return component;
}

static struct hl_component *find_component(struct hl_events *events, int id)
{
	int i;

	for (i = 0; i < events->nr_components; i++) {
		if (events->components[i].id == id)
			return &events->components[i];
	}
	return new_component(events, id);
}

/* A name may have "=" in it, too: only these two words at its end say how to count. */
static enum hl_type cut_type(char *name)
{
	static const char *const words[] = { [HL_DELTA] = "=delta", [HL_INSTANT] = "=instant" };
	size_t length = strlen(name);
	int i;

	for (i = 0; i < 2; i++) {
		size_t n = strlen(words[i]);

		if (length > n && !strcmp(name + length - n, words[i])) {
			name[length - n] = 0;
			return i;
		}
	}
	return HL_DELTA;
}

static int keep_event(struct hl_events *events, struct hl_component *component,
		      const struct hl_event *event)
{
	struct hl_event *grown;

	grown = realloc(component->events, (component->nr_events + 1) * sizeof(*grown));
	if (!grown)
		return PAPI_ENOMEM;
	component->events = grown;
	grown[component->nr_events] = *event;
	grown[component->nr_events].name = strdup(event->name);
	if (!grown[component->nr_events].name)
		return PAPI_ENOMEM;
	component->nr_events++;
	events->nr_events++;
	return PAPI_OK;
}

static int add_event(struct hl_events *events, char *name)
{
	struct hl_event event = { .name = name, .type = cut_type(name) };
	struct hl_component *component;
	int err = PAPI_event_name_to_code(name, &event.code), id;

	if (err)
		return err;
	id = PAPI_get_event_component(event.code);
	if (hl_split && hl_split->component == id && !hl_split->has_parts(event.code))
		return PAPI_ENOSUPP;
	component = find_component(events, id);
	if (!component)
		return PAPI_ENOMEM;
	err = PAPI_add_event(component->trial, event.code);
	return err ? err : keep_event(events, component, &event);
}

static const char *advice(const struct hl_events *events, int err)
{
	if (err == PAPI_ENOSUPP && hl_split)
		return "; where cores differ, name the events of a quotient instead";
	return err == PAPI_ECNFLCT && !events->multiplex ?
		"; PAPI_MULTIPLEX=1 lets events take turns" : "";
}

static void remove_spaces(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (!isspace((unsigned char)*text))
			*to++ = *text;
	}
	*to = 0;
}

static int add_events(struct hl_events *events, const char *list)
{
	char *copy = strdup(list), *rest = copy, *name;
	int err;

	if (!copy)
		return PAPI_ENOMEM;
	remove_spaces(copy);
	while ((name = strsep(&rest, ",")) != NULL) {
		if (!*name)
			continue;
		err = add_event(events, name);
		if (err)
			hl_warn("event %s is left out: %s%s", name, PAPI_strerror(err),
				advice(events, err));
		else
			hl_info("event %s is counted", name);
	}
	free(copy);
	return PAPI_OK;
}

/* The trial EventSets have served; a component without events has none to count. */
static void end_trials(struct hl_events *events)
{
	int i, kept = 0;

	for (i = 0; i < events->nr_components; i++) {
		struct hl_component *component = &events->components[i];

		hl_events_delete_set(&component->trial);
		if (component->nr_events)
			events->components[kept++] = *component;
	}
	events->nr_components = kept;
}

static int list_instant(struct hl_events *events)
{
	int i, j, n = 0;

	events->instant = calloc(events->nr_events, sizeof(*events->instant));
	if (!events->instant)
		return PAPI_ENOMEM;
	for (i = 0; i < events->nr_components; i++) {
		for (j = 0; j < events->components[i].nr_events; j++)
			events->instant[n++] = events->components[i].events[j].type == HL_INSTANT;
	}
	return PAPI_OK;
}

int hl_events_choose(struct hl_events *events, const char *list)
{
	int err = PAPI_OK;

	if (list && *list) {
		err = add_events(events, list);
		if (!err && !events->nr_events)
			hl_warn("no event of PAPI_EVENTS can be counted; counted is %s",
				DEFAULT_EVENTS);
	}
	if (!err && !events->nr_events)
		err = add_events(events, DEFAULT_EVENTS);
	end_trials(events);
	if (err)
		return err;
	return events->nr_events ? list_instant(events) : PAPI_EINVAL;
}

void hl_events_free(struct hl_events *events)
{
	int i, j;

	for (i = 0; i < events->nr_components; i++) {
		for (j = 0; j < events->components[i].nr_events; j++)
			free(events->components[i].events[j].name);
		free(events->components[i].events);
	}
	free(events->components);
	free(events->instant);
	memset(events, 0, sizeof(*events));
}
