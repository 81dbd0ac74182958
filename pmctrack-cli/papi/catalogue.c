// SPDX-License-Identifier: GPL-2.0
/* The events that PAPI knows, collected for lists. */
#include <stdlib.h>
#include <string.h>

#include "../src/common.h"
#include "catalogue.h"

static char *copy(const char *text)
{
	return must_have(strdup(text));
}

static void copy_terms(struct event *ev, const PAPI_event_info_t *info)
{
	int i;

	if (ev->kind != EVENT_PRESET && ev->kind != EVENT_USER)
		return;
	ev->nr_terms = info->count < PAPI_MAX_INFO_TERMS ? info->count : PAPI_MAX_INFO_TERMS;
	ev->terms = new_array(ev->nr_terms, sizeof(*ev->terms));
	for (i = 0; i < ev->nr_terms; i++)
		ev->terms[i] = copy(info->name[i]);
}

static enum event_state state_of(const struct event *ev, const PAPI_event_info_t *info)
{
	if (ev->kind == EVENT_NATIVE || ev->kind == EVENT_UMASK)
		return EVENT_UNKNOWN;
	if (!info->count || PAPI_query_event(ev->code) != PAPI_OK)
		return EVENT_ABSENT;
	return EVENT_AVAILABLE;
}

/* A preset has a long description, and may have a short one only. */
static const char *description_of(const PAPI_event_info_t *info)
{
	return *info->long_descr ? info->long_descr : info->short_descr;
}

static int add(struct catalogue *c, int code, enum event_kind kind)
{
	/* A structure of some kilobytes */
	static PAPI_event_info_t info;
	struct event *ev;
	int rc;

	memset(&info, 0, sizeof(info));
	rc = PAPI_get_event_info(code, &info);
	if (rc != PAPI_OK)
		return rc;
	c->all = must_have(realloc(c->all, (c->nr + 1) * sizeof(*c->all)));
	ev = &c->all[c->nr++];
	*ev = (struct event){
		.code = code,
		.kind = kind,
		.component = info.component_index,
		.core_types = core_pmus_of_event(c->types, &info),
		.name = copy(info.symbol),
		.description = copy(description_of(&info)),
		.note = copy(info.note),
		.units = copy(info.units),
		.derived = copy(strcmp(info.derived, "NOT_DERIVED") ? info.derived : ""),
		.postfix = copy(info.postfix),
	};
	copy_terms(ev, &info);
	ev->state = state_of(ev, &info);
	return PAPI_OK;
}

static void add_all(struct catalogue *c, int mask, enum event_kind kind)
{
	int code = mask;

	if (PAPI_enum_event(&code, PAPI_ENUM_FIRST) != PAPI_OK)
		return;
	do {
		add(c, code, kind);
	} while (PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK);
}

void catalogue_add_presets(struct catalogue *c)
{
	add_all(c, PAPI_PRESET_MASK, EVENT_PRESET);
}

void catalogue_add_users(struct catalogue *c)
{
	add_all(c, PAPI_PRESET_MASK | PAPI_NATIVE_MASK, EVENT_USER);
}

/* A component that is initialized when it is used first has events, although it is disabled. */
static int has_events(int component)
{
	const PAPI_component_info_t *info = PAPI_get_component_info(component);

#ifdef PAPI_EDELAY_INIT
	if (info && info->disabled == PAPI_EDELAY_INIT)
		return 1;
#endif
	return info && !info->disabled;
}

void catalogue_add_natives(struct catalogue *c)
{
	int component, code;

	for (component = 0; component < PAPI_num_components(); component++) {
		code = PAPI_NATIVE_MASK;
		if (!has_events(component) ||
		    PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component) != PAPI_OK)
			continue;
		do {
			add(c, code, EVENT_NATIVE);
		} while (PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component) == PAPI_OK);
	}
}

int catalogue_add_event(struct catalogue *c, int code)
{
	return add(c, code, IS_USER_DEFINED(code) ? EVENT_USER :
		   IS_PRESET(code) ? EVENT_PRESET : EVENT_NATIVE);
}

/* The next code with a unit mask; 0: there is none */
static int next_umask(int *code)
{
	int component = PAPI_get_event_component(*code);

	return component >= 0 &&
		PAPI_enum_cmp_event(code, PAPI_NTV_ENUM_UMASKS, component) == PAPI_OK;
}

void catalogue_add_umasks(struct catalogue *c, int code)
{
	while (IS_NATIVE(code) && next_umask(&code))
		add(c, code, EVENT_UMASK);
}

void catalogue_free(struct catalogue *c)
{
	struct event *ev;

	while (c->nr) {
		ev = &c->all[--c->nr];
		free(ev->name);
		free(ev->description);
		free(ev->note);
		free(ev->units);
		free(ev->derived);
		free(ev->postfix);
		while (ev->nr_terms)
			free(ev->terms[--ev->nr_terms]);
		free(ev->terms);
	}
	free(c->all);
	c->all = NULL;
}

static int fits_alone(int set, int code)
{
	return PAPI_add_event(set, code) == PAPI_OK && PAPI_remove_event(set, code) == PAPI_OK;
}

int catalogue_fits(int set, int code)
{
	int with_mask = code;

	if (fits_alone(set, code))
		return 1;
	while (IS_NATIVE(code) && next_umask(&with_mask))
		if (fits_alone(set, with_mask))
			return 1;
	return 0;
}

static enum event_state try(int code)
{
	int set = PAPI_NULL, fits;

	if (PAPI_create_eventset(&set) != PAPI_OK)
		return EVENT_UNKNOWN;
	fits = catalogue_fits(set, code);
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
	return fits ? EVENT_AVAILABLE : EVENT_ABSENT;
}

void catalogue_try(struct catalogue *c, event_filter *wanted, const void *arg)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		if (c->all[i].state == EVENT_UNKNOWN && wanted(&c->all[i], arg))
			c->all[i].state = try(c->all[i].code);
}
