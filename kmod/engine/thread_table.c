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
#include "engine/consumer.h"
#include "engine/evset_counters.h"
#include "engine/thread.h"
#include "engine/thread_table.h"
#include "pmu/coretypes.h"

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

/**
 * pmc_thread_ending - a hook is about to take a thread out of the table
 * @c: its consumer
 *
 * A sum of the session's totals finds the thread in the table or sees this.
 *
 * Context: Preemption off until pmc_thread_ended().
 */
void pmc_thread_ending(struct pmc_consumer *c)
{
	atomic_inc(&c->nr_ending);
	/* Before it is out. Pairs with those behind the walks of try_sum() and pmc_detach_all(). */
	smp_mb__after_atomic();
}

/* The bucket is locked, so that session and task stay. */
static void revoke_one(struct pmc_thread *t, struct pmc_thread **revoked)
{
	struct pmc_consumer *c = t->consumer;

	pmc_thread_ending(c);
	atomic_inc(&c->revoking);
	atomic_inc(&c->revocations);
	hlist_bl_del_rcu(&t->node);
	t->node.pprev = NULL;
	get_task_struct(t->task);
	t->taken = *revoked;
	*revoked = t;
}

static bool conflict_with(const struct pmc_thread *t, const struct pmc_thread *other)
{
	return pmc_rotations_conflict(other->consumer->rotation, t->consumer->rotation,
				      pmc_nr_core_types);
}

/* Takes out the threads that conflict with @t. The bucket is locked. */
static void revoke_others(struct pmc_thread *t, struct hlist_bl_head *head,
			  struct pmc_thread **revoked)
{
	struct hlist_bl_node *pos, *tmp;
	struct pmc_thread *other;

	hlist_bl_for_each_entry_safe(other, pos, tmp, head, node)
		if (other->task == t->task && conflict_with(t, other))
			revoke_one(other, revoked);
}

/**
 * pmc_table_add - let the hooks find a thread
 * @t: initialised thread
 * @revoke: revoke conflicting threads of unprivileged sessions
 * @revoked: out: these threads are put in front of the list, for pmc_end_revoked()
 *
 * Context: Not from interrupts.
 * Return: 0; -EEXIST when its session counts the task already; -EBUSY when
 * another session that counts the task conflicts: pmc_conflict_explain(); -EUSERS
 * when PMC_TASK_SESSIONS_MAX sessions count it; -ECANCELED when its session's
 * counters were revoked.
 */
int pmc_table_add(struct pmc_thread *t, bool revoke,
		  struct pmc_thread **revoked)
{
	struct hlist_bl_head *head = pmc_table_head(t->task);
	struct hlist_bl_node *pos;
	struct pmc_thread *other;
	bool has_priority, own_priority = t->consumer->priority, conflict = false;
	unsigned int nr = 0;
	int ret = 0;

	hlist_bl_lock(head);
	/* Under the lock: see pmc_table_revoke_all(). */
	if (READ_ONCE(t->consumer->revoked))
		ret = -ECANCELED;
	hlist_bl_for_each_entry(other, pos, head, node) {
		if (other->task != t->task)
			continue;
		has_priority = other->consumer->priority;
		nr += !has_priority;
		if (other->consumer == t->consumer)
			ret = -EEXIST;
		else if (!conflict_with(t, other))
			continue;
		else if (has_priority || !revoke)
			ret = -EBUSY;
		else
			conflict = true;
	}
	if (!ret && nr >= PMC_TASK_SESSIONS_MAX && !own_priority)
		ret = -EUSERS;
	if (!ret) {
		if (conflict)
			revoke_others(t, head, revoked);
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
 * Return: true for the one caller that took it out and now has to end it.
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
 * @c: the consumer
 *
 * Context: RCU read section, or something else that keeps it alive.
 * Return: the thread or NULL.
 */
struct pmc_thread *pmc_table_find(const struct task_struct *task,
				  const struct pmc_consumer *c)
{
	struct pmc_thread *t;

	for (t = pmc_bucket_first(pmc_table_head(task)); t;
	     t = pmc_bucket_next(t))
		if (t->task == task && t->consumer == c)
			return t;
	return NULL;
}

/**
 * pmc_table_take_all - take out all threads of a session
 * @c: its consumer, which adds no more
 * @unused: of a module's session: only threads that the table alone has a
 *	reference to; that reference is dropped
 *
 * Context: May sleep.
 * Return: the threads taken out, linked by taken, their tasks referenced.
 */
struct pmc_thread *pmc_table_take_all(struct pmc_consumer *c, bool unused)
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
			if (t->consumer != c ||
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
 * pmc_table_revoke_all - take out all threads of a revoked session
 * @c: its consumer, which is revoked, so that it adds no more
 * @revoked: out: the threads, for pmc_end_revoked()
 *
 * Context: May sleep. Something else keeps the session.
 */
void pmc_table_revoke_all(struct pmc_consumer *c, struct pmc_thread **revoked)
{
	struct hlist_bl_node *pos, *tmp;
	struct pmc_thread *t;
	unsigned int i;

	for (i = 0; i < 1 << PMC_TABLE_BITS; i++) {
		struct hlist_bl_head *head = &pmc_table[i];

		/* Empty ones, too: pmc_table_add() looks at c->revoked under the lock. */
		hlist_bl_lock(head);
		hlist_bl_for_each_entry_safe(t, pos, tmp, head, node)
			if (t->consumer == c)
				revoke_one(t, revoked);
		hlist_bl_unlock(head);
		cond_resched();
	}
}

/**
 * pmc_table_for_each - do something with all threads of a session
 * @c: its consumer
 * @todo: called for each, in an RCU read section
 * @data: handed to it
 *
 * Context: May sleep.
 */
void pmc_table_for_each(const struct pmc_consumer *c,
			void (*todo)(struct pmc_thread *t, void *data),
			void *data)
{
	struct pmc_thread *t;
	unsigned int i;

	for (i = 0; i < 1 << PMC_TABLE_BITS; i++) {
		rcu_read_lock();
		for (t = pmc_bucket_first(&pmc_table[i]); t;
		     t = pmc_bucket_next(t))
			if (t->consumer == c)
				todo(t, data);
		rcu_read_unlock();
		cond_resched();
	}
}

/* Referenced. Return: how many there are; @max of them are in @tasks. */
static unsigned int list_tasks(const struct pmc_consumer *c,
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
			if (t->consumer != c)
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
 * pmc_table_tasks - the tasks that a session counts
 * @c: its consumer; hooks may be adding threads and taking them out
 * @nr: out: how many
 *
 * Context: May sleep.
 * Return: the tasks, referenced, for kvfree(); NULL: out of memory.
 */
struct task_struct **pmc_table_tasks(const struct pmc_consumer *c,
				     unsigned int *nr)
{
	unsigned int found = atomic_read(&c->nr_threads), max, i;
	struct task_struct **tasks;

	*nr = 0;
	for (;;) {
		/* Some more: threads are forked meanwhile. */
		max = found + found / 4 + 64;
		tasks = kvmalloc_array(max, sizeof(*tasks), GFP_KERNEL);
		if (!tasks)
			return NULL;
		found = list_tasks(c, tasks, max);
		if (found <= max)
			break;
		for (i = 0; i < max; i++)
			put_task_struct(tasks[i]);
		kvfree(tasks);
	}
	*nr = found;
	return tasks;
}
