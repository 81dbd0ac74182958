// SPDX-License-Identifier: GPL-2.0
/*
 * The scheduler's interface. The threads that a scheduler has enabled belong to a
 * session of its own, which counts nothing itself and uses every active module.
 *
 * A scheduler enables threads with the run-queue lock held, where memory can't be
 * allocated nor a task woken; so the request is noted, and a worker that an irq_work
 * wakes carries it out. A thread that is to be monitored no more is only marked for the
 * worker: a scheduler that ends has any number of them, and does not ask again. Queries
 * are answered at once from the table of threads.
 */
#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/irq_work.h>
#include <linux/llist.h>
#include <linux/refcount.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "base/parse_command.h"
#include "base/stats.h"
#include "base/work.h"
#include "engine/thread.h"
#include "engine/thread_table.h"
#include "include/pmctrack/monitoring_module.h"
#include "include/pmctrack/scheduler.h"
#include "metrics/module_list.h"
#include "metrics/module_session_threads.h"
#include "metrics/scheduler.h"
#include "session/attach.h"
#include "session/module_thread_ref.h"
#include "session/running_tasks.h"
#include "session/session.h"
#include "session/session_life.h"
#include "session/session_prepare.h"

/* Requests that may wait for the worker. */
#define REQUESTS	1024

/**
 * struct request - a thread is to be monitored, or no more
 * @node: in the list of those that wait
 * @task: the thread, referenced
 * @on: monitor it
 */
struct request {
	struct llist_node node;
	struct task_struct *task;
	bool on;
};

static struct request requests[REQUESTS];
static DECLARE_BITMAP(used, REQUESTS);
static LLIST_HEAD(waiting);
/* Some thread is marked as leaving. */
static bool some_leave;

/* Made with the first request; belongs to pmc_modules_lock. */
static struct pmc_session *session;
/* The session of the module that provides a metric. */
static struct pmc_session *owner[PMC_METRIC_NR];

static void work_off(struct work_struct *work);
static DECLARE_WORK(worker, work_off);

static void wake_worker(struct irq_work *unused)
{
	queue_work(pmc_wq, &worker);
}

static struct irq_work waker = IRQ_WORK_INIT(wake_worker);

/*
 * In the scheduler's way, so no more than it takes: no lock, no call, nothing
 * on the stack. Preemption is off, which pairs with the grace periods of
 * pmc_scheduler_module_down() and exit.
 */
static __always_inline int look(const struct task_struct *task, int metric,
				u64 *value, u64 *time)
{
	const struct pmc_metric_value *v;
	const struct pmc_session *s;
	struct pmc_thread *t;

	if (unlikely((unsigned int)metric >= PMC_METRIC_NR))
		return -EINVAL;
	s = READ_ONCE(owner[metric]);
	if (unlikely(!s))
		return -ENODEV;
	for (t = pmc_bucket_first(pmc_table_head(task)); t;
	     t = pmc_bucket_next(t))
		if (pmc_session_of(t) == s && t->task == task)
			break;
	if (unlikely(!t))
		return -ESRCH;
	v = &t->monitored->metric[metric];
	*time = atomic64_read_acquire((const atomic64_t *)&v->time);
	*value = atomic64_read((const atomic64_t *)&v->value);
	return likely(*time) ? 0 : -ENODATA;
}

static struct request *get_request(void)
{
	unsigned int i;

	for (;;) {
		i = find_first_zero_bit(used, REQUESTS);
		if (i >= REQUESTS)
			return NULL;
		if (!test_and_set_bit(i, used))
			return &requests[i];
	}
}

/* Return: the thread is monitored. */
static bool mark(const struct task_struct *task, bool leaving)
{
	const struct pmc_session *s = READ_ONCE(session);
	struct pmc_thread *t = NULL;

	rcu_read_lock();
	if (s)
		t = pmc_table_find(task, &s->consumer);
	if (t)
		WRITE_ONCE(t->leaving, leaving);
	rcu_read_unlock();
	return t;
}

/**
 * pmc_scheduler_monitor - pmcs_monitor_task(), for all kinds of callers
 * @task: the thread
 * @on: monitor it
 *
 * Context: Any but NMI. Takes no lock.
 * Return: 0 or a negative error.
 */
int pmc_scheduler_monitor(struct task_struct *task, bool on)
{
	struct request *r;

	if (task->flags & PF_KTHREAD)
		return -EINVAL;
	if (mark(task, !on) && !on) {
		/* The worker clears this, and then looks for marks. */
		if (!xchg(&some_leave, true))
			irq_work_queue(&waker);
		return 0;
	}
	/* A BPF scheduler sees a thread's end when the last reference goes. */
	if (!refcount_inc_not_zero(&task->usage))
		return -ESRCH;
	r = get_request();
	if (!r) {
		put_task_struct(task);
		return -EAGAIN;
	}
	r->task = task;
	r->on = on;
	if (llist_add(&r->node, &waiting))
		irq_work_queue(&waker);
	return 0;
}

static __always_inline int get_value(const struct task_struct *task,
				     int metric, u64 *value)
{
	u64 found, time;
	int ret = look(task, metric, &found, &time);

	if (likely(!ret))
		*value = found;
	return ret;
}

static __always_inline int get_metric(const struct task_struct *task,
				      int metric,
				      struct pmc_metric_value *value)
{
	u64 found, time;
	int ret = look(task, metric, &found, &time);

	if (likely(!ret)) {
		value->value = found;
		value->time = time;
	}
	return ret;
}

#ifdef CONFIG_PMCTRACK

/**
 * pmc_scheduler_value - called by the kernel's pmcs_get_current_metric_value()
 * @task: the thread
 * @metric: enum pmc_metric
 * @value: out: in the metric's unit; untouched on error
 *
 * Context: Preemption off. Takes no lock.
 * Return: 0 or a negative error.
 */
int pmc_scheduler_value(struct task_struct *task, int metric, u64 *value)
{
	return get_value(task, metric, value);
}

/**
 * pmc_scheduler_metric - called by the kernel's pmcs_get_metric()
 * @task: the thread
 * @metric: enum pmc_metric
 * @value: out: value and time; untouched on error
 *
 * Context: Preemption off. Takes no lock.
 * Return: 0 or a negative error.
 */
int pmc_scheduler_metric(struct task_struct *task, int metric,
			 struct pmc_metric_value *value)
{
	return get_metric(task, metric, value);
}

#else /* !CONFIG_PMCTRACK: the caller is a module */

/* See scheduler.h. */
int pmcs_get_metric(struct task_struct *task, int metric,
		    struct pmc_metric_value *value)
{
	int ret;

	preempt_disable_notrace();
	ret = get_metric(task, metric, value);
	preempt_enable_notrace();
	return ret;
}
EXPORT_SYMBOL_GPL(pmcs_get_metric);

/* See scheduler.h. */
int pmcs_get_current_metric_value(struct task_struct *task, int metric,
				  u64 *value)
{
	int ret;

	preempt_disable_notrace();
	ret = get_value(task, metric, value);
	preempt_enable_notrace();
	return ret;
}
EXPORT_SYMBOL_GPL(pmcs_get_current_metric_value);

/* See scheduler.h. */
int pmcs_monitor_task(struct task_struct *task, bool on)
{
	return pmc_scheduler_monitor(task, on);
}
EXPORT_SYMBOL_GPL(pmcs_monitor_task);

#endif

static int make_session(void)
{
	struct pmc_module *m;

	session = pmc_session_create_internal();
	if (IS_ERR(session)) {
		session = NULL;
		return -ENOMEM;
	}
	session->owner.scheduler = true;
	/* When the last thread has ended there is something to do. */
	session->consumer.wake = IRQ_WORK_INIT(wake_worker);
	session->config.follow = PMC_FOLLOW_CHILDREN;
	session->config.uses = kcalloc(PMC_MODULES_MAX, sizeof(*session->config.uses),
				       GFP_KERNEL);
	if (!session->config.uses) {
		pmc_session_destroy(session);
		session = NULL;
		return -ENOMEM;
	}
	list_for_each_entry(m, &pmc_modules, link)
		if (m->active && m->mm->metrics)
			session->config.uses[m->slot] = m;
	return 0;
}

/* The module's own thread becomes that of a thread that was enabled before. */
static void hand_over(struct pmc_module *m, struct task_struct *task)
{
	struct pmc_thread *own, *t;

	own = pmc_module_get(m, task, true, &session->err);
	if (IS_ERR(own)) {
		pmc_stat_inc(PMC_STAT_UNMONITORED);
		return;
	}
	rcu_read_lock();
	t = pmc_table_find(task, &session->consumer);
	if (t && !cmpxchg(&t->modules[m->slot], NULL, own)) {
		own = NULL;
		/* The caller that takes it out of the table detaches its modules after that. */
		if (hlist_bl_unhashed(&t->node))
			pmc_module_detach(t, m->slot);
	}
	rcu_read_unlock();
	/* It has ended, or the fork hook has seen to it. */
	if (own)
		pmc_module_put(own);
}

/* Modules that were refused when the thread was enabled, by another session for example. */
static void try_again(struct task_struct *task)
{
	struct pmc_module *m;
	struct pmc_thread *t;
	unsigned int i;
	bool lacks;

	for (i = 0; i < PMC_MODULES_MAX; i++) {
		m = session->config.uses[i];
		if (!m)
			continue;
		rcu_read_lock();
		t = pmc_table_find(task, &session->consumer);
		lacks = t && !READ_ONCE(t->modules[i]);
		rcu_read_unlock();
		if (lacks)
			hand_over(m, task);
	}
}

static void turn_on(struct task_struct *task)
{
	bool known;

	/* A task that ends need not be monitored. */
	if (READ_ONCE(task->flags) & PF_EXITING)
		return;
	if ((!session && make_session()) || pmc_session_prepare(session)) {
		pmc_stat_inc(PMC_STAT_UNMONITORED);
		return;
	}
	rcu_read_lock();
	known = pmc_table_find(task, &session->consumer);
	rcu_read_unlock();
	/* A new one is inactive: no switch has anything to do for it. */
	if (known)
		try_again(task);
	else if (pmc_add_task(session, task, false))
		pmc_stat_inc(PMC_STAT_UNMONITORED);
}

/* A thread whose task has been through its exit hook is not taken: the task is alive. */
static void take_leaving(struct pmc_thread *t, void *taken)
{
	if (READ_ONCE(t->leaving))
		pmc_take_task(session, t->task, taken);
}

static void work_off(struct work_struct *work)
{
	struct pmc_thread *taken = NULL;
	struct llist_node *list;
	struct request *r, *next;

	mutex_lock(&pmc_modules_lock);
	list = llist_reverse_order(llist_del_all(&waiting));
	llist_for_each_entry_safe(r, next, list, node) {
		struct task_struct *task = r->task;
		bool on = r->on;

		clear_bit_unlock(r - requests, used);
		if (on)
			turn_on(task);
		else if (session)
			pmc_take_task(session, task, &taken);
		put_task_struct(task);
		cond_resched();
	}
	if (xchg(&some_leave, false) && session)
		pmc_table_for_each(&session->consumer, take_leaving, &taken);
	/* Together: it takes some grace periods. */
	if (taken)
		pmc_end_tasks(session, taken);
	if (session && session->state.prepared) {
		pmc_load_attached(session);
		/* Hooks are in force only while a task is monitored. */
		if (!atomic_read(&session->consumer.nr_threads))
			pmc_session_stop(session);
	}
	mutex_unlock(&pmc_modules_lock);
}

static void attach_all(struct pmc_module *m)
{
	struct task_struct **tasks;
	unsigned int nr, i;

	tasks = pmc_table_tasks(&session->consumer, &nr);
	if (!tasks)
		pmc_stat_inc(PMC_STAT_UNMONITORED);
	for (i = 0; i < nr; i++) {
		hand_over(m, tasks[i]);
		put_task_struct(tasks[i]);
		cond_resched();
	}
	kvfree(tasks);
}

static void detach(struct pmc_thread *t, void *module)
{
	const struct pmc_module *m = module;

	pmc_module_detach(t, m->slot);
}

/**
 * pmc_scheduler_module_up - a module has been activated
 * @m: the module; threads that are enabled are monitored by it from now on
 *
 * Context: May sleep; pmc_modules_lock is held.
 */
void pmc_scheduler_module_up(struct pmc_module *m)
{
	u64 metrics = m->mm->metrics;

	if (!metrics)
		return;
	for (; metrics; metrics &= metrics - 1)
		WRITE_ONCE(owner[__ffs64(metrics)], m->session);
	if (!session)
		return;
	/*
	 * Threads that fork from here on are followed by the hook, which finds
	 * all of the module's session behind this.
	 */
	smp_store_release(&session->config.uses[m->slot], m);
	if (!session->state.prepared)
		return;
	synchronize_rcu();
	attach_all(m);
	pmc_load_attached(session);
}

/**
 * pmc_scheduler_module_down - a module is being deactivated
 * @m: the module
 *
 * Context: May sleep; pmc_modules_lock is held.
 */
void pmc_scheduler_module_down(struct pmc_module *m)
{
	unsigned int i;

	for (i = 0; i < PMC_METRIC_NR; i++)
		if (owner[i] == m->session)
			WRITE_ONCE(owner[i], NULL);
	if (session)
		WRITE_ONCE(session->config.uses[m->slot], NULL);
	/* Queries and forks that still see it are through after this. */
	synchronize_rcu();
	if (session && session->state.prepared)
		pmc_table_for_each(&session->consumer, detach, m);
}

/**
 * pmc_scheduler_exit - undo all of it
 *
 * There are no more calls: other modules that call keep this one loaded, and a
 * patched kernel has been disconnected.
 *
 * Context: May sleep.
 */
void pmc_scheduler_exit(void)
{
	irq_work_sync(&waker);
	flush_work(&worker);
	/* The end of the last thread wakes the worker once more. */
	mutex_lock(&pmc_modules_lock);
	if (session)
		pmc_session_destroy(session);
	session = NULL;
	mutex_unlock(&pmc_modules_lock);
	flush_work(&worker);
}
