/* SPDX-License-Identifier: GPL-2.0 */
/* Mapping the page by which a thread reads its own counters. */
#ifndef PMC_CALIPER_MAP_H
#define PMC_CALIPER_MAP_H

struct pmc_session;
struct vm_area_struct;
struct work_struct;

int pmc_caliper_mmap(struct pmc_session *s, struct vm_area_struct *vma);
void pmc_caliper_direct(struct work_struct *work);
void pmc_caliper_end_direct(struct pmc_session *s);
void pmc_caliper_exit(void);

#endif /* PMC_CALIPER_MAP_H */
