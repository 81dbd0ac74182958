/* SPDX-License-Identifier: GPL-2.0 */
/* The scheduler's side: threads it has enabled, metrics it asks for. */
#ifndef PMC_SCHEDULER_H
#define PMC_SCHEDULER_H

struct pmc_module;

/* Under pmc_modules_lock. */
void pmc_scheduler_module_up(struct pmc_module *m);
void pmc_scheduler_module_down(struct pmc_module *m);

void pmc_scheduler_exit(void);

#endif /* PMC_SCHEDULER_H */
