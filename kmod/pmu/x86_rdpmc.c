// SPDX-License-Identifier: GPL-2.0
/*
 * RDPMC in user mode: allowed by CR4.PCE, which the kernel sets and clears
 * with the address space, by a count that perf keeps in it for mapped events.
 * A mapped caliper page is one more user; CPUs that run the process at the
 * time are told.
 */
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <asm/tlbflush.h>
#include "x86.h"

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
 * Context: May sleep.
 */
void pmc_x86_user_map(struct mm_struct *mm)
{
	if (atomic_inc_return(&mm->context.perf_rdpmc_allowed) == 1)
		update(mm);
}

/**
 * pmc_x86_user_unmap - a process has a page less mapped
 * @mm: its address space
 *
 * Context: May sleep.
 */
void pmc_x86_user_unmap(struct mm_struct *mm)
{
	if (atomic_dec_and_test(&mm->context.perf_rdpmc_allowed))
		update(mm);
}
