// SPDX-License-Identifier: GPL-2.0
/*
 * Work for later: ticks of monitoring modules, threads that a scheduler wants
 * monitored, memory for threads that are forked. None of it needs a certain CPU,
 * and a worker that is bound to one has no turn there while a real-time thread
 * spins on it.
 */
#include <linux/errno.h>
#include "base/work.h"

struct workqueue_struct *pmc_wq;

int pmc_work_init(void)
{
	pmc_wq = alloc_workqueue("pmctrack", WQ_UNBOUND | WQ_HIGHPRI, 0);
	return pmc_wq ? 0 : -ENOMEM;
}

void pmc_work_exit(void)
{
	destroy_workqueue(pmc_wq);
}
