/* SPDX-License-Identifier: GPL-2.0 */
/* Reports of the files that drive counters to the floors above them, which they do not know. */
#ifndef PMC_PMU_CALLBACKS_H
#define PMC_PMU_CALLBACKS_H

#include <linux/static_call.h>
#include <linux/types.h>

struct pmc_cpu;

typedef void pmc_overflow_t(unsigned int slot);
typedef void pmc_overflows_t(struct pmc_cpu *cpu, u64 slots);

/**
 * struct pmc_upcalls - what is done with a report
 * @overflow: a counter of this CPU has overflowed. In the PMU's interrupt, which may be an NMI
 * @overflows: counters were set anew after their overflow: those whose sampling period is
 *	over. In an NMI
 * @run_deferred: reports have come while a hook changed this CPU (deferred of struct pmc_cpu)
 * @missed: a counter of this CPU is not on the PMU, and is about to be again
 * @user_reads: this CPU's current process is about to read counters: clear them, and write
 *	the pages that say where they are. In a hook
 * @republish: counters of this CPU have moved, or an interrupt handler has run: write the pages
 *
 * Called with interrupts off.
 */
struct pmc_upcalls {
	pmc_overflow_t *overflow;
	pmc_overflows_t *overflows;
	void (*run_deferred)(struct pmc_cpu *cpu);
	void (*missed)(struct pmc_cpu *cpu, unsigned int slot);
	void (*user_reads)(struct pmc_cpu *cpu);
	void (*republish)(void);
};

extern const struct pmc_upcalls *pmc_upcalls;

/* Its overflow and overflows, without looking them up for each sample. */
DECLARE_STATIC_CALL(pmc_up_overflow, pmc_overflow_t);
DECLARE_STATIC_CALL(pmc_up_overflows, pmc_overflows_t);

void pmc_upcalls_init(const struct pmc_upcalls *upcalls);

#endif /* PMC_PMU_CALLBACKS_H */
