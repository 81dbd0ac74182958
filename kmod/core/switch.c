// SPDX-License-Identifier: GPL-2.0
/*
 * The work at a context switch: taking a thread's counts off the counters
 * and putting the next one's on. Everything here runs with interrupts off
 * on the CPU concerned, under the run-queue lock more often than not: it
 * doesn't sleep, allocate, print or wait for a lock.
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include "caliper.h"
#include "sample.h"
#include "session.h"
#include "../pmu/soft.h"

/**
 * pmc_start_set - make ready to count with a set from now on
 * @t: thread whose @set has just changed
 *
 * Sampling periods begin anew: a sample has just been cut.
 */
void pmc_start_set(struct pmc_thread *t)
{
	const struct pmc_evset *set = t->set;
	unsigned int i;

	for (i = 0; i < set->nr_hw; i++)
		t->left[set->hw[i].pos] = set->hw[i].ebs;
	if (!t->task)
		return;
	for (i = 0; i < set->nr_sw; i++)
		t->mark[set->sw[i].pos] = pmc_soft_read(t->task,
							set->sw[i].sw,
							t->task == current);
}

/**
 * pmc_arm_ebs - let the counters of a set interrupt
 * @cpu: this CPU
 * @t: thread loaded on it, with an EBS set
 */
void pmc_arm_ebs(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	const struct pmc_evset *set = t->set;
	unsigned int i;

	for (i = 0; i < set->nr_hw; i++)
		if (set->hw[i].ebs)
			pmc_backend->arm(cpu, &set->hw[i],
					 t->left[set->hw[i].pos]);
}

/**
 * pmc_disarm_ebs - keep the counters of a set from interrupting
 * @cpu: this CPU
 * @t: thread loaded on it, with an EBS set
 *
 * What is left of each period is kept for the next time; 0 or less says
 * that it ended with no interrupt to come.
 */
void pmc_disarm_ebs(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	const struct pmc_evset *set = t->set;
	unsigned int i;

	for (i = 0; i < set->nr_hw; i++)
		if (set->hw[i].ebs)
			t->left[set->hw[i].pos] =
				pmc_backend->disarm(cpu, &set->hw[i]);
}

/* Periods that ended just before the thread left the CPU. */
static void cut_overdue(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	const struct pmc_evset *set = t->set;
	unsigned int i;

	for (i = 0; i < set->nr_hw; i++) {
		const struct pmc_hw_event *ev = &set->hw[i];

		if (!ev->ebs || t->left[ev->pos] > 0)
			continue;
		while (t->left[ev->pos] <= 0)
			t->left[ev->pos] += ev->ebs;
		pmc_cut(cpu, t, ktime_get_mono_fast_ns(), PMC_SAMPLE_EBS,
			ev->pos);
		if (t->set != set)
			return;
	}
}

/* The first time on this core type since another one, or since ever. */
static noinline void change_core_type(struct pmc_cpu *cpu,
				      struct pmc_thread *t)
{
	if (t->set)
		pmc_cut(cpu, t, ktime_get_mono_fast_ns(), PMC_SAMPLE_MIGRATION,
			0);
	t->ct = cpu->ct->id;
	t->set = t->current_set[t->ct];
	pmc_start_set(t);
}

/* Samples that came due while the thread was away. */
static noinline void settle(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	u64 now = ktime_get_mono_fast_ns();

	if (t->want_sample) {
		t->want_sample = false;
		pmc_cut(cpu, t, now, PMC_SAMPLE_SELF, 0);
	}
	if (t->deadline <= now) {
		pmc_cut(cpu, t, now, PMC_SAMPLE_TICK, 0);
		t->deadline = now + t->session->period;
	}
	if (t->deadline < cpu->expiry)
		pmc_arm_timer(cpu, t->deadline);
}

/**
 * pmc_load - put a thread's current event set on the counters
 * @cpu: this CPU
 * @t: active thread that is loaded nowhere; current, or about to be
 *
 * Context: Interrupts off, between pmc_cpu_begin() and pmc_cpu_end().
 */
void pmc_load(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	const struct pmc_evset *set;

	if (unlikely(t->ct != cpu->ct->id))
		change_core_type(cpu, t);
	if (unlikely(t->deadline < cpu->expiry || t->want_sample))
		settle(cpu, t);
	set = t->set;
	pmc_backend->load(cpu, set, t->cur);
	t->run_mark = pmc_task_clock(t->task, t->task == current);
	t->cpu = smp_processor_id();
	t->last_cpu = t->cpu;
	t->next = cpu->loaded;
	cpu->loaded = t;
	if (unlikely(set->nr_ebs)) {
		if (t->throttled && t->throttle_jiffy != jiffies)
			t->throttled = false;
		if (!t->throttled)
			pmc_arm_ebs(cpu, t);
	}
	if (unlikely(t->page))
		pmc_caliper_load(cpu, t);
}

/* @running: the thread is in the middle of a time slice, not at its end. */
static void unload(struct pmc_cpu *cpu, struct pmc_thread *t, bool running)
{
	const struct pmc_evset *set = t->set;
	s64 slice;

	if (unlikely(t->page))
		pmc_caliper_unload(cpu, t);
	if (unlikely(set->nr_ebs) && !t->throttled)
		pmc_disarm_ebs(cpu, t);
	pmc_backend->unload(cpu, set, t->cur);
	slice = pmc_task_clock(t->task, running) - t->run_mark;
	if (likely(slice > 0))
		t->running += slice;
	t->cpu = -1;
	if (unlikely(set->nr_ebs))
		cut_overdue(cpu, t);
}

/**
 * pmc_unload_one - take one of the threads of current off this CPU
 * @cpu: this CPU
 * @t: thread loaded on it
 *
 * Context: Interrupts off, between pmc_cpu_begin() and pmc_cpu_end().
 */
void pmc_unload_one(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	struct pmc_thread **link = &cpu->loaded;

	while (*link != t)
		link = &(*link)->next;
	*link = t->next;
	unload(cpu, t, true);
}

/**
 * pmc_unload_all - take everything off this CPU, at a switch
 * @cpu: this CPU
 *
 * Context: Interrupts off, between pmc_cpu_begin() and pmc_cpu_end().
 */
void pmc_unload_all(struct pmc_cpu *cpu)
{
	struct pmc_thread *t;

	while ((t = cpu->loaded)) {
		cpu->loaded = t->next;
		unload(cpu, t, false);
	}
}

/**
 * pmc_unload_taken - take off this CPU what is out of the table
 * @cpu: this CPU
 *
 * Context: Interrupts off, between pmc_cpu_begin() and pmc_cpu_end().
 */
void pmc_unload_taken(struct pmc_cpu *cpu)
{
	struct pmc_thread **link = &cpu->loaded, *t;

	while ((t = *link)) {
		if (!hlist_bl_unhashed(&t->node)) {
			link = &t->next;
			continue;
		}
		*link = t->next;
		unload(cpu, t, true);
	}
}
