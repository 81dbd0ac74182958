// SPDX-License-Identifier: GPL-2.0
/* Ending a thread. */
#include <linux/slab.h>
#include "engine/module_notify.h"
#include "engine/record_sample.h"
#include "engine/thread.h"
#include "engine/user_page.h"
#include "session/module_thread_ref.h"
#include "session/session.h"
#include "session/thread_alloc.h"
#include "session/thread_end.h"
#include "session/thread_pool.h"
#include "session/wake.h"
#include "uapi/pmctrack.h"

/**
 * pmc_thread_ended - the hook has ended the thread
 * @s: its session
 *
 * Context: Preemption off, still.
 */
void pmc_thread_ended(struct pmc_session *s)
{
	/* Behind its totals. Pairs with the acquire in try_sum(). */
	smp_mb__before_atomic();
	atomic_inc(&s->totals.nr_ended);
}

/**
 * pmc_thread_end - the last of a thread: last sample, totals, memory
 * @t: thread out of the table and loaded nowhere
 * @event: why it ends
 *
 * Context: Preemption off. The memory goes when the hooks that may still
 * look at it are done.
 */
void pmc_thread_end(struct pmc_thread *t, enum pmc_sample_event event)
{
	struct pmc_session *s = pmc_session_of(t);
	unsigned long flags;

	WARN_ON_ONCE(!hlist_bl_unhashed(&t->node) || t->cpu >= 0);
	local_irq_save(flags);
	pmc_record_last(t, event);
	local_irq_restore(flags);
	pmc_caliper_free(t);
	pmc_modules_detach(t);
	if (READ_ONCE(s->totals.retiring))
		llist_add(&t->retired, &s->totals.retired);
	else
		pmc_thread_finish(t);
}

/**
 * pmc_thread_finish - the second half of pmc_thread_end(), which needs no hook
 * @t: thread
 *
 * Context: Preemption off if a module counts by it, else any but NMI.
 */
void pmc_thread_finish(struct pmc_thread *t)
{
	struct pmc_session *s = pmc_session_of(t);
	unsigned int i;

	for (i = 0; i < s->size.nr_acc; i++)
		if (t->total[i])
			atomic64_add(t->total[i], &s->totals.counts[i]);
	if (pmc_thread_counted(t, -1))
		pmc_session_wake_now(s);
	if (t->monitored) {
		pmc_module_end(t);
		pmc_module_drop(t);
		return;
	}
	if (!pmc_pool_put(&s->pool, t))
		kfree_rcu(t, rcu);
}
