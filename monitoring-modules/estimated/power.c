// SPDX-License-Identifier: GPL-2.0
/*
 * Estimated power: the dynamic power of a thread while it runs, by a model of the
 * platform, from what it counts on the core type it is on. The formula's unit is
 * the watt: a sum of events per nanosecond, each times its energy in nanojoules.
 * pmc-additivity(1) fits such models.
 *
 * The idle machine's power is not part of it, and energy registers cannot be
 * read for one thread of several: only a model has a thread's own power.
 */
#include <linux/module.h>
#include "estimator.h"

struct estimator pmc_estimator = {
	.metric = PMC_METRIC_POWER,
	.virtual = {
		.name = "power",
		.unit = "W",
		.description = "dynamic power of the thread while it runs, estimated by a model",
		.kind = PMC_VIRTUAL_LEVEL,
		.scale = 1000,
		.flags = PMC_VIRTUAL_ESTIMATED,
	},
	.mm = {
		.name = "estimated_power",
		.description = "power of threads by a model of the platform",
		.owner = THIS_MODULE,
		.metrics = BIT(PMC_METRIC_POWER),
	},
};

static int __init estimated_power_init(void)
{
	return estimator_register();
}

static void __exit estimated_power_exit(void)
{
	estimator_unregister();
}

module_init(estimated_power_init);
module_exit(estimated_power_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Power of threads by a model of the platform");
