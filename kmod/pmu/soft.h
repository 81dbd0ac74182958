/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Software counters: values that the kernel keeps for each thread anyway. They
 * need no hardware, never overflow and cost a load.
 */
#ifndef PMC_SOFT_H
#define PMC_SOFT_H

#include <linux/sched.h>
#include "base/parse_evset.h"

/**
 * pmc_soft_read - value of a software counter of a thread
 * @task: the thread: current, or one that is not running
 * @sw: which, except PMC_SW_TASK_CLOCK, which our own clock measures
 *
 * Context: Any.
 * Return: the value since the thread's start, in events.
 */
static inline u64 pmc_soft_read(const struct task_struct *task, enum pmc_sw sw)
{
	switch (sw) {
	case PMC_SW_CONTEXT_SWITCHES:
		return task->nvcsw + task->nivcsw;
	case PMC_SW_MIGRATIONS:
		return task->se.nr_migrations;
	case PMC_SW_PAGE_FAULTS:
		return task->min_flt + task->maj_flt;
	case PMC_SW_MINOR_FAULTS:
		return task->min_flt;
	case PMC_SW_MAJOR_FAULTS:
		return task->maj_flt;
	default:
		return 0;
	}
}

#endif /* PMC_SOFT_H */
