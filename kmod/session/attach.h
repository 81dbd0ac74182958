/* SPDX-License-Identifier: GPL-2.0 */
/* Taking tasks into a session. */
#ifndef PMC_ATTACH_H
#define PMC_ATTACH_H

#include <linux/types.h>

struct pmc_session;
struct pmc_thread;
struct task_struct;

int pmc_add_task(struct pmc_session *s, struct task_struct *task, bool active);
void pmc_detach_all(struct pmc_session *s);
void pmc_detach_unused(struct pmc_session *s);
void pmc_take_task(struct pmc_session *s, struct task_struct *task,
		   struct pmc_thread **taken);
void pmc_end_tasks(struct pmc_session *s, struct pmc_thread *taken);
void pmc_end_if_exiting(struct pmc_session *s, struct task_struct *task);

#endif /* PMC_ATTACH_H */
