/* SPDX-License-Identifier: GPL-2.0 */
/* The scheduler's side: threads it has enabled, metrics it asks for. */
#ifndef PMC_SCHEDULER_H
#define PMC_SCHEDULER_H

#include <linux/types.h>

struct pmc_metric_value;
struct pmc_module;
struct task_struct;

int pmc_scheduler_value(struct task_struct *task, int metric, u64 *value);
int pmc_scheduler_metric(struct task_struct *task, int metric,
			 struct pmc_metric_value *value);
int pmc_scheduler_monitor(struct task_struct *task, bool on);

/* Under pmc_modules_lock. */
void pmc_scheduler_module_up(struct pmc_module *m);
void pmc_scheduler_module_down(struct pmc_module *m);

void pmc_scheduler_exit(void);

#endif /* PMC_SCHEDULER_H */
