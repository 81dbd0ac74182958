/* SPDX-License-Identifier: GPL-2.0 */
/* Counters that interrupt at the end of a sampling period. */
#ifndef PMC_EBS_H
#define PMC_EBS_H

#include <linux/jiffies.h>

struct pmc_cpu;
struct pmc_thread;

/* Time in which so many EBS interrupts are let through: a jiffy. */
static inline unsigned long pmc_ebs_window(void)
{
	return jiffies;
}

void pmc_arm_ebs(struct pmc_cpu *cpu, struct pmc_thread *t);
void pmc_disarm_ebs(struct pmc_cpu *cpu, struct pmc_thread *t);

#endif /* PMC_EBS_H */
