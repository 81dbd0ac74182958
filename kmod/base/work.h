/* SPDX-License-Identifier: GPL-2.0 */
/* Work to be done soon, in a context that may sleep. */
#ifndef PMC_WORK_H
#define PMC_WORK_H

#include <linux/workqueue.h>

extern struct workqueue_struct *pmc_wq;

/* How long hooks and counters are kept after their last user, in jiffies */
#define PMC_KEEP	HZ

int pmc_work_init(void);
void pmc_work_exit(void);

#endif
