/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Regions of the high level: the values that a thread has measured. */
#ifndef PAPI_HIGH_REGIONS_H
#define PAPI_HIGH_REGIONS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "high_events.h"

/*
 * A reading is an array: the clock's cycles and nanoseconds, a value for each event in the
 * order of the components, then for each event its parts by core type, if there are any.
 */
enum { HL_CYCLES, HL_NSEC, HL_EVENTS };

static inline int hl_nr_types(void)
{
	return hl_split ? hl_split->nr_types : 0;
}

static inline int hl_nr_values(const struct hl_events *events)
{
	return HL_EVENTS + events->nr_events * (1 + hl_nr_types());
}

/* The first part by core type of an event. */
static inline int hl_parts(const struct hl_events *events, int event)
{
	return HL_EVENTS + events->nr_events + event * hl_nr_types();
}

/* What PAPI_hl_read() measured, from the region's beginning. */
struct hl_read {
	struct hl_read *next;
	long long values[];
};

struct hl_region {
	struct hl_region *parent;	/* the open region around this one */
	struct hl_region *next;		/* of the thread's finished regions */
	unsigned int id;		/* counts a thread's regions from 0 */
	int parent_id;			/* -1: none */
	char *name;
	struct hl_read *reads, **last_read;
	long long *begin;		/* the reading at the beginning */
	long long values[];		/* from beginning to end */
};

struct hl_thread {
	struct hl_thread *next;
	const struct hl_events *events;
	unsigned long id;
	bool counting;
	unsigned int nr_begun;
	struct hl_region *open;
	/* Appended to by the thread, read by the thread that writes the output */
	struct hl_region *_Atomic finished;
	int *sets;			/* an EventSet for each component; NULL: none */
	long long *before;		/* counts of earlier runs of the EventSets */
	long long *now;
};

struct hl_thread *hl_thread_new(const struct hl_events *events);
/* Make the thread's EventSets, if there are none, and start them, if they do not count. */
int hl_thread_start(struct hl_thread *thread);
int hl_thread_stop(struct hl_thread *thread);
/* End the thread's EventSets. The values that it measured stay. */
void hl_thread_close(struct hl_thread *thread);

int hl_region_begin(struct hl_thread *thread, const char *name);
/* PAPI_ENOEVNT: the innermost open region has another name, or no region is open. */
int hl_region_read(struct hl_thread *thread, const char *name);
int hl_region_end(struct hl_thread *thread, const char *name);

#endif
