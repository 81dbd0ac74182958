// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks that run already: their threads are loaded, unloaded and sampled at once, by an
 * interrupt of the CPU.
 */
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include "base/percpu.h"
#include "engine/record_sample.h"
#include "engine/switch.h"
#include "engine/thread.h"
#include "engine/thread_table.h"
#include "session/running_tasks.h"
#include "session/session.h"

/* Loads current's new threads. By IPI. */
static void load_current(void *unused)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	struct pmc_thread *t;

	pmc_cpu_begin(cpu);
	/* Threads that were revoked for one of them may be loaded still. */
	pmc_unload_taken(cpu);
	for (t = pmc_bucket_first(pmc_table_head(current)); t;
	     t = pmc_bucket_next(t)) {
		if (t->task != current)
			continue;
		if (t->active)
			pmc_load_here(cpu, t);
	}
	pmc_cpu_end(cpu);
}

/* Notes the CPU that a thread's task runs on, after what its hook is to see was written. */
static void note_cpu(struct pmc_thread *t, void *mask)
{
	/*
	 * A CPU that is not noted takes the task later, and has a full barrier between
	 * taking it and the hook: smp_mb__after_spinlock() of schedule().
	 */
	smp_mb();
	if (READ_ONCE(t->task->on_rq))
		cpumask_set_cpu(task_cpu(t->task), mask);
}

/*
 * Interrupts the CPUs that @note notes for a session's threads. Other CPUs may not be
 * disturbed by a user who may only count own threads. The session's lock is held; it counts
 * no CPUs, so that their mask is free.
 */
static void on_cpus_of(struct pmc_session *s,
		       void (*note)(struct pmc_thread *t, void *mask),
		       smp_call_func_t here, void *info)
{
	cpumask_clear(s->syswide.cpus);
	pmc_table_for_each(&s->consumer, note, s->syswide.cpus);
	on_each_cpu_mask(s->syswide.cpus, here, info, true);
}

/**
 * pmc_load_attached - count tasks that run already
 * @s: session that has got new threads; modules' threads are of the same tasks
 *
 * Context: May sleep.
 */
void pmc_load_attached(struct pmc_session *s)
{
	on_cpus_of(s, note_cpu, load_current, NULL);
}

/**
 * pmc_load_running - count what runs on a CPU already
 * @cpu: an online CPU
 *
 * Context: May sleep.
 */
void pmc_load_running(unsigned int cpu)
{
	smp_call_function_single(cpu, load_current, NULL, true);
}

/* Unloads threads that are out of the table. By IPI. */
static void unload_taken(void *unused)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);

	pmc_cpu_begin(cpu);
	pmc_unload_taken(cpu);
	pmc_cpu_end(cpu);
}

/**
 * pmc_unload_all_taken - have no thread that is out of the table loaded anywhere
 *
 * The thread may have been taken out by another caller, and its task may run, sleep or exit.
 *
 * Context: May sleep.
 */
void pmc_unload_all_taken(void)
{
	/* No hook is between finding and loading such a thread, or is ending one. */
	synchronize_rcu();
	on_each_cpu(unload_taken, NULL, true);
}

/* Those that are loaded are where they were loaded last, or being unloaded there. */
static void note_last_cpus(const struct pmc_thread *taken, struct cpumask *mask)
{
	const struct pmc_thread *t;

	for (t = taken; t; t = t->taken)
		if (t->last_cpu < nr_cpu_ids)
			cpumask_set_cpu(t->last_cpu, mask);
}

/**
 * pmc_unload_here - unload threads of this CPU that are out of the table
 *
 * Context: Any but NMI.
 */
void pmc_unload_here(void)
{
	unsigned long flags;

	local_irq_save(flags);
	unload_taken(NULL);
	local_irq_restore(flags);
}

/**
 * pmc_unload_threads - have threads loaded nowhere any more
 * @taken: threads that were taken out of the table, linked by taken
 *
 * Context: May sleep.
 */
void pmc_unload_threads(struct pmc_thread *taken)
{
	cpumask_var_t mask;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL)) {
		pmc_unload_all_taken();
		return;
	}
	/* No hook finds them any more; none is between finding and loading. */
	synchronize_rcu();
	note_last_cpus(taken, mask);
	on_each_cpu_mask(mask, unload_taken, NULL, true);
	free_cpumask_var(mask);
}

/* By IPI. */
static void sample_loaded(void *session)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	struct pmc_thread *t;
	u64 now;

	pmc_cpu_begin(cpu);
	/* From here on no interrupt takes a later sample. */
	now = ktime_get_mono_fast_ns();
	for (t = cpu->loaded; t; t = t->next) {
		if (pmc_session_of(t) != session || !READ_ONCE(t->want_sample))
			continue;
		WRITE_ONCE(t->want_sample, false);
		pmc_record_sample(cpu, t, now, PMC_SAMPLE_SELF, 0);
	}
	for (t = cpu->syswide; t; t = t->next)
		if (pmc_session_of(t) == session)
			pmc_record_sample(cpu, t, now, PMC_SAMPLE_SELF, 0);
	pmc_cpu_end(cpu);
}

static void want_sample(struct pmc_thread *t, void *mask)
{
	WRITE_ONCE(t->want_sample, true);
	/* Pairs with pmc_update_slow_flags(), which may run on the thread's CPU. */
	smp_mb();
	WRITE_ONCE(t->slow_flags, PMC_SLOW_BOTH);
	note_cpu(t, mask);
}

/**
 * pmc_sample_all - take a sample of everything
 * @s: session; its lock is held
 *
 * Running threads are sampled at once, the others when they run next.
 *
 * Context: May sleep.
 */
void pmc_sample_all(struct pmc_session *s)
{
	if (s->syswide.active)
		on_each_cpu_mask(s->syswide.cpus, sample_loaded, s, true);
	else
		on_cpus_of(s, want_sample, sample_loaded, s);
}
