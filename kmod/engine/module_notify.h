/* SPDX-License-Identifier: GPL-2.0 */
/* Notifications of a monitoring module about its threads. */
#ifndef PMC_MODULE_NOTIFY_H
#define PMC_MODULE_NOTIFY_H

#include <linux/atomic.h>
#include "include/pmctrack/monitoring_module.h"
#include "uapi/pmctrack.h"

struct pmc_thread;

/* It is as if it was never set. */
static inline void pmc_metric_clear(struct pmc_metric_value *v)
{
	atomic64_set((atomic64_t *)&v->time, 0);
}

bool pmc_module_monitors(const struct monitoring_module *mm);
void pmc_module_start(struct pmc_thread *t);
void pmc_module_end(struct pmc_thread *t);
void pmc_module_exec(struct pmc_thread *t);
void pmc_module_sample(struct pmc_thread *t, const u64 *counts, u64 running,
		       u64 now, enum pmc_sample_event event);

#endif /* PMC_MODULE_NOTIFY_H */
