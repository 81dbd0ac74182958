/* SPDX-License-Identifier: GPL-2.0 */
/* Keeping the PMU from virtual machines. */
#ifndef PMC_X86_MEDIATED_VPMU_H
#define PMC_X86_MEDIATED_VPMU_H

int pmc_x86_vpmu_init(void);
void pmc_x86_vpmu_exit(void);
int pmc_x86_vpmu_refuse(unsigned int cpu);
void pmc_x86_vpmu_allow(void);

#endif /* PMC_X86_MEDIATED_VPMU_H */
