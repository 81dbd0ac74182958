// SPDX-License-Identifier: GPL-2.0
/*
 * Threads as modules monitor them. A module counts by a session of its own,
 * which has at most one struct pmc_thread for a task. It is there for the
 * threads of clients' sessions, and of the scheduler's, that count the same
 * task: each of those holds a reference, the table of threads another one. When
 * the last of them is gone, the module's thread is taken out by the next sweep.
 */
#include <linux/err.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include "base/err.h"
#include "base/stats.h"
#include "engine/module_notify.h"
#include "engine/thread.h"
#include "engine/thread_table.h"
#include "metrics/module_list.h"
#include "metrics/module_session_threads.h"
#include "session/attach.h"
#include "session/module_thread_ref.h"
#include "session/revoke_counters.h"
#include "session/session.h"
#include "session/thread_alloc.h"
#include "session/thread_pool.h"

/* The module's own thread of a task, referenced, or NULL. */
static struct pmc_thread *get_existing(struct pmc_session *s,
				       const struct task_struct *task)
{
	struct pmc_thread *t;

	rcu_read_lock();
	t = pmc_table_find(task, &s->consumer);
	if (t && !refcount_inc_not_zero(&t->refs))
		t = NULL;
	rcu_read_unlock();
	return t;
}

/*
 * Into the table, with a reference for the caller; or an ERR_PTR: -EEXIST when
 * another caller was quicker, -ENOMEM when there is no @t.
 */
static struct pmc_thread *add(struct pmc_thread *t, struct task_struct *task,
			      bool revoke, struct pmc_thread **revoked)
{
	int ret;

	if (!t)
		return ERR_PTR(-ENOMEM);
	pmc_thread_init(t, task);
	pmc_module_start(t);
	refcount_inc(&t->refs);
	ret = pmc_table_add(t, revoke, revoked);
	if (!ret)
		return t;
	preempt_disable();
	pmc_module_end(t);
	preempt_enable();
	pmc_thread_forget(t);
	return ERR_PTR(ret);
}

/**
 * pmc_module_get - have a module monitor a task
 * @m: module, active
 * @task: a thread that may be running
 * @revoke: revoke conflicting threads of unprivileged sessions
 * @err: where to say why not
 *
 * Context: May sleep; pmc_modules_lock is held.
 * Return: the module's own thread, for pmc_module_put(); NULL when the module
 * has no need of one; or an ERR_PTR.
 */
struct pmc_thread *pmc_module_get(struct pmc_module *m,
				  struct task_struct *task, bool revoke,
				  struct pmc_err *err)
{
	struct pmc_thread *t, *revoked = NULL;

	if (!pmc_module_monitors(m->mm))
		return NULL;
	do {
		t = get_existing(m->session, task);
		if (t)
			return t;
		t = add(pmc_thread_alloc(m->session, GFP_KERNEL_ACCOUNT), task,
			revoke, &revoked);
	} while (t == ERR_PTR(-EEXIST));
	pmc_end_revoked(revoked);
	if (t == ERR_PTR(-EBUSY))
		pmc_err(err, -EBUSY,
			"module %s can't monitor thread %d: another session counts it, and other events on the module's counters: stop that one, or do without the module",
			m->mm->name, task_pid_vnr(task));
	if (!IS_ERR(t))
		pmc_end_if_exiting(m->session, task);
	return t;
}

/* All modules that the session of @t uses. Return: 0, or a negative error with nothing held. */
static int attach(struct pmc_thread *t)
{
	struct pmc_session *s = pmc_session_of(t);
	struct pmc_thread *own;
	unsigned int i;

	for (i = 0; i < PMC_MODULES_MAX; i++) {
		if (!s->config.uses[i])
			continue;
		own = pmc_module_get(s->config.uses[i], t->task, s->consumer.priority, &s->err);
		if (!IS_ERR(own)) {
			t->modules[i] = own;
			continue;
		}
		/* A scheduler goes on with the modules that can monitor the task. */
		if (!s->owner.scheduler) {
			pmc_modules_detach(t);
			return PTR_ERR(own);
		}
		pmc_stat_inc(PMC_STAT_UNMONITORED);
	}
	return 0;
}

/**
 * pmc_modules_attach - have all modules that a session uses monitor a task
 * @t: thread of the session, not in the table yet
 * @add: adds it
 *
 * Context: May sleep.
 * Return: 0, or a negative error with nothing held, of @add or explained in the session's
 * message.
 */
int pmc_modules_attach(struct pmc_thread *t, int (*add)(struct pmc_thread *t))
{
	bool locked = pmc_session_of(t)->owner.scheduler;
	int ret;

	/* The scheduler's session is worked on under this lock anyway. */
	if (!locked)
		mutex_lock(&pmc_modules_lock);
	ret = attach(t);
	if (!ret) {
		ret = add(t);
		if (ret)
			pmc_modules_detach(t);
	}
	if (!locked)
		mutex_unlock(&pmc_modules_lock);
	return ret;
}

/**
 * pmc_modules_fork - the same for a new task, in its fork
 * @t: thread of a session that uses modules, and follows current into @child
 * @child: the new task
 *
 * Context: Preemption off.
 */
void pmc_modules_fork(struct pmc_thread *t, struct task_struct *child)
{
	struct pmc_session *s = pmc_session_of(t);
	struct pmc_thread *own, *revoked = NULL;
	struct pmc_module *m;
	unsigned int i;

	for (i = 0; i < PMC_MODULES_MAX; i++) {
		m = READ_ONCE(s->config.uses[i]);
		if (!m || !pmc_module_monitors(m->mm))
			continue;
		do {
			own = get_existing(m->session, child);
			if (!own)
				own = add(pmc_pool_get(&m->session->pool), child,
					  s->consumer.priority, &revoked);
			/* An attach to the child may have been quicker. */
		} while (own == ERR_PTR(-EEXIST));
		if (IS_ERR(own)) {
			pmc_stat_inc(PMC_STAT_UNMONITORED);
			continue;
		}
		if (cmpxchg(&t->modules[m->slot], NULL, own))
			pmc_module_put(own);
	}
	if (unlikely(revoked))
		pmc_end_revoked_child(revoked);
}

/**
 * pmc_modules_sweep - end modules' threads that no session uses any more
 * @s: session that uses modules, and counts some threads no more
 *
 * A grace period passes for each module. So pmc_modules_lock is not needed: a session that uses a
 * module keeps it active.
 *
 * Context: May sleep. The session's lock is held, of the scheduler's session pmc_modules_lock.
 */
void pmc_modules_sweep(const struct pmc_session *s)
{
	unsigned int i;

	for (i = 0; i < PMC_MODULES_MAX; i++)
		if (s->config.uses[i])
			pmc_detach_unused(s->config.uses[i]->session);
}
