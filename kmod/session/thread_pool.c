// SPDX-License-Identifier: GPL-2.0
/*
 * Threads at hand. A fork is seen in a tracepoint, where nothing may be allocated;
 * so each CPU has some threads made in advance. When few are left, the CPU sends
 * itself an interrupt, which makes new ones of free memory. A worker, which can wait
 * for memory, also has to wait for the CPU, and a hundred threads may have been
 * forked by then: it is used when no memory is free.
 *
 * Threads that end on the CPU are used again first, a grace period of RCU later: a
 * process that starts children all the time takes no new memory for them.
 *
 * A CPU that has seen no fork of the session has few. All that may be at hand are
 * charged to the session's user.
 */
#include <linux/cpumask.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include "base/work.h"
#include "engine/thread.h"
#include "session/memlock.h"
#include "session/session.h"
#include "session/thread_alloc.h"
#include "session/thread_pool.h"

/* Where no fork has been seen. */
#define POOL_FIRST	8

/*
 * More than are forked on one CPU before the interrupt has made new ones. Big
 * threads, whose pages are soon all in use, are fewer.
 */
static unsigned int pool_high(const struct pmc_session *s)
{
	return clamp_t(size_t, SZ_64K / s->size.thread, POOL_FIRST, 128);
}

/* For what ends in a grace period, which takes some milliseconds. */
static unsigned int pool_high_ended(const struct pmc_session *s)
{
	return 2 * pool_high(s);
}

/* Those there are, so that a CPU that comes online has some at hand, too. */
static LIST_HEAD(pools);
static DEFINE_MUTEX(pools_lock);

/*
 * The memory is charged to the session's client, in interrupts and workers, too
 * (see __GFP_ACCOUNT in kernel/bpf/memalloc.c of the kernel).
 * Return: is it full?
 */
static bool refill(struct pmc_pool_cpu *pc, gfp_t gfp)
{
	struct mem_cgroup *before = set_active_memcg(pc->session->charge.memcg);
	struct pmc_thread *t;
	unsigned long flags;
	bool full = true;

	while (READ_ONCE(pc->nr) < READ_ONCE(pc->high)) {
		t = pmc_thread_alloc(pc->session, gfp | __GFP_ACCOUNT);
		if (!t) {
			full = false;
			break;
		}
		raw_spin_lock_irqsave(&pc->lock, flags);
		t->next = pc->first;
		pc->first = t;
		pc->nr++;
		raw_spin_unlock_irqrestore(&pc->lock, flags);
	}
	set_active_memcg(before);
	return full;
}

/* A fork was seen on this CPU. */
static void grow(struct pmc_pool_cpu *pc)
{
	struct pmc_session *s = pc->session;
	unsigned int more = pool_high(s) - pc->high, ended = pool_high_ended(s);

	if (more && pmc_memlock_charge_pool_more(s, more * s->size.thread))
		WRITE_ONCE(pc->high, pool_high(s));
	if (!pc->high_ended && pmc_memlock_charge_pool_more(s, ended * s->size.thread))
		WRITE_ONCE(pc->high_ended, ended);
}

static void refill_at_once(struct irq_work *work)
{
	struct pmc_pool_cpu *pc = container_of(work, struct pmc_pool_cpu, wake);

	grow(pc);
	if (!refill(pc, GFP_NOWAIT | __GFP_NOWARN))
		queue_work(pmc_wq, &pc->refill);
}

/*
 * At the limit of the client's memory forks are missed, and reported as such. No
 * process need be killed for them, and this worker, whose time is charged to no
 * cgroup, does not look for memory for long.
 */
static void refill_work(struct work_struct *work)
{
	refill(container_of(work, struct pmc_pool_cpu, refill),
	       GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN);
}

/* Return: one whose grace period is over, or NULL. */
static struct pmc_thread *get_ended(struct pmc_pool_cpu *pc)
{
	struct pmc_thread *t = pc->ended;

	if (!t || !poll_state_synchronize_rcu(t->grace))
		return NULL;
	pc->ended = t->next;
	if (!pc->ended)
		pc->ended_tail = &pc->ended;
	pc->nr_ended--;
	return t;
}

/**
 * pmc_pool_get - take a thread
 * @pool: pool
 *
 * Context: Preemption off, not from interrupts. Does not sleep.
 * Return: a thread for pmc_thread_init(), or NULL when none is at hand.
 */
struct pmc_thread *pmc_pool_get(struct pmc_pool *pool)
{
	struct pmc_pool_cpu *pc = this_cpu_ptr(pool->cpus);
	struct pmc_thread *t, *ended;
	unsigned long flags;
	unsigned int nr;

	raw_spin_lock_irqsave(&pc->lock, flags);
	ended = get_ended(pc);
	t = ended ?: pc->first;
	if (t && !ended) {
		pc->first = t->next;
		pc->nr--;
	}
	nr = pc->nr;
	raw_spin_unlock_irqrestore(&pc->lock, flags);
	if (ended)
		pmc_thread_again(ended);
	if (nr < pc->high * 3 / 4)
		irq_work_queue(&pc->wake);
	return t;
}

/**
 * pmc_pool_put - keep a thread that has ended
 * @pool: pool of its session, started or not
 * @t: the thread; others may be looking at it still
 *
 * Context: Any but NMI. The session does not stop meanwhile.
 * Return: whether there was room for it.
 */
bool pmc_pool_put(struct pmc_pool *pool, struct pmc_thread *t)
{
	struct pmc_pool_cpu *pc;
	unsigned long flags;
	bool room;

	if (!pool->cpus)
		return false;
	pc = raw_cpu_ptr(pool->cpus);
	raw_spin_lock_irqsave(&pc->lock, flags);
	room = pc->nr_ended < READ_ONCE(pc->high_ended);
	if (room) {
		t->grace = get_state_synchronize_rcu();
		t->next = NULL;
		*pc->ended_tail = t;
		pc->ended_tail = &t->next;
		pc->nr_ended++;
	}
	raw_spin_unlock_irqrestore(&pc->lock, flags);
	return room;
}

/**
 * pmc_pool_start - fill the pool
 * @pool: pool, not started
 * @s: session whose threads these are
 *
 * Context: May sleep.
 * Return: 0, or a negative error: -EPERM is explained in the session's message.
 */
int pmc_pool_start(struct pmc_pool *pool, struct pmc_session *s)
{
	unsigned int cpu;
	int ret;

	ret = pmc_memlock_charge_pool(s, (u64)num_possible_cpus() * POOL_FIRST *
				 s->size.thread);
	if (ret)
		return ret;
	pool->cpus = alloc_percpu_gfp(struct pmc_pool_cpu, GFP_KERNEL_ACCOUNT);
	if (!pool->cpus) {
		pmc_memlock_uncharge_pool(s);
		return -ENOMEM;
	}
	for_each_possible_cpu(cpu) {
		struct pmc_pool_cpu *pc = per_cpu_ptr(pool->cpus, cpu);

		raw_spin_lock_init(&pc->lock);
		init_irq_work(&pc->wake, refill_at_once);
		INIT_WORK(&pc->refill, refill_work);
		pc->session = s;
		pc->high = POOL_FIRST;
		pc->ended_tail = &pc->ended;
	}
	/* First: what comes online from here on, pmc_pool_cpu_up() sees to. */
	mutex_lock(&pools_lock);
	list_add(&pool->link, &pools);
	mutex_unlock(&pools_lock);
	for_each_online_cpu(cpu)
		refill(per_cpu_ptr(pool->cpus, cpu), GFP_KERNEL);
	return 0;
}

/**
 * pmc_pool_cpu_up - a CPU comes online
 * @cpu: the CPU, on which no user task has run yet
 *
 * Where memory runs out the first fork there is missed, and reported as such.
 *
 * Context: May sleep. CPUs don't come or go.
 */
void pmc_pool_cpu_up(unsigned int cpu)
{
	struct pmc_pool *pool;

	mutex_lock(&pools_lock);
	list_for_each_entry(pool, &pools, link) {
		struct pmc_pool_cpu *pc = per_cpu_ptr(pool->cpus, cpu);

		/* No CPU waits to come until a client's memory is reclaimed. */
		if (!refill(pc, GFP_NOWAIT | __GFP_NOWARN))
			queue_work(pmc_wq, &pc->refill);
	}
	mutex_unlock(&pools_lock);
}

/**
 * pmc_pool_stop - free the threads at hand
 * @pool: pool that no hook uses any more
 * @s: session whose threads these are
 *
 * Context: May sleep.
 */
void pmc_pool_stop(struct pmc_pool *pool, struct pmc_session *s)
{
	unsigned int cpu;

	if (!pool->cpus)
		return;
	mutex_lock(&pools_lock);
	list_del(&pool->link);
	mutex_unlock(&pools_lock);
	for_each_possible_cpu(cpu) {
		struct pmc_pool_cpu *pc = per_cpu_ptr(pool->cpus, cpu);
		struct pmc_thread *t;

		irq_work_sync(&pc->wake);
		cancel_work_sync(&pc->refill);
		while ((t = pc->first)) {
			pc->first = t->next;
			pmc_thread_free(t);
		}
		while ((t = pc->ended)) {
			pc->ended = t->next;
			kfree_rcu(t, rcu);
		}
	}
	free_percpu(pool->cpus);
	pool->cpus = NULL;
	pmc_memlock_uncharge_pool(s);
}
