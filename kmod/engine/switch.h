/* SPDX-License-Identifier: GPL-2.0 */
/* The work at a switch: threads come on the counters of a CPU, and leave them. */
#ifndef PMC_SWITCH_H
#define PMC_SWITCH_H

#include "base/percpu.h"
#include "engine/thread_table.h"
#include "engine/user_page.h"
#include "pmu/user_reads.h"

void pmc_load_here(struct pmc_cpu *cpu, struct pmc_thread *t);
void pmc_unload_one(struct pmc_cpu *cpu, struct pmc_thread *t);
void pmc_unload_all(struct pmc_cpu *cpu);
void pmc_unload_taken(struct pmc_cpu *cpu);

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
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);

	if (unlikely(pmc_this_cpu_has_loaded(cpu) || pmc_bucket_first(head)))
		pmc_switch(cpu, next, head);
	else if (unlikely(pmc_user_reads(cpu, next->mm)))
		pmc_caliper_switch();
}

#endif /* PMC_SWITCH_H */
