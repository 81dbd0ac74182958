/* SPDX-License-Identifier: GPL-2.0 */
/* The events of a thread's life that hooks report: fork, exec, exit. */
#ifndef PMC_INHERIT_H
#define PMC_INHERIT_H

struct linux_binprm;
struct task_struct;

void pmc_on_fork(struct task_struct *child, unsigned long clone_flags);
void pmc_on_exec(struct linux_binprm *bprm);
void pmc_on_exit(void);

#endif /* PMC_INHERIT_H */
