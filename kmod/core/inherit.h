/* SPDX-License-Identifier: GPL-2.0 */
/* The events that hooks report: switch, fork, exec, exit. */
#ifndef PMC_INHERIT_H
#define PMC_INHERIT_H

#include "caliper.h"
#include "table.h"

struct linux_binprm;

void pmc_switch(struct pmc_cpu *cpu, struct task_struct *next,
		struct hlist_bl_head *head);

/*
 * Another thread is about to run on this CPU. Part of the hook itself: threads that
 * are not counted run no more of it than this. Each call is the last thing done,
 * so that they need no stack. Interrupts off, run-queue lock held.
 */
static __always_inline void pmc_on_switch(struct task_struct *next)
{
	struct hlist_bl_head *head = pmc_table_head(next);

	if (unlikely(__this_cpu_read(pmc_cpus.loaded) || pmc_bucket_first(head)))
		pmc_switch(this_cpu_ptr(&pmc_cpus), next, head);
	else if (unlikely(pmc_user_reads(next->mm)))
		pmc_caliper_switch();
}

void pmc_on_fork(struct task_struct *child, unsigned long clone_flags);
void pmc_on_exec(struct linux_binprm *bprm);
void pmc_on_exit(void);

#endif /* PMC_INHERIT_H */
