// SPDX-License-Identifier: GPL-2.0
/*
 * High speedup: the big cores run the threads that gain most from them. A thread's score is
 * its speedup factor, a metric that one of pmctrack's monitoring modules provides. The
 * scheduler needs to know neither how the module measures it nor which counters exist.
 */
#include "cluster.bpf.h"

static void runnable(struct thread *t)
{
}

/* The big CPU with the last thread that explored */
static u32 explorer;

/*
 * A thread without a metric gets a big core first, then a little one, because some modules
 * have to measure it on both. This is repeated while the metric is unknown: a module may
 * start to monitor the thread late.
 */
static bool wants_big(struct thread *t)
{
	s64 ahead = t->explored_ns[BIG] - t->explored_ns[LITTLE];

	/* A turn is not longer after a long time on little cores. */
	if (ahead < 0) {
		t->explored_ns[LITTLE] = t->explored_ns[BIG];
		ahead = 0;
	}
	return t->cluster == BIG ? ahead < (s64)settings.explore : ahead <= 0;
}

/*
 * Threads without a metric get one big CPU at a time: where many programs start, as in a build,
 * there are always such threads, and others gain from big cores.
 */
static bool may_explore(u32 cpu)
{
	const struct cpu *c = cpu_of(explorer);

	if (explorer != cpu && c->busy && c->score == EXPLORES)
		return false;
	if (cluster_of(cpu) == BIG)
		explorer = cpu;
	return true;
}

/*
 * pmctrack does not monitor a thread: a request is met by the next ticks, and that can fail.
 * Make another one after some time.
 */
static void request_again(struct thread *t)
{
	if (t->monitored && before(t->requested + settings.patience, bpf_ktime_get_ns())) {
		t->monitored = false;
		__sync_fetch_and_add(&report.repeated, 1);
	}
}

static s64 score(struct task_struct *p, struct thread *t)
{
	u32 cpu = scx_bpf_task_cpu(p);
	struct queries *queries = &report.queries[cpu & (MAX_CPUS - 1)];
	struct pmc_metric_value sf = {};
	int ret;

	if (p->flags & PF_KTHREAD)
		return 0;
	ret = bpf_pmcs_get_metric(p, PMC_METRIC_SPEEDUP_FACTOR, &sf);
	if (!ret) {
		queries->known++;
		t->explored_ns[BIG] = 0;
		t->explored_ns[LITTLE] = 0;
		return sf.value;
	}
	queries->unknown++;
	if (ret == -ESRCH)
		request_again(t);
	return wants_big(t) && may_explore(cpu) ? EXPLORES : 0;
}

SCHEDULER("pmc_hsp");
