// SPDX-License-Identifier: GPL-2.0
/* Which counters of AMD's processors can count which events, for families where not all can. */
#include <linux/kernel.h>

#include "pmu/x86/amd_constraints.h"
#include "pmu/x86/x86_encode.h"

/*
 * From family 17h on, an event that can count more than 15 in a cycle takes
 * two counters joined (PPR for family 17h, 2.1.15.3, "Large Increment per
 * Cycle Events"), which is not done here.
 */
static const struct pmc_x86_constraint zen_constraints[] = {
	{ .first = 0x003, .last = 0x003, .umask = -1 },
	/* that which joins two */
	{ .first = 0xfff, .last = 0xfff, .umask = -1 },
	{ }
};

/*
 * Family 15h: BKDG 42301, 3.24 and 3.25, "PERF_CTL[...]" at each event. Where
 * the counters depend on how many bits a unit mask has, those that do for all.
 */
static const struct pmc_x86_constraint f15h_constraints[] = {
	/* floating point unit */
	{ 0x000, 0x000, -1, BIT(3) },
	{ 0x003, 0x004, -1, BIT(3) },
	{ 0x00b, 0x00b, -1, BIT(3) },
	{ 0x00d, 0x00d, -1, BIT(3) },
	{ 0x001, 0x01f, -1, 0x38 },
	/* load/store unit and data cache */
	{ 0x023, 0x023, -1, 0x07 },
	{ 0x02d, 0x02d, -1, BIT(3) },
	{ 0x02e, 0x02e, -1, 0x09 },
	{ 0x031, 0x031, 0x01, 0x07 },
	{ 0x031, 0x031, 0x02, 0x07 },
	{ 0x031, 0x031, 0x04, 0x07 },
	{ 0x031, 0x031, 0x08, 0x07 },
	{ 0x031, 0x031, 0x10, 0x07 },
	{ 0x031, 0x031, 0x20, 0x07 },
	{ 0x031, 0x031, 0x40, 0x07 },
	{ 0x031, 0x031, 0x80, 0x07 },
	{ 0x031, 0x031, -1, 0 },
	{ 0x043, 0x043, -1, 0x07 },
	{ 0x045, 0x046, -1, 0x07 },
	{ 0x054, 0x055, -1, 0x07 },
	{ 0x020, 0x05f, -1, 0x3f },
	/* cache unit, instruction cache and decoder */
	{ 0x08f, 0x08f, -1, BIT(0) },
	{ 0x187, 0x188, -1, BIT(0) },
	{ 0x060, 0x09f, -1, 0x07 },
	{ 0x160, 0x19f, -1, 0x07 },
	/* execution unit and dispatch */
	{ 0x1c0, 0x1c0, -1, 0x38 },
	{ 0x0db, 0x0df, -1, 0x3f },
	{ 0x1d6, 0x1d6, -1, 0x3f },
	{ 0x1d8, 0x1d8, -1, 0x3f },
	{ 0x0c0, 0x0cf, -1, 0x3f },
	{ 0x0d0, 0x0da, -1, 0x07 },
	{ 0x1d0, 0x1df, -1, 0x07 },
	/* none, and the northbridge's, which are not a core's */
	{ 0x0a0, 0x0bf, -1, 0 },
	{ 0x0e0, 0x0ff, -1, 0 },
	{ }
};

/**
 * pmc_amd_constraints() - the constraints of a family
 * @family: as in CPUID leaf 1 EAX, extensions added
 *
 * Return: a table for struct pmc_x86_layout, or NULL: there are none.
 */
const struct pmc_x86_constraint *pmc_amd_constraints(unsigned int family)
{
	if (family == 0x15)
		return f15h_constraints;
	return family >= 0x17 ? zen_constraints : NULL;
}
