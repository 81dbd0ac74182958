/* SPDX-License-Identifier: GPL-2.0 */
/* From a task to the threads that sessions count. */
#ifndef PMC_THREAD_TABLE_H
#define PMC_THREAD_TABLE_H

#include <linux/hash.h>
#include <linux/processor.h>
#include <linux/rculist_bl.h>
#include "engine/thread.h"

/* 128 KiB of heads; chains stay short up to some 50 000 threads. */
#define PMC_TABLE_BITS	14

/* Unprivileged users' sessions that may count one task: each costs its every switch. */
#define PMC_TASK_SESSIONS_MAX	16

extern struct hlist_bl_head *pmc_table;

int pmc_table_init(void);
void pmc_table_exit(void);
void pmc_thread_ending(struct pmc_consumer *c);
int pmc_table_add(struct pmc_thread *t, bool revoke,
		  struct pmc_thread **revoked);
void pmc_table_revoke_all(struct pmc_consumer *c, struct pmc_thread **revoked);
bool pmc_table_del(struct pmc_thread *t);
struct pmc_thread *pmc_table_find(const struct task_struct *task,
				  const struct pmc_consumer *c);
struct pmc_thread *pmc_table_take_all(struct pmc_consumer *c, bool unused);
struct task_struct **pmc_table_tasks(const struct pmc_consumer *c,
				     unsigned int *nr);
void pmc_table_for_each(const struct pmc_consumer *c,
			void (*todo)(struct pmc_thread *t, void *data),
			void *data);

/* The bucket a task's threads are in. A half of the address will do, and is less work. */
static __always_inline struct hlist_bl_head *
pmc_table_head(const struct task_struct *task)
{
	return &pmc_table[hash_32((u32)(unsigned long)task, PMC_TABLE_BITS)];
}

/*
 * The hooks run with preemption off, which is an RCU read section; the rest
 * says rcu_read_lock().
 */
#define pmc_bl_deref(p)							\
	rcu_dereference_sched_check(*(struct hlist_bl_node __rcu **)&(p), \
				    rcu_read_lock_held())

static inline struct pmc_thread *pmc_bl_thread(struct hlist_bl_node *node)
{
	return node ? hlist_bl_entry(node, struct pmc_thread, node) : NULL;
}

/* First thread of a bucket. The lowest bit of the head is the lock. */
static inline struct pmc_thread *pmc_bucket_first(struct hlist_bl_head *head)
{
	unsigned long first = (unsigned long)pmc_bl_deref(head->first);

	return pmc_bl_thread((void *)(first & ~LIST_BL_LOCKMASK));
}

/* The one after it. */
static inline struct pmc_thread *pmc_bucket_next(struct pmc_thread *t)
{
	return pmc_bl_thread(pmc_bl_deref(t->node.next));
}

#endif /* PMC_THREAD_TABLE_H */
