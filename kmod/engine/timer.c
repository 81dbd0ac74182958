// SPDX-License-Identifier: GPL-2.0
/*
 * One timer for each CPU serves all threads: it is armed for the earliest
 * deadline of loaded threads. When a switch unloads that thread, the timer fires
 * in vain, rather than being set anew at each switch.
 */
#include <linux/hardirq.h>
#include <linux/ktime.h>
#include <base/compat.h>
#include "base/percpu.h"
#include "engine/timer.h"

/**
 * pmc_arm_timer - let the CPU's timer fire earlier
 * @cpu: this CPU
 * @expiry: when, CLOCK_MONOTONIC ns
 *
 * Context: Interrupts off, or NMI.
 */
void pmc_arm_timer(struct pmc_cpu *cpu, u64 expiry)
{
	cpu->expiry = expiry;
	if (in_nmi())
		irq_work_queue(&cpu->timer_work);
	else
		hrtimer_start(&cpu->timer, ns_to_ktime(min_t(u64, expiry, KTIME_MAX)),
			      HRTIMER_MODE_ABS_PINNED_HARD);
}

/**
 * pmc_restart_timer - let the CPU's timer fire again, from its own callback
 * @cpu: this CPU
 * @expiry: when, CLOCK_MONOTONIC ns; U64_MAX: not at all
 *
 * The kernel queues a timer that it restarts at less cost than one that the callback starts.
 *
 * Context: The timer's callback.
 * Return: what the callback returns.
 */
enum hrtimer_restart pmc_restart_timer(struct pmc_cpu *cpu, u64 expiry)
{
	/* An overflow that waited for the callback may have started the timer already. */
	if (expiry >= cpu->expiry)
		return HRTIMER_NORESTART;
	if (hrtimer_is_queued(&cpu->timer)) {
		pmc_arm_timer(cpu, expiry);
		return HRTIMER_NORESTART;
	}
	cpu->expiry = expiry;
	hrtimer_set_expires(&cpu->timer, ns_to_ktime(min_t(u64, expiry, KTIME_MAX)));
	return HRTIMER_RESTART;
}

static void start_timer(struct irq_work *work)
{
	struct pmc_cpu *cpu = container_of(work, struct pmc_cpu, timer_work);

	if (cpu->expiry != U64_MAX)
		pmc_arm_timer(cpu, cpu->expiry);
}

/**
 * pmc_timer_init - set up the timer of a CPU
 * @cpu: any CPU
 * @expired: called at its expiry
 */
void pmc_timer_init(struct pmc_cpu *cpu, enum hrtimer_restart (*expired)(struct hrtimer *timer))
{
	pmc_hrtimer_setup(&cpu->timer, expired, HRTIMER_MODE_ABS_PINNED_HARD);
	cpu->timer_work = IRQ_WORK_INIT_HARD(start_timer);
	cpu->expiry = U64_MAX;
}

/**
 * pmc_timer_stop - make sure the timer of a CPU is not running
 * @cpu: CPU that has nothing loaded any more
 *
 * Context: May sleep.
 */
void pmc_timer_stop(struct pmc_cpu *cpu)
{
	irq_work_sync(&cpu->timer_work);
	hrtimer_cancel(&cpu->timer);
	cpu->expiry = U64_MAX;
}
