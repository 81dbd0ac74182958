// SPDX-License-Identifier: GPL-2.0
/*
 * Asymmetry-aware round robin: every thread gets its fair share of big-core time,
 * whatever it makes of it. A thread's claim to a big core is that it had less of them
 * than others. It asks for no metric.
 */
#include "sides.bpf.h"

/* Who sleeps, or is new, saves up no more than one turn. */
static void woken(struct thread *t)
{
	if (before(t->big_time, big_now - settings.margin))
		t->big_time = big_now - settings.margin;
}

static s64 claim_of(struct task_struct *p, struct thread *t)
{
	return -(s64)t->big_time;
}

SCHEDULER("pmc_rr");
