/* SPDX-License-Identifier: GPL-2.0 */
/* Monitoring modules become active, and stop. */
#ifndef PMC_MODULES_H
#define PMC_MODULES_H

struct pmc_module;

/* Under pmc_modules_lock. */
int pmc_module_activate(struct pmc_module *m);
int pmc_module_deactivate(struct pmc_module *m);

void pmc_modules_suspend(void);
void pmc_modules_resume(void);

#endif /* PMC_MODULES_H */
