// SPDX-License-Identifier: GPL-2.0
/*
 * The hooks of a kernel with kernel-patches: it calls us directly, without a
 * tracepoint's list of probes, and schedulers that are built into it ask for
 * metrics through it.
 */
#include <linux/build_bug.h>
#include <linux/rcupdate.h>
#include "engine/switch.h"
#include "front/hooks/patched.h"
#include "include/pmctrack/scheduler.h"
#include "metrics/scheduler.h"
#include "session/inherit.h"

/* The kernel's schedulers ask by its numbers, and it is as old as it is. */
#define SAME(metric) \
	static_assert((int)PMCTRACK_##metric == (int)PMC_METRIC_##metric)
SAME(SPEEDUP_FACTOR);
SAME(IPC);
SAME(LLC_MISSES);
SAME(LLC_REFERENCES);
SAME(EFFICIENCY_FACTOR);
SAME(APP_SPEEDUP);
SAME(APP_THREADS);
SAME(LLC_OCCUPANCY);
SAME(ENERGY);
SAME(CLASS);
SAME(POWER);

static void notrace on_sched_switch(struct task_struct *next)
{
	pmc_on_switch(next);
}

static void on_fork(struct task_struct *child, u64 clone_flags)
{
	pmc_on_fork(child, clone_flags);
}

static void on_exec(struct linux_binprm *bprm)
{
	pmc_on_exec(bprm);
}

static void on_exit(struct task_struct *task)
{
	pmc_on_exit();
}

/* Not any more when the module is being unloaded. */
static bool may_monitor;

static int monitor(struct task_struct *task, bool on)
{
	if (!READ_ONCE(may_monitor))
		return -ENODEV;
	return pmc_scheduler_monitor(task, on);
}

static const struct pmctrack_ops ops = {
	.sched_switch = on_sched_switch,
	.fork = on_fork,
	.exec = on_exec,
	.exit = on_exit,
	.get_value = pmc_scheduler_value,
	.get_metric = pmc_scheduler_metric,
	.monitor = monitor,
};

static int hooks_on(void)
{
	pmctrack_hooks_on();
	return 0;
}

const struct pmc_hook_provider pmc_hooks_kernel = {
	.name = "kernel",
	.enable = hooks_on,
	.disable = pmctrack_hooks_off,
};

/**
 * pmc_kernel_register - give the kernel the functions to call
 *
 * Context: May sleep.
 * Return: 0, or -EBUSY when another module has done so.
 */
int pmc_kernel_register(void)
{
	int ret = pmctrack_register_ops(&ops);

	if (ret)
		pr_err("another module has the kernel's hooks\n");
	else
		WRITE_ONCE(may_monitor, true);
	return ret;
}

/**
 * pmc_kernel_quiesce - no thread is to be monitored any more
 *
 * Monitored threads may be ended then, with the hooks still in force.
 *
 * Context: May sleep.
 */
void pmc_kernel_quiesce(void)
{
	WRITE_ONCE(may_monitor, false);
	synchronize_rcu();
}

/**
 * pmc_kernel_unregister - undo pmc_kernel_register()
 *
 * Context: May sleep.
 */
void pmc_kernel_unregister(void)
{
	pmctrack_unregister_ops(&ops);
}
