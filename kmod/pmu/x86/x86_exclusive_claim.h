/* SPDX-License-Identifier: GPL-2.0 */
/* Claims of x86 counters without perf. */
#ifndef PMC_X86_EXCLUSIVE_CLAIM_H
#define PMC_X86_EXCLUSIVE_CLAIM_H

#include <linux/types.h>

struct pmc_cpu;
struct pmc_err;
struct pmc_hw_event;

/**
 * struct pmc_x86_bank - registers that the kernel hands out to one user
 * @counter: the first counter
 * @ctl: the first event select register
 * @step: from one to the next
 * @nr: how many of each
 */
struct pmc_x86_bank {
	u32 counter;
	u32 ctl;
	unsigned int step;
	unsigned int nr;
};

int pmc_x86_have(const struct pmc_x86_bank *bank);
void pmc_x86_exit(void);
int pmc_x86_claim(unsigned int cpu, const struct pmc_hw_event *ev,
		  struct pmc_err *err);
void pmc_x86_release(unsigned int cpu, unsigned int slot);
void pmc_x86_suspend(struct pmc_cpu *cpu);
void pmc_x86_resume(struct pmc_cpu *cpu);

#endif /* PMC_X86_EXCLUSIVE_CLAIM_H */
