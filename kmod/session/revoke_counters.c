// SPDX-License-Identifier: GPL-2.0
/*
 * Revoking counters: threads of unprivileged sessions are ended where a privileged
 * session, a monitoring module or the scheduler needs the counters. That takes no lock of
 * the unprivileged session, which its owner could hold for ever. Such a session waits, when
 * it stops, until its threads have been ended.
 */
#include <linux/sched.h>
#include <linux/sched/task.h>
#include "engine/ring.h"
#include "engine/thread.h"
#include "engine/thread_table.h"
#include "session/revoke_counters.h"
#include "session/running_tasks.h"
#include "session/session.h"
#include "session/thread_end.h"
#include "uapi/pmctrack.h"

static void end_one(struct pmc_thread *t)
{
	struct pmc_session *s = pmc_session_of(t);
	struct task_struct *task = t->task;

	t->flags |= PMC_REC_EVICTED;
	pmc_ring_note_loss(&s->consumer.ring);
	preempt_disable();
	pmc_thread_end(t, PMC_SAMPLE_SELF);
	pmc_thread_ended(s);
	preempt_enable();
	put_task_struct(task);
	/* The session may go from here on. Pairs with pmc_wait_for_revocations(). */
	atomic_dec_return_release(&s->consumer.revoking);
}

static void end_all(struct pmc_thread *revoked)
{
	struct pmc_thread *t;

	while ((t = revoked)) {
		revoked = t->taken;
		end_one(t);
	}
}

/**
 * pmc_end_revoked - end the threads that pmc_table_add() has revoked
 * @revoked: the threads; may be none
 *
 * Context: May sleep.
 */
void pmc_end_revoked(struct pmc_thread *revoked)
{
	if (!revoked)
		return;
	pmc_unload_threads(revoked);
	end_all(revoked);
}

/**
 * pmc_end_revoked_child - the same for a task that has not run yet
 * @revoked: the threads, which have never been loaded
 *
 * Context: Preemption off.
 */
void pmc_end_revoked_child(struct pmc_thread *revoked)
{
	end_all(revoked);
}

/**
 * pmc_revoke_threads - end all threads of a revoked session
 * @s: the session
 *
 * Its owner, a hook, or another session may have taken threads out of the table before and
 * be about to end them. None of them is loaded either when this returns.
 *
 * Context: May sleep; pmc_cpus_lock is held, which keeps the session.
 */
void pmc_revoke_threads(struct pmc_session *s)
{
	struct pmc_thread *revoked = NULL;

	pmc_table_revoke_all(&s->consumer, &revoked);
	pmc_unload_all_taken();
	end_all(revoked);
}

/**
 * pmc_wait_for_revocations - wait until all revoked threads of a session have ended
 * @s: the session; its lock is held
 *
 * Context: May sleep.
 */
void pmc_wait_for_revocations(const struct pmc_session *s)
{
	while (atomic_read_acquire(&s->consumer.revoking))
		schedule_timeout_uninterruptible(1);
}
