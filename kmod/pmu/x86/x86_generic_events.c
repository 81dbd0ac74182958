// SPDX-License-Identifier: GPL-2.0
/*
 * Generic events by the numbers of each vendor. Intel: the architectural events, SDM volume
 * 3B, 20.2.1.2. AMD: PPR of family 17h and later, 2.1.15.4; the last level that a core's
 * counters know is level 2.
 */
#include <base/compat.h>
#include "include/pmctrack/monitoring_module.h"
#include "pmu/x86/x86_generic_events.h"

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

/* See generic of struct pmu_backend. */
const char *pmc_intel_generic(const struct pmc_core_type *ct, enum pmc_generic event)
{
	return intel[event];
}

const char *pmc_amd_generic(const struct pmc_core_type *ct, enum pmc_generic event)
{
	return boot_cpu_data.x86 < ZEN ? before_zen(event) : amd[event];
}

/* For a backend that is for all vendors. */
const char *pmc_x86_generic(const struct pmc_core_type *ct, enum pmc_generic event)
{
	switch (boot_cpu_data.x86_vendor) {
	case X86_VENDOR_INTEL:
		return pmc_intel_generic(ct, event);
	case X86_VENDOR_AMD:
	case X86_VENDOR_HYGON:
		return pmc_amd_generic(ct, event);
	default:
		return NULL;
	}
}
