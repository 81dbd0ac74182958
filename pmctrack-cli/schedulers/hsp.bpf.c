// SPDX-License-Identifier: GPL-2.0
/*
 * High speedup (HSP): schedule an asymmetric multicore processor for throughput. The big cores
 * run the threads that gain most from them (Saez et al., "PMCTrack: Delivering Performance
 * Monitoring Counter Support to the OS Scheduler", section 4.1.3). A thread's score is its
 * speedup factor, a metric that one of pmctrack's monitoring modules provides. The scheduler
 * needs to know neither how the module measures it nor which counters exist.
 *
 * The policy, from top to bottom of this file:
 *
 * - Score: the speedup factor. A thread without one explores: it gets a big core for a while,
 *   then a little one, and so on, because some modules have to measure a thread on both.
 * - Wake-up: a thread runs on an idle core, else on an idle CPU of a core in use (SMT); on a big
 *   one if possible, and among equal ones on its previous CPU.
 * - Enqueue: a thread that finds no idle CPU waits in the queue of its cluster, which all the
 *   cluster's CPUs share, and which is ordered by virtual time. A thread that migrates to a
 *   certain CPU waits in that CPU's queue, and preempts the CPU's thread.
 * - Dispatch: a CPU takes a thread that migrates to it, else one of its cluster's queue. Else the
 *   previous thread continues. Else it takes one of the other cluster (work conserving).
 * - Migrate: at each tick, a thread that shares its core with another one (SMT) moves to an idle
 *   core; a cluster with more than its share of the runnable threads gives one away; a thread
 *   on a little core moves to an idle big one. Otherwise it swaps places with the thread on a
 *   big core that has the lowest score, if its own score is higher by more than a margin.
 *   Each continues the other's slice and virtual time. Both keep their new places for a while.
 */
#include "scx.bpf.h"
#include "settings.h"

/**
 * struct policy - what this policy remembers of a thread
 * @monitored: pmctrack monitors the thread
 * @refused: pmctrack refused to monitor the thread, as it does for kernel threads
 * @requested: when pmctrack was asked to monitor the thread
 * @explored_ns: the thread's CPU time on each cluster since its metric was last known
 */
struct policy {
	bool monitored;
	bool refused;
	u64 requested;
	u64 explored_ns[NR_CLUSTERS];
};

#include "lifecycle.bpf.h"

/* ---- score ---- */

/*
 * The score of a thread that explores a big core. It takes the place of a thread with a score
 * at most once in settings.explore, and threads that swap places with it need not keep them.
 */
#define EXPLORES	(1 << 20)

static u32 explorer;		/* the big CPU with the last thread that explored */
static u64 last_explored;	/* when one last took the place of a thread with a score */

/*
 * A thread without a metric gets a big core first, then a little one. This is repeated while the
 * metric is unknown: a module may start to monitor the thread late.
 */
static bool wants_big(struct thread *t)
{
	u64 *explored_ns = t->policy.explored_ns;
	s64 ahead = explored_ns[BIG] - explored_ns[LITTLE];

	/* A turn is not longer after a long time on little cores. */
	if (ahead < 0) {
		explored_ns[LITTLE] = explored_ns[BIG];
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

	if (explorer != cpu && c->busy && c->score == EXPLORES) {
		stat_inc(STAT_DEFERRED);
		return false;
	}
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
	struct policy *own = &t->policy;

	if (own->monitored && before(own->requested + settings.patience, bpf_ktime_get_ns())) {
		own->monitored = false;
		stat_inc(STAT_REPEATED);
	}
}

static s64 score(struct task_struct *p, struct thread *t)
{
	struct pmc_metric_value sf = {};
	int ret;

	if (p->flags & PF_KTHREAD)
		return 0;
	ret = bpf_pmcs_get_metric(p, PMC_METRIC_SPEEDUP_FACTOR, &sf);
	if (!ret) {
		stat_inc(STAT_KNOWN);
		t->policy.explored_ns[BIG] = 0;
		t->policy.explored_ns[LITTLE] = 0;
		return sf.value;
	}
	stat_inc(STAT_UNKNOWN);
	if (ret == -ESRCH)
		request_again(t);
	return wants_big(t) && may_explore(scx_bpf_task_cpu(p)) ? EXPLORES : 0;
}

/* Have the thread monitored, so that it gets a metric. */
static void monitor(struct task_struct *p, struct thread *t)
{
	struct policy *own = &t->policy;
	int ret;

	if (own->monitored || own->refused)
		return;
	ret = bpf_pmcs_monitor_task(p, true);
	own->monitored = !ret;
	own->requested = bpf_ktime_get_ns();
	/* EAGAIN means too many requests at once; any other refusal is final. */
	own->refused = ret && ret != -EAGAIN;
	stat_inc(ret ? STAT_REFUSED : STAT_REQUESTED);
}

/* ---- wake-up ---- */

SEC("struct_ops/select_cpu")
s32 BPF_PROG(hsp_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	return wake_on_idle(p, BIG, prev_cpu);
}

/* ---- enqueue and dispatch ---- */

SEC("struct_ops/enqueue")
void BPF_PROG(hsp_enqueue, struct task_struct *p, u64 flags)
{
	struct thread *t = thread_of(p);

	if (!t || !t->clusters)
		enqueue_global(p, flags);
	else if (is_per_cpu_kthread(p))	/* Its work is short, and others wait for it. */
		enqueue_local(p, flags);
	else if (has_target(p, t))
		enqueue_target(p, t, flags);
	else
		enqueue_cluster(p, t, flags);
}

SEC("struct_ops/dispatch")
void BPF_PROG(hsp_dispatch, s32 cpu, struct task_struct *prev)
{
	u32 cluster = cluster_of(cpu);

	if (!dispatch_target(cpu) && !dispatch_blocked() &&
	    !dispatch_cluster(cluster, STAT_FROM_CLUSTER) && !dispatch_prev(cpu, prev) &&
	    !dispatch_cluster(!cluster, STAT_FROM_OTHER))
		stat_inc(STAT_IDLE);
}

/* ---- a thread runs ---- */

SEC("struct_ops/running")
void BPF_PROG(hsp_running, struct task_struct *p)
{
	struct thread *t = thread_of(p);
	s32 cpu = scx_bpf_task_cpu(p);

	if (!t)
		return;
	arrive(p, t, cpu);
	occupy(p, t, cpu, score(p, t));
	monitor(p, t);
}

static void charge(struct task_struct *p, struct thread *t, u32 cluster)
{
	t->policy.explored_ns[cluster & 1] += account(p, t);
}

SEC("struct_ops/stopping")
void BPF_PROG(hsp_stopping, struct task_struct *p, bool runnable)
{
	struct thread *t = thread_of(p);
	s32 cpu = scx_bpf_task_cpu(p);

	if (!t)
		return;
	charge(p, t, cluster_of(cpu));
	vacate(p, t, cpu, runnable);
}

/* ---- migrate ---- */

/*
 * Take another thread's place to explore a big core. Once in settings.explore that may be the
 * place of a thread with a score; meanwhile only that of a thread whose score is 0.
 */
static void explore(struct task_struct *p, struct thread *t, u64 now)
{
	bool early = before(now, last_explored + settings.explore);
	s64 limit = early ? 1 : EXPLORES - (s64)settings.margin;
	s32 cpu = lowest_score(p, limit, now);

	if (cpu < 0) {
		stat_inc(STAT_NO_LOWER);
	} else if (migrate_to(p, t, cpu, 0)) {
		stat_inc(STAT_EXPLORED);
		if (cpu_of(cpu)->score > 0)
			last_explored = now;
	}
}

/* Swap places with the thread that has the lowest score, if that is lower by the margin. */
static void swap(struct task_struct *p, struct thread *t, s64 score, u64 now)
{
	s32 cpu = lowest_score(p, score - (s64)settings.margin, now);

	if (cpu < 0)
		stat_inc(STAT_NO_LOWER);
	else if (migrate_to(p, t, cpu, settings.keep))
		stat_inc(STAT_SWAPPED);
}

/* Migrate from a little core to a big one. */
static void pull_up(struct task_struct *p, struct thread *t, s64 score)
{
	u64 now = bpf_ktime_get_ns();
	s32 cpu = idle_core(p, BIG);

	if (cpu >= 0) {
		if (migrate_to(p, t, cpu, score == EXPLORES ? 0 : settings.keep))
			stat_inc(STAT_TO_IDLE_BIG);
	} else if (!may_swap(t->keep_until, now)) {
		stat_inc(STAT_HELD);
	} else if (score == EXPLORES) {
		explore(p, t, now);
	} else {
		swap(p, t, score, now);
	}
}

SEC("struct_ops/tick")
void BPF_PROG(hsp_tick, struct task_struct *p)
{
	struct thread *t = thread_of(p);
	s32 cpu = scx_bpf_task_cpu(p);
	struct cpu *c = cpu_of(cpu);
	u32 cluster = cluster_of(cpu);

	if (!t)
		return;
	charge(p, t, cluster);
	c->score = score(p, t);
	monitor(p, t);
	if (t->migrating || c->leave)
		return;
	if (core_is_shared(cpu))
		spread(p, t, cluster);
	if (t->migrating || t->clusters != BOTH_CLUSTERS)
		return;
	if (overloaded(cluster))
		balance(p, t, cluster);
	else if (cluster == LITTLE)
		pull_up(p, t, c->score);
}

/* ---- a thread begins and ends ---- */

SEC("struct_ops/runnable")
void BPF_PROG(hsp_runnable, struct task_struct *p, u64 flags)
{
	struct thread *t = thread_of(p);

	if (t)
		count_runnable(t);
}

SEC("struct_ops/disable")
void BPF_PROG(hsp_disable, struct task_struct *p)
{
	struct thread *t = thread_of(p);

	/* A new thread inherits the monitoring of its parent. */
	if (!t || (!t->policy.monitored && !t->is_new))
		return;
	bpf_pmcs_monitor_task(p, false);
	/* The thread may return to this scheduler, from a real-time class. */
	t->policy.monitored = false;
}

SEC(".struct_ops")
struct sched_ext_ops scheduler = {
	.select_cpu = (void *)hsp_select_cpu,
	.enqueue = (void *)hsp_enqueue,
	.dispatch = (void *)hsp_dispatch,
	.running = (void *)hsp_running,
	.stopping = (void *)hsp_stopping,
	.tick = (void *)hsp_tick,
	.runnable = (void *)hsp_runnable,
	.quiescent = (void *)amp_quiescent,
	.set_cpumask = (void *)amp_set_cpumask,
	.cpu_release = (void *)amp_cpu_release,
	.init_task = (void *)amp_init_task,
	.enable = (void *)amp_enable,
	.disable = (void *)hsp_disable,
	.init = (void *)amp_init,
	.exit = (void *)amp_exit,
	.flags = SCX_OPS_ENQ_LAST,
	.timeout_ms = 10000,
	.name = "pmc_hsp",
};
