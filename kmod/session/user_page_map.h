/* SPDX-License-Identifier: GPL-2.0 */
/* Mapping the page by which a thread reads its own counters. */
#ifndef PMC_USER_PAGE_MAP_H
#define PMC_USER_PAGE_MAP_H

#include <linux/workqueue.h>

struct pmc_session;
struct vm_area_struct;

/**
 * struct pmc_user_access - how the threads of a session may read their counters by instruction
 * @policy: what the backend's user_policy() said; 1 if it has none
 * @work: allows reads, once a page is mapped
 */
struct pmc_user_access {
	int policy;
	struct work_struct work;
};

void pmc_caliper_init(struct pmc_session *s);
void pmc_caliper_prepare(struct pmc_session *s);
int pmc_caliper_mmap(struct pmc_session *s, struct vm_area_struct *vma);
void pmc_caliper_end_direct(struct pmc_session *s);
void pmc_caliper_exit(void);

#endif /* PMC_USER_PAGE_MAP_H */
