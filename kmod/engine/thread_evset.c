// SPDX-License-Identifier: GPL-2.0
/* The event set that a thread counts with has changed, or what its switches have to do. */
#include "engine/consumer.h"
#include "engine/thread.h"
#include "engine/thread_evset.h"
#include "include/pmctrack/monitoring_module.h"
#include "pmu/event_set.h"
#include "pmu/soft.h"

/* Has a switch of the thread more to do than counters? Return: PMC_SLOW_* that it needs. */
static u8 slow_flags_of(const struct pmc_thread *t)
{
	if (t->notify_switch)
		return (t->mm->switch_in ? PMC_SLOW_LOAD : 0) |
		       (t->mm->switch_out ? PMC_SLOW_UNLOAD : 0);
	if (t->set->nr_ebs || t->open)
		return PMC_SLOW_BOTH;
	return (READ_ONCE(t->want_sample) ? PMC_SLOW_LOAD : 0) |
	       (t->consumer->nr_virtual_counts ? PMC_SLOW_UNLOAD : 0);
}

/**
 * pmc_update_slow_flags - note whether a switch of a thread has more to do than counters
 * @t: thread with an event set, of the task that runs here
 *
 * want_sample() asks for a sample meanwhile, and writes both in the other order.
 *
 * Context: Interrupts off.
 */
void pmc_update_slow_flags(struct pmc_thread *t)
{
	WRITE_ONCE(t->slow_flags, slow_flags_of(t));
	/* Either want_sample() sees the flags of here, or its request is seen here. */
	smp_mb();
	if (READ_ONCE(t->want_sample))
		WRITE_ONCE(t->slow_flags, PMC_SLOW_BOTH);
}

/**
 * pmc_start_set - make ready to count with a set from now on
 * @t: thread whose @set has just changed
 */
void pmc_start_set(struct pmc_thread *t)
{
	const struct pmc_evset *set = t->set;
	unsigned int i;

	pmc_update_slow_flags(t);
	for (i = 0; i < set->nr_sw; i++)
		t->sw_prev[i] = pmc_soft_read(t->task, set->sw[i]);
}
