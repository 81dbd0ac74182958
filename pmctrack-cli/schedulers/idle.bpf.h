/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Choice of an idle CPU. Whole idle cores come first: two threads that share a big core (SMT)
 * lose what the core gains, so an idle little core is preferred to half of a big one.
 */
#ifndef IDLE_BPF_H
#define IDLE_BPF_H

#include "amp.bpf.h"

static bool take_cpu(struct task_struct *p, u32 cpu, const struct cpumask *idle)
{
	return bpf_cpumask_test_cpu(cpu, idle) && bpf_cpumask_test_cpu(cpu, p->cpus_ptr) &&
	       scx_bpf_test_and_clear_cpu_idle(cpu);
}

/* Reserve an idle CPU of a cluster, @prev_cpu if possible. Return: the CPU, or -1. */
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

/* The same, and whole idle cores first */
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

/* Does a thread migrate to this core? CPUs of a core have their ticks at the same time. */
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

/* Return: a CPU of the cluster whose core is in @idle, and that the thread may have; or -1. */
static s32 find_in(struct task_struct *p, u32 cluster, const struct cpumask *idle)
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

/* Find, but do not reserve, an idle core of a cluster to migrate to. Return: its CPU, or -1. */
static s32 idle_core(struct task_struct *p, u32 cluster)
{
	const struct cpumask *idle = scx_bpf_get_idle_smtmask();
	s32 cpu = find_in(p, cluster, idle);

	scx_bpf_put_idle_cpumask(idle);
	return cpu;
}

#endif
