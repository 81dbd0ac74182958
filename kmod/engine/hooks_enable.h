/* SPDX-License-Identifier: GPL-2.0 */
/* Users of the hooks by which the kernel reports switch, fork, exec, exit and interrupts. */
#ifndef PMC_HOOKS_ENABLE_H
#define PMC_HOOKS_ENABLE_H

#include <linux/types.h>

/* Hooks that are enabled and disabled together */
enum pmc_hooks {
	PMC_HOOKS_THREADS,	/* switch, fork, exec, exit */
	PMC_HOOKS_IRQ_ENTRY,	/* an interrupt is about to be handled */
	PMC_HOOKS_IRQ_EXIT,	/* it has been handled */
	PMC_HOOKS_NR
};

void pmc_hooks_provide(enum pmc_hooks kind, int (*enable)(void), void (*disable)(void));
void pmc_hooks_stop(void);
int pmc_hooks_get(void);
bool pmc_hooks_get_again(void);
void pmc_hooks_put(void);
int pmc_irq_entry_get(void);
void pmc_irq_entry_put(void);
int pmc_irq_exit_get(void);
void pmc_irq_exit_put(void);

#endif /* PMC_HOOKS_ENABLE_H */
