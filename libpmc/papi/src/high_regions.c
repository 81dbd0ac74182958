// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions of the high level: the values that a thread has measured.
 *
 * Only the thread itself works on its regions, so that it needs no lock. Memory is allocated
 * before the counters are read at the beginning of a region, and after they are read at its
 * end: the region does not contain it.
 */
#include <stdlib.h>
#include <string.h>

#include "high_regions.h"

struct hl_thread *hl_thread_new(const struct hl_events *events)
{
	struct hl_thread *thread = calloc(1, sizeof(*thread));

	if (!thread)
		return NULL;
	thread->events = events;
	thread->id = PAPI_thread_id();
	thread->before = calloc(2 * hl_nr_values(events), sizeof(*thread->before));
	if (!thread->before) {
		free(thread);
		return NULL;
	}
	thread->now = thread->before + hl_nr_values(events);
	return thread;
}

static int make_sets(struct hl_thread *thread)
{
	const struct hl_events *events = thread->events;
	int i, err = PAPI_OK;

	thread->sets = malloc(events->nr_components * sizeof(*thread->sets));
	if (!thread->sets)
		return PAPI_ENOMEM;
	for (i = 0; i < events->nr_components; i++)
		thread->sets[i] = PAPI_NULL;
	for (i = 0; !err && i < events->nr_components; i++)
		err = hl_events_new_set(events, &events->components[i], &thread->sets[i]);
	return err;
}

static int read_set(int component, int set, long long *values, long long *by_type,
		    long long *cycles)
{
	if (hl_split && hl_split->component == component)
		return hl_split->read(set, values, by_type, cycles);
	return cycles ? PAPI_read_ts(set, values, cycles) : PAPI_read(set, values);
}

/* The clock is read with the last component. */
static int read_sets(const struct hl_thread *thread, long long *to)
{
	const struct hl_events *events = thread->events;
	int i, err = PAPI_OK, event = 0, last = events->nr_components - 1;

	for (i = 0; !err && i <= last; i++) {
		err = read_set(events->components[i].id, thread->sets[i],
			       to + HL_EVENTS + event, to + hl_parts(events, event),
			       i == last ? &to[HL_CYCLES] : NULL);
		event += events->components[i].nr_events;
	}
	return err;
}

/* to = a + sign * b, for all events that are counted as differences */
static void combine(const struct hl_events *events, long long *to, const long long *a, int sign,
		    const long long *b)
{
	int i, part, types = hl_nr_types();

	for (i = 0; i < events->nr_events; i++) {
		if (events->instant[i])
			continue;
		to[HL_EVENTS + i] = a[HL_EVENTS + i] + sign * b[HL_EVENTS + i];
		for (part = hl_parts(events, i); part < hl_parts(events, i) + types; part++)
			to[part] = a[part] + sign * b[part];
	}
}

/*
 * Counts that go on over PAPI_hl_stop() and the next start. EventSets that were stopped keep
 * the values that they had then.
 */
static int read_counts(struct hl_thread *thread, long long *to)
{
	int err;

	if (!thread->counting) {
		memcpy(to, thread->before, hl_nr_values(thread->events) * sizeof(*to));
		to[HL_CYCLES] = PAPI_get_real_cyc();
		return PAPI_OK;
	}
	err = read_sets(thread, to);
	if (!err)
		combine(thread->events, to, to, 1, thread->before);
	return err;
}

int hl_thread_start(struct hl_thread *thread)
{
	int i, err = thread->sets ? PAPI_OK : make_sets(thread);

	if (err || thread->counting)
		return err;
	for (i = 0; !err && i < thread->events->nr_components; i++)
		err = PAPI_start(thread->sets[i]);
	if (err)
		return err;
	thread->counting = true;
	/* The first reading costs more than later ones. */
	return read_sets(thread, thread->now);
}

int hl_thread_stop(struct hl_thread *thread)
{
	int i, err = read_counts(thread, thread->now);

	for (i = 0; !err && i < thread->events->nr_components; i++)
		err = PAPI_stop(thread->sets[i], NULL);
	if (err)
		return err;
	memcpy(thread->before, thread->now,
	       hl_nr_values(thread->events) * sizeof(*thread->before));
	thread->counting = false;
	return PAPI_OK;
}

void hl_thread_close(struct hl_thread *thread)
{
	int i;

	if (!thread->sets)
		return;
	for (i = 0; i < thread->events->nr_components; i++)
		hl_events_delete_set(&thread->sets[i]);
	free(thread->sets);
	thread->sets = NULL;
	thread->counting = false;
}

static struct hl_region *new_region(const struct hl_thread *thread, const char *name)
{
	int n = hl_nr_values(thread->events);
	struct hl_region *region = calloc(1, sizeof(*region) + 2 * n * sizeof(*region->values));

	if (!region)
		return NULL;
	region->name = strdup(name);
	if (!region->name) {
		free(region);
		return NULL;
	}
	region->begin = region->values + n;
	region->last_read = &region->reads;
	region->id = thread->nr_begun;
	region->parent = thread->open;
	region->parent_id = region->parent ? (int)region->parent->id : -1;
	return region;
}

int hl_region_begin(struct hl_thread *thread, const char *name)
{
	struct hl_region *region = new_region(thread, name);
	int err;

	if (!region)
		return PAPI_ENOMEM;
	region->begin[HL_NSEC] = PAPI_get_real_nsec();
	err = read_counts(thread, region->begin);
	if (err) {
		free(region->name);
		free(region);
		return err;
	}
	thread->open = region;
	thread->nr_begun++;
	return PAPI_OK;
}

static struct hl_region *innermost(const struct hl_thread *thread, const char *name)
{
	struct hl_region *region = thread->open;

	return region && !strcmp(region->name, name) ? region : NULL;
}

/* The values since the region's beginning; instant ones as they are. */
static int measure(struct hl_thread *thread, const struct hl_region *region, long long *values)
{
	long long *now = thread->now;
	int i, err = read_counts(thread, now);

	if (err)
		return err;
	now[HL_NSEC] = PAPI_get_real_nsec();
	memcpy(values, now, hl_nr_values(thread->events) * sizeof(*values));
	combine(thread->events, values, now, -1, region->begin);
	for (i = 0; i < HL_EVENTS; i++)
		values[i] -= region->begin[i];
	return PAPI_OK;
}

int hl_region_read(struct hl_thread *thread, const char *name)
{
	struct hl_region *region = innermost(thread, name);
	struct hl_read *read;
	int err;

	if (!region)
		return PAPI_ENOEVNT;
	read = malloc(sizeof(*read) + hl_nr_values(thread->events) * sizeof(*read->values));
	if (!read)
		return PAPI_ENOMEM;
	err = measure(thread, region, read->values);
	if (err) {
		free(read);
		return err;
	}
	read->next = NULL;
	*region->last_read = read;
	region->last_read = &read->next;
	return PAPI_OK;
}

int hl_region_end(struct hl_thread *thread, const char *name)
{
	struct hl_region *region = innermost(thread, name);
	int err;

	if (!region)
		return PAPI_ENOEVNT;
	err = measure(thread, region, region->values);
	if (err)
		return err;
	thread->open = region->parent;
	region->next = atomic_load_explicit(&thread->finished, memory_order_relaxed);
	/* The reader of the list sees a whole region. */
	atomic_store_explicit(&thread->finished, region, memory_order_release);
	return PAPI_OK;
}
