/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The common part of the monitoring modules that estimate: everything except the
 * estimates themselves. Each is a kernel module with its own copy of it.
 */
#ifndef PMC_ESTIMATED_ESTIMATOR_H
#define PMC_ESTIMATED_ESTIMATOR_H

#include <pmctrack/monitoring_module.h>

/**
 * struct estimator - what one module estimates
 * @metric: the metric
 * @virtual: its virtual counter
 * @mm: the module, with name, description, owner and metrics. The rest is filled
 *	in by estimator_register()
 * @sampled: called with a sample; @llc_misses and @llc_references are PMC_NO_VALUE
 *	where the event set does not have them. May be NULL
 * @estimated: called with a new estimate, thousandths. May be NULL
 */
struct estimator {
	enum pmc_metric metric;
	struct pmc_virtual virtual;
	struct monitoring_module mm;
	void (*sampled)(struct pmc_module_thread *t, u64 instructions,
			u64 cycles, u64 llc_misses, u64 llc_references);
	void (*estimated)(struct pmc_module_thread *t, u64 value);
};

/* Each module's own. */
extern struct estimator pmc_estimator;

int estimator_register(void);
void estimator_unregister(void);

#endif /* PMC_ESTIMATED_ESTIMATOR_H */
