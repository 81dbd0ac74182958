/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_SCHED_H
#define PMC_SHIM_SCHED_H

#include_next <linux/sched.h>

/* As much of it as compat.h looks at. */
struct task_struct {
	void *perf_event_ctxp;
};

#endif /* PMC_SHIM_SCHED_H */
