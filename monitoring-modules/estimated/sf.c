// SPDX-License-Identifier: GPL-2.0
/*
 * Estimated speedup factor: how many times faster a thread would run on the
 * fastest core type than on the slowest, by a model of the platform, from what
 * it counts on the core type it is on. And the speedup of its process, from it.
 */
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "estimator.h"

/* Threads of a process that are counted; it runs with interrupts off. */
#define THREADS_MAX	256

/* Threads of its process that run or are ready to, itself at least. */
static unsigned int count_runnable(struct task_struct *task)
{
	struct task_struct *other;
	unsigned int nr = 0, seen = 0;

	rcu_read_lock();
	for_each_thread(task, other) {
		nr += task_is_running(other);
		if (++seen == THREADS_MAX)
			break;
	}
	rcu_read_unlock();
	return max(nr, 1u);
}

/* Those that are off are no help. */
static unsigned int count_big(void)
{
	unsigned int cpu, nr = 0;

	for_each_cpu_and(cpu, pmc_module_core_type_cpus(pmc_module_fastest()),
			 cpu_online_mask)
		nr++;
	return max(nr, 1u);
}

/*
 * The speedup of a process of @threads equal threads, thousandths:
 *
 *   1 + (SF - 1) / (floor((threads - 1) / big cores) + 1)^2
 *
 * that is SF as long as there is a big core for each thread; beyond, ever less
 * of the work is done there, and the rest is waited for.
 *
 * The formula is a choice of this project. The PMCTrack paper (The Computer
 * Journal 2017, section 4.1) has no formula, but says what it takes: the number
 * of runnable threads, their SF and the number of big cores. This is not the
 * utility factor of CAMP (Saez et al., ACM TOCS 30(2), 2012).
 *
 * A formula that squares max(1, threads - (big cores - 1)) was not taken. With
 * eight big cores and ten threads it would leave a ninth of the gain, though
 * eight of the ten threads are on big cores.
 */
static u64 application_speedup(u64 sf, unsigned int threads)
{
	unsigned int shares = (threads - 1) / count_big() + 1;
	u64 square = (u64)shares * shares;

	return sf > 1000 ? 1000 + div64_u64(sf - 1000, square) :
			   1000 - div64_u64(1000 - sf, square);
}

static void estimated(struct pmc_module_thread *t, u64 sf)
{
	unsigned int threads = count_runnable(t->task);

	pmc_module_set_metric(t, PMC_METRIC_APP_THREADS, threads);
	pmc_module_set_metric(t, PMC_METRIC_APP_SPEEDUP,
			      application_speedup(sf, threads));
}

static void sampled(struct pmc_module_thread *t, u64 instructions, u64 cycles,
		    u64 llc_misses, u64 llc_references)
{
	pmc_module_set_metric(t, PMC_METRIC_IPC,
			      div64_u64(instructions * 1000, cycles));
	if (llc_misses != PMC_NO_VALUE)
		pmc_module_set_metric(t, PMC_METRIC_LLC_MISSES,
				      div64_u64(llc_misses * 1000000, instructions));
	if (llc_references != PMC_NO_VALUE)
		pmc_module_set_metric(t, PMC_METRIC_LLC_REFERENCES,
				      div64_u64(llc_references * 1000000, instructions));
}

struct estimator pmc_estimator = {
	.metric = PMC_METRIC_SPEEDUP_FACTOR,
	.virtual = {
		.name = "sf",
		.unit = "",
		.description = "speedup factor of the thread, estimated by a model",
		.kind = PMC_VIRTUAL_RATIO,
		.scale = 1000,
		.flags = PMC_VIRTUAL_ESTIMATED,
	},
	.mm = {
		.name = "estimated_sf",
		.description = "speedup factor by a model of the platform",
		.owner = THIS_MODULE,
		.metrics = BIT(PMC_METRIC_SPEEDUP_FACTOR) | BIT(PMC_METRIC_IPC) |
			   BIT(PMC_METRIC_LLC_MISSES) |
			   BIT(PMC_METRIC_LLC_REFERENCES) |
			   BIT(PMC_METRIC_APP_SPEEDUP) |
			   BIT(PMC_METRIC_APP_THREADS),
	},
	.sampled = sampled,
	.estimated = estimated,
};

static int __init estimated_sf_init(void)
{
	return estimator_register();
}

static void __exit estimated_sf_exit(void)
{
	estimator_unregister();
}

module_init(estimated_sf_init);
module_exit(estimated_sf_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Speedup factor of threads by a model of the platform");
