/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two sides, big and little CPUs, each with a queue of threads that wait; within
 * a side time is shared fairly, by weight. Who is on which side is a matter of
 * claims: whenever a thread on a little CPU has a bigger claim to a big one than a
 * thread that runs there, by more than a margin, the two change places. A scheduler is
 * what says how big a claim is, that is
 *
 *	static s64 claim_of(struct task_struct *p, struct thread *t);
 *	static void woken(struct thread *t);	before a thread that slept is queued
 *
 * and SCHEDULER("its_name"), after including this. For the rest: no CPU is idle
 * while somebody waits, a big core not while somebody runs on a little one, and each
 * side has its share of threads when there are more of them than CPUs. A thread that
 * wakes up goes on where it was, if it can. CPUs of one core (SMT) are used together
 * when there are no idle cores any more.
 */
#ifndef SIDES_BPF_H
#define SIDES_BPF_H

#include "scx.bpf.h"
#include "settings.h"

char _license[] SEC("license") = "GPL";

const volatile struct settings settings SEC(".rodata.settings");
struct report report SEC(".data.report") = {};

/**
 * struct thread - what is known of one
 * @side: where it runs, or waits
 * @sides: where it may, one bit each
 * @counted: it is in nr_runnable[@side]
 * @moving: on its way to the other side; in nr_moving[@side]
 * @monitored: pmctrack knows of it
 * @refused: pmctrack does not want to know of it, as of kernel threads
 * @target: the CPU that is made free for it, or -1
 * @started: when it was last accounted for, while it runs
 * @big_time: what it had of big CPUs, ns by its weight
 * @tried: what it had of either side since something was known of it, the same
 */
struct thread {
	u32 side;
	u32 sides;
	bool counted;
	bool moving;
	bool monitored;
	bool refused;
	s32 target;
	u64 started;
	u64 big_time;
	u64 tried[NR_SIDES];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread);
} threads SEC(".maps");

/**
 * struct cpu - who runs there
 * @claim: of the thread
 * @busy: there is one
 * @fixed: it can't be on the other side
 * @leave: it is to go there: another one comes
 */
static struct cpu {
	s64 claim;
	u32 busy;
	u32 fixed;
	u32 leave;
} cpus[MAX_CPUS];

static u64 now_of[NR_SIDES];	/* virtual time: that of the thread that started last */
static u64 big_now;		/* the same for big_time */
static s32 nr_runnable[NR_SIDES];
static s32 nr_moving[NR_SIDES];
static u64 last_move[NR_SIDES];	/* when the last of those set out */

static s64 claim_of(struct task_struct *p, struct thread *t);
static void woken(struct thread *t);

static struct thread *thread_of(struct task_struct *p)
{
	return bpf_task_storage_get(&threads, p, NULL, 0);
}

/* Masks, here and below, are for the verifier. */
static struct cpu *cpu_of(u32 cpu)
{
	return &cpus[cpu & (MAX_CPUS - 1)];
}

static u32 side_of_cpu(u32 cpu)
{
	return settings.side[cpu & (MAX_CPUS - 1)] == BIG ? BIG : LITTLE;
}

static bool before(u64 a, u64 b)
{
	return (s64)(a - b) < 0;
}

static void set_side(struct task_struct *p, struct thread *t, u32 side)
{
	u32 old = t->side & 1;

	side &= 1;
	if (old == side)
		return;
	if (t->counted) {
		__sync_fetch_and_sub(&nr_runnable[old], 1);
		__sync_fetch_and_add(&nr_runnable[side], 1);
	}
	t->side = side;
	p->scx.dsq_vtime = now_of[side];
}

static void arrived(struct thread *t)
{
	if (t->moving)
		__sync_fetch_and_sub(&nr_moving[t->side & 1], 1);
	t->moving = false;
}

/* Where may it run at all? */
static void look_at(struct thread *t, const struct cpumask *mask)
{
	u32 side, i, sides = 0;

	for (side = BIG; side < NR_SIDES; side++)
		for (i = 0; i < MAX_CPUS && i < settings.nr_cpus[side]; i++)
			if (bpf_cpumask_test_cpu(settings.cpus[side][i], mask)) {
				sides |= 1 << side;
				break;
			}
	t->sides = sides;
}

static bool take_cpu(struct task_struct *p, u32 cpu, const struct cpumask *idle)
{
	return bpf_cpumask_test_cpu(cpu, idle) && bpf_cpumask_test_cpu(cpu, p->cpus_ptr) &&
	       scx_bpf_test_and_clear_cpu_idle(cpu);
}

/*
 * Return: a CPU of a side that was idle and is no more, if it can be the one that the
 * thread was on, or -1.
 */
static s32 take_idle(struct task_struct *p, u32 side, u32 prev_cpu, const struct cpumask *idle)
{
	u32 i, cpu;

	side &= 1;
	if (side_of_cpu(prev_cpu) == side && take_cpu(p, prev_cpu, idle))
		return prev_cpu;
	for (i = 0; i < MAX_CPUS && i < settings.nr_cpus[side]; i++) {
		cpu = settings.cpus[side][i];
		if (take_cpu(p, cpu, idle))
			return cpu;
	}
	return -1;
}

/* Of either side, rather of @side. */
static s32 take_any(struct task_struct *p, u32 side, u32 prev_cpu, const struct cpumask *idle)
{
	s32 cpu;

	if (bpf_cpumask_empty(idle))
		return -1;
	cpu = take_idle(p, side, prev_cpu, idle);
	return cpu < 0 ? take_idle(p, !side, prev_cpu, idle) : cpu;
}

/* Somebody waits: have an idle CPU look, or one that is just becoming idle. */
static void wake_side(struct task_struct *p, u32 side)
{
	const struct cpumask *idle = scx_bpf_get_idle_cpumask();
	s32 cpu = take_any(p, side, scx_bpf_task_cpu(p), idle);
	struct cpu *c;
	u32 i;

	scx_bpf_put_idle_cpumask(idle);
	if (cpu >= 0) {
		scx_bpf_kick_cpu(cpu, SCX_KICK_IDLE);
		return;
	}
	side &= 1;
	for (i = 0; i < MAX_CPUS && i < settings.nr_cpus[side]; i++) {
		cpu = settings.cpus[side][i];
		c = cpu_of(cpu);
		if (!c->busy)
			scx_bpf_kick_cpu(cpu, 0);
	}
}

/*
 * What a big core gains is lost when two threads share it (SMT): a little core that is
 * idle is better then.
 */
SEC("struct_ops/select_cpu")
s32 BPF_PROG(sides_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	const struct cpumask *idle = scx_bpf_get_idle_smtmask();
	s32 cpu = take_any(p, BIG, prev_cpu, idle);

	scx_bpf_put_idle_cpumask(idle);
	if (cpu < 0) {
		idle = scx_bpf_get_idle_cpumask();
		cpu = take_any(p, BIG, prev_cpu, idle);
		scx_bpf_put_idle_cpumask(idle);
	}
	if (cpu < 0)
		return prev_cpu;
	dsq_insert(p, SCX_DSQ_LOCAL, settings.slice, 0);
	return cpu;
}

SEC("struct_ops/enqueue")
void BPF_PROG(sides_enqueue, struct task_struct *p, u64 flags)
{
	struct thread *t = thread_of(p);
	u64 vtime;
	u32 side;

	if (!t || !t->sides) {
		dsq_insert(p, SCX_DSQ_GLOBAL, settings.slice, flags);
		return;
	}
	/* The kernel's threads for one CPU have short work that others wait for. */
	if ((p->flags & PF_KTHREAD) && p->nr_cpus_allowed == 1) {
		dsq_insert(p, SCX_DSQ_LOCAL, settings.slice, flags | SCX_ENQ_PREEMPT);
		return;
	}
	side = t->side & 1;
	if (!(t->sides & (1 << side))) {
		side = !side;
		set_side(p, t, side);
	}
	/* Who sleeps saves up no more than one turn. */
	vtime = p->scx.dsq_vtime;
	if (before(vtime, now_of[side] - settings.slice))
		vtime = now_of[side] - settings.slice;
	dsq_insert_vtime(p, side, settings.slice, vtime, flags);
	if (t->moving && t->target >= 0)
		scx_bpf_kick_cpu(t->target, SCX_KICK_PREEMPT);
	else
		wake_side(p, side);
	/* The CPU it leaves is about to be idle: somebody may have come to wait since. */
	if (flags & SCX_ENQ_LAST)
		scx_bpf_kick_cpu(scx_bpf_task_cpu(p), 0);
}

SEC("struct_ops/dispatch")
void BPF_PROG(sides_dispatch, s32 cpu, struct task_struct *prev)
{
	u32 side = side_of_cpu(cpu), other = !side;
	struct thread *t;

	if (dsq_move_to_local(side))
		return;
	if (prev && (prev->scx.flags & SCX_TASK_QUEUED)) {
		t = thread_of(prev);
		if (t && !t->moving) {
			/* Who was to come has found another place. */
			cpu_of(cpu)->leave = 0;
			prev->scx.slice = settings.slice;
			return;
		}
	}
	/*
	 * Those who are to have a certain CPU of the other side are left to it, but not
	 * when a real-time thread has come before them.
	 */
	if (scx_bpf_dsq_nr_queued(other) > nr_moving[other] ||
	    before(last_move[other] + settings.slice, bpf_ktime_get_ns()))
		dsq_move_to_local(other);
}

/* The time since the last look, on this side. */
static void account(struct task_struct *p, struct thread *t, u32 side)
{
	u64 now = bpf_ktime_get_ns(), used = now - t->started;
	u32 weight = p->scx.weight;

	t->started = now;
	if (weight)
		used = used * 100 / weight;
	p->scx.dsq_vtime += used;
	t->tried[side & 1] += used;
	if (side == BIG)
		t->big_time += used;
}

static void move(struct task_struct *p, struct thread *t, u32 side, s32 target)
{
	set_side(p, t, side);
	/* It has waited enough: it comes first. */
	p->scx.dsq_vtime -= settings.slice;
	t->moving = true;
	t->target = target;
	__sync_fetch_and_add(&nr_moving[side & 1], 1);
	last_move[side & 1] = bpf_ktime_get_ns();
	p->scx.slice = 0;
}

/*
 * From little to big, if some big core is idle or has a thread of less claim. A CPU
 * that is neither idle nor busy runs threads that are not ours, real-time ones.
 */
static void try_big(struct task_struct *p, struct thread *t, s64 claim)
{
	const struct cpumask *idle = scx_bpf_get_idle_smtmask();
	s64 least = claim - (s64)settings.margin;
	struct cpu *c, *found = NULL;
	s32 target = -1;
	u32 i, cpu;

	for (i = 0; i < MAX_CPUS && i < settings.nr_cpus[BIG]; i++) {
		cpu = settings.cpus[BIG][i];
		c = cpu_of(cpu);
		if (c->leave || !bpf_cpumask_test_cpu(cpu, p->cpus_ptr))
			continue;
		if (bpf_cpumask_test_cpu(cpu, idle)) {
			found = c;
			target = cpu;
			break;
		}
		if (c->busy && !c->fixed && c->claim < least) {
			least = c->claim;
			found = c;
			target = cpu;
		}
	}
	scx_bpf_put_idle_cpumask(idle);
	if (!found || __sync_val_compare_and_swap(&found->leave, 0, 1))
		return;
	__sync_fetch_and_add(found->busy ? &report.exchanged : &report.moved, 1);
	move(p, t, BIG, target);
}

/* Are there so many on its side that it had better be on the other? */
static bool crowded(u32 side)
{
	u32 own = side & 1, other = !own;
	s32 here = nr_runnable[own], there = nr_runnable[other] + 1;
	s32 cpus_here = settings.nr_cpus[own], cpus_there = settings.nr_cpus[other];

	return here > cpus_here && here * cpus_there > there * cpus_here;
}

SEC("struct_ops/tick")
void BPF_PROG(sides_tick, struct task_struct *p)
{
	struct thread *t = thread_of(p);
	s32 cpu = scx_bpf_task_cpu(p);
	struct cpu *c = cpu_of(cpu);
	u32 side = side_of_cpu(cpu);

	if (!t)
		return;
	account(p, t, side);
	c->claim = claim_of(p, t);
	if (t->moving || c->leave || t->sides != 3)
		return;
	if (crowded(side)) {
		__sync_fetch_and_add(&report.moved, 1);
		move(p, t, !side, -1);
	} else if (side == LITTLE) {
		try_big(p, t, c->claim);
	}
}

SEC("struct_ops/runnable")
void BPF_PROG(sides_runnable, struct task_struct *p, u64 flags)
{
	struct thread *t = thread_of(p);

	if (!t || t->counted)
		return;
	woken(t);
	t->counted = true;
	__sync_fetch_and_add(&nr_runnable[t->side & 1], 1);
}

SEC("struct_ops/quiescent")
void BPF_PROG(sides_quiescent, struct task_struct *p, u64 flags)
{
	struct thread *t = thread_of(p);

	if (!t)
		return;
	arrived(t);
	if (t->counted)
		__sync_fetch_and_sub(&nr_runnable[t->side & 1], 1);
	t->counted = false;
}

SEC("struct_ops/running")
void BPF_PROG(sides_running, struct task_struct *p)
{
	struct thread *t = thread_of(p);
	s32 cpu = scx_bpf_task_cpu(p);
	struct cpu *c = cpu_of(cpu);
	u32 side = side_of_cpu(cpu);
	int ret;

	if (!t)
		return;
	arrived(t);
	set_side(p, t, side);
	t->started = bpf_ktime_get_ns();
	if (before(now_of[side & 1], p->scx.dsq_vtime))
		now_of[side & 1] = p->scx.dsq_vtime;
	if (side == BIG && before(big_now, t->big_time))
		big_now = t->big_time;
	c->claim = claim_of(p, t);
	c->fixed = t->sides != 3;
	c->leave = 0;
	c->busy = 1;
	if (t->monitored || t->refused)
		return;
	ret = bpf_pmcs_monitor_task(p, true);
	t->monitored = !ret;
	/* Too many may be asking at once; kernel threads are refused for ever. */
	t->refused = ret && ret != -EAGAIN;
}

SEC("struct_ops/stopping")
void BPF_PROG(sides_stopping, struct task_struct *p, bool runnable)
{
	struct thread *t = thread_of(p);
	s32 cpu = scx_bpf_task_cpu(p);
	struct cpu *c = cpu_of(cpu);
	u32 side = side_of_cpu(cpu);

	if (!t)
		return;
	account(p, t, side);
	c->busy = 0;
	if (runnable && c->leave && t->sides == 3 && !t->moving)
		set_side(p, t, !side);
}

SEC("struct_ops/set_cpumask")
void BPF_PROG(sides_set_cpumask, struct task_struct *p, const struct cpumask *mask)
{
	struct thread *t = thread_of(p);

	if (t)
		look_at(t, mask);
}

SEC("struct_ops/init_task")
s32 BPF_PROG(sides_init_task, struct task_struct *p, struct scx_init_task_args *args)
{
	struct thread *t = bpf_task_storage_get(&threads, p, NULL,
						BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!t)
		return -ENOMEM;
	t->side = nr_runnable[BIG] * (s32)settings.nr_cpus[LITTLE] >
		  nr_runnable[LITTLE] * (s32)settings.nr_cpus[BIG] ? LITTLE : BIG;
	t->target = -1;
	return 0;
}

SEC("struct_ops/enable")
void BPF_PROG(sides_enable, struct task_struct *p)
{
	struct thread *t = thread_of(p);

	if (!t)
		return;
	look_at(t, p->cpus_ptr);
	p->scx.dsq_vtime = now_of[t->side & 1];
}

SEC("struct_ops/disable")
void BPF_PROG(sides_disable, struct task_struct *p)
{
	struct thread *t = thread_of(p);

	if (!t || !t->monitored)
		return;
	bpf_pmcs_monitor_task(p, false);
	/* It may come back, from a real-time class. */
	t->monitored = false;
}

SEC("struct_ops/init")
s32 BPF_PROG(sides_init)
{
	s32 ret = scx_bpf_create_dsq(BIG, -1);

	return ret ? ret : scx_bpf_create_dsq(LITTLE, -1);
}

SEC("struct_ops/exit")
void BPF_PROG(sides_exit, struct scx_exit_info *info)
{
	report.ended = info->kind;
}

#define SCHEDULER(its_name)						\
SEC(".struct_ops")							\
struct sched_ext_ops scheduler = {					\
	.select_cpu = (void *)sides_select_cpu,				\
	.enqueue = (void *)sides_enqueue,				\
	.dispatch = (void *)sides_dispatch,				\
	.tick = (void *)sides_tick,					\
	.runnable = (void *)sides_runnable,				\
	.running = (void *)sides_running,				\
	.stopping = (void *)sides_stopping,				\
	.quiescent = (void *)sides_quiescent,				\
	.set_cpumask = (void *)sides_set_cpumask,			\
	.init_task = (void *)sides_init_task,				\
	.enable = (void *)sides_enable,					\
	.disable = (void *)sides_disable,				\
	.init = (void *)sides_init,					\
	.exit = (void *)sides_exit,					\
	.flags = SCX_OPS_ENQ_LAST,					\
	.name = its_name,						\
}

#endif
