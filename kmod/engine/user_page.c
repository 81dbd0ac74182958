// SPDX-License-Identifier: GPL-2.0
/*
 * The page by which a thread reads its own counters without a system call. It
 * has the thread's counts at the time of writing, and each counter's place and
 * value then. It is written on the thread's own CPU only, when the thread is
 * loaded there and after any interrupt, so the reader needs no more than a
 * sequence count.
 *
 * On Arm, access belongs to the CPU (PMUSERENR_EL0). A reading without access
 * kills the program, and an interrupt may come between the reader's look at the
 * register and the reading. So a thread keeps access until it leaves the CPU, even if
 * its page says in an interrupt that the counters are not to be read by instruction.
 *
 * The kernel's PMU driver takes access away whenever it touches the PMU:
 * - in interrupts (its own, and other CPUs' requests), after which the interrupt
 *   hook gives it back;
 * - in the thread's own system calls, so the reader looks at PMUSERENR_EL0
 *   before it reads;
 * - at a switch to a thread that perf counts too. The page of such a thread asks
 *   it to use the system call.
 *
 * KVM writes the register, too, while a task has a virtual CPU: when the task leaves the
 * CPU, KVM writes back what the register held when the task entered KVM, after the switch
 * hook. So an interrupt right after the switch writes the register again, and a task with
 * a virtual CPU uses the system call.
 */
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/stop_machine.h>
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
#include "pmu/user_reads.h"
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

/* Has KVM a virtual CPU of this task's loaded, whenever the task runs? */
static bool has_vcpu(const struct task_struct *task)
{
#ifdef CONFIG_PREEMPT_NOTIFIERS
	return !hlist_empty(&task->preempt_notifiers);
#else
	return false;
#endif
}

/*
 * The first interrupt after a switch. The kernel's driver has just written the register for a
 * task that reads counters by perf.
 */
static void rewrite_access(struct irq_work *unused)
{
	const struct perf_event_context *ctx = pmc_perf_context(current);
	bool access = this_cpu_read(pmc_cpus.user_access);

	if (access || !ctx || !READ_ONCE(ctx->nr_user))
		pmc_backend->user_access(access);
}

/* Only where access belongs to the CPU. At a switch, current is the task that leaves. */
static void set_access(struct pmc_cpu *cpu, bool allow)
{
	pmc_backend->user_access(allow);
	cpu->user_access = allow;
	if (unlikely(has_vcpu(current)))
		irq_work_queue(&cpu->access_work);
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

/* Return: may the counters be read by instruction? */
static bool publish(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	struct pmc_caliper_page *page = t->page;
	bool direct;

	WRITE_ONCE(page->seq, page->seq + 1);
	barrier();
	base_counts(t, page->total);
	direct = READ_ONCE(t->consumer->direct) && t->may_read &&
		 pmc_settings.user_access &&
		 !(pmc_backend->user_access_percpu &&
		   (perf_counts(t->task) || has_vcpu(t->task))) &&
		 pmc_backend->caliper(cpu, t->set, page);
	page->direct = direct;
	page->nr_counts = t->set->nr;
	page->type_changes += page->core_type != t->ct;
	page->core_type = t->ct;
	page->set = t->set->index;
	barrier();
	WRITE_ONCE(page->seq, page->seq + 1);
	return direct;
}

/**
 * pmc_caliper_init_cpu - set up what a CPU needs for access to its counters
 * @cpu: any CPU
 */
void pmc_caliper_init_cpu(struct pmc_cpu *cpu)
{
	cpu->access_work = IRQ_WORK_INIT_HARD(rewrite_access);
}

/**
 * pmc_caliper_publish - write the pages of the threads on this CPU
 * @cpu: this CPU
 *
 * Context: Interrupts off, in a hook.
 */
void pmc_caliper_publish(struct pmc_cpu *cpu)
{
	const struct task_struct *task = cpu->loaded ? cpu->loaded->task : current;
	bool access = cpu->user_access;
	struct pmc_thread *t;

	for (t = cpu->loaded; t; t = t->next)
		if (unlikely(t->open))
			access |= publish(cpu, t);
	if (pmc_backend->user_access_percpu && access && !has_vcpu(task))
		set_access(cpu, true);
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
		pmc_caliper_publish(cpu);
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
 * pmc_caliper_switch - a thread that may read counters is about to run, or leaves the CPU
 *
 * The process of the one that is about to run may have the right from perf, without any
 * page. The one that leaves had the right by CPU, and is not counted any more.
 *
 * Context: Interrupts off, run-queue lock held. The thread is loaded if it is
 * counted, and has no open page: counters are cleared for those.
 */
void pmc_caliper_switch(void)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);

	pmc_cpu_begin(cpu);
	if (PMC_PROCESSES_READ)
		pmc_caliper_clear_dirty(cpu);
	else
		set_access(cpu, false);
	pmc_cpu_end(cpu);
}

/**
 * pmc_caliper_end_access - the task that had access leaves this CPU
 * @cpu: this CPU
 *
 * Context: Interrupts off, run-queue lock held.
 */
void pmc_caliper_end_access(struct pmc_cpu *cpu)
{
	set_access(cpu, false);
}

static bool anybody_has_access(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (READ_ONCE(per_cpu(pmc_cpus, cpu).user_access))
			return true;
	return false;
}

static int nothing(void *unused)
{
	return 0;
}

/**
 * pmc_caliper_end_all_access - no switch will be reported any more
 *
 * A task may still run that had access before. All CPUs switch to stop_machine()'s threads, so
 * that it leaves its CPU as always: KVM gives back the register of a task in a guest, and the
 * register is written again after that.
 *
 * Context: May sleep. No page has been open for PMC_KEEP, or no session is left.
 */
void pmc_caliper_end_all_access(void)
{
	int cpu;

	if (anybody_has_access())
		stop_machine(nothing, NULL, NULL);
	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(pmc_cpus, cpu).access_work);
}

/**
 * pmc_caliper_close - the page says no more which counters to read
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
	if (!cpu->loaded && !cpu->user_access)
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
