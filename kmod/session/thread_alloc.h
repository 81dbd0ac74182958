/* SPDX-License-Identifier: GPL-2.0 */
/* Making a thread. */
#ifndef PMC_THREAD_ALLOC_H
#define PMC_THREAD_ALLOC_H

#include <linux/gfp.h>
#include <linux/types.h>

struct pmc_session;
struct pmc_thread;
struct task_struct;

struct pmc_thread *pmc_thread_alloc(struct pmc_session *s, gfp_t gfp);
void pmc_thread_again(struct pmc_thread *t);
void pmc_thread_init(struct pmc_thread *t, struct task_struct *task);
bool pmc_thread_counted(struct pmc_thread *t, int diff);
void pmc_thread_free(struct pmc_thread *t);
void pmc_thread_forget(struct pmc_thread *t);

#endif /* PMC_THREAD_ALLOC_H */
