/* SPDX-License-Identifier: GPL-2.0 */
/* References to the threads by which modules monitor tasks. */
#ifndef PMC_MODULE_THREAD_REF_H
#define PMC_MODULE_THREAD_REF_H

struct pmc_thread;

/* Modules active at once: a thread in the scheduler's session has a place for each. */
#define PMC_MODULES_MAX		16

void pmc_module_drop(struct pmc_thread *t);
void pmc_module_put(struct pmc_thread *t);
void pmc_module_detach(struct pmc_thread *t, unsigned int slot);
void pmc_modules_detach(struct pmc_thread *t);

#endif /* PMC_MODULE_THREAD_REF_H */
