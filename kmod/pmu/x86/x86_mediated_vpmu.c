// SPDX-License-Identifier: GPL-2.0
/*
 * Keeping the PMU from virtual machines. Since 7.0 KVM can hand the whole PMU to a
 * virtual machine while that runs (a mediated vPMU): it writes all registers at each
 * entry and exit, and reserves none of them. But it asks perf: no such machine is
 * created while there is an event that counts guests, too, and no such event while
 * there is such a machine.
 *
 * So we have an event of that kind as long as the PMU is ours: it counts nothing, and
 * belongs to a PMU of our own that accepts no other events.
 */
#include <linux/err.h>
#include <linux/perf_event.h>
#include <base/compat.h>
#include "base/kernel_cred.h"
#include "pmu/x86/x86_mediated_vpmu.h"

static void on_overflow(struct perf_event *event, struct perf_sample_data *data,
			struct pt_regs *regs)
{
}

static int guard_init(struct perf_event *event)
{
	return event->attr.type == event->pmu->type &&
	       event->overflow_handler == on_overflow ? 0 : -ENOENT;
}

static int guard_add(struct perf_event *event, int flags)
{
	return 0;
}

static void guard_nop(struct perf_event *event, int flags)
{
}

static void guard_read(struct perf_event *event)
{
}

static struct pmu guard_pmu = {
	.task_ctx_nr = perf_invalid_context,
	.capabilities = PERF_PMU_CAP_NO_INTERRUPT | PERF_PMU_CAP_MEDIATED_VPMU,
	.event_init = guard_init,
	.add = guard_add,
	.del = guard_nop,
	.start = guard_nop,
	.stop = guard_nop,
	.read = guard_read,
};

static bool registered;
static struct perf_event *guard;

/**
 * pmc_x86_vpmu_init - get ready to keep virtual machines off the PMU
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_x86_vpmu_init(void)
{
	int ret = 0;

	if (PERF_PMU_CAP_MEDIATED_VPMU && !registered)
		ret = perf_pmu_register(&guard_pmu, "pmctrack", -1);
	registered = PERF_PMU_CAP_MEDIATED_VPMU && !ret;
	return ret;
}

/**
 * pmc_x86_vpmu_exit - undo pmc_x86_vpmu_init()
 *
 * Context: May sleep. The PMU is not ours.
 */
void pmc_x86_vpmu_exit(void)
{
	if (registered)
		perf_pmu_unregister(&guard_pmu);
	registered = false;
}

/**
 * pmc_x86_vpmu_refuse - from now on no virtual machine may take the PMU
 * @cpu: an online CPU
 *
 * Context: May sleep.
 * Return: 0; -EOPNOTSUPP when one has it already; or another error.
 */
int pmc_x86_vpmu_refuse(unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = guard_pmu.type,
		.size = sizeof(attr),
		.disabled = 1,
	};
	struct perf_event *event;
	const struct cred *own;

	if (!registered)
		return 0;
	/* The client need not be allowed to count a CPU. */
	own = pmc_kernel_creds_begin();
	if (!own)
		return -ENOMEM;
	event = perf_event_create_kernel_counter(&attr, cpu, NULL, on_overflow,
						 NULL);
	pmc_kernel_creds_end(own);
	if (IS_ERR(event))
		return PTR_ERR(event);
	guard = event;
	return 0;
}

/**
 * pmc_x86_vpmu_allow - undo pmc_x86_vpmu_refuse()
 *
 * Context: May sleep.
 */
void pmc_x86_vpmu_allow(void)
{
	if (guard)
		perf_event_release_kernel(guard);
	guard = NULL;
}
