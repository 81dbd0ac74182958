/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Callbacks for the beginning and the end of threads and of the scheduler, which decide nothing
 * that differs between policies.
 */
#ifndef LIFECYCLE_BPF_H
#define LIFECYCLE_BPF_H

#include "migrate.bpf.h"

struct report report SEC(".data.report") = {};

/* Note the clusters on which the thread's affinity lets it run. */
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

SEC("struct_ops/set_cpumask")
void BPF_PROG(amp_set_cpumask, struct task_struct *p, const struct cpumask *mask)
{
	struct thread *t = thread_of(p);

	if (t)
		set_allowed_clusters(t, mask);
}

/* A new thread begins on the cluster with fewer threads for its CPUs. */
SEC("struct_ops/init_task")
s32 BPF_PROG(amp_init_task, struct task_struct *p, struct scx_init_task_args *args)
{
	struct thread *t = bpf_task_storage_get(&threads, p, NULL,
						BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!t)
		return -ENOMEM;
	t->cluster = nr_runnable[BIG] * (s32)settings.nr_cpus[LITTLE] >
		  nr_runnable[LITTLE] * (s32)settings.nr_cpus[BIG] ? LITTLE : BIG;
	t->target = -1;
	t->is_new = args->fork;
	return 0;
}

SEC("struct_ops/enable")
void BPF_PROG(amp_enable, struct task_struct *p)
{
	struct thread *t = thread_of(p);

	if (!t)
		return;
	set_allowed_clusters(t, p->cpus_ptr);
	p->scx.dsq_vtime = vtime_now[t->cluster & 1];
}

/* Return: the thread slept, or is new. */
static bool count_runnable(struct thread *t)
{
	if (t->counted)
		return false;
	t->counted = true;
	__sync_fetch_and_add(&nr_runnable[t->cluster & 1], 1);
	return true;
}

SEC("struct_ops/quiescent")
void BPF_PROG(amp_quiescent, struct task_struct *p, u64 flags)
{
	struct thread *t = thread_of(p);

	if (!t)
		return;
	end_migration(t);
	if (t->counted)
		__sync_fetch_and_sub(&nr_runnable[t->cluster & 1], 1);
	t->counted = false;
}

/*
 * A thread of another scheduling class, such as a real-time thread, takes the CPU: the thread that
 * it preempts is queued again, for other CPUs as well. The kernel would keep it for this CPU.
 */
SEC("struct_ops/cpu_release")
void BPF_PROG(amp_cpu_release, s32 cpu, struct scx_cpu_release_args *args)
{
	reenqueue_local();
}

SEC("struct_ops/init")
s32 BPF_PROG(amp_init)
{
	u32 cluster, i;
	s32 ret;

	for (cluster = BIG; cluster < NR_CLUSTERS; cluster++) {
		ret = scx_bpf_create_dsq(cluster, -1);
		if (ret)
			return ret;
		for (i = 0; i < MAX_CPUS && i < settings.nr_cpus[cluster]; i++) {
			ret = scx_bpf_create_dsq(TARGET_DSQ(settings.cpus[cluster][i]), -1);
			if (ret)
				return ret;
		}
	}
	return 0;
}

SEC("struct_ops/exit")
void BPF_PROG(amp_exit, struct scx_exit_info *info)
{
	bpf_probe_read_kernel_str(report.reason, sizeof(report.reason), info->reason);
	bpf_probe_read_kernel_str(report.message, sizeof(report.message), info->msg);
	report.code = info->exit_code;
	/* Last: from now on the rest is read. */
	report.ended = info->kind;
}

#endif
