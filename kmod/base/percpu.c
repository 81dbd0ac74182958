// SPDX-License-Identifier: GPL-2.0
/* The state of each CPU. */
#include "base/percpu.h"
#include "base/pmu_callbacks.h"

DEFINE_PER_CPU(struct pmc_cpu, pmc_cpus) = { .ct_id = PMC_NO_CORE_TYPE };
/* Serialises claims, hotplug and system-wide contexts. */
DEFINE_MUTEX(pmc_cpus_lock);

/**
 * pmc_cpu_run_deferred - see to what came in the middle of a hook
 * @cpu: this CPU
 *
 * Context: Interrupts off.
 */
void pmc_cpu_run_deferred(struct pmc_cpu *cpu)
{
	pmc_upcalls->run_deferred(cpu);
}
