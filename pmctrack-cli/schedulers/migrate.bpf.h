/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Migration between CPUs and clusters. A thread migrates at a tick: its slice ends, and it is
 * queued again where it shall run. When two threads swap places, the CPU of one is the target of
 * the other, and the one that leaves is queued on the other cluster. A place has a slice and a
 * virtual time, which stay with it: threads that wait in the clusters' queues wait no longer.
 */
#ifndef MIGRATE_BPF_H
#define MIGRATE_BPF_H

#include "queues.bpf.h"

/* May a thread with that keep_until swap places? */
static bool may_swap(u64 keep_until, u64 now)
{
	return !before(now, keep_until);
}

/* The thread continues on another cluster: on @target, or -1: on any CPU. */
static void migrate(struct task_struct *p, struct thread *t, u32 cluster, s32 target)
{
	set_cluster(p, t, cluster);
	/* The thread has waited enough: put it first in the queue, for a slice. */
	p->scx.dsq_vtime -= virtual_time(p, settings.slice);
	t->migrating = true;
	t->target = target;
	if (target >= 0) {
		__sync_fetch_and_add(&nr_migrating, 1);
		cpu_of(target)->last_migration = bpf_ktime_get_ns();
	}
	p->scx.slice = 0;
}

/*
 * Migrate to a CPU, unless another thread does. If a thread runs there, both threads keep their
 * places for @keep ns. Return: the thread migrates.
 */
static bool migrate_to(struct task_struct *p, struct thread *t, u32 cpu, u64 keep)
{
	struct cpu *c = cpu_of(cpu);

	if (__sync_val_compare_and_swap(&c->leave, 0, 1))
		return false;
	c->other_vtime = p->scx.dsq_vtime;
	t->swaps = c->busy;
	migrate(p, t, cluster_of(cpu), cpu);
	if (t->swaps) {
		c->keep_until = bpf_ktime_get_ns() + keep;
		t->keep_until = c->keep_until;
	}
	return true;
}

/* The migration has ended: the thread runs, or sleeps. */
static void end_migration(struct thread *t)
{
	if (t->target >= 0) {
		__sync_fetch_and_sub(&nr_migrating, 1);
		cpu_of(t->target)->leave = 0;
	}
	t->target = -1;
	t->swaps = false;
	t->migrating = false;
}

/* Leave a core that another thread shares (SMT) for an idle core, of this cluster if possible. */
static void spread(struct task_struct *p, struct thread *t, u32 cluster)
{
	s32 cpu = idle_core(p, cluster);

	if (cpu < 0)
		cpu = idle_core(p, !cluster);
	if (cpu < 0 || !migrate_to(p, t, cpu, settings.keep))
		return;
	stat_inc(STAT_SPREAD);
	/* The thread on the core's other CPU need not leave as well. */
	cpu_of(scx_bpf_task_cpu(p))->busy = 0;
}

/* Continue on the other cluster, which has fewer threads for its CPUs. */
static void balance(struct task_struct *p, struct thread *t, u32 cluster)
{
	stat_inc(STAT_BALANCED);
	migrate(p, t, !cluster, -1);
}

/*
 * Choose the thread that loses its big CPU: the one with the lowest score below @limit. A thread
 * that shares its core (SMT) comes last, as half of a core is worth less than a whole one.
 * Return: its CPU, or -1.
 */
static s32 lowest_score(struct task_struct *p, s64 limit, u64 now)
{
	bool shared, found_shared = true;
	s64 least = 0;
	s32 found = -1;
	struct cpu *c;
	u32 i, cpu;

	for (i = 0; i < MAX_CPUS && i < settings.nr_cpus[BIG]; i++) {
		cpu = settings.cpus[BIG][i];
		c = cpu_of(cpu);
		if (!c->busy || c->leave || c->fixed || !may_swap(c->keep_until, now) ||
		    c->score >= limit || !bpf_cpumask_test_cpu(cpu, p->cpus_ptr))
			continue;
		shared = core_is_shared(cpu);
		if (found >= 0 && (shared != found_shared ? shared : c->score >= least))
			continue;
		found = cpu;
		found_shared = shared;
		least = c->score;
	}
	return found;
}

/* ---- a thread comes to a CPU and leaves it ---- */

static void arrive(struct task_struct *p, struct thread *t, u32 cpu)
{
	bool swapped = t->swaps && t->target == (s32)cpu;
	u32 cluster = cluster_of(cpu) & 1;

	if (t->target >= 0 && t->target != (s32)cpu)
		stat_inc(STAT_MISSED);
	end_migration(t);
	t->is_new = false;
	set_cluster(p, t, cluster);
	if (swapped)
		p->scx.dsq_vtime = cpu_of(cpu)->vtime;
	t->started = bpf_ktime_get_ns();
	if (before(vtime_now[cluster], p->scx.dsq_vtime))
		vtime_now[cluster] = p->scx.dsq_vtime;
}

/* Let other CPUs see the thread, which has arrived. */
static void occupy(const struct task_struct *p, const struct thread *t, u32 cpu, s64 score)
{
	struct cpu *c = cpu_of(cpu);

	c->score = score;
	c->keep_until = t->keep_until;
	c->slice_end = t->started + p->scx.slice;
	c->fixed = t->clusters != BOTH_CLUSTERS;
	c->leave = 0;
	c->busy = 1;
}

/* The thread stops. If it has to leave, it is queued on the other cluster. */
static void vacate(struct task_struct *p, struct thread *t, u32 cpu, bool runnable)
{
	struct cpu *c = cpu_of(cpu);

	c->busy = 0;
	if (!c->leave || t->migrating)
		return;
	c->vtime = p->scx.dsq_vtime;
	if (runnable && t->clusters == BOTH_CLUSTERS) {
		set_cluster(p, t, !cluster_of(cpu));
		p->scx.dsq_vtime = c->other_vtime;
		t->keep_until = c->keep_until;
	}
}

#endif
