/* SPDX-License-Identifier: GPL-2.0 */
/* The hooks of a patched kernel. */
#ifndef PMC_PATCHED_H
#define PMC_PATCHED_H

#include "front/hooks/provider.h"

#ifdef CONFIG_PMCTRACK
extern const struct pmc_hook_provider pmc_hooks_kernel;
int pmc_kernel_register(void);
void pmc_kernel_quiesce(void);
void pmc_kernel_unregister(void);
#else
static inline int pmc_kernel_register(void)
{
	return 0;
}

static inline void pmc_kernel_quiesce(void)
{
}

static inline void pmc_kernel_unregister(void)
{
}
#endif

#endif /* PMC_PATCHED_H */
