/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's counters as its drivers for Arm's PMUs have them. */
#ifndef PMC_ARM_KCOUNTER_H
#define PMC_ARM_KCOUNTER_H

struct pmc_err;
struct pmc_hw_event;

int pmc_arm_claim(unsigned int cpu, const struct pmc_hw_event *ev,
		  struct pmc_err *err);

#endif /* PMC_ARM_KCOUNTER_H */
