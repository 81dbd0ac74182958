/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An event set as groups of perf_event_open(): what is opened for each thread or CPU. */
#ifndef LIBPMC_PERF_SET_H
#define LIBPMC_PERF_SET_H

#include <linux/perf_event.h>

#include "format_event.h"
#include "machine.h"

/* Modes that events count which name none, as the protocol's `filter` */
#define FILTER_USER	1
#define FILTER_KERNEL	2

/* Most events of a group: those of a set, and a leader */
#define GROUP_MAX	(PMC_MAX_COUNTS + 1)

/**
 * struct perf_set - an event set of a core type
 * @core_type: its core type
 * @index: its number among the sets of its core type; -1: it only measures the time that
 *	threads run on the core type
 * @has_clock: the leader only measures that time
 * @pinned: the kernel gives it a counter before all other sets
 * @nr: number of events
 * @nr_attrs: number of @attrs
 * @attrs: the kernel's events; the first is the leader of the group
 * @at: index of each event in @attrs
 * @slots: the number of the counter of each event
 * @names: each event's text, for messages
 * @partial: bit N: event N misses what happens in kernel mode, for want of rights
 */
struct perf_set {
	int core_type;
	int index;
	int has_clock;
	int pinned;
	int nr;
	int nr_attrs;
	struct perf_event_attr attrs[GROUP_MAX];
	unsigned char at[PMC_MAX_COUNTS];
	unsigned char slots[PMC_MAX_COUNTS];
	char names[GROUP_MAX][EVENT_NAME];
	__u64 partial;
};

/* perf_attr.c: the kernel's event for one of @ct, whose PMU has number @type. */
int perf_attr_encode(struct perf_event_attr *attr, const struct event *ev,
		     const struct core_type *ct, unsigned int type, unsigned int filter);

/* The code of cycles, which each PMU counts */
unsigned int perf_cycles_code(const struct core_type *ct);

/* Cycles in user mode */
void perf_attr_cycles(struct perf_event_attr *attr, const struct core_type *ct,
		      unsigned int type);

/* The time that a thread runs, for which the kernel needs no counter. */
void perf_attr_time(struct perf_event_attr *attr);

/* Number of the PMU in perf_event_attr.type; -1 if there is none. @root: as of sysfs. */
int perf_pmu_type(const struct core_type *ct, const char *root);

/* perf_set.c: parse the text of an event set, as pmc_config_raw() returns it. */
int perf_set_parse(struct event_set *set, char *text);

/*
 * Make the groups' events of a set. @limits_software: software events have to count on this
 * core type only, so they need a leader that does.
 */
int perf_set_make(struct perf_set *out, const struct event_set *set, const struct core_type *ct,
		  unsigned int type, unsigned int filter, int limits_software);

/* A set that measures the time on a core type */
void perf_set_clock(struct perf_set *out, const struct core_type *ct, unsigned int type);

/* The same where all CPUs are of this core type */
void perf_set_time(struct perf_set *out, const struct core_type *ct);

#endif
