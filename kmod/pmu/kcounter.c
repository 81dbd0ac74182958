// SPDX-License-Identifier: GPL-2.0
/*
 * Every slot is held by a pinned counter of the kernel's perf subsystem, one a
 * CPU. So perf and this module share the PMU: perf hands out the physical counter,
 * moves its other users to the rest (which they see by time_running), and refuses
 * us when all are pinned. Interrupts of the PMU belong to its driver on a stock
 * kernel and reach us as the overflow of that counter.
 */
#include <linux/err.h>
#include <linux/irq_work.h>
#include "base/err.h"
#include "base/kernel_cred.h"
#include "base/percpu.h"
#include "base/pmu_callbacks.h"
#include "pmu/event_set.h"
#include "pmu/kcounter.h"
#include "uapi/pmctrack.h"

/* The value of hw.interrupts of an event that perf stops (MAX_INTERRUPTS). */
#define THROTTLED	(~0ULL)

/* Slots that perf has stopped, or is about to. */
struct stopped {
	DECLARE_BITMAP(slots, PMC_MAX_SLOTS);
	struct irq_work work;
};

static DEFINE_PER_CPU(struct stopped, stopped);

static void go_on(struct irq_work *work)
{
	struct stopped *s = container_of(work, struct stopped, work);
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	unsigned int slot;

	pmc_cpu_begin(cpu);
	for_each_set_bit(slot, s->slots, PMC_MAX_SLOTS) {
		struct perf_event *event = cpu->ev[slot];

		if (test_and_clear_bit(slot, s->slots) && event) {
			pmc_kevent_stop(event);
			pmc_kevent_start(event);
		}
	}
	pmc_cpu_end(cpu);
}

/*
 * perf stops a counter that interrupts more often in a tick than its sysctl allows, which
 * may be once, and would lose its events up to the next tick. We throttle interrupts
 * ourselves and go on counting. So each interrupt is made the first of its tick. Where perf
 * stops even that one, since 6.16, f51972e6f8b9 ("perf/core: Fix broken throttling when
 * max_samples_per_tick=1"), an interrupt that comes right after this one, before the
 * thread goes on, starts the counter again. perf's own next tick has nothing to start.
 */
static void keep_counting(struct perf_event *event, unsigned int slot)
{
	struct stopped *s = this_cpu_ptr(&stopped);

	if (event->hw.interrupts == THROTTLED) {
		set_bit(slot, s->slots);
		irq_work_queue(&s->work);
	}
	event->hw.interrupts = 0;
	event->hw.interrupts_seq--;
}

/*
 * An NMI may come while perf changes a counter, with interrupts off, and would read it
 * half changed.
 */
static bool in_the_middle(const struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return !(regs->flags & X86_EFLAGS_IF);
#else
	return false;
#endif
}

/* Runs in the PMU's interrupt, which may be an NMI. */
static void overflow(struct perf_event *event, struct perf_sample_data *data,
		     struct pt_regs *regs)
{
	unsigned int slot = (unsigned long)event->overflow_handler_context;

	keep_counting(event, slot);
	if (in_the_middle(regs)) {
		struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);

		cpu->deferred |= BIT_ULL(slot);
		irq_work_queue(this_cpu_ptr(&stopped.work));
		return;
	}
	static_call(pmc_up_overflow)(slot);
}

/**
 * pmc_kcounter_take_back - take back the end of a period that waits until the CPU is not busy
 * @cpu: this CPU
 * @ev: event whose thread is unloaded; it no longer interrupts
 *
 * The thread that is loaded next would have the sample.
 *
 * Context: Interrupts off.
 * Return: the period's events, if the driver has reported its end and begun the next one; or 0.
 */
u64 pmc_kcounter_take_back(struct pmc_cpu *cpu, const struct pmc_hw_event *ev)
{
	u64 bit = BIT_ULL(ev->slot);

	if (likely(!(cpu->deferred & bit)))
		return 0;
	this_cpu_and(pmc_cpus.deferred, ~bit);
	return ev->ebs;
}

/**
 * pmc_kcounter_init - make ready for the first counter
 *
 * Pointers in a module's per-CPU data are not relocated on 6.1 and 6.12.
 *
 * Context: Any.
 */
void pmc_kcounter_init(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(stopped, cpu).work = IRQ_WORK_INIT_HARD(go_on);
}

static struct perf_event *create(unsigned int cpu, unsigned int slot,
				 struct perf_event_attr *attr)
{
	return perf_event_create_kernel_counter(attr, cpu, NULL, overflow,
						(void *)(unsigned long)slot);
}

/*
 * On x86, perf's driver gives an event the counter of its hw.idx, where that is free and can
 * count the event, and moves no other event then. An event that has had no counter yet may
 * make it move all (x86_schedule_events()).
 */
static struct perf_event *create_on(unsigned int cpu, unsigned int slot, int idx,
				    struct perf_event_attr *attr)
{
	struct perf_event *event;

	attr->disabled = idx >= 0;
	event = create(cpu, slot, attr);
	if (IS_ERR(event) || idx < 0)
		return event;
	event->hw.idx = idx;
	perf_event_enable(event);
	return event;
}

/* Counters of a CPU that are held for sessions. */
static unsigned int nr_held(unsigned int cpu)
{
	unsigned int slot, nr = 0;

	for (slot = 0; slot < PMC_MAX_SLOTS; slot++)
		nr += !!per_cpu(pmc_cpus, cpu).ev[slot];
	return nr;
}

/**
 * pmc_kcounter_try - does perf take such an event
 * @cpu: an online CPU
 * @attr: what it is to count; made disabled here
 *
 * Context: May sleep.
 * Return: 0 or a negative error. No counter counts it, and no register is written.
 */
int pmc_kcounter_try(unsigned int cpu, struct perf_event_attr *attr)
{
	const struct cred *own = pmc_kernel_creds_begin();
	struct perf_event *event;

	if (!own)
		return -ENOMEM;
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	event = create(cpu, 0, attr);
	pmc_kernel_creds_end(own);
	if (IS_ERR(event))
		return PTR_ERR(event);
	perf_event_release_kernel(event);
	return 0;
}

/**
 * pmc_kcounter_create - hold a slot of a CPU by a kernel counter
 * @cpu: an online CPU
 * @slot: slot
 * @idx: the physical counter that is wanted, by its number in hw.idx; -1: any
 * @attr: what the counter starts with; made pinned and silent here
 * @err: explains a refusal
 *
 * Context: May sleep.
 * Return: 0, -EAGAIN when no counter is free for it, or another error.
 */
int pmc_kcounter_create(unsigned int cpu, unsigned int slot, int idx,
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
	event = create_on(cpu, slot, idx, attr);
	/* While virtual machines have the PMU by turns: guests are not counted. */
	if (IS_ERR(event) && PTR_ERR(event) == -EOPNOTSUPP &&
	    !attr->exclude_guest) {
		attr->exclude_guest = 1;
		event = create_on(cpu, slot, idx, attr);
	}
	pmc_kernel_creds_end(own);
	if (IS_ERR(event))
		return pmc_err(err, PTR_ERR(event),
			       "pmc%u of CPU %u: the kernel's PMU driver refuses it (error %ld)",
			       slot, cpu, PTR_ERR(event));
	if (READ_ONCE(event->state) != PERF_EVENT_STATE_ACTIVE) {
		perf_event_release_kernel(event);
		return pmc_err(err, -EAGAIN,
			       "pmc%u of CPU %u: no counter is free, of which this and other sessions have %u, perf and the NMI watchdog the rest: stop one of these, or ask for fewer events",
			       slot, cpu, nr_held(cpu));
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
	/* It may still be in use with interrupts off: RCU frees it. */
	WRITE_ONCE(pc->ev[slot], NULL);
	perf_event_release_kernel(event);
	irq_work_sync(&per_cpu(stopped, cpu).work);
}

static void note_missed_here(void *slot)
{
	pmc_upcalls->missed(this_cpu_ptr(&pmc_cpus), (unsigned long)slot);
}

/* See reacquire of struct pmu_backend. perf does not place again an event that had no place. */
bool pmc_kcounters_reacquire(struct pmc_cpu *cpu)
{
	bool all = true;
	unsigned int slot;

	for (slot = 0; slot < PMC_MAX_SLOTS; slot++) {
		struct perf_event *event = cpu->ev[slot];

		if (!event || READ_ONCE(event->state) != PERF_EVENT_STATE_ERROR)
			continue;
		smp_call_function_single(event->cpu, note_missed_here,
					 (void *)(unsigned long)slot, 1);
		perf_event_enable(event);
		if (READ_ONCE(event->state) == PERF_EVENT_STATE_ERROR)
			all = false;
	}
	return all;
}

/**
 * pmc_kevent_stop - stop an event's counter and update its count
 * @event: of this CPU, which is about to lose its counters
 *
 * For PMUs whose drivers do not: those of x86 take the counters to be unchanged
 * when the machine resumes. pmu_enable() has the driver write the registers for
 * all counters, too, and know that they are written.
 *
 * Context: Interrupts off, nothing else runs.
 */
void pmc_kevent_stop(struct perf_event *event)
{
	if (event->state != PERF_EVENT_STATE_ACTIVE)
		return;
	event->pmu->pmu_disable(event->pmu);
	event->pmu->stop(event, PERF_EF_UPDATE);
	event->pmu->pmu_enable(event->pmu);
}

/**
 * pmc_kevent_start - start an event's counter again
 * @event: of this CPU
 *
 * Context: Interrupts off, nothing else runs.
 */
void pmc_kevent_start(struct perf_event *event)
{
	if (event->state != PERF_EVENT_STATE_ACTIVE)
		return;
	event->pmu->pmu_disable(event->pmu);
	event->pmu->start(event, PERF_EF_RELOAD);
	event->pmu->pmu_enable(event->pmu);
}

static void change_all(struct pmc_cpu *cpu,
		       void (*change)(struct perf_event *event))
{
	unsigned int slot;

	for (slot = 0; slot < PMC_MAX_SLOTS; slot++)
		if (cpu->ev[slot])
			change(cpu->ev[slot]);
}

/* See suspend and resume of struct pmu_backend. */
void pmc_kcounters_suspend(struct pmc_cpu *cpu)
{
	change_all(cpu, pmc_kevent_stop);
}

void pmc_kcounters_resume(struct pmc_cpu *cpu)
{
	change_all(cpu, pmc_kevent_start);
}
