// SPDX-License-Identifier: GPL-2.0
/* Samples are taken at the overflow of a counter and at the end of the sampling period. */
#include <linux/ktime.h>
#include <linux/string.h>
#include "base/clock.h"
#include "base/percpu.h"
#include "base/settings.h"
#include "base/stats.h"
#include "engine/consumer.h"
#include "engine/ebs.h"
#include "engine/record_sample.h"
#include "engine/ring.h"
#include "engine/sample_trigger.h"
#include "engine/thread.h"
#include "engine/timer.h"
#include "engine/user_page.h"
#include "pmu/event_set.h"
#include "pmu/pmu.h"
#include "uapi/pmctrack.h"

/* The held-back interrupts of a thread come again in another window. */
static void throttle(struct pmc_cpu *cpu, struct pmc_thread *t, u64 now)
{
	pmc_disarm_ebs(cpu, t);
	t->throttled = true;
	t->throttle_window = pmc_ebs_window();
	t->flags |= PMC_REC_THROTTLED;
	pmc_stat_inc(PMC_STAT_THROTTLED);
	pmc_ring_throttled(&t->consumer->ring, 1);
	if (now + TICK_NSEC < cpu->expiry)
		pmc_arm_timer(cpu, now + TICK_NSEC);
}

static void unthrottle(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	t->throttled = false;
	pmc_arm_ebs(cpu, t);
}

/*
 * Too many by number, or by the share of the time they take: where an interrupt
 * takes longer than the period it ends, with kernel mode counted, the next one
 * is always there already, and nothing else would ever run on this CPU.
 */
static bool too_many(struct pmc_cpu *cpu, const struct pmc_consumer *c, u64 spent)
{
	struct pmc_ebs_share *share = &cpu->ebs[c->priority];
	unsigned long now = pmc_ebs_window();

	if (cpu->ebs_window != now) {
		cpu->ebs_window = now;
		memset(cpu->ebs, 0, sizeof(cpu->ebs));
	}
	share->spent += spent;
	return ++share->count >
	       pmc_settings.ebs_max_rate * (MSEC_PER_SEC / HZ) ||
	       share->spent > pmc_cycles_per_tick() / 8;
}

static void overflow_of(struct pmc_cpu *cpu, struct pmc_thread *t,
			unsigned int slot)
{
	const struct pmc_evset *set = t->set;
	unsigned int i;
	u64 now, begin;

	if (!set->nr_ebs || t->throttled)
		return;
	for (i = 0; i < set->nr_hw; i++)
		if (set->hw[i].slot == slot && set->hw[i].ebs)
			break;
	if (i == set->nr_hw)
		return;
	begin = pmc_cycles();
	now = ktime_get_mono_fast_ns();
	pmc_record_sample(cpu, t, now, PMC_SAMPLE_EBS, set->pos[i]);
	if (unlikely(too_many(cpu, t->consumer, pmc_cycles() - begin)))
		throttle(cpu, t, now);
}

/*
 * With the first sample a thread may turn to another event set, of which none
 * of these slots has overflowed.
 */
static void overflows_of(struct pmc_cpu *cpu, struct pmc_thread *t, u64 slots)
{
	const struct pmc_evset *set = t->set;

	for (; slots && t->set == set; slots &= slots - 1)
		overflow_of(cpu, t, __ffs64(slots));
}

/**
 * pmc_overflow - a counter of this CPU has overflowed
 * @slot: which
 *
 * Context: The PMU's interrupt, which may be an NMI.
 */
void pmc_overflow(unsigned int slot)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	struct pmc_thread *t;

	if (unlikely(cpu->busy)) {
		cpu->deferred |= BIT_ULL(slot);
		return;
	}
	for (t = cpu->loaded; t; t = t->next)
		overflow_of(cpu, t, slot);
}

/**
 * pmc_record_overflows - record samples of the counters that have overflowed
 * @cpu: this CPU
 *
 * Context: Interrupts off, or NMI.
 */
void pmc_record_overflows(struct pmc_cpu *cpu)
{
	struct pmc_thread *t;
	u64 slots;

	/* In the middle of a hook: the driver reports it, and it is deferred. */
	if (unlikely(cpu->busy))
		return;
	for (t = cpu->loaded; t; t = t->next) {
		if (!t->set->nr_ebs || t->throttled)
			continue;
		slots = pmc_backend->overflows(cpu, t->set);
		overflows_of(cpu, t, slots);
	}
}

/**
 * pmc_overflows - counters were set anew after their overflow
 * @cpu: this CPU, not in the middle of a hook
 * @slots: those whose sampling period is over
 *
 * Context: NMI.
 */
void pmc_overflows(struct pmc_cpu *cpu, u64 slots)
{
	struct pmc_thread *t;
	bool pages = false;

	for (t = cpu->loaded; t; t = t->next) {
		overflows_of(cpu, t, slots);
		pages |= !!t->page;
	}
	if (unlikely(pages))
		pmc_caliper_irq();
}

/**
 * pmc_run_deferred - see to overflows that came in the middle of a hook
 * @cpu: this CPU
 *
 * Context: Interrupts off.
 */
void pmc_run_deferred(struct pmc_cpu *cpu)
{
	struct pmc_thread *t;
	u64 slots;

	while ((slots = this_cpu_xchg(pmc_cpus.deferred, 0))) {
		bool republish = slots & (PMC_REPUBLISH | PMC_PMI);

		cpu->busy = 1;
		barrier();
		if (slots & PMC_PMI)
			slots |= pmc_backend->pmi(cpu);
		slots &= ~(PMC_REPUBLISH | PMC_PMI);
		for (t = cpu->loaded; t; t = t->next)
			overflows_of(cpu, t, slots);
		if (republish)
			pmc_caliper_publish(cpu);
		barrier();
		cpu->busy = 0;
		barrier();
	}
}

static u64 tick(struct pmc_cpu *cpu, struct pmc_thread *t, u64 now)
{
	u64 period = READ_ONCE(t->consumer->period);

	if (t->throttled && t->throttle_window != pmc_ebs_window())
		unthrottle(cpu, t);
	if (t->deadline <= now) {
		/* Its own time: others' samples have taken theirs since. */
		pmc_record_sample(cpu, t, ktime_get_mono_fast_ns(), PMC_SAMPLE_TICK, 0);
		/* Keep the beat, but leave one out rather than hurry. */
		t->deadline += period;
		if (t->deadline < now + period / 2)
			t->deadline += period;
		if (t->deadline < now + period / 2)
			t->deadline = now + period;
		/* A module has changed its mind. */
		if (unlikely(!period))
			t->deadline = U64_MAX;
	}
	return t->throttled ? min(t->deadline, now + TICK_NSEC) : t->deadline;
}

/**
 * pmc_on_timer - a CPU's timer has expired
 * @timer: that of this CPU
 *
 * Context: Hard interrupt.
 * Return: HRTIMER_RESTART if any thread has a deadline.
 */
enum hrtimer_restart pmc_on_timer(struct hrtimer *timer)
{
	struct pmc_cpu *cpu = container_of(timer, struct pmc_cpu, timer);
	u64 now = ktime_get_mono_fast_ns(), next = U64_MAX;
	struct pmc_thread *t;

	cpu->expiry = U64_MAX;
	pmc_cpu_begin(cpu);
	for (t = cpu->loaded; t; t = t->next)
		next = min(next, tick(cpu, t, now));
	/* Counters that interrupt again have been set anew. */
	pmc_caliper_publish(cpu);
	for (t = cpu->syswide; t; t = t->next)
		next = min(next, tick(cpu, t, now));
	pmc_cpu_end(cpu);
	return pmc_restart_timer(cpu, next);
}
