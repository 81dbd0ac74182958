// SPDX-License-Identifier: GPL-2.0
/*
 * Asymmetry-aware round robin: every thread gets its fair share of big-core time, however
 * much it gains from it. The less big-core time a thread had, the higher its score. No
 * metric is needed.
 */
#include "cluster.bpf.h"

/* A thread that slept, or is new, is at most one turn behind the others. */
static void runnable(struct thread *t)
{
	if (before(t->big_time, vtime_big - settings.margin))
		t->big_time = vtime_big - settings.margin;
}

static s64 score(struct task_struct *p, struct thread *t)
{
	return -(s64)t->big_time;
}

SCHEDULER("pmc_rr");
