// SPDX-License-Identifier: GPL-2.0
/*
 * Events that most core types have, by the number each of them gives it. Arm:
 * common events of DDI 0487, D13.12, the best that is implemented. Intel: the
 * architectural events, SDM volume 3B, 20.2.1.2. AMD: PPR of family 17h and
 * later, 2.1.15.4; the last level that a core's counters know is level 2.
 */
#include "include/pmctrack/monitoring_module.h"
#include "pmu/coretypes.h"
#include "pmu/generic.h"

#if defined(CONFIG_ARM64) || defined(CONFIG_ARM)
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

/**
 * pmc_generic_event - a core type's own number of an event
 * @ct: core type
 * @event: what is to be counted
 *
 * Context: Any.
 * Return: the event as the session protocol writes it, or NULL: it has none.
 */
const char *pmc_generic_event(const struct pmc_core_type *ct,
			      enum pmc_generic event)
{
	const struct generic *g;

	for (g = generics[event]; g->text; g++)
		if (!ct->common_known || ct->common & BIT_ULL(g->number))
			return g->text;
	return NULL;
}
#elif defined(CONFIG_X86_64)
#include <base/compat.h>

static const char *const intel[PMC_GENERIC_NR] = {
	[PMC_GENERIC_INSTRUCTIONS] = "ev=0xc0",
	[PMC_GENERIC_CYCLES] = "ev=0x3c",
	[PMC_GENERIC_LLC_REFERENCES] = "ev=0x2e:umask=0x4f",
	[PMC_GENERIC_LLC_MISSES] = "ev=0x2e:umask=0x41",
	[PMC_GENERIC_BRANCHES] = "ev=0xc4",
	[PMC_GENERIC_BRANCH_MISSES] = "ev=0xc5",
};

#define ZEN	0x17

static const char *const amd[PMC_GENERIC_NR] = {
	[PMC_GENERIC_INSTRUCTIONS] = "ev=0xc0",
	[PMC_GENERIC_CYCLES] = "ev=0x76",
	[PMC_GENERIC_LLC_REFERENCES] = "ev=0x60:umask=0xff",
	[PMC_GENERIC_LLC_MISSES] = "ev=0x64:umask=0x9",
	[PMC_GENERIC_BRANCHES] = "ev=0xc2",
	[PMC_GENERIC_BRANCH_MISSES] = "ev=0xc3",
};

/*
 * Before Zen the L2 is the last cache of a core's own that its counters know: PMCx07D
 * and PMCx07E (BKDG for family 15h models 00h-0Fh, document 42301, section 3.24).
 */
static const char *before_zen(enum pmc_generic event)
{
	switch (event) {
	case PMC_GENERIC_LLC_REFERENCES:
		return "ev=0x7d:umask=0x7";
	case PMC_GENERIC_LLC_MISSES:
		return "ev=0x7e:umask=0x7";
	default:
		return amd[event];
	}
}

const char *pmc_generic_event(const struct pmc_core_type *ct,
			      enum pmc_generic event)
{
	switch (boot_cpu_data.x86_vendor) {
	case X86_VENDOR_INTEL:
		return intel[event];
	case X86_VENDOR_AMD:
	case X86_VENDOR_HYGON:
		return boot_cpu_data.x86 < ZEN ? before_zen(event) : amd[event];
	default:
		return NULL;
	}
}
#else
const char *pmc_generic_event(const struct pmc_core_type *ct,
			      enum pmc_generic event)
{
	return NULL;
}
#endif
