/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the kernels this module is built for differ.
 */
#ifndef PMC_CORE_COMPAT_H
#define PMC_CORE_COMPAT_H

#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/version.h>

/* Flags of a mapping may be changed by functions only from 6.3 on. */
static inline void pmc_vm_flags_mod(struct vm_area_struct *vma,
				    unsigned long set, unsigned long clear)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

/*
 * Does perf count this task, with hardware counters? Interrupts off: the
 * task's context is current's, or that of a task about to run here.
 */
static inline bool pmc_perf_counts(const struct task_struct *task)
{
	const struct perf_event_context *ctx;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
	ctx = READ_ONCE(task->perf_event_ctxp);
#else
	ctx = READ_ONCE(task->perf_event_ctxp[perf_hw_context]);
#endif
	return ctx && READ_ONCE(ctx->nr_events);
}

#endif /* PMC_CORE_COMPAT_H */
