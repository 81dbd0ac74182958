/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads that are counted: their counts of the last interval and since the start, and the values
 * of metrics and virtual counters that are computed of them.
 */
#ifndef PMCTRACK_THREADS_THREAD_COUNTS_H
#define PMCTRACK_THREADS_THREAD_COUNTS_H

#include <sys/types.h>

#include "pmctrack.h"

/* Intervals whose values are kept */
#define THREAD_HISTORY 60

/*
 * Most threads that are kept, with some kilobytes each: any user can start many in an interval, and an
 * interval may be long
 */
#define COUNTED_THREADS_MAX 100000

/* Most metrics, those of groups one by one */
#define THREAD_METRICS_MAX 64
#define THREAD_VALUES_MAX (THREAD_METRICS_MAX + PMC_MAX_VIRTUALS)

/* The counts of each event set; @room: sets that there is memory for */
struct thread_sums {
	int nr;
	int room;
	struct pmc_set_counts *sets;
	uint64_t running;	/* ns */
	uint64_t elapsed;	/* ns */
};

/* Values below zero, and NAN, are not known. */
struct thread_history {
	float values[THREAD_HISTORY];
};

/**
 * struct counted_thread - a thread
 * @has_uid: @uid is known
 * @cpu: CPU of the last sample
 * @core_type: core type that it ran on longest in the last interval
 * @flags: PMC_READING_* of the last interval
 * @ended: its last sample came in the last interval, or it is gone: it is shown for the last time
 * @idle: intervals since its last sample
 * @interval: counts of the last interval
 * @total: counts since the start
 * @virtuals: virtual counters of the last interval
 * @next, @next_virtuals, @next_flags, @next_ended: the same of the interval that goes on
 * @share: part of the time in which it ran in the last interval, from 0 to 1
 * @values: metrics, then virtual counters; NAN: not known
 * @value_age: intervals since the value was computed, in which the thread ran
 * @busy: @share of the last intervals, the newest last
 * @first: the same of the first metric
 */
struct counted_thread {
	pid_t pid;
	pid_t tid;
	uid_t uid;
	int has_uid;
	char name[PMC_THREAD_NAME];
	int cpu;
	int core_type;
	unsigned int flags;
	int ended;
	unsigned int idle;
	struct thread_sums interval;
	struct thread_sums total;
	uint64_t virtuals[PMC_MAX_VIRTUALS];
	struct thread_sums next;
	uint64_t next_virtuals[PMC_MAX_VIRTUALS];
	unsigned int next_flags;
	int next_ended;
	double share;
	double values[THREAD_VALUES_MAX];
	unsigned char value_age[THREAD_METRICS_MAX];
	struct thread_history busy;
	struct thread_history first;
};

/**
 * struct counted_core_type - the threads on a core type together
 * @nr_cpus: CPUs that are online
 * @share: part of the CPUs' time in which these threads ran, from 0 to 1
 */
struct counted_core_type {
	const struct pmc_core_type_info *info;
	int nr_cpus;
	struct thread_sums interval;
	struct thread_sums next;
	double share;
	double values[THREAD_METRICS_MAX];
	struct thread_history busy;
	struct thread_history first;
};

/**
 * struct counted_threads - all threads
 * @plan: the metrics
 * @config: the event sets and virtual counters
 * @nr_metrics, @nr_values: number of metrics, and of virtual counters with them
 * @all: pointers to @nr threads, in no order
 * @most: so many threads at most
 * @by_tid: the same as a tree of search.h
 * @interval_ns: length of the last interval
 * @lost: samples lost since the start, those of threads above @most included
 * @evicted: a privileged session needed the counters
 * @nr_intervals: intervals that have ended
 */
struct counted_threads {
	const pmc_plan_t *plan;
	const pmc_config_t *config;
	int nr_metrics;
	int nr_values;
	struct counted_thread **all;
	int nr;
	int room;
	int most;
	void *by_tid;
	int nr_core_types;
	struct counted_core_type *core_types;
	uint64_t interval_ns;
	uint64_t lost;
	int evicted;
	uint64_t nr_intervals;
};

/* No threads yet; the metrics, at most THREAD_METRICS_MAX, and virtual counters are those of @plan and @config. */
void counted_threads_init(struct counted_threads *t, const pmc_machine_t *machine, const pmc_plan_t *plan,
			  const pmc_config_t *config);
void counted_threads_free(struct counted_threads *t);

/* The thread; NULL if it has no sample */
struct counted_thread *counted_threads_find(struct counted_threads *t, pid_t tid);

/* Add a sample to the interval that goes on. */
void counted_threads_add(struct counted_threads *t, const struct pmc_reading *r);

/*
 * End the interval, which took @ns, and compute its values; the next one begins. Threads that ended
 * in the interval before are forgotten: pointers to threads are valid between two calls.
 */
void counted_threads_end_interval(struct counted_threads *t, uint64_t ns);

/*
 * Metric @n of some sums, on a core type or on PMC_EVERY_CORE_TYPE. With the latter, a metric
 * that the core types have different formulas of is that of core type @most.
 */
double thread_metric_value(const struct counted_threads *t, int n, int core_type, int most,
			   const struct thread_sums *sums);

#endif
