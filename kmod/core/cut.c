// SPDX-License-Identifier: GPL-2.0
/*
 * Cutting samples: closing what a thread counted since the last one, handing
 * it to the reader, and turning to the next event set. From any context up
 * to NMI.
 */
#include <linux/ktime.h>
#include "session.h"
#include "stats.h"
#include "../pmu/soft.h"

static void emit(struct pmc_thread *t, const struct pmc_evset *set,
		 const u64 *counts, u64 running, u64 now,
		 enum pmc_sample_event event, unsigned int ebs_pos)
{
	struct pmc_session *s = t->session;
	struct pmc_record *rec;
	unsigned int i;
	u64 pos;

	pmc_stat_inc(PMC_STAT_SAMPLES);
	rec = pmc_ring_reserve(&s->ring, &pos);
	if (unlikely(!rec)) {
		pmc_stat_inc(PMC_STAT_LOST);
		pmc_session_wake(s);
		return;
	}
	rec->time = now;
	rec->elapsed = now - t->last_time;
	rec->running = running;
	rec->pid = t->pid;
	rec->tid = t->tid;
	rec->cpu = t->last_cpu;
	rec->core_type = set->core_type;
	rec->set = set->index;
	rec->event = event;
	rec->nr_counts = set->nr;
	rec->flags = t->flags;
	rec->ebs_slot = ebs_pos;
	for (i = 0; i < set->nr; i++)
		rec->counts[i] = counts[i];
	pmc_ring_commit(&s->ring, rec, pos);
	pmc_session_wake(s);
}

/* Brings the software counts and the CPU time up to now. */
static void update_soft(struct pmc_thread *t, bool loaded)
{
	const struct pmc_evset *set = t->set;
	unsigned int i;
	u64 clock;

	if (!t->task)
		return;
	if (loaded) {
		clock = pmc_task_clock(t->task, true);
		if (clock > t->run_mark) {
			t->running += clock - t->run_mark;
			t->run_mark = clock;
		}
	}
	for (i = 0; i < set->nr_sw; i++) {
		unsigned int pos = set->sw[i].pos;

		clock = pmc_soft_read(t->task, set->sw[i].sw,
				      t->task == current);
		/* The estimate of a running slice may have been too high. */
		if (clock > t->mark[pos]) {
			t->cur[pos] += clock - t->mark[pos];
			t->mark[pos] = clock;
		}
	}
}

/* What was counted becomes part of the totals. */
static void close_counts(struct pmc_thread *t)
{
	const struct pmc_evset *set = t->set;
	u64 *total = t->total + set->acc;
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		total[i] += t->cur[i];
	total[set->nr] += t->running;
	t->running = 0;
}

static void rotate(struct pmc_cpu *cpu, struct pmc_thread *t, bool loaded)
{
	const struct pmc_evset *set = t->set;

	if (loaded && set->nr_ebs && !t->throttled)
		pmc_disarm_ebs(cpu, t);
	memset(t->cur, 0, set->nr * sizeof(*t->cur));
	t->set = set->next;
	t->current_set[t->ct] = t->set;
	pmc_start_set(t);
	if (!loaded)
		return;
	pmc_backend->load(cpu, t->set, t->cur);
	if (t->set->nr_ebs && !t->throttled)
		pmc_arm_ebs(cpu, t);
}

/**
 * pmc_cut - cut a sample
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
void pmc_cut(struct pmc_cpu *cpu, struct pmc_thread *t, u64 now,
	     enum pmc_sample_event event, unsigned int ebs_pos)
{
	const struct pmc_evset *set = t->set;
	struct pmc_session *s = t->session;
	bool loaded = t->cpu >= 0;
	u64 before[PMC_MAX_COUNTS];
	unsigned int i;

	if (loaded) {
		for (i = 0; i < set->nr_hw; i++)
			before[i] = t->cur[set->hw[i].pos];
		pmc_backend->unload(cpu, set, t->cur);
	}
	update_soft(t, loaded);
	if (!t->task)
		t->running = now - t->last_time;
	if (set->nr && (s->sampling || event == PMC_SAMPLE_SELF)) {
		emit(t, set, t->cur, t->running, now, event, ebs_pos);
		t->flags = 0;
	}
	t->last_time = now;
	close_counts(t);
	if (set->next != set &&
	    (event == PMC_SAMPLE_TICK || event == PMC_SAMPLE_EBS)) {
		rotate(cpu, t, loaded);
		return;
	}
	if (!loaded) {
		memset(t->cur, 0, set->nr * sizeof(*t->cur));
		return;
	}
	/* Go on from the very values that this sample ended with. */
	for (i = 0; i < set->nr_hw; i++)
		t->cur[set->hw[i].pos] = before[i] - t->cur[set->hw[i].pos];
	for (i = 0; i < set->nr_sw; i++)
		t->cur[set->sw[i].pos] = 0;
}

/* One record for each set that counted anything: nothing was told before. */
static void emit_totals(struct pmc_thread *t, u64 now,
			enum pmc_sample_event event)
{
	struct pmc_session *s = t->session;
	const struct pmc_evset *pending = NULL;
	unsigned int ct, i;
	u16 last = t->flags | PMC_REC_LAST;

	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		for (i = 0; i < s->rotation[ct].nr; i++) {
			const struct pmc_evset *set = s->rotation[ct].sets[i];
			const u64 *total = t->total + set->acc;

			if (!memchr_inv(total, 0, (set->nr + 1) * sizeof(*total)))
				continue;
			if (pending)
				emit(t, pending, t->total + pending->acc,
				     t->total[pending->acc + pending->nr],
				     now, event, 0);
			pending = set;
		}
	}
	t->flags = last;
	if (!pending)
		pending = t->set;
	if (pending && pending->nr)
		emit(t, pending, t->total + pending->acc,
		     t->total[pending->acc + pending->nr], now, event, 0);
}

/**
 * pmc_cut_last - tell the reader the rest of a thread's counts
 * @t: thread out of the table and loaded nowhere
 * @event: why it ends
 *
 * Context: Preemption off.
 */
void pmc_cut_last(struct pmc_thread *t, enum pmc_sample_event event)
{
	struct pmc_session *s = t->session;
	u64 now = ktime_get_mono_fast_ns();

	if (t->set)
		update_soft(t, false);
	if (s->sampling) {
		t->flags |= PMC_REC_LAST;
		if (t->set && t->set->nr)
			emit(t, t->set, t->cur, t->running, now, event, 0);
		if (t->set)
			close_counts(t);
	} else {
		if (t->set)
			close_counts(t);
		emit_totals(t, now, event);
	}
}

/**
 * pmc_peek - counts since the last sample, without cutting one
 * @cpu: this CPU
 * @t: current's own thread
 * @counts: out: one for each count of its set
 *
 * Context: Interrupts off.
 */
void pmc_peek(struct pmc_cpu *cpu, struct pmc_thread *t, u64 *counts)
{
	const struct pmc_evset *set = t->set;
	bool loaded = t->cpu >= 0;
	unsigned int i;

	update_soft(t, loaded);
	for (i = 0; i < set->nr; i++)
		counts[i] = t->cur[i];
	if (loaded)
		pmc_backend->unload(cpu, set, counts);
}
