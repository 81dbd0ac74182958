/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of an asymmetric multiprocessor (AMP): two clusters, the big and the little CPUs,
 * and the threads that run on them. All schedulers here share it.
 *
 * A scheduler defines struct policy, what it remembers of a thread, before it includes this file.
 */
#ifndef AMP_BPF_H
#define AMP_BPF_H

#include "scx.bpf.h"
#include "settings.h"
#include "statistics.h"

char _license[] SEC("license") = "GPL";

const volatile struct settings settings SEC(".rodata.settings");

/* ---- statistics ---- */

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, NR_STATISTICS);
	__type(key, u32);
	__type(value, u64);
} statistics SEC(".maps");

/* Callbacks have interrupts off, so nothing else writes this CPU's count meanwhile. */
static void stat_inc(enum statistic which)
{
	u32 key = which;
	u64 *count = bpf_map_lookup_elem(&statistics, &key);

	if (count)
		(*count)++;
}

/* ---- threads ---- */

#define BOTH_CLUSTERS	(1 << BIG | 1 << LITTLE)

/**
 * struct thread - the state of a thread
 * @cluster: where the thread runs or waits
 * @clusters: where the thread's affinity lets it run, one bit for each cluster
 * @counted: the thread is counted in nr_runnable[@cluster]
 * @is_new: the thread was forked, and has not run yet
 * @migrating: the thread is on its way to @target, or to any CPU of the other cluster
 * @target: the CPU that is being freed for the thread while it migrates, or -1
 * @swaps: the thread swaps places with the thread on @target
 * @keep_until: the thread swapped places, and keeps its new place until then
 * @started: start of the running time that is not accounted yet
 * @policy: what the policy remembers
 */
struct thread {
	u32 cluster;
	u32 clusters;
	bool counted;
	bool is_new;
	bool migrating;
	s32 target;
	bool swaps;
	u64 keep_until;
	u64 started;
	struct policy policy;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread);
} threads SEC(".maps");

static struct thread *thread_of(struct task_struct *p)
{
	return bpf_task_storage_get(&threads, p, NULL, 0);
}

/* ---- CPUs ---- */

/**
 * struct cpu - the thread that runs on a CPU, for other CPUs to see
 * @score: the thread's score
 * @keep_until: as the thread's
 * @slice_end: when the thread's slice ends
 * @vtime: virtual time of the last thread that had to leave, for the thread that takes its place
 * @other_vtime: virtual time of the thread that takes this place, for the one that has to leave
 * @last_migration: when the last migration to this CPU began
 * @busy: there is such a thread. A CPU that is neither busy nor idle runs a thread of another
 *	scheduling class, such as a real-time thread
 * @fixed: the thread may not run on the other cluster
 * @leave: the thread has to leave: another one migrates to this CPU
 */
static struct cpu {
	s64 score;
	u64 keep_until;
	u64 slice_end;
	u64 vtime;
	u64 other_vtime;
	u64 last_migration;
	u32 busy;
	u32 fixed;
	u32 leave;
} cpus[MAX_CPUS];

/* Masks, here and elsewhere, are for the verifier. */
static struct cpu *cpu_of(u32 cpu)
{
	return &cpus[cpu & (MAX_CPUS - 1)];
}

static u32 cluster_of(u32 cpu)
{
	return settings.cluster[cpu & (MAX_CPUS - 1)] == BIG ? BIG : LITTLE;
}

/* Does another CPU of the same core (SMT) run a thread? */
static bool core_is_shared(u32 cpu)
{
	u32 sibling = cpu, i;

	for (i = 0; i < MAX_SIBLINGS; i++) {
		sibling = settings.sibling[sibling & (MAX_CPUS - 1)];
		if (sibling == cpu)
			break;
		if (cpu_of(sibling)->busy)
			return true;
	}
	return false;
}

/* ---- time ---- */

/* Each cluster's clock of virtual time: the highest of a thread that has run there */
static u64 vtime_now[NR_CLUSTERS];

static bool before(u64 a, u64 b)
{
	return (s64)(a - b) < 0;
}

/* Virtual time is CPU time divided by the thread's weight, which is 100 at nice 0. */
static u64 virtual_time(const struct task_struct *p, u64 ns)
{
	u32 weight = p->scx.weight;

	return weight ? ns * 100 / weight : ns;
}

/* Account the running time since the last call. Return: that time, ns. */
static u64 account(struct task_struct *p, struct thread *t)
{
	u64 now = bpf_ktime_get_ns(), used = now - t->started;

	t->started = now;
	p->scx.dsq_vtime += virtual_time(p, used);
	return used;
}

/* ---- clusters ---- */

static s32 nr_runnable[NR_CLUSTERS];

/* Has the cluster more than its share of the runnable threads? */
static bool overloaded(u32 cluster)
{
	u32 own = cluster & 1, other = !own;
	s32 here = nr_runnable[own], there = nr_runnable[other] + 1;
	s32 cpus_here = settings.nr_cpus[own], cpus_there = settings.nr_cpus[other];

	return here > cpus_here && here * cpus_there > there * cpus_here;
}

static void set_cluster(struct task_struct *p, struct thread *t, u32 cluster)
{
	u32 old = t->cluster & 1;

	cluster &= 1;
	if (old == cluster)
		return;
	if (t->counted) {
		__sync_fetch_and_sub(&nr_runnable[old], 1);
		__sync_fetch_and_add(&nr_runnable[cluster], 1);
	}
	t->cluster = cluster;
	/* Only places that threads have swapped are kept, which the caller notes. */
	t->keep_until = 0;
	p->scx.dsq_vtime = vtime_now[cluster];
}

#endif
