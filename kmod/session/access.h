/* SPDX-License-Identifier: GPL-2.0 */
/* The rights of a session: events, CPUs and processes that it may count. */
#ifndef PMC_ACCESS_H
#define PMC_ACCESS_H

#include <linux/types.h>

struct pmc_session;
struct task_struct;

int pmc_session_check_owner(struct pmc_session *s);
bool pmc_is_privileged(const struct pmc_session *s);
int pmc_may_count(struct pmc_session *s, bool kernel);
int pmc_may_count_cpus(struct pmc_session *s);
int pmc_may_count_task(struct pmc_session *s, struct task_struct *task,
		       pid_t nr);
u32 pmc_task_programs(struct task_struct *task);
int pmc_may_still_count_task(struct pmc_session *s, struct task_struct *task,
			     pid_t nr, u32 programs);

#endif /* PMC_ACCESS_H */
