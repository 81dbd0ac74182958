// SPDX-License-Identifier: GPL-2.0
/*
 * pmctrack: performance counters for each thread, on machines whose cores
 * differ. The parts of the module, in the order in which they start.
 */
#include <linux/cpu.h>
#include <linux/module.h>
#include "base/clock.h"
#include "base/pmu_callbacks.h"
#include "base/work.h"
#include "engine/record_sample.h"
#include "engine/sample_trigger.h"
#include "engine/thread_table.h"
#include "engine/user_page.h"
#include "front/hooks/provider.h"
#include "front/hotplug.h"
#include "front/netlink.h"
#include "front/proc/proc.h"
#include "front/suspend.h"
#include "metrics/kfuncs.h"
#include "metrics/module_session_threads.h"
#include "metrics/scheduler.h"
#include "metrics/virtual.h"
#include "pmu/backends.h"
#include "pmu/coretypes.h"
#include "pmu/kcounter.h"
#include "pmu/pmu.h"
#include "session/module_callbacks.h"
#include "session/reserve.h"
#include "session/user_page_map.h"

static char *core_types;
module_param(core_types, charp, 0444);
MODULE_PARM_DESC(core_types, "core types by hand: 0-1:big,2-3:little");

static char *backend;
module_param(backend, charp, 0444);
MODULE_PARM_DESC(backend, "one of those that modinfo lists as `backend`; default: the most exact that works");

static bool exclusive;
module_param(exclusive, bool, 0444);
MODULE_PARM_DESC(exclusive, "intel, amd: have the PMU for ourselves while a session counts, which is cheaper; perf and the NMI watchdog are refused then (default: N)");

static char *hooks;
module_param(hooks, charp, 0444);
MODULE_PARM_DESC(hooks, "kernel (of a patched one) or tracepoints; default: kernel where there are");

static const struct pmc_upcalls upcalls = {
	.overflow = pmc_overflow,
	.overflows = pmc_overflows,
	.run_deferred = pmc_run_deferred,
	.missed = pmc_note_missed,
	.user_reads = pmc_caliper_clear_dirty,
	.republish = pmc_caliper_irq,
};

static const struct pmc_module_ops module_ops = {
	.attach = pmc_modules_attach,
	.fork = pmc_modules_fork,
	.sweep = pmc_modules_sweep,
	.check = pmc_session_check_virtuals,
	.forget = pmc_session_clear_virtuals,
};

static int find_hardware(void)
{
	int ret = pmc_cycles_init();

	if (ret)
		return ret;
	pmc_upcalls_init(&upcalls);
	pmc_kcounter_init();
	cpus_read_lock();
	ret = pmc_core_types_init(core_types);
	if (!ret) {
		ret = pmc_backend_init(backend, exclusive);
		if (ret)
			pmc_core_types_exit();
	}
	cpus_read_unlock();
	if (!ret)
		pmc_backend_bind();
	return ret;
}

static int __init pmc_module_init(void)
{
	int ret;

	ret = find_hardware();
	if (ret)
		return ret;
	ret = pmc_table_init();
	if (ret)
		goto hardware;
	ret = pmc_work_init();
	if (ret)
		goto table;
	pmc_module_ops_init(&module_ops);
	ret = pmc_hotplug_init();
	if (ret)
		goto work;
	ret = pmc_hooks_init(hooks);
	if (ret)
		goto hotplug;
	ret = pmc_kfuncs_init();
	if (ret)
		goto unhook;
	ret = pmc_netlink_init();
	if (ret)
		goto unhook;
	ret = pmc_proc_init();
	if (ret)
		goto netlink;
	pmc_suspend_init();
	pr_info("backend %s%s, %u core type(s)\n", pmc_backend->name,
		pmc_backend->exclusive ? " (exclusive)" : "",
		pmc_nr_core_types);
	return 0;
netlink:
	pmc_netlink_exit();
unhook:
	pmc_hooks_quiesce();
	pmc_scheduler_exit();
	pmc_reserve_exit();
	pmc_hooks_exit();
hotplug:
	pmc_hotplug_exit();
work:
	pmc_work_exit();
table:
	pmc_table_exit();
hardware:
	pmc_backend_exit();
	pmc_core_types_exit();
	return ret;
}

static void __exit pmc_module_exit(void)
{
	pmc_proc_exit();
	pmc_netlink_exit();
	pmc_hooks_quiesce();
	pmc_scheduler_exit();
	pmc_suspend_exit();
	pmc_caliper_exit();
	pmc_reserve_exit();
	pmc_hooks_exit();
	pmc_hotplug_exit();
	pmc_work_exit();
	/* kfree_rcu() needs nothing of ours. */
	pmc_table_exit();
	pmc_backend_exit();
	pmc_core_types_exit();
}

module_init(pmc_module_init);
module_exit(pmc_module_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Performance counters for each thread");
MODULE_VERSION(PMC_VERSION);
