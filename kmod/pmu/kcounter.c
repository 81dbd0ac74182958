// SPDX-License-Identifier: GPL-2.0
/*
 * Every slot is held by a pinned counter of the kernel's perf subsystem, one
 * a CPU. That is what keeps the peace: perf hands out the physical counter,
 * moves its other users to what is left (and tells them by time_running),
 * and refuses us when all are taken for good. Interrupts of the PMU belong
 * to its driver on a stock kernel and reach us as the overflow of that
 * counter.
 */
#include <linux/err.h>
#include "../core/sample.h"
#include "../core/session.h"
#include "kcounter.h"

/* Runs in the PMU's interrupt, which may be an NMI. */
static void overflow(struct perf_event *event, struct perf_sample_data *data,
		     struct pt_regs *regs)
{
	unsigned int slot = (unsigned long)event->overflow_handler_context;

	/*
	 * perf stops a counter that interrupts more often than its sysctl
	 * allows, and loses its events. We hold interrupts back ourselves and
	 * go on counting, so start its count anew each time.
	 */
	event->hw.interrupts = 0;
	pmc_overflow(slot);
}

static struct perf_event *create(unsigned int cpu, unsigned int slot,
				 struct perf_event_attr *attr)
{
	return perf_event_create_kernel_counter(attr, cpu, NULL, overflow,
						(void *)(unsigned long)slot);
}

/**
 * pmc_kcounter_create - hold a slot of a CPU by a kernel counter
 * @cpu: an online CPU
 * @slot: slot
 * @attr: what the counter starts with; made pinned and silent here
 * @err: says why not
 *
 * Context: May sleep.
 * Return: 0, -EBUSY when the counter is not to be had, or another error.
 */
int pmc_kcounter_create(unsigned int cpu, unsigned int slot,
			struct perf_event_attr *attr, struct pmc_err *err)
{
	const struct cred *own;
	struct perf_event *event;

	/* perf leaves whole CPUs to root; what we read of it is a thread's. */
	own = pmc_kernel_creds_begin();
	if (!own)
		return -ENOMEM;
	attr->size = sizeof(*attr);
	attr->pinned = 1;
	attr->sample_period = PMC_NEVER;
	event = create(cpu, slot, attr);
	/* While virtual machines have the PMU by turns: what they do is not counted. */
	if (IS_ERR(event) && PTR_ERR(event) == -EOPNOTSUPP &&
	    !attr->exclude_guest) {
		attr->exclude_guest = 1;
		event = create(cpu, slot, attr);
	}
	pmc_kernel_creds_end(own);
	if (IS_ERR(event))
		return pmc_err(err, PTR_ERR(event),
			       "pmc%u of CPU %u: the kernel's PMU driver refuses it (error %ld)",
			       slot, cpu, PTR_ERR(event));
	if (READ_ONCE(event->state) != PERF_EVENT_STATE_ACTIVE) {
		perf_event_release_kernel(event);
		return pmc_err(err, -EBUSY,
			       "pmc%u of CPU %u is taken: perf or the NMI watchdog holds the counters; stop it or ask for fewer events",
			       slot, cpu);
	}
	per_cpu(pmc_cpus, cpu).ev[slot] = event;
	/* It counts what attr says, not what a set programmed last. */
	WRITE_ONCE(per_cpu(pmc_cpus, cpu).programmed, 0);
	return 0;
}

/**
 * pmc_kcounter_release - give a slot back
 * @cpu: CPU, still online
 * @slot: slot that was claimed; nothing is loaded on it any more
 *
 * Context: May sleep.
 */
void pmc_kcounter_release(unsigned int cpu, unsigned int slot)
{
	struct pmc_cpu *pc = per_cpu_ptr(&pmc_cpus, cpu);
	struct perf_event *event = pc->ev[slot];

	if (!event)
		return;
	/* Whoever still looks at it does so with interrupts off: RCU frees. */
	WRITE_ONCE(pc->ev[slot], NULL);
	perf_event_release_kernel(event);
}

/**
 * pmc_kevent_sleep - take off what an event's counter shows
 * @event: of this CPU, which is about to lose its counters
 *
 * For PMUs whose drivers do not: those of x86 believe the counters to be as
 * they were when the machine wakes up. pmu_enable() has the driver write what
 * is for all counters, too, and know that it is written.
 *
 * Context: Interrupts off, nothing else runs.
 */
void pmc_kevent_sleep(struct perf_event *event)
{
	if (event->state != PERF_EVENT_STATE_ACTIVE)
		return;
	event->pmu->pmu_disable(event->pmu);
	event->pmu->stop(event, PERF_EF_UPDATE);
	event->pmu->pmu_enable(event->pmu);
}

/**
 * pmc_kevent_wake - let it count on from there
 * @event: the same
 *
 * Context: Interrupts off, nothing else runs.
 */
void pmc_kevent_wake(struct perf_event *event)
{
	if (event->state != PERF_EVENT_STATE_ACTIVE)
		return;
	event->pmu->pmu_disable(event->pmu);
	event->pmu->start(event, PERF_EF_RELOAD);
	event->pmu->pmu_enable(event->pmu);
}
