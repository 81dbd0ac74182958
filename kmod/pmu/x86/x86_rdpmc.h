/* SPDX-License-Identifier: GPL-2.0 */
/* RDPMC in user mode. */
#ifndef PMC_X86_RDPMC_H
#define PMC_X86_RDPMC_H

#include <linux/atomic.h>
#include <linux/types.h>

struct mm_struct;

/* Processes that are about to get the right to read counters */
extern atomic_t pmc_x86_next_readers;

void pmc_x86_user_init(void);
void pmc_x86_hook_mappings(void);
void pmc_x86_unhook_mappings(void);
bool pmc_x86_has_driver(void);
int pmc_x86_user_policy(void);
void pmc_x86_user_map(struct mm_struct *mm);
void pmc_x86_user_unmap(struct mm_struct *mm);
void pmc_x86_user_fork(struct mm_struct *mm);

#endif /* PMC_X86_RDPMC_H */
