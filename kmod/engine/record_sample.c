// SPDX-License-Identifier: GPL-2.0
/*
 * Recording samples: a sample closes the thread's counts since the last one,
 * delivers them to the reader, and goes on to the next event set. From any
 * context up to NMI.
 */
#include <linux/ktime.h>
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include "base/claim_retry.h"
#include "base/clock.h"
#include "base/parse_evset.h"
#include "base/percpu.h"
#include "base/stats.h"
#include "engine/consumer.h"
#include "engine/ebs.h"
#include "engine/evset_counters.h"
#include "engine/module_notify.h"
#include "engine/record_sample.h"
#include "engine/ring.h"
#include "engine/thread.h"
#include "engine/thread_evset.h"
#include "engine/total.h"
#include "engine/uncore_read.h"
#include "engine/user_page.h"
#include "engine/virtual_read.h"
#include "include/pmctrack/monitoring_module.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "pmu/pmu.h"
#include "pmu/soft.h"
#include "uapi/pmctrack.h"
#include <base/compat.h>

/* A place for a sample, all but its counts filled in; NULL: it is lost. */
static __always_inline struct pmc_record *
begin_record(struct pmc_thread *t, const struct pmc_evset *set, u64 running,
	     u64 now, enum pmc_sample_event event, unsigned int ebs_pos,
	     u64 *pos)
{
	struct pmc_consumer *c = t->consumer;
	struct pmc_record *rec;

	pmc_stat_inc(PMC_STAT_SAMPLES);
	rec = pmc_ring_reserve(&c->ring, pos);
	if (unlikely(!rec)) {
		pmc_stat_inc(PMC_STAT_LOST);
		pmc_consumer_wake(c);
		return NULL;
	}
	rec->time = now;
	rec->elapsed = now - t->last_time;
	/* Two clocks: one may be some ns ahead. */
	rec->running = min(running, rec->elapsed);
	rec->pid = t->pid;
	rec->tid = t->tid;
	rec->cpu = t->last_cpu;
	rec->core_type = set->core_type;
	rec->set = set->index;
	rec->event = event;
	rec->nr_counts = set->nr;
	rec->nr_virtual = c->nr_virtuals;
	rec->flags = t->flags;
	rec->ebs_slot = ebs_pos;
	t->flags &= PMC_REC_SYSWIDE;
	/* Interrupts are held back in the next record as well. */
	if (t->throttled)
		t->flags |= PMC_REC_THROTTLED;
	return rec;
}

static __always_inline void end_record(struct pmc_consumer *c,
				       struct pmc_record *rec, u64 pos)
{
	pmc_ring_commit(&c->ring, rec, pos);
	pmc_consumer_wake(c);
}

/* Behind the counts, in sessions that ask for names. The task may change it meanwhile. */
static void put_name(const struct pmc_thread *t, struct pmc_record *rec)
{
	char *name = (char *)&rec->counts[rec->nr_counts + rec->nr_virtual];

	if (!t->task || t->unnamed)
		return;
	strscpy_pad(name, t->task->comm, PMC_NAME_LEN);
	rec->flags |= PMC_REC_NAME;
}

/* For current, or a task that is about to run here. It may have lost its address space. */
static bool may_be_looked_into(struct task_struct *task)
{
	return READ_ONCE(task->mm) && pmc_task_dumpable(task);
}

/*
 * Behind the counts: where the thread is in user space, or was when it entered the kernel.
 * Addresses in the kernel would have to be kept from most users. A task that has just gained
 * rights by an exec is at the first address of its new program already, which nobody else is
 * to know: counting ends a little later.
 */
static noinline void put_address(const struct pmc_thread *t, struct pmc_record *rec)
{
	struct task_struct *task = t->task ?: current;

	if (task->flags & PF_KTHREAD || !(t->consumer->priority || may_be_looked_into(task)))
		return;
	rec->counts[rec->nr_counts + rec->nr_virtual] =
		instruction_pointer(task_pt_regs(task));
	rec->flags |= PMC_REC_ADDRESS;
}

static void emit(struct pmc_thread *t, const struct pmc_evset *set,
		 const u64 *counts, const u64 *virtuals, u64 running, u64 now,
		 enum pmc_sample_event event)
{
	struct pmc_record *rec;
	unsigned int i;
	u64 pos;

	rec = begin_record(t, set, running, now, event, 0, &pos);
	if (!rec)
		return;
	for (i = 0; i < set->nr; i++)
		rec->counts[set->pos[i]] = counts[i];
	for (i = 0; i < t->consumer->nr_virtuals; i++)
		rec->counts[set->nr + i] = virtuals[i];
	if (t->consumer->names)
		put_name(t, rec);
	end_record(t->consumer, rec, pos);
}

/* Brings the software counts up to now. */
static void update_soft(struct pmc_thread *t, u64 running)
{
	const struct pmc_evset *set = t->set;
	u64 *cur = t->cur + set->nr_hw;
	unsigned int i;
	u64 value;

	for (i = 0; i < set->nr_sw; i++) {
		if (set->sw[i] == PMC_SW_TASK_CLOCK) {
			cur[i] = running;
			continue;
		}
		value = pmc_soft_read(t->task, set->sw[i]);
		cur[i] += value - t->sw_prev[i];
		t->sw_prev[i] = value;
	}
}

/* Adds the counts to the totals, and to the sample if one is recorded. */
static __always_inline void close_counts(struct pmc_thread *t, u64 *counts,
					 u64 running)
{
	const struct pmc_evset *set = t->set;
	u64 *total = t->total + set->acc;
	unsigned int i;

	for (i = 0; i < set->nr; i++) {
		u64 count = t->cur[i];

		pmc_total_add(&total[i], count);
		if (counts)
			counts[set->pos[i]] = count;
	}
	pmc_total_add(&total[set->nr], running);
	if (unlikely(t->consumer->nr_virtuals))
		pmc_virtual_close(t, &total[set->nr + 1],
				  counts ? &counts[set->nr] : NULL);
}

/*
 * The counts to report, if any was ever known; levels and ratios, which no set has, with the last
 * record.
 */
static void report_virtuals(struct pmc_thread *t, const u64 *counts, bool last,
			    u64 *virtuals)
{
	const struct pmc_consumer *c = t->consumer;
	unsigned int i;

	pmc_virtual_peek(t, counts, virtuals);
	for (i = 0; i < c->nr_virtuals; i++) {
		if (c->virtuals[i].count)
			virtuals[i] = counts[i] || t->virt_base[i] != PMC_NO_VALUE ?
				      counts[i] : PMC_NO_VALUE;
		else if (!last)
			virtuals[i] = PMC_NO_VALUE;
	}
}

/* A record of the counts of a set that no record has reported yet, if there are any. */
static void report_set(struct pmc_thread *t, const struct pmc_evset *set, u16 flags,
		       u64 now, enum pmc_sample_event event)
{
	u64 virtuals[PMC_VIRTUALS_MAX];
	unsigned int i, nr = set->nr + 1 + t->consumer->nr_virtuals;
	const u64 *total = t->total + set->acc;
	u64 *reported = t->reported + set->acc, any = 0;
	bool last = set == t->set;

	/* A thread may end where it has no events: its name is of interest all the same. */
	if (nr == 1 && !(last && t->consumer->names))
		return;
	for (i = 0; i < nr; i++) {
		reported[i] = total[i] - reported[i];
		any |= reported[i];
	}
	if (t->consumer->nr_virtuals)
		report_virtuals(t, reported + set->nr + 1, last, virtuals);
	t->flags = last ? flags : flags & ~PMC_REC_LAST;
	if (last || any)
		emit(t, set, reported, virtuals, reported[set->nr], now, event);
	memcpy(reported, total, nr * sizeof(*reported));
}

/* For a session that does not sample: the set in force comes last. */
static void report_totals(struct pmc_thread *t, u64 now,
			  enum pmc_sample_event event)
{
	unsigned int ct = t->moved ? 0 : t->ct, i;
	const struct pmc_rotation *r;
	u16 flags = t->flags;

	do {
		r = &t->consumer->rotation[ct];
		for (i = 0; i < r->nr; i++)
			if (r->sets[i] != t->set)
				report_set(t, r->sets[i], flags, now, event);
	} while (t->moved && ++ct < pmc_nr_core_types);
	report_set(t, t->set, flags, now, event);
}

static void note_loss(struct pmc_thread *t)
{
	t->flags |= PMC_REC_COUNTER_LOST;
	pmc_caliper_note_loss(t);
	pmc_ring_note_loss(&t->consumer->ring);
	pmc_stat_inc(PMC_STAT_COUNTERS_LOST);
}

/**
 * pmc_note_lost - a thread's counter was not on the PMU
 * @cpu: this CPU, which found that out
 * @t: thread loaded on it: its next record says so
 *
 * To be called as soon as it was found out: @cpu does not know whose counter it is.
 *
 * Context: Interrupts off, or NMI.
 */
void pmc_note_lost(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	cpu->lost = false;
	note_loss(t);
	pmc_retry_soon();
}

static bool uses(const struct pmc_evset *set, unsigned int slot)
{
	unsigned int i;

	for (i = 0; i < set->nr_hw; i++)
		if (set->slot[i] == slot)
			return true;
	return false;
}

static void note_missed(struct pmc_thread *t, unsigned int slot)
{
	for (; t; t = t->next) {
		if (t->no_counters || !uses(t->set, slot))
			continue;
		note_loss(t);
	}
}

/**
 * pmc_note_missed - a counter is not on the PMU, and is about to be again
 * @cpu: this CPU
 * @slot: the counter
 *
 * Threads that are loaded may find it where it was when they are unloaded. One that is
 * loaded or unloaded meanwhile finds it off the PMU.
 *
 * Context: Interrupts off.
 */
void pmc_note_missed(struct pmc_cpu *cpu, unsigned int slot)
{
	pmc_cpu_begin(cpu);
	note_missed(cpu->loaded, slot);
	note_missed(cpu->syswide, slot);
	pmc_cpu_end(cpu);
}

/* A sample has just been taken. */
static void begin_periods(struct pmc_thread *t)
{
	const struct pmc_evset *set = t->set;
	unsigned int i;

	for (i = 0; set->nr_ebs && i < set->nr_hw; i++)
		t->period_left[i] = set->hw[i].ebs;
}

static void rotate(struct pmc_cpu *cpu, struct pmc_thread *t, bool loaded)
{
	if (loaded && !t->throttled)
		pmc_disarm_ebs(cpu, t);
	memset(t->cur, 0, t->set->nr * sizeof(*t->cur));
	t->set = t->set->next;
	begin_periods(t);
	if (t->task)
		pmc_start_set(t);
	if (!loaded)
		return;
	static_call(pmc_backend_load)(t->set, t->cur, cpu);
	if (!list_empty(&t->consumer->uncore))
		pmc_uncore_begin(t);
	if (unlikely(cpu->lost))
		pmc_note_lost(cpu, t);
	if (!t->throttled)
		pmc_arm_ebs(cpu, t);
}

/*
 * Bring the counts up to now. Those that a loaded thread had before are in @t->saved.
 * Return: how long the thread has run since the last sample, ns.
 */
static __always_inline u64 read_counts(struct pmc_cpu *cpu, struct pmc_thread *t, bool loaded)
{
	const struct pmc_evset *set = t->set;
	u64 cycles = 0, running;
	unsigned int i;

	if (loaded) {
		for (i = 0; i < set->nr_hw; i++)
			t->saved[i] = t->cur[i];
		static_call(pmc_backend_unload)(set, t->cur, cpu);
		if (set->nr_uncore)
			pmc_uncore_collect(cpu, t);
		if (unlikely(cpu->lost))
			pmc_note_lost(cpu, t);
		cycles = pmc_cycles();
	}
	running = pmc_cycles_to_ns(t->running + cycles);
	t->running = -cycles;
	if (set->nr_sw)
		update_soft(t, running);
	return running;
}

/* The record has its counts: add what sessions ask for, and let readers have it. */
static __always_inline void finish_record(struct pmc_thread *t, struct pmc_record *rec, u64 pos)
{
	struct pmc_consumer *c = t->consumer;

	if (unlikely(c->addresses) && rec->event == PMC_SAMPLE_EBS)
		put_address(t, rec);
	else if (unlikely(c->names))
		put_name(t, rec);
	end_record(c, rec, pos);
}

/* Add the counts to the totals, and deliver them to whom samples are for. */
static __always_inline void deliver(struct pmc_thread *t, u64 running, u64 now,
				    enum pmc_sample_event event, unsigned int ebs_pos)
{
	const struct pmc_evset *set = t->set;
	struct pmc_consumer *c = t->consumer;
	struct pmc_record *rec = NULL;
	u64 pos;

	if (unlikely(t->monitored)) {
		close_counts(t, t->reported + set->acc, running);
		pmc_module_sample(t, t->reported + set->acc, running, now, event);
		return;
	}
	if ((set->nr || c->nr_virtuals) && c->sampling)
		rec = begin_record(t, set, running, now, event, ebs_pos, &pos);
	close_counts(t, rec ? rec->counts : NULL, running);
	if (rec)
		finish_record(t, rec, pos);
	if (event == PMC_SAMPLE_SELF && !c->sampling)
		report_totals(t, now, event);
}

/* Go on from the very values that the sample ended with. */
static __always_inline void resume(struct pmc_thread *t, bool loaded)
{
	const struct pmc_evset *set = t->set;
	unsigned int i;

	for (i = 0; loaded && i < set->nr_hw; i++)
		t->cur[i] = t->saved[i] - t->cur[i];
	for (; i < set->nr; i++)
		t->cur[i] = 0;
}

/**
 * pmc_record_sample - record a sample
 * @cpu: this CPU
 * @t: thread loaded on it, or loaded nowhere and in the caller's hands
 * @now: CLOCK_MONOTONIC, ns
 * @event: why
 * @ebs_pos: for PMC_SAMPLE_EBS the count whose period ended
 *
 * A session that does not sample gets no record, but the counts still go to
 * the totals of the set they belong to.
 *
 * Context: Interrupts off, or NMI.
 */
void pmc_record_sample(struct pmc_cpu *cpu, struct pmc_thread *t, u64 now,
		       enum pmc_sample_event event, unsigned int ebs_pos)
{
	bool loaded = t->cpu >= 0;
	u64 running;

	/* In an NMI, and on another CPU, this clock may be a moment behind. */
	now = max(now, t->last_time);
	running = read_counts(cpu, t, loaded);
	deliver(t, running, now, event, ebs_pos);
	/* The time that totals are reported for goes on. */
	if (t->consumer->sampling || event == PMC_SAMPLE_SELF)
		t->last_time = now;
	if (t->set->next != t->set && (event == PMC_SAMPLE_TICK || event == PMC_SAMPLE_EBS))
		rotate(cpu, t, loaded);
	else
		resume(t, loaded);
}

/*
 * A thread that was never loaded has nothing to report, unless its counters were revoked:
 * then it has a record like those of the first core type that it has events for.
 */
static void begin_unloaded(struct pmc_thread *t)
{
	unsigned int ct = 0;

	while (ct + 1 < pmc_nr_core_types && !t->consumer->rotation[ct].sets[0]->nr)
		ct++;
	t->ct = ct;
	t->set = t->consumer->rotation[ct].sets[0];
	t->last_cpu = cpumask_first(&pmc_core_types[ct].cpus);
	pmc_start_set(t);
	pmc_virtual_unknown(t);
}

/**
 * pmc_record_last - report the rest of a thread's counts
 * @t: thread out of the table and loaded nowhere
 * @event: why it ends
 *
 * Context: Interrupts off.
 */
void pmc_record_last(struct pmc_thread *t, enum pmc_sample_event event)
{
	u64 now = max(ktime_get_mono_fast_ns(), t->last_time), running;
	u64 counts[PMC_MAX_COUNTS];
	const struct pmc_evset *set;

	if (!t->set && !(t->flags & PMC_REC_EVICTED))
		return;
	if (!t->set)
		begin_unloaded(t);
	set = t->set;
	running = pmc_cycles_to_ns(t->running);
	if (set->nr_sw)
		update_soft(t, running);
	close_counts(t, counts, running);
	t->flags |= PMC_REC_LAST;
	if (t->monitored)
		pmc_module_sample(t, counts, running, now, event);
	else if (!t->consumer->sampling)
		report_totals(t, now, event);
	else if (set->nr || t->consumer->nr_virtuals || t->consumer->names)
		emit(t, set, t->cur, &counts[set->nr], running, now, event);
}

/**
 * pmc_peek - counts since the last sample, without recording one
 * @cpu: this CPU
 * @t: current's own thread
 * @counts: out: one for each count of its set, in the set's own order
 *
 * Context: Interrupts off.
 * Return: CPU time since the last sample, ns.
 */
u64 pmc_peek(struct pmc_cpu *cpu, struct pmc_thread *t, u64 *counts)
{
	const struct pmc_evset *set = t->set;
	u64 running = t->running;
	unsigned int i;

	if (t->cpu >= 0)
		running += pmc_cycles();
	running = pmc_cycles_to_ns(running);
	if (set->nr_sw)
		update_soft(t, running);
	for (i = 0; i < set->nr; i++)
		counts[i] = t->cur[i];
	if (t->cpu >= 0)
		static_call(pmc_backend_unload)(set, counts, cpu);
	if (unlikely(cpu->lost))
		pmc_note_lost(cpu, t);
	return running;
}
