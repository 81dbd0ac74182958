/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The scheduler's interface: high-level metrics of a thread, whatever the
 * machine and whichever monitoring module provides them. The scheduler never
 * sees a counter.
 */
#ifndef PMCTRACK_SCHEDULER_H
#define PMCTRACK_SCHEDULER_H

#include <linux/types.h>
#ifdef CONFIG_PMCTRACK
/* A patched kernel has the functions itself, and says so with the same type. */
#include <linux/pmctrack.h>
#endif

struct task_struct;

/**
 * enum pmc_metric - what can be asked of a thread
 * @PMC_METRIC_SPEEDUP_FACTOR: instructions per second on the fastest core type
 *	over those on the slowest, in thousandths
 * @PMC_METRIC_IPC: instructions per cycle on the core type it ran on last, in
 *	thousandths
 * @PMC_METRIC_LLC_MISSES: last-level cache misses per million instructions
 * @PMC_METRIC_LLC_REFERENCES: last-level cache references per thousand
 *	instructions, in thousandths
 * @PMC_METRIC_EFFICIENCY_FACTOR: energy-delay product on the slowest core type
 *	over that on the fastest, in thousandths
 * @PMC_METRIC_APP_SPEEDUP: speedup of its whole process from the fast cores, in
 *	thousandths
 * @PMC_METRIC_APP_THREADS: threads of the process that ran or were ready to when
 *	@PMC_METRIC_APP_SPEEDUP was set; at least 1, and of the first 256 only
 * @PMC_METRIC_LLC_OCCUPANCY: bytes of the last-level cache that its process
 *	holds
 * @PMC_METRIC_ENERGY: energy that the package spent while it ran, on whatever, in
 *	microjoules; where that is not measured, the cores, the memory or the
 *	platform
 * @PMC_METRIC_CLASS: hardware feedback class it ran in last
 * @PMC_METRIC_POWER: dynamic power of the thread while it runs, estimated by a
 *	model of the platform, in milliwatts
 * @PMC_METRIC_NR: number of metrics
 *
 * The numbers are part of the interface, of BPF programs too: new ones come at
 * the end.
 */
enum pmc_metric {
	PMC_METRIC_SPEEDUP_FACTOR = 0,
	PMC_METRIC_IPC = 1,
	PMC_METRIC_LLC_MISSES = 2,
	PMC_METRIC_LLC_REFERENCES = 3,
	PMC_METRIC_EFFICIENCY_FACTOR = 4,
	PMC_METRIC_APP_SPEEDUP = 5,
	PMC_METRIC_APP_THREADS = 6,
	PMC_METRIC_LLC_OCCUPANCY = 7,
	PMC_METRIC_ENERGY = 8,
	PMC_METRIC_CLASS = 9,
	PMC_METRIC_POWER = 10,
	PMC_METRIC_NR
};

/**
 * struct pmc_metric_value - a metric and how old it is
 * @value: in the metric's unit
 * @time: when it was found, CLOCK_MONOTONIC ns; 0: never
 */
#ifndef CONFIG_PMCTRACK
struct pmc_metric_value {
	u64 value;
	u64 time;
};
#endif

/**
 * pmcs_get_current_metric_value - a thread's metric as it was found last
 * @task: the thread, alive: current, or held by the caller's lock or reference
 * @metric: enum pmc_metric
 * @value: out: untouched on error
 *
 * Context: Any, NMI and the run-queue lock included. Takes no lock.
 * Return: 0; -EINVAL: no such metric; -ENODEV: no active monitoring module
 * provides it; -ESRCH: the thread is not monitored; -ENODATA: not found yet.
 */
int pmcs_get_current_metric_value(struct task_struct *task, int metric,
				  u64 *value);

/**
 * pmcs_get_metric - the same, and when it was found
 * @task: as above
 * @metric: enum pmc_metric
 * @value: out: value and time; untouched on error
 *
 * While a metric is being renewed the time may be that of the value before,
 * never that of the value to come.
 *
 * Context: As above.
 * Return: As above.
 */
int pmcs_get_metric(struct task_struct *task, int metric,
		    struct pmc_metric_value *value);

/**
 * pmcs_monitor_task - have a thread monitored, or no more
 * @task: the thread, alive as above
 * @on: monitor it, and threads it starts from then on
 *
 * It takes effect within the next tick or two. A thread that ends need not be
 * turned off. Kernel threads are not monitored; a thread that io_uring makes for a
 * process is one of the process.
 *
 * Context: Any but NMI; the run-queue lock may be held.
 * Return: 0; -EINVAL for a kernel thread; -ESRCH when it has ended; -EAGAIN when
 * too many wait already: ask again at the next tick. A thread that is monitored can
 * always be turned off.
 */
int pmcs_monitor_task(struct task_struct *task, bool on);

#endif /* PMCTRACK_SCHEDULER_H */
