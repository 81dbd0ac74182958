/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scheduling on two clusters: the big and the little CPUs. Each cluster has a queue of
 * waiting threads and shares its CPU time fairly between them, by weight. Every thread has
 * a score. When a thread on a little CPU has a higher score than a thread that runs on a
 * big CPU, by more than a margin, the two change places, and keep them for a while.
 *
 * A scheduler includes this file and defines its policy:
 *
 *	static s64 score(struct task_struct *p, struct thread *t);
 *			the thread's score; the highest scores get the big CPUs
 *	static void runnable(struct thread *t);
 *			called before a thread that slept is queued
 *	SCHEDULER("its_name");
 *
 * A thread that is given a certain CPU waits in a queue of that CPU, which comes before the
 * cluster's queue and is not open to other CPUs.
 *
 * The rest is the same for all policies:
 *
 * - No CPU is idle while a thread waits.
 * - No big core is idle while a thread runs on a little one.
 * - If there are more threads than CPUs, each cluster gets its share of them.
 * - A thread that wakes up continues on its previous CPU if that is idle.
 * - Two CPUs of one core (SMT) are used only while no core is idle: one of two threads that
 *   share a core moves to a core that becomes idle.
 */
#ifndef CLUSTER_BPF_H
#define CLUSTER_BPF_H

#include "scx.bpf.h"
#include "settings.h"

char _license[] SEC("license") = "GPL";

const volatile struct settings settings SEC(".rodata.settings");
struct report report SEC(".data.report") = {};

/**
 * struct thread - the state of a thread
 * @cluster: where the thread runs or waits
 * @clusters: where the thread may run, one bit for each cluster
 * @counted: the thread is counted in nr_runnable[@cluster]
 * @moving: the thread is on its way to @target, or to any CPU of the other cluster
 * @monitored: pmctrack monitors the thread
 * @refused: pmctrack refused to monitor the thread, as it does for kernel threads
 * @requested: when pmctrack was asked to monitor the thread
 * @target: the CPU that is being freed for the thread while it moves, or -1
 * @exchanged: when the thread last changed places with another one
 * @started: start of the running time that is not accounted yet
 * @big_time: the thread's time on big CPUs, ns divided by its weight
 * @explored_ns: the thread's time on each cluster since its metric was last known, likewise
 */
struct thread {
	u32 cluster;
	u32 clusters;
	bool counted;
	bool moving;
	bool monitored;
	bool refused;
	s32 target;
	u64 requested;
	u64 exchanged;
	u64 started;
	u64 big_time;
	u64 explored_ns[NR_CLUSTERS];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread);
} threads SEC(".maps");

/**
 * struct cpu - the thread that runs on a CPU
 * @score: the thread's score
 * @exchanged: when the thread last changed places with another one
 * @busy: there is such a thread
 * @fixed: the thread may not run on the other cluster
 * @leave: the thread has to leave: another one takes its place
 */
static struct cpu {
	s64 score;
	u64 exchanged;
	u32 busy;
	u32 fixed;
	u32 leave;
} cpus[MAX_CPUS];

static u64 vtime_now[NR_CLUSTERS];	/* the highest virtual time of a thread that has run */
static u64 vtime_big;			/* the same of thread->big_time */
static s32 nr_runnable[NR_CLUSTERS];
static s32 nr_moving;			/* threads on their way to a certain CPU */
static u64 last_move;			/* when the last move to a certain CPU began */

/*
 * The score of a thread that explores a big core, for a policy that knows nothing of the thread.
 * It takes the place of a thread with a score at most once in settings.explore, and threads
 * that change places with it need not keep them.
 */
#define EXPLORES	(1 << 20)
static u64 last_explored;		/* when it last took the place of a thread with a score */

/* The queue of threads that move to CPU 0; the next ones follow. */
#define MOVERS		NR_CLUSTERS

static s64 score(struct task_struct *p, struct thread *t);
static void runnable(struct thread *t);

static struct thread *thread_of(struct task_struct *p)
{
	return bpf_task_storage_get(&threads, p, NULL, 0);
}

/* Masks, here and below, are for the verifier. */
static struct cpu *cpu_of(u32 cpu)
{
	return &cpus[cpu & (MAX_CPUS - 1)];
}

static u32 cluster_of(u32 cpu)
{
	return settings.cluster[cpu & (MAX_CPUS - 1)] == BIG ? BIG : LITTLE;
}

/* Does another CPU of the same core run a thread? */
static bool core_is_shared(u32 cpu)
{
	u32 sibling = cpu, i;

	for (i = 0; i < MAX_SIBLINGS; i++) {
		sibling = settings.sibling[sibling & (MAX_CPUS - 1)];
		if (sibling == cpu)
			break;
		if (cpu_of(sibling)->busy)
			return true;
	}
	return false;
}

/* Does a thread move to some CPU of this core? CPUs of a core have their ticks at the same time. */
static bool core_is_target(u32 cpu)
{
	u32 sibling = cpu, i;

	for (i = 0; i < MAX_SIBLINGS; i++) {
		if (cpu_of(sibling)->leave)
			return true;
		sibling = settings.sibling[sibling & (MAX_CPUS - 1)];
		if (sibling == cpu)
			break;
	}
	return false;
}

static bool before(u64 a, u64 b)
{
	return (s64)(a - b) < 0;
}

/* May a thread change places that did so at that time? */
static bool settled(u64 exchanged, u64 now)
{
	return !before(now, exchanged + settings.keep);
}

static void set_cluster(struct task_struct *p, struct thread *t, u32 cluster)
{
	u32 old = t->cluster & 1;

	cluster &= 1;
	if (old == cluster)
		return;
	if (t->counted) {
		__sync_fetch_and_sub(&nr_runnable[old], 1);
		__sync_fetch_and_add(&nr_runnable[cluster], 1);
	}
	t->cluster = cluster;
	/* Only places that threads have exchanged are kept, which the caller notes. */
	t->exchanged = 0;
	p->scx.dsq_vtime = vtime_now[cluster];
}

static void finish_move(struct thread *t)
{
	if (t->target >= 0) {
		__sync_fetch_and_sub(&nr_moving, 1);
		cpu_of(t->target)->leave = 0;
	}
	t->target = -1;
	t->moving = false;
}

/* Note the clusters on which the thread's CPU mask lets it run. */
static void set_allowed_clusters(struct thread *t, const struct cpumask *mask)
{
	u32 cluster, i, clusters = 0;

	for (cluster = BIG; cluster < NR_CLUSTERS; cluster++)
		for (i = 0; i < MAX_CPUS && i < settings.nr_cpus[cluster]; i++)
			if (bpf_cpumask_test_cpu(settings.cpus[cluster][i], mask)) {
				clusters |= 1 << cluster;
				break;
			}
	t->clusters = clusters;
}

static bool take_cpu(struct task_struct *p, u32 cpu, const struct cpumask *idle)
{
	return bpf_cpumask_test_cpu(cpu, idle) && bpf_cpumask_test_cpu(cpu, p->cpus_ptr) &&
	       scx_bpf_test_and_clear_cpu_idle(cpu);
}

/*
 * Reserve an idle CPU of a cluster, @prev_cpu if possible. Return: the CPU, or -1.
 */
static s32 take_idle(struct task_struct *p, u32 cluster, u32 prev_cpu, const struct cpumask *idle)
{
	u32 i, cpu;

	cluster &= 1;
	if (cluster_of(prev_cpu) == cluster && take_cpu(p, prev_cpu, idle))
		return prev_cpu;
	for (i = 0; i < MAX_CPUS && i < settings.nr_cpus[cluster]; i++) {
		cpu = settings.cpus[cluster][i];
		if (take_cpu(p, cpu, idle))
			return cpu;
	}
	return -1;
}

/* The same on either cluster; @cluster is preferred. */
static s32 take_any(struct task_struct *p, u32 cluster, u32 prev_cpu, const struct cpumask *idle)
{
	s32 cpu;

	if (bpf_cpumask_empty(idle))
		return -1;
	cpu = take_idle(p, cluster, prev_cpu, idle);
	return cpu < 0 ? take_idle(p, !cluster, prev_cpu, idle) : cpu;
}

/*
 * The same, and whole idle cores first. Two threads that share a big core (SMT) lose what the
 * core gains, so an idle little core is preferred to half of a big one.
 */
static s32 take_core(struct task_struct *p, u32 cluster, u32 prev_cpu)
{
	const struct cpumask *idle = scx_bpf_get_idle_smtmask();
	s32 cpu = take_any(p, cluster, prev_cpu, idle);

	scx_bpf_put_idle_cpumask(idle);
	if (cpu >= 0)
		return cpu;
	idle = scx_bpf_get_idle_cpumask();
	cpu = take_any(p, cluster, prev_cpu, idle);
	scx_bpf_put_idle_cpumask(idle);
	return cpu;
}

/* A thread waits: wake an idle CPU, or interrupt those that are about to become idle. */
static void wake_cluster(struct task_struct *p, u32 cluster)
{
	s32 cpu = take_core(p, cluster, scx_bpf_task_cpu(p));
	struct cpu *c;
	u32 i;

	if (cpu >= 0) {
		scx_bpf_kick_cpu(cpu, SCX_KICK_IDLE);
		return;
	}
	cluster &= 1;
	for (i = 0; i < MAX_CPUS && i < settings.nr_cpus[cluster]; i++) {
		cpu = settings.cpus[cluster][i];
		c = cpu_of(cpu);
		if (!c->busy)
			scx_bpf_kick_cpu(cpu, 0);
	}
}

SEC("struct_ops/select_cpu")
s32 BPF_PROG(cluster_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	s32 cpu = take_core(p, BIG, prev_cpu);

	if (cpu < 0)
		return prev_cpu;
	dsq_insert(p, SCX_DSQ_LOCAL, settings.slice, 0);
	return cpu;
}

SEC("struct_ops/enqueue")
void BPF_PROG(cluster_enqueue, struct task_struct *p, u64 flags)
{
	struct thread *t = thread_of(p);
	u64 vtime;
	u32 cluster;

	if (!t || !t->clusters) {
		dsq_insert(p, SCX_DSQ_GLOBAL, settings.slice, flags);
		return;
	}
	/* Other threads wait for the work of per-CPU kernel threads, which is short. */
	if ((p->flags & PF_KTHREAD) && p->nr_cpus_allowed == 1) {
		dsq_insert(p, SCX_DSQ_LOCAL, settings.slice, flags | SCX_ENQ_PREEMPT);
		return;
	}
	/* The thread's CPU is about to be idle, and another thread may have begun to wait. */
	if (flags & SCX_ENQ_LAST)
		scx_bpf_kick_cpu(scx_bpf_task_cpu(p), 0);
	if (t->target >= 0 && bpf_cpumask_test_cpu(t->target, p->cpus_ptr)) {
		dsq_insert(p, MOVERS + t->target, settings.slice, flags);
		scx_bpf_kick_cpu(t->target, SCX_KICK_PREEMPT);
		return;
	}
	cluster = t->cluster & 1;
	if (!(t->clusters & (1 << cluster))) {
		cluster = !cluster;
		set_cluster(p, t, cluster);
	}
	/* A sleeping thread saves up at most one time slice. */
	vtime = p->scx.dsq_vtime;
	if (before(vtime, vtime_now[cluster] - settings.slice))
		vtime = vtime_now[cluster] - settings.slice;
	dsq_insert_vtime(p, cluster, settings.slice, vtime, flags);
	wake_cluster(p, cluster);
}

/*
 * Run the thread that moves to this CPU. Another CPU's is run if threads have been moving for
 * a whole slice: a real-time thread may occupy that CPU.
 */
static bool take_mover(u32 cpu)
{
	u32 cluster, i;

	if (dsq_move_to_local(MOVERS + cpu))
		return true;
	if (!nr_moving || !before(last_move + settings.slice, bpf_ktime_get_ns()))
		return false;
	for (cluster = BIG; cluster < NR_CLUSTERS; cluster++)
		for (i = 0; i < MAX_CPUS && i < settings.nr_cpus[cluster]; i++)
			if (dsq_move_to_local(MOVERS + settings.cpus[cluster][i]))
				return true;
	return false;
}

SEC("struct_ops/dispatch")
void BPF_PROG(cluster_dispatch, s32 cpu, struct task_struct *prev)
{
	u32 cluster = cluster_of(cpu);
	struct thread *t;

	if (take_mover(cpu) || dsq_move_to_local(cluster))
		return;
	if (prev && (prev->scx.flags & SCX_TASK_QUEUED)) {
		t = thread_of(prev);
		if (t && !t->moving) {
			/* The thread that was to take this place runs elsewhere. */
			cpu_of(cpu)->leave = 0;
			prev->scx.slice = settings.slice;
			return;
		}
	}
	dsq_move_to_local(!cluster);
}

/* Account the running time since the last call, on this cluster. */
static void account(struct task_struct *p, struct thread *t, u32 cluster)
{
	u64 now = bpf_ktime_get_ns(), used = now - t->started;
	u32 weight = p->scx.weight;

	t->started = now;
	if (weight)
		used = used * 100 / weight;
	p->scx.dsq_vtime += used;
	t->explored_ns[cluster & 1] += used;
	if (cluster == BIG)
		t->big_time += used;
}

static void move(struct task_struct *p, struct thread *t, u32 cluster, s32 target)
{
	set_cluster(p, t, cluster);
	/* The thread has waited enough: put it first in the queue. */
	p->scx.dsq_vtime -= settings.slice;
	t->moving = true;
	t->target = target;
	if (target >= 0) {
		__sync_fetch_and_add(&nr_moving, 1);
		last_move = bpf_ktime_get_ns();
	}
	p->scx.slice = 0;
}

/* Return: a CPU of the cluster whose core is idle, and that the thread may have; or -1. */
static s32 idle_core(struct task_struct *p, u32 cluster, const struct cpumask *idle)
{
	u32 i, cpu;

	cluster &= 1;
	for (i = 0; i < MAX_CPUS && i < settings.nr_cpus[cluster]; i++) {
		cpu = settings.cpus[cluster][i];
		if (bpf_cpumask_test_cpu(cpu, idle) && bpf_cpumask_test_cpu(cpu, p->cpus_ptr) &&
		    !core_is_target(cpu))
			return cpu;
	}
	return -1;
}

/*
 * Return: a big CPU whose thread has a lower score than a thread on a little one; or -1. Half
 * of a core is worth less than a whole one. A CPU that is neither idle nor busy runs a
 * thread of another scheduling class, such as a real-time thread.
 */
static s32 lower_score(struct task_struct *p, s64 score, u64 now)
{
	bool early = score == EXPLORES && before(now, last_explored + settings.explore);
	bool shared, found_shared = true;
	s64 least = 0;
	s32 found = -1;
	struct cpu *c;
	u32 i, cpu;

	for (i = 0; i < MAX_CPUS && i < settings.nr_cpus[BIG]; i++) {
		cpu = settings.cpus[BIG][i];
		c = cpu_of(cpu);
		if (!c->busy || c->leave || c->fixed || !settled(c->exchanged, now) ||
		    c->score >= score - (s64)settings.margin || (early && c->score > 0) ||
		    !bpf_cpumask_test_cpu(cpu, p->cpus_ptr))
			continue;
		shared = core_is_shared(cpu);
		if (found >= 0 && (shared != found_shared ? shared : c->score >= least))
			continue;
		found = cpu;
		found_shared = shared;
		least = c->score;
	}
	return found;
}

/* Move a thread to a CPU, unless another one moves there. */
static void move_to(struct task_struct *p, struct thread *t, u32 cpu, s64 score)
{
	struct cpu *c = cpu_of(cpu);
	u64 now = bpf_ktime_get_ns();

	if (__sync_val_compare_and_swap(&c->leave, 0, 1))
		return;
	__sync_fetch_and_add(c->busy ? &report.exchanged : &report.moved, 1);
	move(p, t, cluster_of(cpu), cpu);
	if (c->busy && score != EXPLORES) {
		c->exchanged = now;
		t->exchanged = now;
	} else if (c->busy && c->score > 0) {
		last_explored = now;
	}
}

/* Move a thread from little to big if a big core is idle or has a thread with a lower score. */
static void try_big(struct task_struct *p, struct thread *t, s64 score)
{
	const struct cpumask *idle = scx_bpf_get_idle_smtmask();
	s32 cpu = idle_core(p, BIG, idle);
	u64 now = bpf_ktime_get_ns();

	scx_bpf_put_idle_cpumask(idle);
	if (cpu < 0 && settled(t->exchanged, now))
		cpu = lower_score(p, score, now);
	if (cpu >= 0)
		move_to(p, t, cpu, score);
}

/* Move a thread that shares its core to an idle core, of the same cluster if there is one. */
static void try_own_core(struct task_struct *p, struct thread *t, u32 cluster)
{
	const struct cpumask *idle = scx_bpf_get_idle_smtmask();
	s32 cpu = idle_core(p, cluster, idle);

	if (cpu < 0)
		cpu = idle_core(p, !cluster, idle);
	scx_bpf_put_idle_cpumask(idle);
	if (cpu >= 0)
		move_to(p, t, cpu, 0);
	/* The thread on the core's other CPU need not leave as well. */
	if (t->moving)
		cpu_of(scx_bpf_task_cpu(p))->busy = 0;
}

/* Has the cluster more than its share of the runnable threads? */
static bool overloaded(u32 cluster)
{
	u32 own = cluster & 1, other = !own;
	s32 here = nr_runnable[own], there = nr_runnable[other] + 1;
	s32 cpus_here = settings.nr_cpus[own], cpus_there = settings.nr_cpus[other];

	return here > cpus_here && here * cpus_there > there * cpus_here;
}

/* Have a thread monitored. */
static void monitor(struct task_struct *p, struct thread *t)
{
	int ret;

	if (t->monitored || t->refused || !settings.asks)
		return;
	ret = bpf_pmcs_monitor_task(p, true);
	t->monitored = !ret;
	t->requested = bpf_ktime_get_ns();
	/* EAGAIN means too many requests at once; any other refusal is final. */
	t->refused = ret && ret != -EAGAIN;
}

SEC("struct_ops/tick")
void BPF_PROG(cluster_tick, struct task_struct *p)
{
	struct thread *t = thread_of(p);
	s32 cpu = scx_bpf_task_cpu(p);
	struct cpu *c = cpu_of(cpu);
	u32 cluster = cluster_of(cpu);

	if (!t)
		return;
	account(p, t, cluster);
	c->score = score(p, t);
	monitor(p, t);
	if (t->moving || c->leave)
		return;
	if (core_is_shared(cpu))
		try_own_core(p, t, cluster);
	if (t->moving || t->clusters != 3)
		return;
	if (overloaded(cluster)) {
		__sync_fetch_and_add(&report.moved, 1);
		move(p, t, !cluster, -1);
	} else if (cluster == LITTLE) {
		try_big(p, t, c->score);
	}
}

SEC("struct_ops/runnable")
void BPF_PROG(cluster_runnable, struct task_struct *p, u64 flags)
{
	struct thread *t = thread_of(p);

	if (!t || t->counted)
		return;
	runnable(t);
	t->counted = true;
	__sync_fetch_and_add(&nr_runnable[t->cluster & 1], 1);
}

SEC("struct_ops/quiescent")
void BPF_PROG(cluster_quiescent, struct task_struct *p, u64 flags)
{
	struct thread *t = thread_of(p);

	if (!t)
		return;
	finish_move(t);
	if (t->counted)
		__sync_fetch_and_sub(&nr_runnable[t->cluster & 1], 1);
	t->counted = false;
}

SEC("struct_ops/running")
void BPF_PROG(cluster_running, struct task_struct *p)
{
	struct thread *t = thread_of(p);
	s32 cpu = scx_bpf_task_cpu(p);
	struct cpu *c = cpu_of(cpu);
	u32 cluster = cluster_of(cpu);

	if (!t)
		return;
	if (t->target >= 0 && t->target != cpu)
		__sync_fetch_and_add(&report.missed, 1);
	finish_move(t);
	set_cluster(p, t, cluster);
	t->started = bpf_ktime_get_ns();
	if (before(vtime_now[cluster & 1], p->scx.dsq_vtime))
		vtime_now[cluster & 1] = p->scx.dsq_vtime;
	if (cluster == BIG && before(vtime_big, t->big_time))
		vtime_big = t->big_time;
	c->score = score(p, t);
	c->exchanged = t->exchanged;
	c->fixed = t->clusters != 3;
	c->leave = 0;
	c->busy = 1;
	monitor(p, t);
}

SEC("struct_ops/stopping")
void BPF_PROG(cluster_stopping, struct task_struct *p, bool runnable)
{
	struct thread *t = thread_of(p);
	s32 cpu = scx_bpf_task_cpu(p);
	struct cpu *c = cpu_of(cpu);
	u32 cluster = cluster_of(cpu);

	if (!t)
		return;
	account(p, t, cluster);
	c->busy = 0;
	if (runnable && c->leave && t->clusters == 3 && !t->moving) {
		set_cluster(p, t, !cluster);
		t->exchanged = c->exchanged;
	}
}

SEC("struct_ops/set_cpumask")
void BPF_PROG(cluster_set_cpumask, struct task_struct *p, const struct cpumask *mask)
{
	struct thread *t = thread_of(p);

	if (t)
		set_allowed_clusters(t, mask);
}

SEC("struct_ops/init_task")
s32 BPF_PROG(cluster_init_task, struct task_struct *p, struct scx_init_task_args *args)
{
	struct thread *t = bpf_task_storage_get(&threads, p, NULL,
						BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!t)
		return -ENOMEM;
	t->cluster = nr_runnable[BIG] * (s32)settings.nr_cpus[LITTLE] >
		  nr_runnable[LITTLE] * (s32)settings.nr_cpus[BIG] ? LITTLE : BIG;
	t->target = -1;
	return 0;
}

SEC("struct_ops/enable")
void BPF_PROG(cluster_enable, struct task_struct *p)
{
	struct thread *t = thread_of(p);

	if (!t)
		return;
	set_allowed_clusters(t, p->cpus_ptr);
	p->scx.dsq_vtime = vtime_now[t->cluster & 1];
}

SEC("struct_ops/disable")
void BPF_PROG(cluster_disable, struct task_struct *p)
{
	struct thread *t = thread_of(p);

	if (!t || !t->monitored)
		return;
	bpf_pmcs_monitor_task(p, false);
	/* The thread may return to this scheduler, from a real-time class. */
	t->monitored = false;
}

SEC("struct_ops/init")
s32 BPF_PROG(cluster_init)
{
	u32 cluster, i;
	s32 ret;

	for (cluster = BIG; cluster < NR_CLUSTERS; cluster++) {
		ret = scx_bpf_create_dsq(cluster, -1);
		if (ret)
			return ret;
		for (i = 0; i < MAX_CPUS && i < settings.nr_cpus[cluster]; i++) {
			ret = scx_bpf_create_dsq(MOVERS + settings.cpus[cluster][i], -1);
			if (ret)
				return ret;
		}
	}
	return 0;
}

SEC("struct_ops/exit")
void BPF_PROG(cluster_exit, struct scx_exit_info *info)
{
	bpf_probe_read_kernel_str(report.reason, sizeof(report.reason), info->reason);
	bpf_probe_read_kernel_str(report.message, sizeof(report.message), info->msg);
	report.code = info->exit_code;
	/* Last: from now on the rest is read. */
	report.ended = info->kind;
}

#define SCHEDULER(its_name)						\
SEC(".struct_ops")							\
struct sched_ext_ops scheduler = {					\
	.select_cpu = (void *)cluster_select_cpu,				\
	.enqueue = (void *)cluster_enqueue,				\
	.dispatch = (void *)cluster_dispatch,				\
	.tick = (void *)cluster_tick,					\
	.runnable = (void *)cluster_runnable,				\
	.running = (void *)cluster_running,				\
	.stopping = (void *)cluster_stopping,				\
	.quiescent = (void *)cluster_quiescent,				\
	.set_cpumask = (void *)cluster_set_cpumask,			\
	.init_task = (void *)cluster_init_task,				\
	.enable = (void *)cluster_enable,					\
	.disable = (void *)cluster_disable,				\
	.init = (void *)cluster_init,					\
	.exit = (void *)cluster_exit,					\
	.flags = SCX_OPS_ENQ_LAST,					\
	.timeout_ms = 10000,						\
	.name = its_name,						\
}

#endif
