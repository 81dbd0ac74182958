/* SPDX-License-Identifier: GPL-2.0 */
/* The overflow interrupt of x86 counters. */
#ifndef PMC_X86_NMI_H
#define PMC_X86_NMI_H

#include <linux/types.h>

struct pmc_cpu;

int pmc_x86_nmi_start(void);
void pmc_x86_nmi_stop(void);
void pmc_x86_unmask(void);
u64 pmc_x86_pmi(struct pmc_cpu *cpu);

#endif /* PMC_X86_NMI_H */
