// SPDX-License-Identifier: GPL-2.0
/*
 * The machine goes to sleep and wakes up. By then all CPUs but one are offline
 * (hotplug.c). What is loaded on that one stays so: the thread that has the
 * machine suspended, and what counts the CPU. Its counters are taken off
 * before their registers are lost, and the time it sleeps is nobody's.
 * Monitoring modules do the same for the registers that they read themselves.
 */
#include <linux/ktime.h>
#include "cycles.h"
#include "modules.h"
#include "sample.h"
#include "session.h"
#include "sleep.h"
#include <base/compat.h>
#include "../pmu/uncore.h"

/* Of light threads nobody takes the time that they run. */
static void stop_clocks(struct pmc_cpu *cpu)
{
	struct pmc_thread *t;

	for (t = cpu->loaded; t; t = t->next)
		if (!t->light)
			t->running += pmc_cycles();
}

static void start_clocks(struct pmc_cpu *cpu)
{
	struct pmc_thread *t;

	for (t = cpu->loaded; t; t = t->next)
		if (!t->light)
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
		pmc_uncore_sleep(t->session);
	}
	if (pmc_backend->sleep)
		pmc_backend->sleep(cpu);
	return 0;
}

static void on_resume(PMC_SYSCORE_ARG)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	struct pmc_thread *t;

	if (pmc_backend->wake)
		pmc_backend->wake(cpu);
	for (t = cpu->syswide; t; t = t->next) {
		pmc_uncore_wake(t->session);
		t->running -= pmc_cycles();
	}
	start_clocks(cpu);
	pmc_modules_resume();
	/* Counters start anew: so do readings by instruction. */
	cpu->deferred |= PMC_REPUBLISH;
	pmc_cpu_end(cpu);
}

PMC_DEFINE_SYSCORE(sleep, on_suspend, on_resume);

/**
 * pmc_sleep_init - be told from now on
 *
 * Context: May sleep.
 */
void pmc_sleep_init(void)
{
	pmc_register_syscore(&sleep);
}

/**
 * pmc_sleep_exit - no longer
 *
 * Context: May sleep. No session is left.
 */
void pmc_sleep_exit(void)
{
	pmc_unregister_syscore(&sleep);
}
