// SPDX-License-Identifier: GPL-2.0
/*
 * The page by which a thread reads its own counters without a system call:
 * what it had counted when the page was written, and where on which counter
 * that was. It is written on the thread's own CPU only, when the thread comes
 * there and after any interrupt, so the reader needs no more than a sequence
 * count.
 *
 * The kernel's PMU driver takes user access away whenever it touches the PMU.
 * It does so in interrupts (its own, and other CPUs' requests), after which
 * the interrupt hook gives it back; or in the thread's own system calls,
 * which the reader finds out by looking at PMUSERENR_EL0 before it reads; or
 * at a switch to a thread that perf counts too, and such a thread is told to
 * use the system call.
 */
#include <linux/mm.h>
#include "caliper.h"
#include "compat.h"
#include "session.h"
#include "table.h"
#include "settings.h"

/* The thread's counts, all core types, without what is on the counters. */
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
	direct = pmc_settings.user_access && !pmc_perf_counts(t->task) &&
		 pmc_backend->caliper(cpu, t->set, page);
	page->direct = direct;
	page->nr_counts = t->set->nr;
	page->core_type = t->ct;
	page->set = t->set->index;
	barrier();
	WRITE_ONCE(page->seq, page->seq + 1);
	if (direct || cpu->user_access)
		pmc_backend->user_access(direct);
	cpu->user_access = direct;
}

/**
 * pmc_caliper_load - the thread has come onto this CPU
 * @cpu: this CPU
 * @t: thread with a page, loaded
 *
 * Context: Interrupts off.
 */
void pmc_caliper_load(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	pmc_backend->hide(cpu);
	publish(cpu, t);
}

/**
 * pmc_caliper_unload - the thread leaves this CPU
 * @cpu: this CPU
 * @t: thread with a page, still loaded
 *
 * Context: Interrupts off.
 */
void pmc_caliper_unload(struct pmc_cpu *cpu, struct pmc_thread *t)
{
	if (cpu->user_access) {
		pmc_backend->user_access(false);
		cpu->user_access = false;
	}
}

/**
 * pmc_caliper_irq - an interrupt handler has run
 *
 * Context: Interrupts off, on the CPU that took it.
 */
void pmc_caliper_irq(void)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	struct pmc_thread *t;

	/* It came while a hook runs: that one will see to it. */
	if (cpu->busy)
		return;
	for (t = cpu->loaded; t; t = t->next)
		if (unlikely(t->page))
			publish(cpu, t);
}

/* The page has room for one set on each core type, all alike. */
static int check_sets(struct pmc_session *s)
{
	unsigned int ct, nr = s->rotation[0].sets[0]->nr;

	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		const struct pmc_rotation *rot = &s->rotation[ct];

		if (rot->nr != 1 || rot->sets[0]->nr != nr)
			return pmc_err(&s->err, -EINVAL,
				       "reading counters directly needs one event set on each core type, with as many events on all of them");
	}
	return 0;
}

static int map_page(struct pmc_thread *t, struct vm_area_struct *vma)
{
	struct pmc_caliper_page *page = t->page;
	unsigned long flags;
	struct pmc_cpu *cpu;
	int ret;

	if (!page) {
		page = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
		if (!page)
			return -ENOMEM;
		memset(page->hw, 0xff, sizeof(page->hw));
	}
	pmc_vm_flags_mod(vma, VM_DONTCOPY, VM_MAYWRITE);
	ret = vm_insert_page(vma, vma->vm_start, virt_to_page(page));
	if (t->page)
		return ret;
	if (ret) {
		free_page((unsigned long)page);
		return ret;
	}
	local_irq_save(flags);
	cpu = this_cpu_ptr(&pmc_cpus);
	pmc_cpu_begin(cpu);
	t->page = page;
	t->special = true;
	if (t->cpu >= 0)
		pmc_caliper_load(cpu, t);
	pmc_cpu_end(cpu);
	local_irq_restore(flags);
	return 0;
}

/**
 * pmc_caliper_mmap - map the calling thread's own page
 * @s: session that counts it
 * @vma: one page, read-only
 *
 * Context: May sleep.
 * Return: 0, -EINVAL, -ESRCH when the session does not count the thread,
 * -ENOMEM.
 */
int pmc_caliper_mmap(struct pmc_session *s, struct vm_area_struct *vma)
{
	struct pmc_thread *t;
	int ret;

	BUILD_BUG_ON(sizeof(struct pmc_caliper_page) > PAGE_SIZE);
	if (vma->vm_end - vma->vm_start != PAGE_SIZE ||
	    vma->vm_flags & VM_WRITE || !(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	mutex_lock(&s->lock);
	rcu_read_lock();
	t = pmc_table_find(current, s);
	rcu_read_unlock();
	if (!t)
		ret = pmc_err(&s->err, -ESRCH,
			      "this thread is not counted: start it first");
	else
		ret = check_sets(s) ?: map_page(t, vma);
	mutex_unlock(&s->lock);
	return ret;
}

/**
 * pmc_caliper_free - drop the kernel's hold on a thread's page
 * @t: thread that is loaded nowhere
 *
 * Context: Any. A mapping that is still there keeps the page.
 */
void pmc_caliper_free(struct pmc_thread *t)
{
	if (!t->page)
		return;
	put_page(virt_to_page(t->page));
	t->page = NULL;
}
