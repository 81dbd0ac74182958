// SPDX-License-Identifier: GPL-2.0
/*
 * Energy registers of x86 processors: Intel's RAPL (SDM volume 3B, 15.10) and
 * AMD's (PPR 55898 for family 19h, MSRC001_0299 to MSRC001_029B). Intel has
 * them for a package, or each die of one; AMD for a package and for each core.
 *
 * Only a try shows which of them an Intel processor has.
 */
#include <linux/delay.h>
#include <asm/cpufeature.h>
#include <asm/topology.h>
#include "sources.h"

#define INTEL_UNITS	0x606
#define INTEL_PKG	0x611
#define INTEL_DRAM	0x619
#define INTEL_CORES	0x639
#define INTEL_PLATFORM	0x64d
#define AMD_UNITS	0xc0010299
#define AMD_CORE	0xc001029a
#define AMD_PKG		0xc001029b

/* Intel renews them every ms; a domain that is asleep can take longer. */
#define TRIES		10
#define TRY_US		2000

static s64 die_of(const struct pmc_energy_source *src, unsigned int cpu)
{
	return topology_logical_die_id(cpu);
}

static s64 package_of(const struct pmc_energy_source *src, unsigned int cpu)
{
	return topology_logical_package_id(cpu);
}

/* Numbers of cores are a package's own. */
static s64 core_of(const struct pmc_energy_source *src, unsigned int cpu)
{
	return (s64)topology_logical_package_id(cpu) << 32 |
	       topology_core_id(cpu);
}

/*
 * The platform's register is taken as the others are, one for each die, and these
 * are added up. No manual says what it shows where there are several, and Linux's
 * drivers show them one by one.
 */
static struct pmc_energy_source intel[] = {
	{ PMC_ENERGY_CORE, "RAPL PP0", .msr = INTEL_CORES, .key = die_of },
	{ PMC_ENERGY_PKG, "RAPL package", .msr = INTEL_PKG, .key = die_of },
	{ PMC_ENERGY_DRAM, "RAPL DRAM", .msr = INTEL_DRAM, .key = die_of },
	{ PMC_ENERGY_PSYS, "RAPL platform", .msr = INTEL_PLATFORM, .key = die_of },
};

static struct pmc_energy_source amd[] = {
	{ PMC_ENERGY_CORE, "core energy", .msr = AMD_CORE, .key = core_of },
	{ PMC_ENERGY_PKG, "package energy", .msr = AMD_PKG, .key = package_of },
};

/* Registers that are not there fault, or read 0 for ever. */
static bool counts(u32 msr)
{
	unsigned int i;
	u64 value;

	for (i = 0; i < TRIES; i++) {
		if (rdmsrq_safe(msr, &value))
			return false;
		if ((u32)value)
			return true;
		usleep_range(TRY_US, 2 * TRY_US);
	}
	return false;
}

static void add(struct pmc_energy_source *src, unsigned int nr, u32 units_msr,
		unsigned int intel_model)
{
	unsigned int i;
	u64 units;

	if (rdmsrq_safe(units_msr, &units) || !units)
		return;
	for (i = 0; i < nr; i++) {
		if (!counts(src[i].msr))
			continue;
		src[i].unit = pmc_energy_rapl_unit(units, src[i].kind,
						   intel_model);
		src[i].shift = 32;
		pmc_energy_add_source(&src[i]);
	}
}

static void find(void)
{
	const struct cpuinfo_x86 *c = &boot_cpu_data;

	switch (c->x86_vendor) {
	case X86_VENDOR_INTEL:
		add(intel, ARRAY_SIZE(intel), INTEL_UNITS,
		    c->x86 == 6 ? c->x86_model : 0);
		break;
	case X86_VENDOR_AMD:
	case X86_VENDOR_HYGON:
		if (boot_cpu_has(X86_FEATURE_RAPL))
			add(amd, ARRAY_SIZE(amd), AMD_UNITS, 0);
		break;
	}
}

const struct pmc_energy_provider pmc_energy_rapl = {
	.find = find,
};
