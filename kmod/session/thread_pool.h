/* SPDX-License-Identifier: GPL-2.0 */
/* Threads at hand, as the fork hook must not allocate. */
#ifndef PMC_THREAD_POOL_H
#define PMC_THREAD_POOL_H

#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

struct pmc_session;
struct pmc_thread;

/**
 * struct pmc_pool_cpu - threads at hand on one CPU
 * @lock: for the refill, which may run elsewhere
 * @first: new ones, linked by next
 * @nr: how many
 * @high: how many there should be: few until a fork is seen here
 * @ended: those that have ended here, the first one first, linked by next
 * @ended_tail: where the next one is put
 * @nr_ended: how many
 * @high_ended: how many there may be: none until a fork is seen here
 * @session: whose
 * @wake: tops the list up, in an interrupt
 * @refill: the same, where memory can be waited for
 */
struct pmc_pool_cpu {
	raw_spinlock_t lock;
	struct pmc_thread *first;
	unsigned int nr;
	unsigned int high;
	struct pmc_thread *ended;
	struct pmc_thread **ended_tail;
	unsigned int nr_ended;
	unsigned int high_ended;
	struct pmc_session *session;
	struct irq_work wake;
	struct work_struct refill;
};

/**
 * struct pmc_pool - threads at hand
 * @link: in the list of pools, for CPUs that come online
 * @cpus: one list for each CPU, NULL while there is nothing to follow
 */
struct pmc_pool {
	struct list_head link;
	struct pmc_pool_cpu __percpu *cpus;
};

int pmc_pool_start(struct pmc_pool *pool, struct pmc_session *s);
void pmc_pool_stop(struct pmc_pool *pool, struct pmc_session *s);
struct pmc_thread *pmc_pool_get(struct pmc_pool *pool);
bool pmc_pool_put(struct pmc_pool *pool, struct pmc_thread *t);
void pmc_pool_cpu_up(unsigned int cpu);

#endif /* PMC_THREAD_POOL_H */
