// SPDX-License-Identifier: GPL-2.0
/*
 * Estimated efficiency factor: the energy-delay product (EDP) of a thread on the
 * slowest core type over that on the fastest, by a model of the platform, from
 * what it counts on the core type it is on (PMCTrack, The Computer Journal 2017,
 * equations 3 to 7):
 *
 *   EDP = energy / instructions per second
 *   EF  = EDP slow / EDP fast = (energy slow / energy fast) x speedup factor
 *
 * Energy registers cover whole machines, so it can't be measured while others
 * run; the model is fitted to runs alone.
 */
#include <linux/module.h>
#include "estimator.h"

struct estimator pmc_estimator = {
	.metric = PMC_METRIC_EFFICIENCY_FACTOR,
	.virtual = {
		.name = "ef",
		.unit = "",
		.description = "efficiency factor of the thread, estimated by a model",
		.kind = PMC_VIRTUAL_RATIO,
		.scale = 1000,
		.flags = PMC_VIRTUAL_ESTIMATED,
	},
	.mm = {
		.name = "estimated_ef",
		.description = "energy-efficiency factor by a model of the platform",
		.owner = THIS_MODULE,
		.metrics = BIT(PMC_METRIC_EFFICIENCY_FACTOR),
	},
};

static int __init estimated_ef_init(void)
{
	return estimator_register();
}

static void __exit estimated_ef_exit(void)
{
	estimator_unregister();
}

module_init(estimated_ef_init);
module_exit(estimated_ef_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Efficiency factor of threads by a model of the platform");
