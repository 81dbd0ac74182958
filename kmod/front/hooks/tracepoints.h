/* SPDX-License-Identifier: GPL-2.0 */
/* The hooks of a stock kernel: tracepoints. */
#ifndef PMC_TRACEPOINTS_H
#define PMC_TRACEPOINTS_H

#include "front/hooks/provider.h"

extern const struct pmc_hook_provider pmc_hooks_tracepoints;
int pmc_tracepoints_find(void);
int pmc_irq_entry_enable(void);
void pmc_irq_entry_disable(void);
int pmc_irq_exit_enable(void);
void pmc_irq_exit_disable(void);

#endif /* PMC_TRACEPOINTS_H */
