/* SPDX-License-Identifier: GPL-2.0 */
/* Where samples come from: overflow interrupts and the timer. */
#ifndef PMC_SAMPLE_H
#define PMC_SAMPLE_H

#include "percpu.h"

void pmc_overflow(unsigned int slot);
void pmc_arm_timer(struct pmc_cpu *cpu, u64 expiry);
void pmc_timer_init(struct pmc_cpu *cpu);
void pmc_timer_stop(struct pmc_cpu *cpu);

#endif /* PMC_SAMPLE_H */
