// SPDX-License-Identifier: LGPL-2.1-or-later
/* Event sets: create and destroy them, add and remove events. */
#include "core.h"

/*
 * Calls that take a set begin with this: stop the counters, and find the set.
 *
 * Return: the set of the low level with this number; or NULL.
 */
struct epapi_set *epapi_use_set(int number)
{
	struct epapi_set *set;

	epapi_suspend();
	if (number < 0 || number >= EPAPI_MAX_SETS)
		return NULL;
	set = &epapi_core.set[number];

	return set->owner == EPAPI_LOW_LEVEL ? set : NULL;
}

struct epapi_set *epapi_new_set(enum epapi_owner owner)
{
	unsigned int i;

	for (i = 0; i < EPAPI_MAX_SETS; i++) {
		struct epapi_set *set = &epapi_core.set[i];

		if (set->owner == EPAPI_FREE) {
			set->owner = (u8)owner;
			return set;
		}
	}

	return NULL;
}

static void remove_all(struct epapi_set *set)
{
	set->nr = 0u;
	set->plan.counters = 0u;
	set->plan.cctrl = 0u;
}

void epapi_free_set(struct epapi_set *set)
{
	remove_all(set);
	epapi_clear_count(set);
	set->owner = EPAPI_FREE;
}

/* A set cannot be changed while it counts. */
static int find_stopped(int number, struct epapi_set **set)
{
	*set = epapi_use_set(number);
	if (!*set)
		return PAPI_ENOEVST;

	return (*set)->running ? PAPI_EISRUN : PAPI_OK;
}

/* Append an event, given by its index in pmc_tricore_events[]. */
static int append(struct epapi_set *set, u8 event)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (set->event[i] == event)
			return PAPI_ECNFLCT;
	if (set->nr == EPAPI_MAX_EVENTS)
		return PAPI_ENOMEM;
	if (!pmc_tricore_add(&set->plan, &pmc_tricore_events[event]))
		return PAPI_ECNFLCT;

	set->event[set->nr] = event;
	set->nr++;

	return PAPI_OK;
}

int epapi_add(struct epapi_set *set, int code)
{
	const struct pmc_tricore_event *ev = pmc_tricore_find((u32)code);
	int ret;

	if (!ev)
		return PAPI_ENOEVNT;
	if (pmc_tricore_takes_two_runs(ev))
		return PAPI_EMULPASS;

	/* The counter may have counted another event for the set before. */
	ret = append(set, (u8)(ev - pmc_tricore_events));
	if (ret == PAPI_OK)
		epapi_clear_count(set);

	return ret;
}

/* The remaining events are added again; they never conflict. */
static int remove_event(struct epapi_set *set, int code)
{
	unsigned int nr = set->nr;
	unsigned int i;

	remove_all(set);
	for (i = 0; i < nr; i++)
		if (pmc_tricore_events[set->event[i]].code != (u32)code)
			(void)append(set, set->event[i]);

	return set->nr < nr ? PAPI_OK : PAPI_EINVAL;
}

/*
 * Apply a function to each of several events. As in PAPI, the result is the number of
 * events done if some, but not all, were done.
 */
static int for_each_event(int number, const int *codes, int nr,
			  int (*what)(struct epapi_set *set, int code))
{
	struct epapi_set *set;
	int ret, i;

	ret = find_stopped(number, &set);
	if (!codes || nr <= 0)
		ret = PAPI_EINVAL;
	for (i = 0; ret == PAPI_OK && i < nr; i++)
		ret = what(set, codes[i]);

	/* The event that failed was counted, too. */
	return epapi_resume(ret == PAPI_OK || i <= 1 ? ret : i - 1);
}

int ePAPI_create_eventset(int *EventSet)
{
	int ret = PAPI_EINVAL;

	epapi_suspend();
	if (EventSet && *EventSet == PAPI_NULL) {
		const struct epapi_set *set = epapi_new_set(EPAPI_LOW_LEVEL);

		ret = PAPI_ENOMEM;
		if (set) {
			*EventSet = (int)(set - epapi_core.set);
			ret = PAPI_OK;
		}
	}

	return epapi_resume(ret);
}

int ePAPI_add_event(int EventSet, int Event)
{
	return for_each_event(EventSet, &Event, 1, epapi_add);
}

int ePAPI_add_events(int EventSet, int *Events, int number)
{
	return for_each_event(EventSet, Events, number, epapi_add);
}

int ePAPI_remove_event(int EventSet, int EventCode)
{
	return for_each_event(EventSet, &EventCode, 1, remove_event);
}

int ePAPI_remove_events(int EventSet, int *Events, int number)
{
	return for_each_event(EventSet, Events, number, remove_event);
}

static int find_code(const char *name, int *code)
{
	const struct pmc_tricore_event *ev;

	epapi_suspend();
	if (!name || !code)
		return PAPI_EINVAL;
	ev = pmc_tricore_find_name(name);
	if (!ev)
		return PAPI_ENOEVNT;
	*code = (int)ev->code;

	return PAPI_OK;
}

int ePAPI_event_name_to_code(const char *in, int *out)
{
	return epapi_resume(find_code(in, out));
}

int ePAPI_add_named_event(int EventSet, const char *EventName)
{
	int code, ret = find_code(EventName, &code);

	return ret == PAPI_OK ? ePAPI_add_event(EventSet, code) : epapi_resume(ret);
}

int ePAPI_remove_named_event(int EventSet, const char *EventName)
{
	int code, ret = find_code(EventName, &code);

	return ret == PAPI_OK ? ePAPI_remove_event(EventSet, code) : epapi_resume(ret);
}

int ePAPI_cleanup_eventset(int EventSet)
{
	struct epapi_set *set;
	int ret;

	ret = find_stopped(EventSet, &set);
	if (ret == PAPI_OK)
		remove_all(set);

	return epapi_resume(ret);
}

/* As in PAPI, the set must be empty. */
int ePAPI_destroy_eventset(int *EventSet)
{
	struct epapi_set *set;
	int ret = PAPI_EINVAL;

	if (EventSet)
		ret = find_stopped(*EventSet, &set);
	if (ret == PAPI_OK && set->nr)
		ret = PAPI_EINVAL;
	if (ret == PAPI_OK) {
		epapi_free_set(set);
		*EventSet = PAPI_NULL;
	}

	return epapi_resume(ret);
}

/* *number: in: size of Events; out: number of events stored, or of events in the set. */
int ePAPI_list_events(int EventSet, int *Events, int *number)
{
	const struct epapi_set *set = epapi_use_set(EventSet);
	int ret = PAPI_OK;
	int i;

	if (!number || *number < 0 || (!Events && *number > 0)) {
		ret = PAPI_EINVAL;
	} else if (!set) {
		ret = PAPI_ENOEVST;
	} else {
		for (i = 0; i < set->nr && i < *number; i++)
			Events[i] = (int)pmc_tricore_events[set->event[i]].code;
		*number = i > 0 ? i : set->nr;
	}

	return epapi_resume(ret);
}

int ePAPI_num_events(int EventSet)
{
	const struct epapi_set *set = epapi_use_set(EventSet);

	return epapi_resume(set ? set->nr : PAPI_ENOEVST);
}
