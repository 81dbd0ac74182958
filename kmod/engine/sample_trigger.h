/* SPDX-License-Identifier: GPL-2.0 */
/* Where samples come from: overflow interrupts and the timer. */
#ifndef PMC_SAMPLE_TRIGGER_H
#define PMC_SAMPLE_TRIGGER_H

#include <linux/hrtimer.h>
#include "base/percpu.h"

void pmc_overflow(unsigned int slot);
void pmc_record_overflows(struct pmc_cpu *cpu);
void pmc_overflows(struct pmc_cpu *cpu, u64 slots);
void pmc_run_deferred(struct pmc_cpu *cpu);

/*
 * An interrupt is about to be handled: if it is our counters', the sample is
 * taken here and the kernel's PMU driver finds nothing left to do. That is half
 * the cost of going through the driver. Interrupts off, or NMI.
 */
static inline void pmc_on_interrupt(void)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);

	if (cpu->armed)
		pmc_record_overflows(cpu);
}

enum hrtimer_restart pmc_on_timer(struct hrtimer *timer);

#endif /* PMC_SAMPLE_TRIGGER_H */
