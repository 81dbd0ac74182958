// SPDX-License-Identifier: GPL-2.0
/* The life of a session. */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "base/stats.h"
#include "session/access.h"
#include "session/evset.h"
#include "session/memlock.h"
#include "session/module_callbacks.h"
#include "session/session.h"
#include "session/session_life.h"
#include "session/session_prepare.h"
#include "session/session_ring.h"
#include "session/totals.h"
#include "session/user_page_map.h"

static void free_session(struct pmc_session *s)
{
	pmc_session_free_sets(s);
	pmc_session_free_ring(s);
	pmc_session_forget_totals(s);
	kfree(s->description.text);
	free_cpumask_var(s->syswide.cpus);
	pmc_memlock_free(s);
	pmc_owner_free(&s->owner);
	kfree(s);
}

static void wake_readers(struct irq_work *work)
{
	struct pmc_session *s = container_of(work, struct pmc_session, consumer.wake);

	wake_up_interruptible_all(&s->consumer.wait);
}

/**
 * pmc_session_create_internal - make a session that has no client
 *
 * Context: May sleep.
 * Return: the session or an ERR_PTR.
 */
struct pmc_session *pmc_session_create_internal(void)
{
	struct pmc_session *s;

	s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);
	if (!s)
		return ERR_PTR(-ENOMEM);
	mutex_init(&s->lock);
	pmc_session_init_ring(s);
	pmc_caliper_init(s);
	init_waitqueue_head(&s->consumer.wait);
	/* At the next tick will do: no interrupt of its own for a wake-up. */
	s->consumer.wake = IRQ_WORK_INIT_LAZY(wake_readers);
	pmc_owner_init(&s->owner);
	s->owner.internal = true;
	INIT_LIST_HEAD(&s->consumer.uncore);
	INIT_LIST_HEAD(&s->state.reserved);
	INIT_LIST_HEAD(&s->config.uses_link);
	s->consumer.priority = true;
	s->config.filters.user = true;
	s->consumer.wakeup = 1;
	if (!zalloc_cpumask_var(&s->syswide.cpus, GFP_KERNEL_ACCOUNT) ||
	    pmc_session_init_sets(s)) {
		free_session(s);
		return ERR_PTR(-ENOMEM);
	}
	return s;
}

/**
 * pmc_session_create - open a session for the calling process
 *
 * Context: May sleep.
 * Return: the session or an ERR_PTR.
 */
struct pmc_session *pmc_session_create(void)
{
	struct pmc_session *s = pmc_session_create_internal();

	if (IS_ERR(s))
		return s;
	s->owner.internal = false;
	s->consumer.priority = s->owner.privileged;
	pmc_memlock_init(s);
	atomic_inc(&pmc_nr_sessions);
	return s;
}

/**
 * pmc_session_destroy - undo everything that was made through a session
 * @s: session that is closed
 *
 * Context: May sleep.
 */
void pmc_session_destroy(struct pmc_session *s)
{
	pmc_session_stop(s);
	pmc_caliper_end_direct(s);
	pmc_session_clear_events(s);
	if (s->owner.scheduler)
		kfree(s->config.uses);
	else if (s->config.uses)
		pmc_module_ops->forget(s);
	/* It comes at the next tick; to sync is to spin until then. */
	while (irq_work_is_busy(&s->consumer.wake))
		schedule_timeout_uninterruptible(1);
	irq_work_sync(&s->consumer.wake);
	if (!s->owner.internal)
		atomic_dec(&pmc_nr_sessions);
	free_session(s);
}
