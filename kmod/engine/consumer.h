/* SPDX-License-Identifier: GPL-2.0 */
/* The consumer of counts, as switches, samples and records know it. */
#ifndef PMC_CONSUMER_H
#define PMC_CONSUMER_H

#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/wait.h>
#include "engine/ring.h"
#include "engine/thread.h"

struct pmc_rotation;
struct pmc_virtual_use;

/**
 * struct pmc_consumer - the consumer of counts: a client, a module or the scheduler
 * @rotation: event sets, one entry for each core type
 * @nr_cur: counts of the longest set
 * @period: TBS period in ns, 0: none
 * @sampling: take samples at ticks, overflows and core-type changes; when
 *	false each thread reports its totals when it ends
 * @ebs: some event has a sampling period
 * @names: records of threads have their names
 * @addresses: EBS records have the address in user space
 * @priority: may have counters revoked that others without it have
 * @direct: threads may read their counters by instruction
 * @revoked: the counters were revoked since they were reserved
 * @virtuals: virtual counters in its samples
 * @nr_virtuals: how many
 * @nr_virtual_counts: how many of them grow
 * @uncore: counters that CPUs share, while CPUs are counted
 * @nr_threads: threads and CPUs counted now
 * @nr_ending: threads that hooks began to end, ever
 * @revoking: revoked threads that have not ended yet
 * @revocations: revoked threads, ever
 * @relay: has records sent to listeners, and outlives the consumer; NULL: there are none
 * @wakeup: records that wake the reader
 * @wait: readers
 * @wake: wakes them, from contexts that must not
 * @ring: the ring that records go to, in sessions of clients
 */
struct pmc_consumer {
	struct pmc_rotation *rotation;
	unsigned int nr_cur;
	u64 period;
	bool sampling;
	bool ebs;
	bool names;
	bool addresses;
	bool priority;
	bool direct;
	bool revoked;
	struct pmc_virtual_use *virtuals;
	unsigned int nr_virtuals;
	unsigned int nr_virtual_counts;
	struct list_head uncore;
	atomic_t nr_threads;
	atomic_t nr_ending;
	atomic_t revoking;
	atomic_t revocations;
	struct irq_work *relay;
	u32 wakeup;
	wait_queue_head_t wait;
	struct irq_work wake;
	struct pmc_ring ring;
};

/* Enough to read, or the ring is full. */
static inline bool pmc_consumer_due(const struct pmc_consumer *c)
{
	u64 pending = pmc_ring_pending(&c->ring);

	return pending >= READ_ONCE(c->wakeup) || pending > c->ring.mask;
}

/*
 * After a record was committed or lost. Any context. A reader is in the queue before it
 * looks, so that either sees the other. Listeners do not depend on what the reader has read.
 */
static inline void pmc_consumer_wake(struct pmc_consumer *c)
{
	struct irq_work *relay = READ_ONCE(c->relay);

	if (pmc_consumer_due(c) && wq_has_sleeper(&c->wait))
		irq_work_queue(&c->wake);
	if (unlikely(relay))
		irq_work_queue(relay);
}

/* The sampling periods of a thread. */
static inline s64 *pmc_thread_periods(const struct pmc_thread *t)
{
	return (s64 *)(t->sw_prev + t->consumer->nr_cur);
}

/* Sampling by time: the thread's next sample is due after a whole period. */
static inline void pmc_thread_begin_period(struct pmc_thread *t, u64 now)
{
	u64 period = READ_ONCE(t->consumer->period);

	t->deadline = period ? now + period : U64_MAX;
}

#endif /* PMC_CONSUMER_H */
