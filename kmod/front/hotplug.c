// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs that come and go. A CPU is in use from its online callback, when perf
 * is ready there and no user task has run yet, to its offline callback, when
 * no user task runs there any more.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include "base/claim_retry.h"
#include "base/percpu.h"
#include "engine/sample_trigger.h"
#include "engine/switch.h"
#include "engine/timer.h"
#include "engine/user_page.h"
#include "front/hotplug.h"
#include "pmu/claim.h"
#include "pmu/coretypes.h"
#include "pmu/pmu.h"
#include "session/running_tasks.h"
#include "session/syswide_cpus.h"
#include "session/thread_pool.h"
#include "uapi/pmctrack.h"

static int state;

static void open_here(void *unused)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);

	cpu->unavailable = false;
	cpu->ct_id = cpu->ct->id;
	cpu->online = true;
}

static void close_here(void *unused)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);

	pmc_cpu_begin(cpu);
	cpu->online = false;
	cpu->ct_id = PMC_NO_CORE_TYPE;
	pmc_unload_all(cpu);
	pmc_cpu_end(cpu);
}

/* A CPU that was offline when core types were found: of its PMU's type. */
static struct pmc_core_type *late_core_type(unsigned int cpu)
{
	struct pmc_core_type *ct = pmc_core_type_of(cpu);

	if (ct)
		return ct;
	ct = pmc_core_type_like(cpu);
	if (ct)
		cpumask_set_cpu(cpu, &ct->cpus);
	return ct;
}

static int cpu_up(unsigned int cpu)
{
	struct pmc_cpu *pc = per_cpu_ptr(&pmc_cpus, cpu);
	int missed;

	pmc_timer_init(pc, pmc_on_timer);
	pmc_caliper_init_cpu(pc);
	/* Whether or not anything is counted there: forks are followed. */
	pmc_pool_cpu_up(cpu);
	mutex_lock(&pmc_cpus_lock);
	pc->ct = late_core_type(cpu);
	pc->ct_id = PMC_NO_CORE_TYPE;
	pc->unavailable = true;
	if (!pc->ct) {
		pr_warn("CPU %u is of no known core type: nothing is counted there\n",
			cpu);
		pmc_syswide_cpu_missed(cpu);
		goto out;
	}
	missed = pmc_claim_cpu(cpu);
	if (missed) {
		pr_warn("CPU %u came online, but %d of its counters are taken: nothing is counted there until they are free\n",
			cpu, missed);
		pmc_release_cpu(cpu);
		pmc_syswide_cpu_missed(cpu);
		pmc_retry_soon();
		goto out;
	}
	smp_call_function_single(cpu, open_here, NULL, 1);
	pmc_syswide_cpu_up(cpu, 0);
out:
	mutex_unlock(&pmc_cpus_lock);
	return 0;
}

static int cpu_down(unsigned int cpu)
{
	struct pmc_cpu *pc = per_cpu_ptr(&pmc_cpus, cpu);

	mutex_lock(&pmc_cpus_lock);
	if (pc->online) {
		pmc_syswide_cpu_down(cpu);
		smp_call_function_single(cpu, close_here, NULL, 1);
		pmc_release_cpu(cpu);
	}
	pc->unavailable = false;
	pmc_timer_stop(pc);
	mutex_unlock(&pmc_cpus_lock);
	return 0;
}

/* Uses CPUs whose counters were taken when they came online. */
static void retry_cpus(void)
{
	unsigned int cpu;

	mutex_lock(&pmc_cpus_lock);
	for_each_online_cpu(cpu) {
		struct pmc_cpu *pc = per_cpu_ptr(&pmc_cpus, cpu);

		if (!pc->unavailable)
			continue;
		if (!pc->ct) {
			pc->ct = late_core_type(cpu);
			if (!pc->ct)
				continue;
		}
		if (pmc_claim_cpu(cpu)) {
			pmc_release_cpu(cpu);
			continue;
		}
		smp_call_function_single(cpu, open_here, NULL, 1);
		pmc_syswide_cpu_up(cpu, PMC_REC_COUNTER_LOST);
		/* It may run a thread that is counted all the time. */
		pmc_load_running(cpu);
	}
	mutex_unlock(&pmc_cpus_lock);
}

/* Return: whether a CPU has all its counters, or can never have them. */
static bool is_complete(unsigned int cpu)
{
	struct pmc_cpu *pc = per_cpu_ptr(&pmc_cpus, cpu);

	if (pc->unavailable)
		return !pc->ct;
	return !pmc_backend->reacquire || pmc_backend->reacquire(pc);
}

static bool retry_counters(void)
{
	bool all = true;
	unsigned int cpu;

	retry_cpus();
	mutex_lock(&pmc_cpus_lock);
	for_each_online_cpu(cpu)
		all = is_complete(cpu) && all;
	mutex_unlock(&pmc_cpus_lock);
	return all;
}

static const struct pmc_retry_ops retry_ops = {
	.cpus = retry_cpus,
	.counters = retry_counters,
};

/**
 * pmc_nr_unavailable_cpus - CPUs on which threads run uncounted
 *
 * Return: how many.
 */
unsigned int pmc_nr_unavailable_cpus(void)
{
	unsigned int cpu, nr = 0;

	for_each_online_cpu(cpu)
		nr += READ_ONCE(per_cpu(pmc_cpus, cpu).unavailable);
	return nr;
}

/**
 * pmc_hotplug_init - put all CPUs in use, and those that come
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_hotplug_init(void)
{
	pmc_retry_init(&retry_ops);
	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "pmctrack:online",
				  cpu_up, cpu_down);
	return min(state, 0);
}

/**
 * pmc_hotplug_exit - take all CPUs out of use
 *
 * Context: May sleep. No session is left.
 */
void pmc_hotplug_exit(void)
{
	cpuhp_remove_state(state);
	pmc_retry_exit();
}
