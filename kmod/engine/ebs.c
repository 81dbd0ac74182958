// SPDX-License-Identifier: GPL-2.0
/* Counters that interrupt at the end of a sampling period. */
#include "engine/ebs.h"
#include "engine/thread.h"
#include "pmu/event_set.h"
#include "pmu/pmu.h"

/**
 * pmc_arm_ebs - let the counters of a set interrupt
 * @cpu: this CPU
 * @t: thread loaded on it
 */
void pmc_arm_ebs(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	const struct pmc_evset *set = t->set;
	unsigned int i;

	for (i = 0; set->nr_ebs && i < set->nr_hw; i++) {
		const struct pmc_hw_event *ev = &set->hw[i];

		if (!ev->ebs)
			continue;
		/* None has begun; or one has ended without a sample, which is in the next one. */
		if (t->period_left[i] <= 0)
			t->period_left[i] = ev->ebs;
		pmc_backend->arm(cpu, ev, t->period_left[i]);
	}
}

/**
 * pmc_disarm_ebs - keep the counters of a set from interrupting
 * @cpu: this CPU
 * @t: thread loaded on it
 *
 * The rest of each period is kept for the next time; 0 or less says that it
 * ended with no interrupt to come.
 */
void pmc_disarm_ebs(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	const struct pmc_evset *set = t->set;
	unsigned int i;

	for (i = 0; set->nr_ebs && i < set->nr_hw; i++)
		if (set->hw[i].ebs)
			t->period_left[i] = pmc_backend->disarm(cpu, &set->hw[i],
								t->period_left[i]);
}
