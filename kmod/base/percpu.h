/* SPDX-License-Identifier: GPL-2.0 */
/* The state of each CPU: its counters, the threads loaded on them, its timer. */
#ifndef PMC_PERCPU_H
#define PMC_PERCPU_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include "uapi/pmctrack.h"

struct perf_event;
struct pmc_core_type;
struct pmc_thread;

/* Bits of @deferred that are no slots: write caliper pages anew; call the backend's pmi() */
#define PMC_REPUBLISH	BIT_ULL(63)
#define PMC_PMI		BIT_ULL(62)

/* Not the core type of any thread */
#define PMC_NO_CORE_TYPE	UINT_MAX

/**
 * struct pmc_ebs_share - what EBS interrupts took of a CPU in a window
 * @count: interrupts
 * @spent: cycles (pmc_cycles()) that their samples took
 */
struct pmc_ebs_share {
	unsigned int count;
	u64 spent;
};

/**
 * struct pmc_cpu - counting on one CPU
 * @ev: the kernel's counter behind each claimed slot, NULL for the others
 * @loaded: threads whose event sets are on the counters now: those of
 *	current, one for each session that counts it
 * @online: threads may be loaded here
 * @unavailable: it runs tasks, but its counters could not be had, which records report
 * @lost: a counter of the thread that is being loaded or unloaded was not on the PMU
 * @nr_open: while threads are loaded: pages of theirs that are to be written
 * @busy: the hooks are changing @loaded or counts: an overflow that comes
 *	as NMI now waits in @deferred
 * @deferred: slots whose overflow came while @busy; PMC_PMI: an interrupt
 *	not handled yet; PMC_REPUBLISH: some other interrupt
 * @expiry: when @timer fires, CLOCK_MONOTONIC ns; U64_MAX: not armed
 * @ebs_window: pmc_ebs_window() that @ebs belongs to
 * @ebs: of unprivileged sessions, and of those that have priority: users' interrupts
 *	throttle nobody else's
 * @ct: core type
 * @ct_id: its number; PMC_NO_CORE_TYPE while no threads may be loaded here
 * @armed: slots that are to interrupt
 * @programmed: id of the set that the backend programmed last
 * @user_access: user space may read counters now
 * @timer: fires at @expiry
 * @timer_work: arms @timer after an NMI
 * @access_work: writes @user_access to the PMU again, after a switch
 * @syswide: what system-wide sessions count here, always loaded
 *
 * Belongs to the CPU itself, with interrupts off; @ev is changed from thread
 * context under pmc_cpus_lock, for slots that nothing is loaded on.
 */
struct pmc_cpu {
	struct perf_event *ev[PMC_MAX_SLOTS];
	struct pmc_thread *loaded;
	bool online;
	bool unavailable;
	bool user_access;
	bool lost;
	unsigned int nr_open;
	u8 busy;
	u64 deferred;
	u64 expiry;
	unsigned long ebs_window;
	struct pmc_ebs_share ebs[2];
	struct pmc_core_type *ct;
	unsigned int ct_id;
	u64 armed;
	u64 programmed;
	struct hrtimer timer;
	struct irq_work timer_work;
	struct irq_work access_work;
	struct pmc_thread *syswide;
};

DECLARE_PER_CPU(struct pmc_cpu, pmc_cpus);

/* @cpu: this CPU. x86 has an instruction for it; elsewhere the address is there already. */
static __always_inline bool pmc_this_cpu_has_loaded(const struct pmc_cpu *cpu)
{
	return IS_ENABLED(CONFIG_X86) ? __this_cpu_read(pmc_cpus.loaded) : cpu->loaded;
}

/* Serialises claims, hotplug and system-wide contexts. */
extern struct mutex pmc_cpus_lock;

/* The hooks' frame around every change of what is loaded on this CPU. */
static inline void pmc_cpu_begin(struct pmc_cpu *cpu)
{
	cpu->busy = 1;
	barrier();
}

void pmc_cpu_run_deferred(struct pmc_cpu *cpu);

static inline void pmc_cpu_end(struct pmc_cpu *cpu)
{
	barrier();
	cpu->busy = 0;
	barrier();
	if (unlikely(cpu->deferred))
		pmc_cpu_run_deferred(cpu);
}

#endif /* PMC_PERCPU_H */
