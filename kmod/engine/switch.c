// SPDX-License-Identifier: GPL-2.0
/*
 * The work at a context switch: taking a thread's counts off the counters
 * and putting the next one's on. Everything here runs with interrupts off
 * on the CPU concerned, under the run-queue lock more often than not: it
 * doesn't sleep, allocate, print or wait for a lock.
 */
#include <linux/ktime.h>
#include "base/clock.h"
#include "base/percpu.h"
#include "engine/consumer.h"
#include "engine/ebs.h"
#include "engine/evset_counters.h"
#include "engine/record_sample.h"
#include "engine/switch.h"
#include "engine/thread.h"
#include "engine/thread_evset.h"
#include "engine/thread_table.h"
#include "engine/timer.h"
#include "engine/user_page.h"
#include "engine/virtual_read.h"
#include "include/pmctrack/monitoring_module.h"
#include "pmu/event_set.h"
#include "pmu/period.h"
#include "pmu/pmu.h"
#include "pmu/user_reads.h"

/* Periods that ended just before the thread left the CPU. */
static void record_pending(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	const struct pmc_evset *set = t->set;
	unsigned int i;

	for (i = 0; i < set->nr_hw; i++) {
		u64 period = set->hw[i].ebs;

		if (!period || t->period_left[i] > 0)
			continue;
		t->period_left[i] = pmc_next_period(t->period_left[i], period);
		pmc_record_sample(cpu, t, ktime_get_mono_fast_ns(), PMC_SAMPLE_EBS,
				  set->pos[i]);
		if (t->set != set)
			return;
	}
}

/* The module is called last in either: they need no stack. */
static noinline void notify_switch_in(const struct pmc_thread *t)
{
	const struct monitoring_module *mm = t->mm;

	t->monitored->loaded = true;
	if (mm->switch_in)
		mm->switch_in(t->monitored);
}

static noinline void notify_switch_out(const struct pmc_thread *t)
{
	const struct monitoring_module *mm = t->mm;

	t->monitored->loaded = false;
	if (mm->switch_out)
		mm->switch_out(t->monitored);
}

/* Only notifies the module, which counts nothing. */
static noinline void load_no_counters(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	t->cpu = smp_processor_id();
	t->last_cpu = t->cpu;
	t->next = cpu->loaded;
	cpu->loaded = t;
	t->monitored->core_type = cpu->ct_id;
	notify_switch_in(t);
}

/*
 * The first time on this core type since another one, or since ever. The rotation and the
 * periods go on where they were when the thread left a core type with the same periods.
 */
static noinline void change_core_type(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	const struct pmc_consumer *c = t->consumer;
	const struct pmc_rotation *rot = &c->rotation[cpu->ct_id];

	if (t->set) {
		t->moved = true;
		pmc_record_sample(cpu, t, ktime_get_mono_fast_ns(), PMC_SAMPLE_MIGRATION,
				  0);
		t->set_left[c->rotation[t->ct].periods] = t->set->index;
	} else {
		pmc_virtual_begin(t);
	}
	t->ct = cpu->ct_id;
	t->set = rot->sets[t->set_left[rot->periods]];
	if (c->ebs)
		t->period_left = pmc_thread_periods(t) + rot->periods * c->nr_cur;
	pmc_thread_update_ready(t);
	if (t->monitored)
		t->monitored->core_type = t->ct;
	pmc_start_set(t);
}

/* Samples that came due while the thread was away, and the next one. */
static noinline void handle_deadline(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	u64 now = ktime_get_mono_fast_ns();

	/* The set is of this CPU's core type. */
	t->last_cpu = smp_processor_id();
	if (t->deadline <= now) {
		pmc_record_sample(cpu, t, now, PMC_SAMPLE_TICK, 0);
		pmc_thread_begin_period(t, now);
	}
	if (t->deadline < cpu->expiry)
		pmc_arm_timer(cpu, t->deadline);
}

/* It is throttled for the rest of this window: look again in the next. */
static void rearm_later(struct pmc_cpu *cpu)
{
	u64 next = ktime_get_mono_fast_ns() + TICK_NSEC;

	if (next < cpu->expiry)
		pmc_arm_timer(cpu, next);
}

static void record_if_wanted(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	if (!READ_ONCE(t->want_sample))
		return;
	WRITE_ONCE(t->want_sample, false);
	pmc_record_sample(cpu, t, ktime_get_mono_fast_ns(), PMC_SAMPLE_SELF, 0);
	pmc_update_slow_flags(t);
}

static noinline void load_slow(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	record_if_wanted(cpu, t);
	if (t->throttled && t->throttle_window != pmc_ebs_window())
		t->throttled = false;
	if (t->throttled)
		rearm_later(cpu);
	else if (t->set->nr_ebs)
		pmc_arm_ebs(cpu, t);
	cpu->nr_open += t->open;
}

static __always_inline void put_on(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	t->cpu = smp_processor_id();
	t->last_cpu = t->cpu;
	static_call(pmc_backend_load)(t->set, t->cur, cpu);
	if (unlikely(cpu->lost))
		pmc_note_lost(cpu, t);
	t->running -= pmc_cycles();
	t->next = cpu->loaded;
	cpu->loaded = t;
}

/*
 * A thread that is not ready for this CPU's core type.
 * Return: is it now? Threads without counters never are, as they are of no core type.
 */
static noinline bool make_ready(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	if (!t->active)
		return false;
	if (unlikely(!cpu->online)) {
		if (cpu->unavailable)
			pmc_note_lost(cpu, t);
		return false;
	}
	if (t->no_counters) {
		load_no_counters(cpu, t);
		return false;
	}
	change_core_type(cpu, t);
	return true;
}

static __always_inline void load(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	if (unlikely(t->ready != cpu->ct_id) && !make_ready(cpu, t))
		return;
	if (unlikely(t->deadline < cpu->expiry))
		handle_deadline(cpu, t);
	put_on(cpu, t);
	if (unlikely(t->slow_flags & PMC_SLOW_LOAD)) {
		if (t->notify_switch)
			notify_switch_in(t);
		else
			load_slow(cpu, t);
	}
}

static __always_inline void take_off(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	static_call(pmc_backend_unload)(t->set, t->cur, cpu);
	if (unlikely(cpu->lost))
		pmc_note_lost(cpu, t);
	t->running += pmc_cycles();
	t->cpu = -1;
}

static noinline void unload_slow(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	bool interrupts = t->set->nr_ebs && !t->throttled;

	if (t->consumer->nr_virtual_counts)
		pmc_virtual_save_counts(t);
	if (t->open)
		pmc_caliper_close(cpu, t);
	if (interrupts)
		pmc_disarm_ebs(cpu, t);
	take_off(cpu, t);
	if (interrupts)
		record_pending(cpu, t);
}

static __always_inline void unload(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	if (unlikely(t->slow_flags & PMC_SLOW_UNLOAD)) {
		if (t->notify_switch) {
			notify_switch_out(t);
		} else if (!t->no_counters) {
			unload_slow(cpu, t);
			return;
		}
		if (t->no_counters) {
			t->cpu = -1;
			return;
		}
	}
	take_off(cpu, t);
}

/* None of these pages has been written since its thread was loaded. */
static void close_oldest_page(const struct pmc_cpu *cpu)
{
	struct pmc_thread *t, *oldest = NULL;

	for (t = cpu->loaded; t; t = t->next)
		if (t->open && (!oldest || t->opened < oldest->opened))
			oldest = t;
	oldest->open = false;
	pmc_update_slow_flags(oldest);
}

/* Once for all threads that were loaded, and few. The next reading of another one opens it. */
static noinline void write_pages(struct pmc_cpu *cpu)
{
	for (; cpu->nr_open > PMC_PAGES_OPEN; cpu->nr_open--)
		close_oldest_page(cpu);
	cpu->nr_open = 0;
	pmc_caliper_clear_dirty(cpu);
}

/**
 * pmc_load_here - put one of current's threads on the counters, if they are to be had here
 * @cpu: this CPU
 * @t: the thread, active, loaded or not
 *
 * Context: Interrupts off, between pmc_cpu_begin() and pmc_cpu_end().
 */
void pmc_load_here(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	if (t->cpu >= 0)
		return;
	load(cpu, t);
	if (unlikely(cpu->nr_open))
		write_pages(cpu);
}

/**
 * pmc_unload_one - take one of current's threads off this CPU
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
	/* It may be for good. */
	if (t->consumer->nr_virtuals)
		pmc_virtual_save(t);
	unload(cpu, t);
}

/**
 * pmc_unload_all - take all of current's threads off this CPU
 * @cpu: this CPU
 *
 * Context: Interrupts off, between pmc_cpu_begin() and pmc_cpu_end().
 */
void pmc_unload_all(struct pmc_cpu *cpu)
{
	while (cpu->loaded)
		pmc_unload_one(cpu, cpu->loaded);
}

/**
 * pmc_unload_taken - unload threads of this CPU that are out of the table
 * @cpu: this CPU
 *
 * Context: Interrupts off, between pmc_cpu_begin() and pmc_cpu_end().
 */
void pmc_unload_taken(struct pmc_cpu *cpu)
{
	struct pmc_thread *t, *next;

	for (t = cpu->loaded; t; t = next) {
		next = t->next;
		if (hlist_bl_unhashed(&t->node))
			pmc_unload_one(cpu, t);
	}
}

/* Return: whether pages were written, so that counters are cleared. */
static __always_inline bool load_all(struct pmc_cpu *cpu, struct task_struct *next,
				     struct hlist_bl_head *head)
{
	struct pmc_thread *t = pmc_bucket_first(head);

	if (!t)
		return false;
	do {
		if (t->task == next)
			load(cpu, t);
	} while ((t = pmc_bucket_next(t)));
	if (likely(!cpu->nr_open))
		return false;
	write_pages(cpu);
	return true;
}

/**
 * pmc_switch - the threads counted change on this CPU
 * @cpu: this CPU
 * @next: task that is about to run on it
 * @head: the bucket that task is in
 *
 * Context: Interrupts off, run-queue lock held.
 */
notrace void pmc_switch(struct pmc_cpu *cpu, struct task_struct *next,
			struct hlist_bl_head *head)
{
	struct pmc_thread *t = cpu->loaded;

	pmc_cpu_begin(cpu);
	if (!PMC_PROCESSES_READ && unlikely(cpu->user_access))
		pmc_caliper_end_access(cpu);
	if (t) {
		cpu->loaded = NULL;
		do
			unload(cpu, t);
		while ((t = t->next));
	}
	if (unlikely(load_all(cpu, next, head))) {
		pmc_cpu_end(cpu);
		return;
	}
	pmc_cpu_end(cpu);
	if (unlikely(pmc_user_reads(cpu, next->mm)))
		pmc_caliper_switch();
}
