// SPDX-License-Identifier: GPL-2.0
/* Notifications of a monitoring module about its threads, other than switches. */
#include <linux/minmax.h>
#include <linux/preempt.h>
#include "engine/consumer.h"
#include "engine/evset_counters.h"
#include "engine/module_notify.h"
#include "engine/thread.h"
#include "include/pmctrack/monitoring_module.h"
#include "pmu/event_set.h"
#include "uapi/pmctrack.h"

/**
 * pmc_module_monitors - does a module monitor single threads
 * @mm: module
 *
 * Other modules report values of CPUs, and need to know no thread.
 */
bool pmc_module_monitors(const struct monitoring_module *mm)
{
	return mm->thread_size || mm->thread_start || mm->thread_exec ||
	       mm->thread_exit || mm->switch_in || mm->switch_out ||
	       mm->sample;
}

/**
 * pmc_module_start - a module's thread has its task
 * @t: the thread, not in the table yet
 *
 * Context: Any but interrupts.
 */
void pmc_module_start(struct pmc_thread *t)
{
	const struct monitoring_module *mm = t->mm;

	refcount_set(&t->refs, 1);
	t->monitored->task = t->task;
	if (!mm->thread_start)
		return;
	preempt_disable();
	mm->thread_start(t->monitored);
	preempt_enable();
}

/**
 * pmc_module_end - a module's thread is monitored no more
 * @t: the thread, no longer in the table
 *
 * Context: Preemption off.
 */
void pmc_module_end(struct pmc_thread *t)
{
	const struct monitoring_module *mm = t->mm;

	if (mm->thread_exit)
		mm->thread_exit(t->monitored);
}

/**
 * pmc_module_exec - the task of a module's thread has become another program
 * @t: current's thread
 *
 * Context: Preemption off.
 */
void pmc_module_exec(struct pmc_thread *t)
{
	const struct monitoring_module *mm = t->mm;
	u64 metrics = mm->metrics;

	/* The metrics of the old program are not the new one's. */
	for (; metrics; metrics &= metrics - 1)
		pmc_metric_clear(&t->monitored->metric[__ffs64(metrics)]);
	if (mm->thread_exec)
		mm->thread_exec(t->monitored);
}

static enum pmc_module_event event_of(enum pmc_sample_event event)
{
	switch (event) {
	case PMC_SAMPLE_TICK:
		return PMC_MODULE_TICK;
	case PMC_SAMPLE_MIGRATION:
		return PMC_MODULE_CORE_TYPE;
	default:
		return PMC_MODULE_OTHER;
	}
}

/* Counts of which a counter was taken away are no counts. */
static unsigned int nr_counts(struct pmc_thread *t)
{
	bool lost = t->flags & PMC_REC_COUNTER_LOST;

	t->flags &= ~PMC_REC_COUNTER_LOST;
	return lost ? 0 : t->set->nr;
}

/**
 * pmc_module_sample - give a module a sample of its thread
 * @t: the thread
 * @counts: in the order of its event set
 * @running: CPU time they took, ns
 * @now: CLOCK_MONOTONIC, ns
 * @event: why it was taken
 *
 * Context: Interrupts off, or NMI.
 */
void pmc_module_sample(struct pmc_thread *t, const u64 *counts, u64 running,
		       u64 now, enum pmc_sample_event event)
{
	const struct pmc_consumer *c = t->consumer;
	const struct pmc_evset *set = t->set;
	const struct pmc_module_sample sample = {
		.event = t->flags & PMC_REC_LAST ? PMC_MODULE_EXIT :
			 event_of(event),
		.core_type = set->core_type,
		.set = set->index,
		.nr_sets = c->rotation[set->core_type].nr,
		.nr_counts = nr_counts(t),
		.counts = counts,
		.running = running,
		/* Two clocks: one may be some ns ahead. */
		.elapsed = max(running, now - t->last_time),
		.time = now,
	};

	if (t->mm->sample)
		t->mm->sample(t->monitored, &sample);
}
