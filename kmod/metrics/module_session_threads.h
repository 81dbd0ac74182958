/* SPDX-License-Identifier: GPL-2.0 */
/* Threads as modules monitor them. */
#ifndef PMC_MODULE_SESSION_THREADS_H
#define PMC_MODULE_SESSION_THREADS_H

#include <linux/types.h>

struct pmc_err;
struct pmc_module;
struct pmc_session;
struct pmc_thread;
struct task_struct;

int pmc_modules_attach(struct pmc_thread *t, int (*add)(struct pmc_thread *t));
struct pmc_thread *pmc_module_get(struct pmc_module *m,
				  struct task_struct *task, bool revoke,
				  struct pmc_err *err);
void pmc_modules_fork(struct pmc_thread *t, struct task_struct *child);
void pmc_modules_sweep(const struct pmc_session *s);

#endif /* PMC_MODULE_SESSION_THREADS_H */
