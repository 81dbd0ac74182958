// SPDX-License-Identifier: GPL-2.0
/*
 * High speedup: big cores for the threads that gain the most by them. A thread's
 * claim to a big core is its speedup factor, which a monitoring module of pmctrack
 * tells; how it knows, and which counters there are, is no business of a scheduler.
 */
#include "sides.bpf.h"

static void woken(struct thread *t)
{
}

/*
 * A thread that nothing is known of gets a big core at first, and then a little one:
 * some modules have to see it on both. And again, as they may begin to look at it late.
 */
static bool tries_big(const struct thread *t)
{
	s64 ahead = t->tried[BIG] - t->tried[LITTLE];

	return t->side == BIG ? ahead < (s64)settings.explore : ahead <= 0;
}

static s64 claim_of(struct task_struct *p, struct thread *t)
{
	struct pmc_metric_value sf = {};

	if (p->flags & PF_KTHREAD)
		return 0;
	if (!bpf_pmcs_get_metric(p, PMC_METRIC_SPEEDUP_FACTOR, &sf)) {
		__sync_fetch_and_add(&report.known, 1);
		t->tried[BIG] = 0;
		t->tried[LITTLE] = 0;
		return sf.value;
	}
	__sync_fetch_and_add(&report.unknown, 1);
	return tries_big(t) ? 1 << 20 : 0;
}

SCHEDULER("pmc_hsp");
