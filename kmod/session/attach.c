// SPDX-License-Identifier: GPL-2.0
/* Taking a task into a session, and letting threads go. */
#include <linux/sched/task.h>
#include "base/err.h"
#include "base/parse_command.h"
#include "engine/thread.h"
#include "engine/thread_table.h"
#include "session/attach.h"
#include "session/conflict_message.h"
#include "session/memlock.h"
#include "session/module_callbacks.h"
#include "session/revoke_counters.h"
#include "session/running_tasks.h"
#include "session/session.h"
#include "session/thread_alloc.h"
#include "session/thread_end.h"

/* Their tasks are referenced: past its exit hook, a task may be gone any time. */
static void end_unloaded(struct pmc_thread *taken)
{
	struct pmc_thread *t;

	while ((t = taken)) {
		struct task_struct *task = t->task;

		taken = t->taken;
		preempt_disable();
		pmc_thread_end(t, PMC_SAMPLE_SELF);
		preempt_enable();
		put_task_struct(task);
		cond_resched();
	}
}

static void end_taken(struct pmc_thread *taken)
{
	if (taken)
		pmc_unload_threads(taken);
	end_unloaded(taken);
}

/**
 * pmc_take_task - the first half of not counting a task any more
 * @s: session
 * @task: the task, referenced, whether it is counted or not
 * @taken: threads taken out so far, for pmc_end_tasks()
 *
 * Context: Any but interrupts.
 */
void pmc_take_task(struct pmc_session *s, struct task_struct *task,
		   struct pmc_thread **taken)
{
	struct pmc_thread *t;

	rcu_read_lock();
	t = pmc_table_find(task, &s->consumer);
	if (t && pmc_table_del(t)) {
		get_task_struct(task);
		t->taken = *taken;
		*taken = t;
	}
	rcu_read_unlock();
}

/**
 * pmc_end_tasks - the second half
 * @s: session; its lock is held, of the scheduler's pmc_modules_lock
 * @taken: threads that pmc_take_task() took
 *
 * Context: May sleep.
 */
void pmc_end_tasks(struct pmc_session *s, struct pmc_thread *taken)
{
	end_taken(taken);
	if (s->config.uses)
		pmc_module_ops->sweep(s);
}

/**
 * pmc_end_if_exiting - end a thread whose task has passed the exit hook
 * @s: session
 * @task: the task, referenced, of a thread that was just added to the table
 *
 * Either that hook finds the thread in the table, or the task is seen here to be
 * past the hook. If the hook found it, the thread is gone already: so it is
 * looked up again.
 *
 * Context: May sleep.
 */
void pmc_end_if_exiting(struct pmc_session *s, struct task_struct *task)
{
	struct pmc_thread *taken = NULL;

	/* The table before the flag, as the hook comes after the flag. */
	smp_mb();
	if (READ_ONCE(task->flags) & PF_EXITING)
		pmc_take_task(s, task, &taken);
	end_taken(taken);
}

static int add_to_table(struct pmc_thread *t)
{
	struct pmc_thread *revoked = NULL;
	int ret = pmc_table_add(t, t->consumer->priority, &revoked);

	pmc_end_revoked(revoked);
	return ret;
}

/* With the modules that its session uses. */
static int add(struct pmc_session *s, struct pmc_thread *t)
{
	return s->config.uses ? pmc_module_ops->attach(t, add_to_table) : add_to_table(t);
}

/**
 * pmc_add_task - let a session count a task
 * @s: session, prepared; its lock is held
 * @task: current or another task
 * @active: count from now on
 *
 * Context: May sleep.
 * Return: 0, also when the task has ended or is counted already; or a
 * negative error explained in the session's message.
 */
int pmc_add_task(struct pmc_session *s, struct task_struct *task, bool active)
{
	struct pmc_thread *t;
	int ret;

	/* To find out only when it is added would take a grace period. */
	if (READ_ONCE(task->flags) & PF_EXITING)
		return 0;
	ret = pmc_memlock_check(s, s->size.thread, "another thread");
	if (ret)
		return ret;
	t = pmc_thread_alloc(s, GFP_KERNEL_ACCOUNT);
	if (!t)
		return -ENOMEM;
	pmc_thread_init(t, task);
	if (!active) {
		t->active = false;
		t->on_exec = false;
	}
	pmc_err_clear(&s->err);
	ret = add(s, t);
	if (!ret) {
		pmc_end_if_exiting(s, task);
		return 0;
	}
	if (ret == -EBUSY && !s->err.text[0])
		pmc_conflict_explain(t, &s->err);
	else if (ret == -ECANCELED)
		pmc_err(&s->err, ret,
			"a privileged session, a monitoring module or a scheduler has taken the session's counters: write 'stop', and start again");
	else if (ret == -EUSERS)
		pmc_err(&s->err, ret,
			"thread %d: %u sessions of unprivileged users count it already, which is the limit: stop one of them, or count all events by one session",
			t->tid, PMC_TASK_SESSIONS_MAX);
	pmc_thread_forget(t);
	/* The fork hook came first. */
	return ret == -EEXIST ? 0 : ret;
}

/**
 * pmc_detach_unused - stop monitoring threads that no session uses
 * @s: a module's session, which the caller keeps
 *
 * Context: May sleep.
 */
void pmc_detach_unused(struct pmc_session *s)
{
	if (atomic_read(&s->consumer.nr_threads))
		end_taken(pmc_table_take_all(&s->consumer, true));
}

/*
 * Does no hook know a thread of the session any more? A hook loads and unloads threads of the
 * task that its CPU runs: those of current are known to no hook, as current is in none. Hooks on
 * other CPUs may be ending threads only if one ever began to.
 */
static bool is_of_current_alone(struct pmc_session *s, const struct pmc_thread *taken)
{
	if (!taken || s->config.follow != PMC_FOLLOW_NONE || s->owner.internal ||
	    atomic_read(&s->consumer.nr_ending))
		return false;
	while (taken && taken->task == current)
		taken = taken->taken;
	return !taken;
}

/**
 * pmc_detach_all - stop counting every thread
 * @s: session; its lock is held, or it is closed
 *
 * Context: May sleep.
 */
void pmc_detach_all(struct pmc_session *s)
{
	struct pmc_thread *taken;

	WRITE_ONCE(s->state.ending, true);
	/* Forks that were seen before are in the table after this. */
	if (s->config.follow != PMC_FOLLOW_NONE || s->owner.internal)
		synchronize_rcu();
	taken = pmc_table_take_all(&s->consumer, false);
	/*
	 * The walk looks at empty buckets without their locks. From here on nr_ending has the
	 * threads that hooks took out of them. Pairs with the barrier in pmc_thread_ending().
	 */
	smp_rmb();
	/*
	 * Hooks may be ending threads that they took out themselves. The grace period in which
	 * the others are unloaded ends these, too.
	 */
	if (is_of_current_alone(s, taken))
		pmc_unload_here();
	else if (taken)
		pmc_unload_threads(taken);
	else
		synchronize_rcu();
	end_unloaded(taken);
	pmc_wait_for_revocations(s);
	WRITE_ONCE(s->state.ending, false);
}
