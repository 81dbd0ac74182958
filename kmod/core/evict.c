// SPDX-License-Identifier: GPL-2.0
/*
 * Ending threads of unprivileged sessions whose counters a privileged session, a
 * monitoring module or the scheduler needs. It is done without such a session's lock,
 * which its owner could hold for as long as he likes; the session, when it stops, waits
 * for those who are at it.
 */
#include <linux/sched.h>
#include <linux/sched/task.h>
#include "session.h"
#include "table.h"

static void end_one(struct pmc_thread *t)
{
	struct pmc_session *s = t->session;
	struct task_struct *task = t->task;

	t->flags |= PMC_REC_EVICTED;
	preempt_disable();
	pmc_thread_end(t, PMC_SAMPLE_SELF);
	pmc_thread_ended(s);
	preempt_enable();
	put_task_struct(task);
	/* The session may go from here on. Pairs with pmc_wait_for_evictions(). */
	atomic_dec_return_release(&s->evicting);
}

static void end_all(struct pmc_thread *evicted)
{
	struct pmc_thread *t;

	while ((t = evicted)) {
		evicted = t->taken;
		end_one(t);
	}
}

/**
 * pmc_end_evicted - end what pmc_table_add() has evicted
 * @evicted: the threads; may be none
 *
 * Context: May sleep.
 */
void pmc_end_evicted(struct pmc_thread *evicted)
{
	if (!evicted)
		return;
	pmc_unload_threads(evicted);
	end_all(evicted);
}

/**
 * pmc_end_evicted_child - the same for threads of a task that has not run yet
 * @evicted: the threads, which have never been loaded
 *
 * Context: Preemption off.
 */
void pmc_end_evicted_child(struct pmc_thread *evicted)
{
	struct pmc_thread *t;

	/* It has not run, so that no record tells of it. */
	for (t = evicted; t; t = t->taken)
		pmc_session_missed(t->session);
	end_all(evicted);
}

/**
 * pmc_evict_session - end all threads of a session that is revoked
 * @s: the session
 *
 * Context: May sleep; pmc_cpus_lock is held, which keeps the session.
 */
void pmc_evict_session(struct pmc_session *s)
{
	struct pmc_thread *evicted = NULL;

	pmc_table_evict_session(s, &evicted);
	pmc_end_evicted(evicted);
}

/**
 * pmc_wait_for_evictions - wait until nobody is ending threads of a session
 * @s: the session; its lock is held
 *
 * Context: May sleep.
 */
void pmc_wait_for_evictions(const struct pmc_session *s)
{
	while (atomic_read_acquire(&s->evicting))
		schedule_timeout_uninterruptible(1);
}
