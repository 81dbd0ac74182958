// SPDX-License-Identifier: GPL-2.0
/*
 * New threads and processes inherit the sessions of the thread that starts them;
 * counting goes on over exec and ends with the thread. Called by the hooks with
 * preemption off.
 */
#include <linux/binfmts.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include "base/parse_command.h"
#include "base/percpu.h"
#include "base/stats.h"
#include "engine/module_notify.h"
#include "engine/record_sample.h"
#include "engine/switch.h"
#include "engine/thread.h"
#include "engine/thread_table.h"
#include "engine/user_page.h"
#include "pmu/pmu.h"
#include "session/inherit.h"
#include "session/memlock.h"
#include "session/module_callbacks.h"
#include "session/module_thread_ref.h"
#include "session/revoke_counters.h"
#include "session/session.h"
#include "session/thread_alloc.h"
#include "session/thread_end.h"
#include "session/thread_pool.h"
#include "uapi/pmctrack.h"
#include <base/compat.h>

static bool inherits(const struct pmc_session *s, unsigned long clone_flags)
{
	/* Modules' threads come with those of the sessions that use them. */
	if (s->owner.mm || READ_ONCE(s->state.ending))
		return false;
	return s->config.follow == PMC_FOLLOW_CHILDREN ||
	       (s->config.follow == PMC_FOLLOW_THREADS && clone_flags & CLONE_THREAD);
}

/* A thread that could not be followed. One writer at a time does not matter for a tally. */
static void note_missed(struct pmc_session *s)
{
	if (!s->owner.internal)
		s->consumer.ring.info->threads_missed++;
}

/**
 * pmc_on_fork - current has made a new task, which has not run yet
 * @child: the new task
 * @clone_flags: how it was made
 *
 * Context: Preemption off.
 */
void pmc_on_fork(struct task_struct *child, unsigned long clone_flags)
{
	struct pmc_thread *t, *new, *revoked = NULL;
	int ret;

	/* Threads that io_uring makes for a process work for it, and are counted as perf does. */
	if (child->flags & PF_KTHREAD)
		return;
	if (pmc_backend->user_fork && child->mm && child->mm != current->mm)
		pmc_backend->user_fork(child->mm);
	for (t = pmc_bucket_first(pmc_table_head(current)); t;
	     t = pmc_bucket_next(t)) {
		struct pmc_session *s = pmc_session_of(t);

		if (t->task != current || READ_ONCE(t->leaving) ||
		    !inherits(s, clone_flags))
			continue;
		new = pmc_memlock_allows(s) ? pmc_pool_get(&s->pool) : NULL;
		if (!new) {
			pmc_stat_inc(PMC_STAT_POOL_MISSES);
			note_missed(s);
			continue;
		}
		pmc_thread_init(new, child);
		new->on_exec = t->on_exec;
		new->active = t->active;
		if (s->config.uses)
			pmc_module_ops->fork(new, child);
		ret = pmc_table_add(new, s->consumer.priority, &revoked);
		if (!ret)
			continue;
		/* -EEXIST: the child has been attached already. */
		if (ret != -EEXIST)
			note_missed(s);
		pmc_modules_detach(new);
		pmc_thread_forget(new);
	}
	if (unlikely(revoked))
		pmc_end_revoked_child(revoked);
}

/* Takes the thread off the counters for good. */
static void end_current(struct pmc_thread *t)
{
	struct pmc_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&pmc_cpus);
	if (t->cpu >= 0) {
		pmc_cpu_begin(cpu);
		pmc_unload_one(cpu, t);
		pmc_cpu_end(cpu);
	}
	local_irq_restore(flags);
	pmc_thread_end(t, PMC_SAMPLE_EXIT);
}

/* Ends the thread, unless others have taken it out of the table. */
static void end_thread(struct pmc_thread *t)
{
	struct pmc_session *s = pmc_session_of(t);

	pmc_thread_ending(&s->consumer);
	if (pmc_table_del(t))
		end_current(t);
	pmc_thread_ended(s);
}

/* The address space is new, and pids may be. */
static void exec_one(struct pmc_thread *t)
{
	struct pmc_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&pmc_cpus);
	pmc_cpu_begin(cpu);
	if (t->open && t->cpu >= 0)
		pmc_caliper_close(cpu, t);
	pmc_caliper_free(t);
	if (t->monitored) {
		u64 now = ktime_get_mono_fast_ns();

		/* The old program's counts, and its period, are not the new one's. */
		if (t->set && !t->no_counters)
			pmc_record_sample(cpu, t, now, PMC_SAMPLE_SELF, 0);
		pmc_thread_begin_period(t, now);
		pmc_module_exec(t);
	}
	t->pid = task_tgid_nr_ns(current, pmc_session_of(t)->owner.ns);
	t->tid = task_pid_nr_ns(current, pmc_session_of(t)->owner.ns);
	if (t->on_exec) {
		t->on_exec = false;
		t->active = true;
		t->last_time = ktime_get_mono_fast_ns();
		pmc_thread_begin_period(t, t->last_time);
		pmc_thread_update_ready(t);
		pmc_load_here(cpu, t);
	} else {
		t->flags |= PMC_REC_EXEC;
	}
	pmc_cpu_end(cpu);
	local_irq_restore(flags);
}

/* Also programs that may not be looked into: perf stops counting them, too. */
static bool gains_rights(const struct linux_binprm *bprm)
{
	return bprm->secureexec || !pmc_task_dumpable(current);
}

/**
 * pmc_on_exec - current has become another program
 * @bprm: that program
 *
 * A session no longer counts a program that gains privileges by its exec,
 * unless the session is privileged itself.
 *
 * Context: Preemption off.
 */
void pmc_on_exec(struct linux_binprm *bprm)
{
	struct pmc_thread *t;

	for (t = pmc_bucket_first(pmc_table_head(current)); t;
	     t = pmc_bucket_next(t)) {
		if (t->task != current)
			continue;
		if (pmc_session_of(t)->owner.privileged || !gains_rights(bprm)) {
			exec_one(t);
			continue;
		}
		/* The name is the new program's already. */
		t->unnamed = true;
		end_thread(t);
	}
}

/**
 * pmc_on_exit - current ends
 *
 * Current runs in user mode no more, so its user-mode counts are complete. The kernel's
 * work for it afterwards depends on the kernel. Since 6.16, 3e816361e94a
 * ("sched/tracepoints: Move and extend the sched_process_exit() tracepoint"), the
 * tracepoint comes before exit_mm(): current still has its address space and its caliper
 * pages, and kernel mode in exit_mm() is not counted. On earlier kernels, and with
 * kernel-patches, the hook comes after exit_mm().
 *
 * Context: Preemption off.
 */
void pmc_on_exit(void)
{
	struct pmc_thread *t;

	for (t = pmc_bucket_first(pmc_table_head(current)); t;
	     t = pmc_bucket_next(t))
		if (t->task == current)
			end_thread(t);
}
