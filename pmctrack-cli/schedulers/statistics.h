/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A statistic for each decision of the schedulers. The BPF program counts (stat_inc()), and the
 * command prints the counts with --verbose, a line for each group. The manual pages explain
 * each name.
 */
#ifndef STATISTICS_H
#define STATISTICS_H

/* STAT(constant, group, name): the group says what is decided. */
#define STATISTICS(STAT)							\
	/* select_cpu: where a thread that wakes up runs */			\
	STAT(STAT_PREV_CPU, "wake-up", "prev_cpu")				\
	STAT(STAT_IDLE_BIG, "wake-up", "idle_big")				\
	STAT(STAT_IDLE_LITTLE, "wake-up", "idle_little")			\
	STAT(STAT_NO_IDLE, "wake-up", "no_idle")				\
	/* enqueue: the queue in which a thread waits */			\
	STAT(STAT_TO_GLOBAL, "enqueue", "to_global")				\
	STAT(STAT_TO_LOCAL, "enqueue", "to_local")				\
	STAT(STAT_TO_TARGET, "enqueue", "to_target")				\
	STAT(STAT_TO_CLUSTER, "enqueue", "to_cluster")				\
	STAT(STAT_BY_AFFINITY, "enqueue", "by_affinity")			\
	/* dispatch: the thread that a CPU runs next */				\
	STAT(STAT_FROM_TARGET, "dispatch", "from_target")			\
	STAT(STAT_FROM_BLOCKED, "dispatch", "from_blocked")			\
	STAT(STAT_FROM_CLUSTER, "dispatch", "from_cluster")			\
	STAT(STAT_CONTINUED, "dispatch", "continued")				\
	STAT(STAT_FROM_OTHER, "dispatch", "from_other")				\
	STAT(STAT_IDLE, "dispatch", "idle")					\
	/* tick, and running for the last one: migrations */			\
	STAT(STAT_SPREAD, "migrate", "spread")					\
	STAT(STAT_BALANCED, "migrate", "balanced")				\
	STAT(STAT_TO_IDLE_BIG, "migrate", "to_idle_big")			\
	STAT(STAT_SWAPPED, "migrate", "swapped")				\
	STAT(STAT_NO_LOWER, "migrate", "no_lower")				\
	STAT(STAT_MISSED, "migrate", "missed")					\
	/* from here on: of a policy that asks for a metric */			\
	STAT(STAT_HELD, "migrate", "held")					\
	STAT(STAT_EXPLORED, "migrate", "explored")				\
	STAT(STAT_DEFERRED, "migrate", "deferred")				\
	/* tick and running: the metric of a thread */				\
	STAT(STAT_KNOWN, "metric", "known")					\
	STAT(STAT_UNKNOWN, "metric", "unknown")					\
	STAT(STAT_REQUESTED, "metric", "requested")				\
	STAT(STAT_REPEATED, "metric", "repeated")				\
	STAT(STAT_REFUSED, "metric", "refused")

#define STAT_CONSTANT(constant, group, name) constant,
enum statistic { STATISTICS(STAT_CONSTANT) NR_STATISTICS };
#undef STAT_CONSTANT

/* The first statistic that only a policy that asks for a metric has */
#define FIRST_METRIC_STATISTIC	STAT_HELD

#ifndef __bpf__
#include <linux/types.h>

/* Add up the CPUs' counts in the BPF program's map. Return: 0 or a negative error. */
int read_statistics(int map, __u64 counts[NR_STATISTICS]);
/* Print the differences, on standard error. */
void print_statistics(const __u64 now[NR_STATISTICS], const __u64 before[NR_STATISTICS]);
#endif

#endif
