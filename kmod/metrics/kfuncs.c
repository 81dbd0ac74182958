// SPDX-License-Identifier: GPL-2.0
/*
 * The scheduler's interface for BPF programs: for schedulers of sched_ext, which
 * enable and query threads, and for tracing programs, which query them. Built where
 * the kernel takes such functions from modules and the module's own types (BTF) can
 * be made; see Kbuild.
 *
 * Metrics are of all users' threads, so only types of program are served for which
 * the kernel wants CAP_PERFMON; BPF_PROG_TYPE_SYSCALL is none of them.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/module.h>
#include "include/pmctrack/scheduler.h"
#include "metrics/kfuncs.h"

__bpf_kfunc_start_defs();

/**
 * bpf_pmcs_get_metric - a thread's metric as it was found last
 * @p: the thread
 * @metric: enum pmc_metric
 * @value: out: value and time; untouched on error
 *
 * Context: Any.
 * Return: as pmcs_get_metric().
 */
__bpf_kfunc int bpf_pmcs_get_metric(struct task_struct *p, int metric,
				    struct pmc_metric_value *value)
{
	return pmcs_get_metric(p, metric, value);
}

/**
 * bpf_pmcs_monitor_task - have a thread monitored, or no more
 * @p: the thread
 * @on: monitor it, and threads it starts from then on
 *
 * Context: Any but NMI.
 * Return: as pmcs_monitor_task().
 */
__bpf_kfunc int bpf_pmcs_monitor_task(struct task_struct *p, bool on)
{
	return pmcs_monitor_task(p, on);
}

__bpf_kfunc_end_defs();

/* KF_RCU: a thread that the verifier knows to be alive. */
BTF_KFUNCS_START(scheduler_set)
BTF_ID_FLAGS(func, bpf_pmcs_get_metric, KF_RCU)
BTF_ID_FLAGS(func, bpf_pmcs_monitor_task, KF_RCU)
BTF_KFUNCS_END(scheduler_set)

/* A program that traces may run in an NMI. */
BTF_KFUNCS_START(tracing_set)
BTF_ID_FLAGS(func, bpf_pmcs_get_metric, KF_RCU)
BTF_KFUNCS_END(tracing_set)

static const struct btf_kfunc_id_set scheduler_kfuncs = {
	.owner = THIS_MODULE,
	.set = &scheduler_set,
};

static const struct btf_kfunc_id_set tracing_kfuncs = {
	.owner = THIS_MODULE,
	.set = &tracing_set,
};

/**
 * pmc_kfuncs_init - let BPF programs call
 *
 * A program that does keeps this kernel module loaded; there is nothing to undo.
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_kfuncs_init(void)
{
	int ret;

	ret = register_btf_kfunc_id_set(BPF_PROG_TYPE_STRUCT_OPS,
					&scheduler_kfuncs);
	if (!ret)
		ret = register_btf_kfunc_id_set(BPF_PROG_TYPE_TRACING,
						&tracing_kfuncs);
	if (ret)
		pr_err("BPF programs cannot ask for metrics: error %d\n", ret);
	return ret;
}
