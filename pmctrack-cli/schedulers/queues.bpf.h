/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Dispatch queues (DSQs), and the decisions on them that a policy puts in order. Each cluster
 * has a queue, which is ordered by virtual time: so threads share the cluster's CPU time fairly,
 * by weight. Each CPU has a queue of the threads that migrate to it. No other CPU takes a thread
 * from that queue, except one that is blocked.
 */
#ifndef QUEUES_BPF_H
#define QUEUES_BPF_H

#include "idle.bpf.h"

/* A cluster's queue has its number; the queue of threads that migrate to CPU 0 follows. */
#define TARGET_DSQ(cpu)	(NR_CLUSTERS + (cpu))

static s32 nr_migrating;		/* threads on their way to a certain CPU */

/* ---- select_cpu ---- */

/* Run a thread that wakes up on an idle CPU. Return: that, or @prev_cpu: the thread is queued. */
static s32 wake_on_idle(struct task_struct *p, u32 cluster, s32 prev_cpu)
{
	s32 cpu = take_core(p, cluster, prev_cpu);

	if (cpu < 0) {
		stat_inc(STAT_NO_IDLE);
		return prev_cpu;
	}
	if (cpu == prev_cpu)
		stat_inc(STAT_PREV_CPU);
	else
		stat_inc(cluster_of(cpu) == BIG ? STAT_IDLE_BIG : STAT_IDLE_LITTLE);
	dsq_insert(p, SCX_DSQ_LOCAL, settings.slice, 0);
	return cpu;
}

/* ---- enqueue ---- */

static void enqueue_global(struct task_struct *p, u64 flags)
{
	stat_inc(STAT_TO_GLOBAL);
	dsq_insert(p, SCX_DSQ_GLOBAL, settings.slice, flags);
}

static bool is_per_cpu_kthread(const struct task_struct *p)
{
	return (p->flags & PF_KTHREAD) && p->nr_cpus_allowed == 1;
}

/* Preempt this CPU's thread. */
static void enqueue_local(struct task_struct *p, u64 flags)
{
	stat_inc(STAT_TO_LOCAL);
	dsq_insert(p, SCX_DSQ_LOCAL, settings.slice, flags | SCX_ENQ_PREEMPT);
}

/* The thread's CPU is about to be idle, and another thread may have begun to wait. */
static void kick_if_last(struct task_struct *p, u64 flags)
{
	if (flags & SCX_ENQ_LAST)
		scx_bpf_kick_cpu(scx_bpf_task_cpu(p), 0);
}

/* Has a CPU been freed for the thread, on which its affinity still lets it run? */
static bool has_target(struct task_struct *p, const struct thread *t)
{
	return t->target >= 0 && bpf_cpumask_test_cpu(t->target, p->cpus_ptr);
}

/*
 * A thread that takes another one's place continues the other one's slice. With a slice of its own,
 * threads could take that place by turns, and the slice that the cluster's queue waits for would
 * never end.
 */
static u64 slice_on_target(const struct thread *t)
{
	u64 now = bpf_ktime_get_ns(), end = cpu_of(t->target)->slice_end;

	if (!t->swaps)
		return settings.slice;
	return before(now, end) ? end - now : 1;
}

/* Preempt the thread of the target CPU, too. */
static void enqueue_target(struct task_struct *p, struct thread *t, u64 flags)
{
	kick_if_last(p, flags);
	stat_inc(STAT_TO_TARGET);
	dsq_insert(p, TARGET_DSQ(t->target), slice_on_target(t), flags);
	scx_bpf_kick_cpu(t->target, SCX_KICK_PREEMPT);
}

static void enqueue_cluster(struct task_struct *p, struct thread *t, u64 flags)
{
	u32 cluster = t->cluster & 1;
	u64 least, vtime;

	kick_if_last(p, flags);
	if (!(t->clusters & (1 << cluster))) {
		stat_inc(STAT_BY_AFFINITY);
		cluster = !cluster;
		set_cluster(p, t, cluster);
	}
	/* A sleeping thread saves up at most one time slice. */
	vtime = p->scx.dsq_vtime;
	least = vtime_now[cluster] - virtual_time(p, settings.slice);
	if (before(vtime, least))
		vtime = least;
	stat_inc(STAT_TO_CLUSTER);
	dsq_insert_vtime(p, cluster, settings.slice, vtime, flags);
	wake_cluster(p, cluster);
}

/* ---- dispatch: each returns whether this CPU has a thread to run ---- */

/* Run the thread that migrates to this CPU. */
static bool dispatch_target(u32 cpu)
{
	if (!dsq_move_to_local(TARGET_DSQ(cpu)))
		return false;
	stat_inc(STAT_FROM_TARGET);
	return true;
}

/*
 * Run a thread that has been migrating to another CPU for a whole slice: a real-time thread may
 * occupy that CPU.
 */
static bool dispatch_blocked(void)
{
	u64 since = bpf_ktime_get_ns() - settings.slice;
	u32 cluster, i, cpu;

	if (!nr_migrating)
		return false;
	for (cluster = BIG; cluster < NR_CLUSTERS; cluster++)
		for (i = 0; i < MAX_CPUS && i < settings.nr_cpus[cluster]; i++) {
			cpu = settings.cpus[cluster][i];
			if (before(cpu_of(cpu)->last_migration, since) &&
			    dsq_move_to_local(TARGET_DSQ(cpu))) {
				stat_inc(STAT_FROM_BLOCKED);
				return true;
			}
		}
	return false;
}

static bool dispatch_cluster(u32 cluster, enum statistic which)
{
	if (!dsq_move_to_local(cluster))
		return false;
	stat_inc(which);
	return true;
}

/* Let the previous thread run on, unless it has to migrate. */
static bool dispatch_prev(u32 cpu, struct task_struct *prev)
{
	struct thread *t;

	if (!prev || !(prev->scx.flags & SCX_TASK_QUEUED))
		return false;
	t = thread_of(prev);
	if (!t || t->migrating)
		return false;
	/* The thread that was to take this place runs elsewhere. */
	cpu_of(cpu)->leave = 0;
	cpu_of(cpu)->slice_end = bpf_ktime_get_ns() + settings.slice;
	prev->scx.slice = settings.slice;
	stat_inc(STAT_CONTINUED);
	return true;
}

#endif
