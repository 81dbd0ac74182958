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
#include "caliper.h"
#include "cycles.h"
#include "session.h"
#include "table.h"
#include "settings.h"
#include "work.h"
#include <base/compat.h>
#include "../hooks/hooks.h"

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
	const struct pmc_session *s = t->session;
	unsigned int ct, i;

	for (i = 0; i < t->set->nr; i++)
		sum[t->set->pos[i]] = t->cur[i];
	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		const struct pmc_evset *set = s->rotation[ct].sets[0];

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
	direct = READ_ONCE(t->session->direct) && t->may_read &&
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

/* Has a loaded thread an open page? */
static bool has_open_page(const struct pmc_cpu *cpu)
{
	const struct pmc_thread *t;

	for (t = cpu->loaded; t; t = t->next)
		if (t->open)
			return true;
	return false;
}

/* The thread is loaded, or its page is written when it is. */
static void open_page(struct pmc_cpu *cpu, struct pmc_thread *t)
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
 * pmc_caliper_open - let a thread read its counters by instruction from here on
 * @cpu: this CPU
 * @t: current's thread, whether it has a page or not
 *
 * Context: Interrupts off, between pmc_cpu_begin() and pmc_cpu_end().
 */
void pmc_caliper_open(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	if (t->page && !t->open)
		open_page(cpu, t);
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

/* The page has room for one set on each core type. */
static bool fits_page(const struct pmc_session *s)
{
	unsigned int ct;

	for (ct = 0; ct < pmc_nr_core_types; ct++)
		if (s->rotation[ct].nr != 1)
			return false;
	return true;
}

/* Gives current's thread the page, or finds the one it has. */
static struct pmc_caliper_page *set_page(struct pmc_session *s,
					 struct pmc_caliper_page *page,
					 bool access)
{
	struct pmc_thread *t;
	unsigned long flags;
	struct pmc_cpu *cpu;

	/* While the table has the thread its session's sets stay. */
	rcu_read_lock();
	t = pmc_table_find(current, s);
	if (!t || !fits_page(s)) {
		rcu_read_unlock();
		return ERR_PTR(t ? -EINVAL : -ESRCH);
	}
	local_irq_save(flags);
	cpu = this_cpu_ptr(&pmc_cpus);
	pmc_cpu_begin(cpu);
	t->may_read = access && (t->may_read || !t->page);
	if (!t->page) {
		get_page(virt_to_page(page));
		t->page = page;
		open_page(cpu, t);
	}
	page = t->page;
	get_page(virt_to_page(page));
	pmc_cpu_end(cpu);
	local_irq_restore(flags);
	rcu_read_unlock();
	return page;
}

/**
 * pmc_caliper_direct - work: keep user access over interrupts
 * @work: in a session that has a page mapped
 *
 * From then on pages may allow direct reads.
 */
void pmc_caliper_direct(struct work_struct *work)
{
	struct pmc_session *s = container_of(work, struct pmc_session,
					     direct_work);

	if (s->direct || (pmc_backend->user_access_percpu && pmc_irq_exit_get()) ||
	    (pmc_backend->track_moves && pmc_backend->track_moves()))
		return;
	WRITE_ONCE(s->direct, true);
}

/*
 * The fork hook stays enabled as long as a page is mapped that gives rights to its
 * process, which may be longer than the session counts. To disable the hook takes
 * longer than an unmapping may.
 */
static atomic_t nr_unmapped;

static void put_hooks(struct work_struct *work)
{
	int nr = atomic_xchg(&nr_unmapped, 0);

	while (nr--)
		pmc_hooks_put();
}

static DECLARE_WORK(unmapped_work, put_hooks);

static void on_unmap(struct vm_area_struct *vma)
{
	pmc_backend->user_unmap(vma->vm_mm);
	atomic_inc(&nr_unmapped);
	queue_work(pmc_wq, &unmapped_work);
}

/* The process moves the page: one mapping more, then one less; never none. */
static void on_map(struct vm_area_struct *vma)
{
	pmc_backend->user_map(vma->vm_mm);
	pmc_hooks_get_again();
}

static const struct vm_operations_struct page_ops = {
	.open = on_map,
	.close = on_unmap,
};

static int give_access(struct vm_area_struct *vma)
{
	if (!pmc_hooks_get_again())
		return -ESRCH;
	pmc_backend->user_map(vma->vm_mm);
	vma->vm_ops = &page_ops;
	return 0;
}

/**
 * pmc_caliper_exit - wait until nothing is left to do for pages
 *
 * Context: May sleep. No session is left, nor a page mapped.
 */
void pmc_caliper_exit(void)
{
	flush_work(&unmapped_work);
	/* The last pages: put_page_of() is ours. */
	rcu_barrier();
}

/**
 * pmc_caliper_mmap - map the calling thread's own page
 * @s: session that counts it
 * @vma: one page, read-only
 *
 * Takes no lock of the session's: these are held while CPUs are kept from
 * coming and going, and this function is called with the address space locked.
 *
 * Context: May sleep.
 * Return: 0; -EINVAL when the mapping is not of this form, or the session's
 * sets are not one on each core type; -ESRCH when the session does not count the
 * thread; -ENOMEM.
 */
int pmc_caliper_mmap(struct pmc_session *s, struct vm_area_struct *vma)
{
	int policy = READ_ONCE(s->user_policy);
	bool access = READ_ONCE(pmc_settings.user_access) && policy;
	struct pmc_caliper_page *new, *page;
	int ret;

	BUILD_BUG_ON(sizeof(struct pmc_caliper_page) > PAGE_SIZE);
	if (vma->vm_end - vma->vm_start != PAGE_SIZE ||
	    vma->vm_flags & VM_WRITE || !(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	new = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	if (!new)
		return -ENOMEM;
	memset(new->hw, 0xff, sizeof(new->hw));
	page = set_page(s, new, access);
	free_page((unsigned long)new);
	if (IS_ERR(page))
		return PTR_ERR(page);
	/* VM_IO: the mapping can't be made to be copied, either. */
	pmc_vm_flags_mod(vma, VM_IO | VM_DONTCOPY | VM_DONTEXPAND |
			      VM_DONTDUMP, VM_MAYWRITE);
	ret = vm_insert_page(vma, vma->vm_start, virt_to_page(page));
	put_page(virt_to_page(page));
	if (ret || !pmc_backend->direct)
		return ret;
	if (pmc_backend->user_map && access && policy == 1)
		ret = give_access(vma);
	if (!ret)
		queue_work(pmc_wq, &s->direct_work);
	return ret;
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
