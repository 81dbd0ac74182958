// SPDX-License-Identifier: GPL-2.0
/*
 * RDPMC in user mode: allowed by CR4.PCE, which the kernel sets and clears
 * with the address space, by a count that perf keeps in it for mapped events.
 * A mapped caliper page is one more; CPUs that run the process at the time are
 * told.
 */
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <asm/tlbflush.h>
#include "../core/caliper.h"
#include "../core/session.h"
#include "x86.h"

/**
 * pmc_x86_user_policy - may processes read counters
 *
 * As the administrator has it for perf (Documentation/ABI/testing/
 * sysfs-bus-event_source-devices, "rdpmc").
 *
 * Context: May sleep.
 * Return: 0: none may; 1: those that have asked; 2: all may, and do already.
 */
int pmc_x86_user_policy(void)
{
	int value;

	if (!pmc_read_setting("sys/bus/event_source/devices/cpu/rdpmc",
			      &value) ||
	    !pmc_read_setting("sys/bus/event_source/devices/cpu_core/rdpmc",
			      &value))
		return value;
	return 0;
}

/* Any context. */
bool pmc_x86_user_reads(const struct mm_struct *mm)
{
	return mm && atomic_read(&mm->context.perf_rdpmc_allowed);
}

static void update_here(void *info)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	struct mm_struct *mm = info;

	/* Also of a kernel thread that borrows it: nobody else would tell. */
	if (current->active_mm != mm)
		return;
	if (!pmc_x86_user_reads(mm)) {
		cr4_update_irqsoff(0, X86_CR4_PCE);
		return;
	}
	pmc_cpu_begin(cpu);
	pmc_caliper_hide(cpu);
	pmc_cpu_end(cpu);
	cr4_update_irqsoff(X86_CR4_PCE, 0);
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

/**
 * pmc_x86_user_fork - current's process has got a child
 * @mm: the child's address space, a copy that nobody has used yet
 *
 * The count is copied, but neither our pages nor perf's are.
 *
 * Context: Any.
 */
void pmc_x86_user_fork(struct mm_struct *mm)
{
	atomic_set(&mm->context.perf_rdpmc_allowed, 0);
}
