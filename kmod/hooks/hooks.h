/* SPDX-License-Identifier: GPL-2.0 */
/* The hooks by which the kernel reports switch, fork, exec and exit. */
#ifndef PMC_HOOKS_H
#define PMC_HOOKS_H

#include <linux/types.h>

int pmc_hooks_init(const char *name);
void pmc_hooks_quiesce(void);
void pmc_hooks_exit(void);
const char *pmc_hooks_name(void);
int pmc_hooks_get(void);
bool pmc_hooks_get_again(void);
void pmc_hooks_put(void);
int pmc_irq_entry_get(void);
void pmc_irq_entry_put(void);
int pmc_irq_exit_get(void);
void pmc_irq_exit_put(void);

#endif /* PMC_HOOKS_H */
