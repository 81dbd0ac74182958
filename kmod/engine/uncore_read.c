// SPDX-License-Identifier: GPL-2.0
/*
 * Reading the counters that CPUs share. perf has one CPU stand for all that share a
 * cache, and puts the counter there. The samples of that CPU have the count; those of
 * the others have 0. When the CPU goes offline perf moves the counter to one of the
 * others, which reports it from then on, from where the last sample ended.
 */
#include <linux/perf_event.h>
#include <linux/rculist.h>
#include "base/percpu.h"
#include "engine/consumer.h"
#include "engine/thread.h"
#include "engine/uncore_read.h"
#include "pmu/event_set.h"
#include "pmu/kcounter.h"

/* The counter that this CPU reports, or NULL: another does. */
static struct pmc_uncore_counter *counter_here(struct pmc_cpu *cpu, struct pmc_consumer *consumer,
					       const struct pmc_hw_event *ev)
{
	int here = smp_processor_id();
	struct pmc_uncore_counter *c;

	list_for_each_entry_rcu(c, &consumer->uncore, link) {
		if (!pmc_uncore_is_of(c, ev))
			continue;
		if (READ_ONCE(c->event->oncpu) == here)
			return c;
		if (READ_ONCE(c->event->cpu) == here &&
		    READ_ONCE(c->event->state) == PERF_EVENT_STATE_ERROR)
			cpu->lost = true;
	}
	return NULL;
}

static u64 value_of(struct perf_event *event)
{
	event->pmu->read(event);
	return local64_read(&event->count);
}

static bool counts(const struct pmc_evset *set, const struct pmc_uncore_counter *c)
{
	unsigned int i;

	for (i = 0; i < set->nr_uncore; i++)
		if (pmc_uncore_is_of(c, &set->hw[set->nr_hw + i]))
			return true;
	return false;
}

/**
 * pmc_uncore_begin - a set comes into force on this CPU
 * @t: what a session counts on it; the set before is collected
 *
 * Context: Interrupts off.
 */
void pmc_uncore_begin(struct pmc_thread *t)
{
	int here = smp_processor_id();
	struct pmc_uncore_counter *c;
	bool was;

	rcu_read_lock();
	list_for_each_entry_rcu(c, &t->consumer->uncore, link) {
		if (READ_ONCE(c->event->oncpu) != here)
			continue;
		was = c->active;
		c->active = counts(t->set, c);
		/* If the set before had it, too, on from where that ended. */
		if (c->active && !was)
			c->last = value_of(c->event);
	}
	rcu_read_unlock();
}

/**
 * pmc_uncore_collect - add what shared counters have counted
 * @cpu: this CPU
 * @t: what a session counts on it
 *
 * Context: Interrupts off.
 */
void pmc_uncore_collect(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	const struct pmc_evset *set = t->set;
	u64 *cur = t->cur + set->nr_hw + set->nr_sw, now;
	struct pmc_uncore_counter *c;
	unsigned int i;

	rcu_read_lock();
	for (i = 0; i < set->nr_uncore; i++) {
		c = counter_here(cpu, t->consumer, &set->hw[set->nr_hw + i]);
		if (!c)
			continue;
		now = value_of(c->event);
		if (c->active)
			cur[i] += now - c->last;
		else	/* It came while its last CPU was at another set. */
			cpu->lost = true;
		c->last = now;
		c->active = true;
	}
	rcu_read_unlock();
}

/**
 * pmc_uncore_suspend - the machine is to be suspended, and counters lose their values
 * @consumer: counts this CPU, the last one awake
 *
 * Context: Interrupts off.
 */
void pmc_uncore_suspend(const struct pmc_consumer *consumer)
{
	struct pmc_uncore_counter *c;

	rcu_read_lock();
	list_for_each_entry_rcu(c, &consumer->uncore, link)
		if (READ_ONCE(c->event->oncpu) == smp_processor_id())
			pmc_kevent_stop(c->event);
	rcu_read_unlock();
}

/**
 * pmc_uncore_resume - the machine is awake again: they count on
 * @consumer: counts this CPU
 *
 * Context: Interrupts off.
 */
void pmc_uncore_resume(const struct pmc_consumer *consumer)
{
	struct pmc_uncore_counter *c;

	rcu_read_lock();
	list_for_each_entry_rcu(c, &consumer->uncore, link)
		if (READ_ONCE(c->event->oncpu) == smp_processor_id())
			pmc_kevent_start(c->event);
	rcu_read_unlock();
}
