/* SPDX-License-Identifier: GPL-2.0 */
/* What the hooks tell of: switch, fork, exec, exit. */
#ifndef PMC_FOLLOW_H
#define PMC_FOLLOW_H

struct linux_binprm;
struct task_struct;

void pmc_on_switch(struct task_struct *next);
void pmc_on_fork(struct task_struct *child, unsigned long clone_flags);
void pmc_on_exec(struct linux_binprm *bprm);
void pmc_on_exit(void);

#endif /* PMC_FOLLOW_H */
