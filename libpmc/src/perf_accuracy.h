/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Grade counts by the kernel's times of their groups: exact, partial or estimated. */
#ifndef LIBPMC_PERF_ACCURACY_H
#define LIBPMC_PERF_ACCURACY_H

#include "accuracy.h"
#include "perf_group.h"

/**
 * perf_accuracy - how far the counts of a set can be relied on
 * @sets: all sets, those that only measure time included
 * @values: what each of them has counted
 * @nr: how many
 * @i: the one that is asked for
 * @by_cpu: CPUs are counted, each of which is of one core type
 * @slack: ns by which times of different sets may differ, because they were not
 *	enabled and disabled at the same time
 * @result: out
 */
void perf_accuracy(const struct perf_set *sets, const struct perf_values *values, int nr, int i,
		   int by_cpu, __u64 slack, struct accuracy *result);

/**
 * perf_missed - ns in which a thread or CPU ran and none of its groups counted
 *
 * It is 0 where sets of a core type take turns, which loses nothing but is scaled.
 */
__u64 perf_missed(const struct perf_set *sets, const struct perf_values *values, int nr);

/* The count for all the time that was available, if @running ns were counted. */
__u64 perf_scale(__u64 count, __u64 running, __u64 available);

#endif
