// SPDX-License-Identifier: GPL-2.0
/*
 * From a task to the threads that sessions count: a hash table, as a stock
 * kernel's task_struct has no room for a pointer of ours. Looked up at every
 * switch, without a lock; changed under the lock of a bucket, never from an
 * interrupt.
 */
#include <linux/mm.h>
#include <linux/vmalloc.h>
#include <linux/sched/task.h>
#include "session.h"
#include "table.h"

struct hlist_bl_head *pmc_table;

int pmc_table_init(void)
{
	pmc_table = kvcalloc(1 << PMC_TABLE_BITS, sizeof(*pmc_table), GFP_KERNEL);
	return pmc_table ? 0 : -ENOMEM;
}

void pmc_table_exit(void)
{
	kvfree(pmc_table);
}

/* Its bucket is locked, so that its session can't go, nor its task. */
static void evict_one(struct pmc_thread *t, struct pmc_thread **evicted)
{
	struct pmc_session *s = t->session;

	pmc_thread_ending(s);
	atomic_inc(&s->evicting);
	atomic_inc(&s->evictions);
	hlist_bl_del_rcu(&t->node);
	t->node.pprev = NULL;
	get_task_struct(t->task);
	t->taken = *evicted;
	*evicted = t;
}

/* Takes out what can't count the task together with @t. Its bucket is locked. */
static void evict_others(struct pmc_thread *t, struct hlist_bl_head *head,
			 struct pmc_thread **evicted)
{
	struct hlist_bl_node *pos, *tmp;
	struct pmc_thread *other;

	hlist_bl_for_each_entry_safe(other, pos, tmp, head, node)
		if (other->task == t->task &&
		    pmc_sessions_conflict(other->session, t->session))
			evict_one(other, evicted);
}

/**
 * pmc_table_add - let the hooks find a thread
 * @t: initialised thread
 * @evict: unprivileged sessions that count the task, with the same counters set
 *	otherwise, count it no more
 * @evicted: out: their threads come before what is there, for pmc_end_evicted()
 *
 * Context: Not from interrupts.
 * Return: 0; -EEXIST when its session counts the task already; -EBUSY when
 * another session does, with the same counters set otherwise: pmc_conflict_explain();
 * -EUSERS when as many do as a switch is to bear; -ECANCELED when its session's
 * counters were revoked.
 */
int pmc_table_add(struct pmc_thread *t, bool evict,
		  struct pmc_thread **evicted)
{
	struct hlist_bl_head *head = pmc_table_head(t->task);
	struct hlist_bl_node *pos;
	struct pmc_thread *other;
	bool ranks, ranks_too = pmc_session_ranks(t->session), conflict = false;
	unsigned int nr = 0;
	int ret = 0;

	hlist_bl_lock(head);
	/* Under the lock: see pmc_table_evict_session(). */
	if (READ_ONCE(t->session->revoked))
		ret = -ECANCELED;
	hlist_bl_for_each_entry(other, pos, head, node) {
		if (other->task != t->task)
			continue;
		ranks = pmc_session_ranks(other->session);
		nr += !ranks;
		if (other->session == t->session)
			ret = -EEXIST;
		else if (!pmc_sessions_conflict(other->session, t->session))
			continue;
		else if (ranks || !evict)
			ret = -EBUSY;
		else
			conflict = true;
	}
	if (!ret && nr >= PMC_TASK_SESSIONS_MAX && !ranks_too)
		ret = -EUSERS;
	if (!ret) {
		if (conflict)
			evict_others(t, head, evicted);
		hlist_bl_add_head_rcu(&t->node, head);
	}
	hlist_bl_unlock(head);
	return ret;
}

/**
 * pmc_table_del - take a thread out
 * @t: thread
 *
 * Context: Not from interrupts.
 * Return: true for the one caller who took it out and now has to end it.
 */
bool pmc_table_del(struct pmc_thread *t)
{
	struct hlist_bl_head *head = pmc_table_head(t->task);
	bool mine;

	hlist_bl_lock(head);
	mine = !hlist_bl_unhashed(&t->node);
	if (mine) {
		hlist_bl_del_rcu(&t->node);
		t->node.pprev = NULL;
	}
	hlist_bl_unlock(head);
	return mine;
}

/**
 * pmc_table_find - the thread by which a session counts a task
 * @task: the task
 * @s: the session
 *
 * Context: RCU read section, or something else that keeps it alive.
 * Return: the thread or NULL.
 */
struct pmc_thread *pmc_table_find(const struct task_struct *task,
				  const struct pmc_session *s)
{
	struct pmc_thread *t;

	for (t = pmc_bucket_first(pmc_table_head(task)); t;
	     t = pmc_bucket_next(t))
		if (t->task == task && t->session == s)
			return t;
	return NULL;
}

/**
 * pmc_table_take_session - take out all threads of a session
 * @s: session that adds no more
 * @unused: of a module's session: only threads that nobody but the table has;
 *	its reference is gone, then
 *
 * Context: May sleep.
 * Return: the threads taken out, linked by taken, their tasks referenced.
 */
struct pmc_thread *pmc_table_take_session(struct pmc_session *s, bool unused)
{
	struct pmc_thread *t, *taken = NULL;
	struct hlist_bl_node *pos, *tmp;
	unsigned int i;

	for (i = 0; i < 1 << PMC_TABLE_BITS; i++) {
		struct hlist_bl_head *head = &pmc_table[i];

		if (hlist_bl_empty(head))
			continue;
		hlist_bl_lock(head);
		hlist_bl_for_each_entry_safe(t, pos, tmp, head, node) {
			if (t->session != s ||
			    (unused && !refcount_dec_if_one(&t->refs)))
				continue;
			hlist_bl_del_rcu(&t->node);
			t->node.pprev = NULL;
			/* Here, its task has not been through its exit hook. */
			get_task_struct(t->task);
			t->taken = taken;
			taken = t;
		}
		hlist_bl_unlock(head);
		cond_resched();
	}
	return taken;
}

/**
 * pmc_table_evict_session - take out all threads of a session that others end
 * @s: session that is revoked, so that it adds no more
 * @evicted: out: the threads, for pmc_end_evicted()
 *
 * Context: May sleep. Something else keeps the session.
 */
void pmc_table_evict_session(struct pmc_session *s,
			     struct pmc_thread **evicted)
{
	struct hlist_bl_node *pos, *tmp;
	struct pmc_thread *t;
	unsigned int i;

	for (i = 0; i < 1 << PMC_TABLE_BITS; i++) {
		struct hlist_bl_head *head = &pmc_table[i];

		/* Empty ones, too: who adds looks at s->revoked under the lock. */
		hlist_bl_lock(head);
		hlist_bl_for_each_entry_safe(t, pos, tmp, head, node)
			if (t->session == s)
				evict_one(t, evicted);
		hlist_bl_unlock(head);
		cond_resched();
	}
}

/**
 * pmc_table_for_each - do something with all threads of a session
 * @s: session
 * @todo: called for each, in an RCU read section
 * @data: handed to it
 *
 * Context: May sleep.
 */
void pmc_table_for_each(const struct pmc_session *s,
			void (*todo)(struct pmc_thread *t, void *data),
			void *data)
{
	struct pmc_thread *t;
	unsigned int i;

	for (i = 0; i < 1 << PMC_TABLE_BITS; i++) {
		rcu_read_lock();
		for (t = pmc_bucket_first(&pmc_table[i]); t;
		     t = pmc_bucket_next(t))
			if (t->session == s)
				todo(t, data);
		rcu_read_unlock();
		cond_resched();
	}
}

/* Referenced. Return: how many there are; @max of them are in @tasks. */
static unsigned int list_tasks(const struct pmc_session *s,
			       struct task_struct **tasks, unsigned int max)
{
	unsigned int i, nr = 0;

	for (i = 0; i < 1 << PMC_TABLE_BITS; i++) {
		struct hlist_bl_head *head = &pmc_table[i];
		struct hlist_bl_node *pos;
		struct pmc_thread *t;

		if (hlist_bl_empty(head))
			continue;
		/* Under the lock a task has not been through its exit hook. */
		hlist_bl_lock(head);
		hlist_bl_for_each_entry(t, pos, head, node) {
			if (t->session != s)
				continue;
			if (nr < max)
				tasks[nr] = get_task_struct(t->task);
			nr++;
		}
		hlist_bl_unlock(head);
		cond_resched();
	}
	return nr;
}

/**
 * pmc_table_tasks - whom a session counts
 * @s: session; hooks may be adding threads and taking them out
 * @nr: out: how many
 *
 * Context: May sleep.
 * Return: the tasks, referenced, for kvfree(); NULL: out of memory.
 */
struct task_struct **pmc_table_tasks(const struct pmc_session *s,
				     unsigned int *nr)
{
	unsigned int found = atomic_read(&s->nr_threads), max, i;
	struct task_struct **tasks;

	*nr = 0;
	for (;;) {
		/* Some more: threads are forked meanwhile. */
		max = found + found / 4 + 64;
		tasks = kvmalloc_array(max, sizeof(*tasks), GFP_KERNEL);
		if (!tasks)
			return NULL;
		found = list_tasks(s, tasks, max);
		if (found <= max)
			break;
		for (i = 0; i < max; i++)
			put_task_struct(tasks[i]);
		kvfree(tasks);
	}
	*nr = found;
	return tasks;
}
