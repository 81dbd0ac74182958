// SPDX-License-Identifier: GPL-2.0
/*
 * Asymmetry-aware round robin (RR): schedule an asymmetric multicore processor for fairness. Every
 * thread gets its fair share of big-core time, by weight, however much it gains from it
 * (Saez et al., "PMCTrack: Delivering Performance Monitoring Counter Support to the OS
 * Scheduler", section 4.1.3). The less big-core time a thread had, the higher its score. No
 * metric is needed.
 *
 * The policy, from top to bottom of this file:
 *
 * - Score: the thread's virtual time on big cores, negative.
 * - Wake-up: a thread runs on an idle core, else on an idle CPU of a core in use (SMT); on a big
 *   one if possible, and among equal ones on its previous CPU.
 * - Enqueue: a thread that finds no idle CPU waits in the queue of its cluster, which all the
 *   cluster's CPUs share, and which is ordered by virtual time. A thread that migrates to a
 *   certain CPU waits in that CPU's queue, and preempts the CPU's thread.
 * - Dispatch: a CPU takes a thread that migrates to it, else one of its cluster's queue. Else the
 *   previous thread continues. Else it takes one of the other cluster (work conserving).
 * - Migrate: at each tick, a thread that shares its core with another one (SMT) moves to an idle
 *   core; a cluster with more than its share of the runnable threads gives one away; a thread
 *   on a little core moves to an idle big one. Otherwise it swaps places with the thread that
 *   had most big-core time, if that had more by a turn. Each continues the other's slice and
 *   virtual time.
 */
#include "scx.bpf.h"
#include "settings.h"

/**
 * struct policy - what this policy remembers of a thread
 * @big_time: the thread's virtual time on big CPUs, ns
 */
struct policy {
	u64 big_time;
};

#include "lifecycle.bpf.h"

/* ---- score ---- */

/* The highest big_time of a thread that has run on a big CPU */
static u64 vtime_big;

static s64 score(const struct thread *t)
{
	return -(s64)t->policy.big_time;
}

/* A thread that slept, or is new, is at most one turn of virtual time behind the others. */
SEC("struct_ops/runnable")
void BPF_PROG(rr_runnable, struct task_struct *p, u64 flags)
{
	struct thread *t = thread_of(p);

	if (t && count_runnable(t) && before(t->policy.big_time, vtime_big - settings.margin))
		t->policy.big_time = vtime_big - settings.margin;
}

/* ---- wake-up ---- */

SEC("struct_ops/select_cpu")
s32 BPF_PROG(rr_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	return wake_on_idle(p, BIG, prev_cpu);
}

/* ---- enqueue and dispatch ---- */

SEC("struct_ops/enqueue")
void BPF_PROG(rr_enqueue, struct task_struct *p, u64 flags)
{
	struct thread *t = thread_of(p);

	if (!t || !t->clusters)
		enqueue_global(p, flags);
	else if (is_per_cpu_kthread(p))	/* Its work is short, and others wait for it. */
		enqueue_local(p, flags);
	else if (has_target(p, t))
		enqueue_target(p, t, flags);
	else
		enqueue_cluster(p, t, flags);
}

SEC("struct_ops/dispatch")
void BPF_PROG(rr_dispatch, s32 cpu, struct task_struct *prev)
{
	u32 cluster = cluster_of(cpu);

	if (!dispatch_target(cpu) && !dispatch_blocked() &&
	    !dispatch_cluster(cluster, STAT_FROM_CLUSTER) && !dispatch_prev(cpu, prev) &&
	    !dispatch_cluster(!cluster, STAT_FROM_OTHER))
		stat_inc(STAT_IDLE);
}

/* ---- a thread runs ---- */

SEC("struct_ops/running")
void BPF_PROG(rr_running, struct task_struct *p)
{
	struct thread *t = thread_of(p);
	s32 cpu = scx_bpf_task_cpu(p);

	if (!t)
		return;
	arrive(p, t, cpu);
	if (cluster_of(cpu) == BIG && before(vtime_big, t->policy.big_time))
		vtime_big = t->policy.big_time;
	occupy(p, t, cpu, score(t));
}

static void charge(struct task_struct *p, struct thread *t, u32 cluster)
{
	u64 used = account(p, t);

	if (cluster == BIG)
		t->policy.big_time += virtual_time(p, used);
}

SEC("struct_ops/stopping")
void BPF_PROG(rr_stopping, struct task_struct *p, bool runnable)
{
	struct thread *t = thread_of(p);
	s32 cpu = scx_bpf_task_cpu(p);

	if (!t)
		return;
	charge(p, t, cluster_of(cpu));
	vacate(p, t, cpu, runnable);
}

/* ---- migrate ---- */

/* Migrate from a little core to a big one. */
static void pull_up(struct task_struct *p, struct thread *t, s64 score)
{
	s32 cpu = idle_core(p, BIG);
	s64 turn;

	if (cpu >= 0) {
		if (migrate_to(p, t, cpu, settings.keep))
			stat_inc(STAT_TO_IDLE_BIG);
		return;
	}
	/* A turn is CPU time, whatever the thread's weight is. */
	turn = virtual_time(p, settings.margin);
	cpu = lowest_score(p, score - turn, bpf_ktime_get_ns());
	if (cpu < 0)
		stat_inc(STAT_NO_LOWER);
	else if (migrate_to(p, t, cpu, settings.keep))
		stat_inc(STAT_SWAPPED);
}

SEC("struct_ops/tick")
void BPF_PROG(rr_tick, struct task_struct *p)
{
	struct thread *t = thread_of(p);
	s32 cpu = scx_bpf_task_cpu(p);
	struct cpu *c = cpu_of(cpu);
	u32 cluster = cluster_of(cpu);

	if (!t)
		return;
	charge(p, t, cluster);
	c->score = score(t);
	if (t->migrating || c->leave)
		return;
	if (core_is_shared(cpu))
		spread(p, t, cluster);
	if (t->migrating || t->clusters != BOTH_CLUSTERS)
		return;
	if (overloaded(cluster))
		balance(p, t, cluster);
	else if (cluster == LITTLE)
		pull_up(p, t, c->score);
}

SEC(".struct_ops")
struct sched_ext_ops scheduler = {
	.select_cpu = (void *)rr_select_cpu,
	.enqueue = (void *)rr_enqueue,
	.dispatch = (void *)rr_dispatch,
	.running = (void *)rr_running,
	.stopping = (void *)rr_stopping,
	.tick = (void *)rr_tick,
	.runnable = (void *)rr_runnable,
	.quiescent = (void *)amp_quiescent,
	.set_cpumask = (void *)amp_set_cpumask,
	.cpu_release = (void *)amp_cpu_release,
	.init_task = (void *)amp_init_task,
	.enable = (void *)amp_enable,
	.init = (void *)amp_init,
	.exit = (void *)amp_exit,
	.flags = SCX_OPS_ENQ_LAST,
	.timeout_ms = 10000,
	.name = "pmc_rr",
};
