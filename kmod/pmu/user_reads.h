/* SPDX-License-Identifier: GPL-2.0 */
/* Processes that may read counters by instruction. */
#ifndef PMC_USER_READS_H
#define PMC_USER_READS_H

#include <linux/compiler.h>
#include <linux/mm_types.h>
#include <linux/types.h>
#include "base/percpu.h"
#ifdef CONFIG_X86_64
#include "pmu/x86/x86_rdpmc.h"
#endif

#if defined(CONFIG_X86_64)
/*
 * May threads of this address space, if it is one, read counters? By a caliper page, or
 * by perf: the count is of both's mappings. It is copied at a fork and stays when there
 * is no mapping any more. A process that is about to get the right may be any. Any context.
 */
static __always_inline bool pmc_user_reads(const struct pmc_cpu *cpu, const struct mm_struct *mm)
{
	/* Plain loads can be operands, which saves two instructions at each switch. */
	return mm && data_race(mm->context.perf_rdpmc_allowed.counter |
			       pmc_x86_next_readers.counter);
}

/* Such a process has to be noticed at each switch while counters are claimed. */
#define PMC_PROCESSES_READ	1
#else
#define PMC_PROCESSES_READ	0
/* Elsewhere the right is the CPU's: the task that leaves it may have it. */
static __always_inline bool pmc_user_reads(const struct pmc_cpu *cpu, const struct mm_struct *mm)
{
	return IS_ENABLED(CONFIG_ARM64) && cpu->user_access;
}
#endif

#endif /* PMC_USER_READS_H */
