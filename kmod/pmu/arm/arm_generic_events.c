// SPDX-License-Identifier: GPL-2.0
/*
 * Generic events by Arm's numbers: common events of DDI 0487, D13.12, the best that is
 * implemented.
 */
#include <linux/bits.h>
#include <linux/types.h>
#include "include/pmctrack/monitoring_module.h"
#include "pmu/arm/arm_generic_events.h"
#include "pmu/coretypes.h"

struct generic {
	u16 number;
	const char *text;
};

static const struct generic generics[PMC_GENERIC_NR][5] = {
	[PMC_GENERIC_INSTRUCTIONS] = { { 0x08, "ev=0x8" } },
	[PMC_GENERIC_CYCLES] = { { 0x11, "ev=0x11" } },
	[PMC_GENERIC_LLC_REFERENCES] = {
		{ 0x36, "ev=0x36" }, { 0x32, "ev=0x32" }, { 0x2b, "ev=0x2b" },
		{ 0x16, "ev=0x16" },
	},
	[PMC_GENERIC_LLC_MISSES] = {
		{ 0x37, "ev=0x37" }, { 0x33, "ev=0x33" }, { 0x2a, "ev=0x2a" },
		{ 0x17, "ev=0x17" },
	},
	[PMC_GENERIC_BRANCHES] = { { 0x21, "ev=0x21" }, { 0x0c, "ev=0xc" } },
	[PMC_GENERIC_BRANCH_MISSES] = {
		{ 0x22, "ev=0x22" }, { 0x10, "ev=0x10" },
	},
};

/* See generic of struct pmu_backend. */
const char *pmc_arm_generic(const struct pmc_core_type *ct, enum pmc_generic event)
{
	const struct generic *g;

	for (g = generics[event]; g->text; g++)
		if (!ct->common_known || ct->common & BIT_ULL(g->number))
			return g->text;
	return NULL;
}
