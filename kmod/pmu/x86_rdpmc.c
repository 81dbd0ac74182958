// SPDX-License-Identifier: GPL-2.0
/*
 * RDPMC in user mode: allowed by CR4.PCE, which the kernel sets and clears
 * with the address space, by a count that perf keeps in it for mapped events.
 * A mapped caliper page is one more; CPUs that run the process at the time are
 * told.
 *
 * A child gets a copy of the count but not of the page, so what is in it of
 * ours is taken back when it is made.
 */
#include <linux/list.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <asm/tlbflush.h>
#include "x86.h"

/**
 * struct grant - the pages that a process has mapped
 * @list: in grants
 * @mm: its address space, which is there as long as they are
 * @nr: how many
 */
struct grant {
	struct list_head list;
	struct mm_struct *mm;
	int nr;
};

static LIST_HEAD(grants);
static DEFINE_SPINLOCK(grants_lock);

static struct grant *find_grant(const struct mm_struct *mm)
{
	struct grant *g;

	list_for_each_entry(g, &grants, list)
		if (g->mm == mm)
			return g;
	return NULL;
}

static void update_here(void *info)
{
	struct mm_struct *mm = info;

	/* Also of a kernel thread that borrows it: nobody else would tell. */
	if (current->active_mm != mm)
		return;
	if (atomic_read(&mm->context.perf_rdpmc_allowed))
		cr4_update_irqsoff(X86_CR4_PCE, 0);
	else
		cr4_update_irqsoff(0, X86_CR4_PCE);
}

static void update(struct mm_struct *mm)
{
	on_each_cpu_mask(mm_cpumask(mm), update_here, mm, true);
}

/**
 * pmc_x86_user_map - a process has mapped a page more
 * @mm: its address space
 *
 * Context: May sleep; @mm is locked for writing.
 * Return: 0; or -ENOMEM, never when it has one mapped already.
 */
int pmc_x86_user_map(struct mm_struct *mm)
{
	struct grant *g;

	spin_lock(&grants_lock);
	g = find_grant(mm);
	if (g)
		g->nr++;
	spin_unlock(&grants_lock);
	if (!g) {
		g = kzalloc(sizeof(*g), GFP_KERNEL_ACCOUNT);
		if (!g)
			return -ENOMEM;
		g->mm = mm;
		g->nr = 1;
		spin_lock(&grants_lock);
		list_add(&g->list, &grants);
		spin_unlock(&grants_lock);
	}
	if (atomic_inc_return(&mm->context.perf_rdpmc_allowed) == 1)
		update(mm);
	return 0;
}

/**
 * pmc_x86_user_unmap - a process has a page less mapped
 * @mm: its address space
 *
 * Context: May sleep; @mm is locked for writing, or nobody uses it any more.
 */
void pmc_x86_user_unmap(struct mm_struct *mm)
{
	struct grant *g;

	if (atomic_dec_and_test(&mm->context.perf_rdpmc_allowed))
		update(mm);
	spin_lock(&grants_lock);
	g = find_grant(mm);
	if (--g->nr)
		g = NULL;
	else
		list_del(&g->list);
	spin_unlock(&grants_lock);
	kfree(g);
}

/**
 * pmc_x86_user_fork - current's process has got a child
 * @mm: the child's address space, a copy that nobody has used yet
 *
 * Context: Any but NMI and hard interrupts.
 */
void pmc_x86_user_fork(struct mm_struct *mm)
{
	struct grant *g;

	if (!current->mm ||
	    !atomic_read(&current->mm->context.perf_rdpmc_allowed))
		return;
	spin_lock(&grants_lock);
	g = find_grant(current->mm);
	if (g)
		atomic_sub(g->nr, &mm->context.perf_rdpmc_allowed);
	spin_unlock(&grants_lock);
}
