// SPDX-License-Identifier: GPL-2.0
/*
 * The machine is suspended and resumed. By then all CPUs but one are offline
 * (hotplug.c). On the last one the thread that has the machine suspended and the
 * CPU's own counts stay loaded. Its counters are read before their registers are
 * lost, and the time in between belongs to no thread. Monitoring modules do the
 * same for the registers that they read themselves.
 */
#include <linux/ktime.h>
#include <base/compat.h>
#include "base/clock.h"
#include "base/percpu.h"
#include "engine/thread.h"
#include "engine/uncore_read.h"
#include "front/suspend.h"
#include "metrics/modules.h"
#include "pmu/pmu.h"

/* The time of threads without counters is not kept. */
static void stop_clocks(struct pmc_cpu *cpu)
{
	struct pmc_thread *t;

	for (t = cpu->loaded; t; t = t->next)
		if (!t->no_counters)
			t->running += pmc_cycles();
}

static void start_clocks(struct pmc_cpu *cpu)
{
	struct pmc_thread *t;

	for (t = cpu->loaded; t; t = t->next)
		if (!t->no_counters)
			t->running -= pmc_cycles();
}

static int on_suspend(PMC_SYSCORE_ARG)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	struct pmc_thread *t;

	/* Until on_resume(): an overflow has to wait. */
	pmc_cpu_begin(cpu);
	pmc_modules_suspend();
	stop_clocks(cpu);
	for (t = cpu->syswide; t; t = t->next) {
		t->running += pmc_cycles();
		pmc_uncore_suspend(t->consumer);
	}
	if (pmc_backend->suspend)
		pmc_backend->suspend(cpu);
	return 0;
}

static void on_resume(PMC_SYSCORE_ARG)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	struct pmc_thread *t;

	if (pmc_backend->resume)
		pmc_backend->resume(cpu);
	for (t = cpu->syswide; t; t = t->next) {
		pmc_uncore_resume(t->consumer);
		t->running -= pmc_cycles();
	}
	start_clocks(cpu);
	pmc_modules_resume();
	/* Counters start anew: so do readings by instruction. */
	cpu->deferred |= PMC_REPUBLISH;
	pmc_cpu_end(cpu);
}

PMC_DEFINE_SYSCORE(suspend, on_suspend, on_resume);

/**
 * pmc_suspend_init - have the kernel call us when it suspends and resumes
 *
 * Context: May sleep.
 */
void pmc_suspend_init(void)
{
	pmc_register_syscore(&suspend);
}

/**
 * pmc_suspend_exit - undo pmc_suspend_init()
 *
 * Context: May sleep. No session is left.
 */
void pmc_suspend_exit(void)
{
	pmc_unregister_syscore(&suspend);
}
