// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Native events. The table has those that the program has asked for by name, and, once it
 * enumerates events, those of the list. An entry never changes or moves until PAPI_shutdown().
 */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "native.h"
#include "papi.h"
#include "pmu_names.h"
#include "virtuals.h"

/* Longest name of an event in libpmctrack's words */
#define WORDS_MAX 256

/**
 * struct native - an entry of the table
 * @listed: its place in the list of all events; -1: it is not in the list
 * @umask_of: name of the event that it is a unit mask of, "" if it is none
 */
struct native {
	struct papi_event event;
	int listed;
	char *umask_of;
};

static struct native **table;
static int nr_table;
static void *by_name;		/* of tsearch(), with struct native as nodes */
static struct native **list;
static int nr_list = -1;	/* -1: the list is not made yet */
static native_part_fn *add_preset_part;

void natives_init(native_part_fn *add_preset)
{
	add_preset_part = add_preset;
}

static int compare(const void *a, const void *b)
{
	const struct native *x = a, *y = b;

	return strcmp(x->event.name, y->event.name);
}

static void free_native(struct native *native)
{
	event_free_parts(&native->event);
	free(native->event.name);
	free(native->event.desc);
	free(native->umask_of);
	free(native);
}

static struct native *alloc(const char *name)
{
	struct native *native = calloc(1, sizeof(*native));

	if (!native)
		return NULL;
	native->listed = -1;
	native->event.component = COMPONENT_CPU;
	native->event.name = strdup(name);
	native->umask_of = strdup("");
	if (native->event.name && native->umask_of)
		return native;
	free_native(native);
	return NULL;
}

/* Give the event a code and make it reachable; the lock is held. */
static int insert(struct native *native)
{
	struct native **bigger;

	if (!(nr_table & (nr_table + 1))) {
		bigger = realloc(table, (2 * nr_table + 2) * sizeof(*table));
		if (!bigger)
			return PAPI_ENOMEM;
		table = bigger;
	}
	if (!tsearch(native, &by_name, compare))
		return PAPI_ENOMEM;
	native->event.code = PAPI_NATIVE_MASK | nr_table;
	table[nr_table++] = native;
	return PAPI_OK;
}

static struct native *find(const char *name)
{
	struct native key = { .event.name = (char *)name };
	struct native **found = tfind(&key, &by_name, compare);

	return found ? *found : NULL;
}

/* A preset with the name of a PMU is counted on its core type by that one's formula. */
static int look_up_on(struct papi_event *event, int core_type, const char *words, int qualified)
{
	int rc = qualified ? add_preset_part(event, core_type, words) : PAPI_ENOTPRESET;

	if (rc != PAPI_ENOTPRESET)
		return rc;
	return event_exists(core_type, words) ? event_add_term(event, core_type, words) : PAPI_OK;
}

/* Add a part for each core type that the name means and that has the event. */
static int look_up(struct native *native)
{
	const pmc_machine_t *machine = papi_machine();
	const char *pmu;
	char words[WORDS_MAX];
	size_t pmu_len;
	int id, rc;

	if (!strncmp(native->event.name, VIRTUAL_PREFIX, strlen(VIRTUAL_PREFIX))) {
		native->event.component = COMPONENT_VIRTUAL;
		return virtual_check(native->event.name);
	}
	rc = pmu_split(native->event.name, &pmu, &pmu_len, words, sizeof(words));
	for (id = 0; rc == PAPI_OK && id < pmc_machine_nr_core_types(machine); id++)
		if (!pmu || pmu_is(machine, id, pmu, pmu_len))
			rc = look_up_on(&native->event, id, words, !!pmu);
	return rc == PAPI_OK && !native->event.nr_parts ? PAPI_ENOEVNT : rc;
}

const struct papi_event *native_by_name(const char *name, int *error)
{
	struct native *native;

	papi_lock();
	native = find(name);
	if (native) {
		papi_unlock();
		return &native->event;
	}
	native = alloc(name);
	*error = native ? look_up(native) : PAPI_ENOMEM;
	if (*error == PAPI_OK)
		*error = insert(native);
	papi_unlock();
	if (*error == PAPI_OK)
		return &native->event;
	if (native)
		free_native(native);
	return NULL;
}

/* The lock is held. */
static struct native *by_code(unsigned int code)
{
	unsigned int n = code & PAPI_NATIVE_AND_MASK;

	return IS_NATIVE(code) && n < (unsigned int)nr_table ? table[n] : NULL;
}

const struct papi_event *native_by_code(unsigned int code)
{
	struct native *native;

	papi_lock();
	native = by_code(code);
	papi_unlock();
	return native ? &native->event : NULL;
}

/* The list while it is made */
struct listing {
	const struct pmc_core_type_info *info;
	int room;
	int error;
};

static int append(struct listing *listing, struct native *native)
{
	struct native **bigger;

	if (nr_list == listing->room) {
		listing->room = 2 * listing->room + 256;
		bigger = realloc(list, listing->room * sizeof(*list));
		if (!bigger)
			return PAPI_ENOMEM;
		list = bigger;
	}
	native->listed = nr_list;
	list[nr_list++] = native;
	return PAPI_OK;
}

/* PMU::EVENT:UMASK, with colons for the vendor's dots; software events are perf::EVENT. */
static void full_name(const struct listing *listing, const char *name, int software, char *out,
		      size_t size)
{
	char pmu[PAPI_MIN_STR_LEN] = "perf", *p;

	if (!software)
		pmu_name(papi_machine(), listing->info->id, pmu, sizeof(pmu));
	snprintf(out, size, "%s::%s", pmu, name);
	for (p = out; (p = strchr(p, '.')); p++)
		*p = ':';
}

static int has_part(const struct papi_event *event, int core_type)
{
	int i;

	for (i = 0; i < event->nr_parts; i++)
		if (event->parts[i].core_type == core_type)
			return 1;
	return 0;
}

/* An event that the program has not asked for by name; NULL with the error in @listing */
static struct native *new_listed(struct listing *listing, const char *name, const char *words)
{
	struct native *native = alloc(name);

	listing->error = PAPI_ENOMEM;
	if (native)
		listing->error = event_add_term(&native->event, listing->info->id, words);
	if (listing->error == PAPI_OK)
		listing->error = insert(native);
	if (listing->error == PAPI_OK)
		return native;
	if (native)
		free_native(native);
	return NULL;
}

/*
 * A name is in the lists of several core types if their PMUs have the same name, or if it is
 * that of a software event. It then means all of them, as it does in native_by_name().
 */
static int list_event(void *arg, const struct pmc_event_info *info)
{
	struct listing *listing = arg;
	int software = !strncmp(info->raw, "sw=", 3);
	char name[WORDS_MAX], base[WORDS_MAX] = "";
	struct native *native;

	full_name(listing, info->name, software, name, sizeof(name));
	if (info->umask_of)
		full_name(listing, info->umask_of, 0, base, sizeof(base));
	listing->error = PAPI_OK;
	native = find(name);
	if (!native)
		native = new_listed(listing, name, info->name);
	else if (!has_part(&native->event, listing->info->id))
		listing->error = event_add_term(&native->event, listing->info->id, info->name);
	if (listing->error != PAPI_OK)
		return 1;
	if (native->listed >= 0)
		return 0;
	if (!native->event.desc)
		native->event.desc = strdup(info->desc ? info->desc : "");
	free(native->umask_of);
	native->umask_of = strdup(base);
	if (!native->umask_of || !native->event.desc)
		listing->error = PAPI_ENOMEM;
	else
		listing->error = append(listing, native);
	return listing->error != PAPI_OK;
}

static int list_virtual(void *arg, const char *name, const char *desc)
{
	struct listing *listing = arg;
	struct native *native = find(name);

	if (native && native->listed >= 0)
		return 0;
	listing->error = PAPI_OK;
	if (!native) {
		native = alloc(name);
		if (!native)
			return listing->error = PAPI_ENOMEM;
		native->event.component = COMPONENT_VIRTUAL;
		listing->error = insert(native);
		if (listing->error != PAPI_OK) {
			free_native(native);
			return listing->error;
		}
	}
	if (!native->event.desc)
		native->event.desc = strdup(desc ? desc : "");
	listing->error = native->event.desc ? append(listing, native) : PAPI_ENOMEM;
	return listing->error;
}

static int make_list(void)
{
	struct listing listing = { .error = PAPI_OK };
	int id;

	if (nr_list >= 0)
		return PAPI_OK;
	nr_list = 0;
	for (id = 0; id < pmc_machine_nr_core_types(papi_machine()); id++) {
		listing.info = pmc_machine_core_type(papi_machine(), id);
		pmc_machine_each_event(papi_machine(), id, list_event, &listing);
		if (listing.error != PAPI_OK)
			return listing.error;
	}
	virtual_each(list_virtual, &listing);
	return listing.error;
}

static int next_event(int from, int component)
{
	int i;

	for (i = from; i < nr_list; i++)
		if (!*list[i]->umask_of && list[i]->event.component == component)
			return i;
	return -1;
}

static int next_umask(const struct native *native)
{
	const char *base = *native->umask_of ? native->umask_of : native->event.name;
	int i;

	for (i = native->listed + 1; i < nr_list; i++)
		if (!strcmp(list[i]->umask_of, base))
			return i;
	return -1;
}

static int enumerate(unsigned int *code, int modifier, int component)
{
	const struct native *native;
	int next = -1, rc = make_list();

	if (rc != PAPI_OK)
		return rc;
	native = by_code(*code);
	if (modifier == PAPI_ENUM_FIRST)
		next = next_event(0, component);
	else if (native && native->listed >= 0 && modifier == PAPI_ENUM_EVENTS)
		next = next_event(native->listed + 1, component);
	else if (native && native->listed >= 0 && (modifier == PAPI_NTV_ENUM_UMASKS ||
						   modifier == PAPI_NTV_ENUM_UMASK_COMBOS))
		next = next_umask(native);
	if (next < 0)
		return PAPI_EINVAL;
	*code = list[next]->event.code;
	return PAPI_OK;
}

int native_enumerate(unsigned int *code, int modifier, int component)
{
	int rc;

	papi_lock();
	rc = enumerate(code, modifier, component);
	papi_unlock();
	return rc;
}

int native_count(int component)
{
	int i, n = 0;

	papi_lock();
	for (i = 0; make_list() == PAPI_OK && i < nr_list; i++)
		n += list[i]->event.component == component;
	papi_unlock();
	return n;
}

int native_nr_umasks(const struct papi_event *event)
{
	int i, n = 0;

	papi_lock();
	for (i = 0; i < nr_list; i++)
		n += !strcmp(list[i]->umask_of, event->name);
	papi_unlock();
	return n;
}

static void nothing(void *node)
{
	(void)node;
}

void natives_exit(void)
{
	int i;

	tdestroy(by_name, nothing);
	by_name = NULL;
	for (i = 0; i < nr_table; i++)
		free_native(table[i]);
	free(table);
	free(list);
	table = NULL;
	list = NULL;
	nr_table = 0;
	nr_list = -1;
}
