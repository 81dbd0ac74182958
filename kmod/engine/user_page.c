// SPDX-License-Identifier: GPL-2.0
/*
 * The page by which a thread reads its own counters without a system call. It
 * has the thread's counts at the time of writing, and each counter's place and
 * value then. It is written on the thread's own CPU only, when the thread is
 * loaded there and after any interrupt, so the reader needs no more than a
 * sequence count.
 *
 * The kernel's PMU driver takes user access away whenever it touches the PMU:
 * - in interrupts (its own, and other CPUs' requests), after which the interrupt
 *   hook gives it back;
 * - in the thread's own system calls, so the reader looks at PMUSERENR_EL0
 *   before it reads;
 * - at a switch to a thread that perf counts too. The page of such a thread asks
 *   it to use the system call.
 */
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include "base/clock.h"
#include "base/percpu.h"
#include "base/settings.h"
#include "engine/consumer.h"
#include "engine/evset_counters.h"
#include "engine/thread.h"
#include "engine/user_page.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "pmu/pmu.h"
#include "uapi/pmctrack.h"
#include <base/compat.h>

/*
 * Does perf count this task, with hardware counters? Interrupts off: the
 * task's context is current's, or that of a task about to run here.
 */
static bool perf_counts(const struct task_struct *task)
{
	const struct perf_event_context *ctx = pmc_perf_context(task);

	return ctx && READ_ONCE(ctx->nr_events);
}

/*
 * The thread's counts on all core types, without those on the counters now. Sets of other
 * core types may be longer: what is added up behind the current set's counts is unused.
 */
static void base_counts(const struct pmc_thread *t, u64 *sum)
{
	const struct pmc_consumer *c = t->consumer;
	unsigned int ct, i;

	for (i = 0; i < t->set->nr; i++)
		sum[t->set->pos[i]] = t->cur[i];
	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		const struct pmc_evset *set = c->rotation[ct].sets[0];

		for (i = 0; i < set->nr; i++)
			sum[set->pos[i]] += t->total[set->acc + i];
	}
}

static void publish(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	struct pmc_caliper_page *page = t->page;
	bool direct;

	WRITE_ONCE(page->seq, page->seq + 1);
	barrier();
	base_counts(t, page->total);
	direct = READ_ONCE(t->consumer->direct) && t->may_read &&
		 pmc_settings.user_access &&
		 !(pmc_backend->user_access_percpu && perf_counts(t->task)) &&
		 pmc_backend->caliper(cpu, t->set, page);
	page->direct = direct;
	page->nr_counts = t->set->nr;
	page->type_changes += page->core_type != t->ct;
	page->core_type = t->ct;
	page->set = t->set->index;
	barrier();
	WRITE_ONCE(page->seq, page->seq + 1);
	if (pmc_backend->user_access_percpu && (direct || cpu->user_access))
		pmc_backend->user_access(direct);
	cpu->user_access = direct;
}

/**
 * pmc_caliper_publish - write the pages of the threads on this CPU
 * @cpu: this CPU
 *
 * Context: Interrupts off, in a hook.
 */
void pmc_caliper_publish(struct pmc_cpu *cpu)
{
	struct pmc_thread *t;

	for (t = cpu->loaded; t; t = t->next)
		if (unlikely(t->open))
			publish(cpu, t);
}

/**
 * pmc_caliper_clear_dirty - clear counters before user space may read them
 * @cpu: this CPU
 *
 * User space runs here next, or may read counters from now on. Counters start
 * anew, so all pages are written after it.
 *
 * Context: Interrupts off, in a hook.
 */
void pmc_caliper_clear_dirty(struct pmc_cpu *cpu)
{
	/* A CPU of no known core type has no counter of ours. */
	if (likely(cpu->ct))
		pmc_backend->clear_dirty(cpu);
	pmc_caliper_publish(cpu);
}

/**
 * pmc_caliper_note_loss - a counter of the thread was not on the PMU
 * @t: thread, loaded on this CPU, with a page or without
 *
 * Context: Interrupts off, or NMI.
 */
void pmc_caliper_note_loss(struct pmc_thread *t)
{
	struct pmc_caliper_page *page = READ_ONCE(t->page);

	if (page)
		WRITE_ONCE(page->losses, page->losses + 1);
}

/* Has a loaded thread an open page? */
static bool has_open_page(const struct pmc_cpu *cpu)
{
	const struct pmc_thread *t;

	for (t = cpu->loaded; t; t = t->next)
		if (t->open)
			return true;
	return false;
}

/**
 * pmc_caliper_open_page - let a thread read its counters by instruction from here on
 * @cpu: this CPU
 * @t: current's thread, which has a page that is not open; loaded, or its page is written
 *	when it is
 *
 * Context: Interrupts off, between pmc_cpu_begin() and pmc_cpu_end().
 */
void pmc_caliper_open_page(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	bool others = has_open_page(cpu);

	t->slow_flags = PMC_SLOW_BOTH;
	t->open = true;
	t->opened = pmc_cycles();
	if (t->cpu < 0)
		return;
	if (others)
		publish(cpu, t);
	else
		pmc_caliper_clear_dirty(cpu);
}

/**
 * pmc_caliper_open - the same for a thread that may have no page, or an open one
 * @cpu: this CPU
 * @t: current's thread
 *
 * Context: Interrupts off, between pmc_cpu_begin() and pmc_cpu_end().
 */
void pmc_caliper_open(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	if (t->page && !t->open)
		pmc_caliper_open_page(cpu, t);
}

/**
 * pmc_caliper_switch - a thread that may read counters is about to run
 *
 * Its process may have the right from perf, without any page.
 *
 * Context: Interrupts off, run-queue lock held. The thread is loaded if it is
 * counted, and has no open page: counters are cleared for those.
 */
void pmc_caliper_switch(void)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);

	pmc_cpu_begin(cpu);
	pmc_caliper_clear_dirty(cpu);
	pmc_cpu_end(cpu);
}

/**
 * pmc_caliper_close - the thread leaves this CPU
 * @cpu: this CPU
 * @t: thread with an open page, still loaded
 *
 * Context: Interrupts off.
 */
void pmc_caliper_close(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	/* Another session may still let this thread read counters. */
	WRITE_ONCE(t->page->seq, t->page->seq + 1);
	barrier();
	t->page->direct = false;
	barrier();
	WRITE_ONCE(t->page->seq, t->page->seq + 1);
	if (pmc_backend->user_access_percpu && cpu->user_access)
		pmc_backend->user_access(false);
	cpu->user_access = false;
}

/**
 * pmc_caliper_irq - an interrupt handler has run
 *
 * Context: Interrupts off, on the CPU that took it.
 */
void pmc_caliper_irq(void)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);

	/* It came while a hook runs, which writes the pages at its end. */
	if (cpu->busy) {
		cpu->deferred |= PMC_REPUBLISH;
		return;
	}
	if (!cpu->loaded)
		return;
	pmc_cpu_begin(cpu);
	pmc_caliper_publish(cpu);
	pmc_cpu_end(cpu);
}

static void put_page_of(struct rcu_head *head)
{
	put_page(container_of(head, struct page, rcu_head));
}

/**
 * pmc_caliper_free - drop the kernel's hold on a thread's page
 * @t: thread that is loaded nowhere
 *
 * Context: Any but NMI. A mapping that is still there keeps the page. To free it may
 * take a lock that sleeps (PREEMPT_RT), so RCU does that.
 */
void pmc_caliper_free(struct pmc_thread *t)
{
	if (!t->page)
		return;
	call_rcu(&virt_to_page(t->page)->rcu_head, put_page_of);
	t->page = NULL;
	t->open = false;
}
