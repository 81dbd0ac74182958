// SPDX-License-Identifier: GPL-2.0
/* Making a thread. */
#include <linux/pid_namespace.h>
#include <linux/slab.h>
#include <linux/ktime.h>
#include "base/parse_command.h"
#include "base/coretypes_param.h"
#include "base/stats.h"
#include "engine/user_page.h"
#include "include/pmctrack/monitoring_module.h"
#include "engine/consumer.h"
#include "engine/evset_counters.h"
#include "engine/thread.h"
#include "session/memlock.h"
#include "session/session.h"
#include "session/thread_alloc.h"
#include "session/wake.h"

static void set_up(struct pmc_thread *t, struct pmc_session *s)
{
	void *rest;

	t->consumer = &s->consumer;
	t->sw_prev = t->cur + s->consumer.nr_cur;
	t->period_left = pmc_thread_periods(t);
	t->saved = (u64 *)(t->period_left + s->size.nr_left);
	t->total = t->saved + s->consumer.nr_cur;
	t->reported = t->total + s->size.nr_acc;
	t->virt_prev = t->reported + s->size.nr_acc;
	t->virt_base = t->virt_prev + s->consumer.nr_virtuals;
	t->set_left = (u8 *)(t->virt_base + s->consumer.nr_virtuals);
	rest = PTR_ALIGN(t->set_left + s->size.nr_periods, sizeof(u64));
	if (s->config.uses)
		t->modules = rest;
	if (s->owner.mm) {
		t->mm = s->owner.mm;
		t->monitored = PTR_ALIGN(rest, sizeof(u64));
		t->notify_switch = t->mm->switch_in || t->mm->switch_out;
	}
}

/**
 * pmc_thread_alloc - memory for a thread of a session
 * @s: session whose event sets are final
 * @gfp: how to allocate
 *
 * Context: May sleep as @gfp says.
 * Return: a zeroed thread for pmc_thread_init(), or NULL.
 */
struct pmc_thread *pmc_thread_alloc(struct pmc_session *s, gfp_t gfp)
{
	struct pmc_thread *t = kzalloc(s->size.thread, gfp);

	if (t)
		set_up(t, s);
	return t;
}

/**
 * pmc_thread_again - make an ended thread as if it had just been allocated
 * @t: thread whose grace period is over
 *
 * Context: Any.
 */
void pmc_thread_again(struct pmc_thread *t)
{
	struct pmc_session *s = pmc_session_of(t);

	memset(t, 0, s->size.thread);
	set_up(t, s);
}

/**
 * pmc_thread_counted - note that a thread is counted, or is no more
 * @t: thread
 * @diff: 1 or -1
 *
 * The number of threads grows before that of all threads ever: otherwise a reader
 * would believe that all had ended.
 *
 * Return: whether it was the last one of its session.
 */
bool pmc_thread_counted(struct pmc_thread *t, int diff)
{
	struct pmc_session *s = pmc_session_of(t);
	bool last;

	if (!s->owner.internal)
		atomic_add(diff, &pmc_nr_threads);
	pmc_memlock_account(s, diff * (long)s->size.thread);
	/* A full barrier, which pairs with at_end() of monitor.c. */
	last = !atomic_add_return(diff, &s->consumer.nr_threads);
	if (diff > 0)
		atomic64_inc(&s->totals.total_threads);
	return last;
}

/* The session of a module that uses no counters. */
static bool no_counters(const struct pmc_session *s)
{
	return s->owner.mm && !s->owner.mm->sample && !s->consumer.nr_cur;
}

/**
 * pmc_thread_init - make a thread count a task
 * @t: from pmc_thread_alloc()
 * @task: task to count
 *
 * Context: Any but interrupts. Does not sleep.
 */
void pmc_thread_init(struct pmc_thread *t, struct task_struct *task)
{
	struct pmc_session *s = pmc_session_of(t);

	BUILD_BUG_ON(PMC_CORE_TYPES_MAX > U8_MAX);
	t->task = task;
	t->cpu = -1;
	t->last_cpu = UINT_MAX;
	t->ct = U8_MAX;
	t->on_exec = s->config.enable == PMC_ENABLE_EXEC;
	t->active = !t->on_exec;
	t->ready = U8_MAX;
	t->pid = task_tgid_nr_ns(task, s->owner.ns);
	t->tid = task_pid_nr_ns(task, s->owner.ns);
	t->last_time = ktime_get_mono_fast_ns();
	pmc_thread_begin_period(t, t->last_time);
	pmc_thread_counted(t, 1);
	if (!no_counters(s))
		return;
	t->no_counters = true;
	t->slow_flags = PMC_SLOW_BOTH;
	t->set = s->consumer.rotation[0].sets[0];
}

/**
 * pmc_thread_free - free a thread that has no users any more
 * @t: the thread
 *
 * Context: May sleep.
 */
void pmc_thread_free(struct pmc_thread *t)
{
	pmc_caliper_free(t);
	kfree(t);
}

/**
 * pmc_thread_forget - undo pmc_thread_init() and pmc_thread_alloc()
 * @t: thread that has not been in the table
 *
 * Context: Any but NMI. To free it at once may take a lock that sleeps (PREEMPT_RT), so RCU does
 * that.
 */
void pmc_thread_forget(struct pmc_thread *t)
{
	/* It never was, before it is no more. */
	atomic64_dec(&pmc_session_of(t)->totals.total_threads);
	/* The others may have ended meanwhile: for readers that wait. */
	if (pmc_thread_counted(t, -1))
		pmc_session_wake_now(pmc_session_of(t));
	kfree_rcu(t, rcu);
}
