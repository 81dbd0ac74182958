/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Open groups of perf_event_open(), each of which counts a set on a thread or a CPU. */
#ifndef LIBPMC_PERF_GROUP_H
#define LIBPMC_PERF_GROUP_H

#include <sys/types.h>

#include "perf_set.h"

/* The thread or CPU that a group counts, and when counting begins */
struct perf_target {
	pid_t tid;		/* thread, or -1 */
	int cpu;		/* CPU, or -1 */
	int inherit;		/* its children, too */
	int inherit_threads;	/* of them, only its threads */
	int on_exec;		/* from its next exec on */
};

struct perf_group {
	int nr;			/* number of @fds; 0: not open */
	int fds[GROUP_MAX];
};

/**
 * struct perf_values - what a group has counted
 * @enabled: ns that it was to count, while the thread ran on any CPU
 * @running: ns of that in which it counted
 * @counts: of the set's events
 */
struct perf_values {
	__u64 enabled;
	__u64 running;
	__u64 counts[PMC_MAX_COUNTS];
};

/*
 * Open a group; it does not count yet. Marks events in @set that miss kernel mode. Return: 0,
 * or -1 with the error line set.
 */
int perf_group_open(struct perf_group *group, struct perf_set *set,
		    const struct perf_target *target);
void perf_group_close(struct perf_group *group);

int perf_group_enable(const struct perf_group *group, int on);

/*
 * Read the counts. Return: 0; 1: there are none, as the group is pinned and found no counter; -1.
 * EAGAIN: a thread was made while the group was opened, and has a part of its events.
 */
int perf_group_read(const struct perf_group *group, const struct perf_set *set,
		    struct perf_values *values);

/* perf_error.c: what perf_event_open() refused, and why; sets the error line. */
int perf_explain(int err, const struct perf_set *set, int i, const struct perf_target *target);

#endif
