/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Software counters: what the kernel keeps for each thread anyway. They need
 * no hardware, never overflow and cost a load.
 */
#ifndef PMC_SOFT_H
#define PMC_SOFT_H

#include <linux/sched.h>
#include <linux/sched/clock.h>
#include "pmu.h"

/**
 * pmc_task_clock - CPU time a thread has had
 * @task: current, or a thread that is not running
 * @running: it is current, in the middle of a time slice
 *
 * The scheduler brings sum_exec_runtime up to date when a thread leaves its
 * CPU; the slice it is in is added here.
 *
 * Context: Any.
 * Return: ns.
 */
static inline u64 pmc_task_clock(const struct task_struct *task, bool running)
{
	u64 clock = READ_ONCE(task->se.sum_exec_runtime);
	s64 slice;

	if (running) {
		slice = local_clock() - READ_ONCE(task->se.exec_start);
		if (slice > 0)
			clock += slice;
	}
	return clock;
}

/**
 * pmc_soft_read - value of a software counter of a thread
 * @task: current, or a thread that is not running
 * @sw: which
 * @running: it is current, in the middle of a time slice
 *
 * Context: Any.
 * Return: the value since the thread's start, in events or ns.
 */
static inline u64 pmc_soft_read(const struct task_struct *task,
				enum pmc_sw sw, bool running)
{
	switch (sw) {
	case PMC_SW_TASK_CLOCK:
		return pmc_task_clock(task, running);
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
