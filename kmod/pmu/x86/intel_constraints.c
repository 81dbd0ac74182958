// SPDX-License-Identifier: GPL-2.0
/*
 * Which counters can count which events, for the models that have events which
 * not all can: the "Counter" column of Intel's event lists (perfmon). A model
 * that is not here is taken to have none.
 */
#include <linux/kernel.h>

#include "pmu/x86/intel_constraints.h"
#include "pmu/x86/x86_encode.h"

#define ANY_UMASK	(-1)

/* Lion Cove: LNL, ARL. */
static const struct pmc_x86_constraint lion_cove[] = {
	{ 0x20, 0x20, ANY_UMASK, 0x0f },
	{ 0x2a, 0x2b, 0x01, 0x0f },
	{ 0x48, 0x48, 0x01, 0x04 },
	{ 0x75, 0x75, 0x01, 0x04 },
	{ 0xa3, 0xa3, 0x08, 0x04 },
	{ 0xa3, 0xa3, 0x0c, 0x04 },
	{ 0xa4, 0xa4, 0x04, 0x01 },
	{ 0xa4, 0xa4, 0x08, 0x01 },
	{ 0xa4, 0xa4, 0x10, 0x08 },
	{ 0xb1, 0xb1, 0x01, 0x08 },
	{ 0xcd, 0xcd, 0x01, 0x3fc },
	{ 0xcd, 0xcd, 0x02, 0x03 },
	{ 0xd0, 0xd0, 0x87, 0x3ff },
	{ 0xd0, 0xdf, ANY_UMASK, 0x0f },
	{ 0xe0, 0xe0, 0x00, 0x0f },
	{ }
};

/* Golden Cove: ADL, RPL, SPR; and Redwood Cove: MTL, GNR. */
static const struct pmc_x86_constraint golden_cove[] = {
	{ 0x2e, 0x2e, ANY_UMASK, 0xff },
	{ 0x3c, 0x3c, ANY_UMASK, 0xff },
	{ 0x01, 0x8f, ANY_UMASK, 0x0f },
	{ 0xa3, 0xa3, 0x01, 0x0f },
	{ 0xa3, 0xa3, 0x02, 0x0f },
	{ 0xa3, 0xa3, 0x08, 0x0f },
	{ 0xa4, 0xa4, 0x04, 0x01 },
	{ 0xa4, 0xa4, 0x08, 0x01 },
	{ 0xcd, 0xcd, 0x02, 0x01 },
	{ 0xce, 0xce, ANY_UMASK, 0x01 },
	{ 0xd0, 0xdf, ANY_UMASK, 0x0f },
	{ }
};

/* Sunny Cove: ICL, ICX; Willow Cove: TGL; Cypress Cove: RKL. */
static const struct pmc_x86_constraint sunny_cove[] = {
	{ 0x03, 0x0a, ANY_UMASK, 0x0f },
	{ 0x1f, 0x28, ANY_UMASK, 0x0f },
	{ 0x32, 0x32, ANY_UMASK, 0x0f },
	{ 0x48, 0x56, ANY_UMASK, 0x0f },
	{ 0x60, 0x8b, ANY_UMASK, 0x0f },
	{ 0xa3, 0xa3, 0x04, 0xff },
	{ 0xa3, 0xa3, 0x10, 0xff },
	{ 0xa3, 0xa3, 0x14, 0xff },
	{ 0xa3, 0xa3, ANY_UMASK, 0x0f },
	{ 0xa8, 0xb0, ANY_UMASK, 0x0f },
	{ 0xb7, 0xbd, ANY_UMASK, 0x0f },
	{ 0xd0, 0xe6, ANY_UMASK, 0x0f },
	{ 0xef, 0xf4, ANY_UMASK, 0x0f },
	{ }
};

/* Skylake and what is built on it. */
static const struct pmc_x86_constraint skylake[] = {
	{ 0xc0, 0xc0, 0x01, 0x02 },
	{ 0xc6, 0xc6, ANY_UMASK, 0x0f },
	{ 0xcd, 0xcd, ANY_UMASK, 0x0f },
	{ 0xd0, 0xd2, ANY_UMASK, 0x0f },
	{ }
};

/* Haswell, Broadwell. */
static const struct pmc_x86_constraint haswell[] = {
	{ 0x48, 0x48, 0x01, 0x04 },
	{ 0xa3, 0xa3, 0x04, 0x0f },
	{ 0xa3, 0xa3, 0x08, 0x04 },
	{ 0xa3, 0xa3, 0x0c, 0x04 },
	{ 0xc0, 0xc0, 0x01, 0x02 },
	{ 0xcd, 0xcd, ANY_UMASK, 0x08 },
	{ 0xd0, 0xd3, ANY_UMASK, 0x0f },
	{ }
};

/* Ivy Bridge. */
static const struct pmc_x86_constraint ivy_bridge[] = {
	{ 0x48, 0x48, 0x01, 0x04 },
	{ 0x79, 0x79, 0x02, 0x0f },
	{ 0x9c, 0x9c, 0x01, 0x0f },
	{ 0xa3, 0xa3, 0x08, 0x04 },
	{ 0xa3, 0xa3, 0x0c, 0x04 },
	{ 0xa3, 0xa3, ANY_UMASK, 0x0f },
	{ 0xc0, 0xc0, 0x01, 0x02 },
	{ 0xd0, 0xd3, ANY_UMASK, 0x0f },
	{ }
};

/* Sandy Bridge. */
static const struct pmc_x86_constraint sandy_bridge[] = {
	{ 0x48, 0x48, ANY_UMASK, 0x04 },
	{ 0xa3, 0xa3, 0x02, 0x04 },
	{ 0xa3, 0xa3, 0x06, 0x04 },
	{ 0xa3, 0xa3, ANY_UMASK, 0x0f },
	{ 0xc0, 0xc0, 0x01, 0x02 },
	{ 0xcd, 0xcd, ANY_UMASK, 0x08 },
	{ 0xd0, 0xd3, ANY_UMASK, 0x0f },
	{ }
};

/* Core 2. */
static const struct pmc_x86_constraint core2[] = {
	{ 0x10, 0x10, ANY_UMASK, 0x01 },
	{ 0x11, 0x13, ANY_UMASK, 0x02 },
	{ 0x14, 0x14, ANY_UMASK, 0x01 },
	{ 0x18, 0x18, ANY_UMASK, 0x01 },
	{ 0x19, 0x19, ANY_UMASK, 0x02 },
	{ 0xa1, 0xa1, ANY_UMASK, 0x01 },
	{ 0xc9, 0xc9, ANY_UMASK, 0x01 },
	{ 0xcb, 0xcb, ANY_UMASK, 0x01 },
	{ }
};

/* Of family 6 (SDM volume 4, table 2-1); each list ends with 0. */
static const struct {
	u8 models[16];
	const struct pmc_x86_constraint *constraints;
} tables[] = {
	{ { 0xbd, 0xc5, 0xc6 }, lion_cove },
	{ { 0x8f, 0x97, 0x9a, 0xaa, 0xac, 0xad, 0xae, 0xb5, 0xb7, 0xba, 0xbf,
	    0xcf }, golden_cove },
	{ { 0x6a, 0x6c, 0x7d, 0x7e, 0x8c, 0x8d, 0xa7 }, sunny_cove },
	{ { 0x4e, 0x55, 0x5e, 0x66, 0x8e, 0x9e, 0xa5, 0xa6 }, skylake },
	{ { 0x3c, 0x3d, 0x3f, 0x45, 0x46, 0x47, 0x4f, 0x56 }, haswell },
	{ { 0x3a, 0x3e }, ivy_bridge },
	{ { 0x2a, 0x2d }, sandy_bridge },
	{ { 0x0f, 0x16, 0x17, 0x1d }, core2 },
};

static bool is_one_of(unsigned int model, const u8 *models)
{
	for (; *models; models++)
		if (*models == model)
			return true;
	return false;
}

/**
 * pmc_intel_constraints() - the constraints of a model
 * @family: as in CPUID leaf 1 EAX, extensions added
 * @model: the same
 * @atom: the core is an Atom: of a hybrid processor's, those have none
 *
 * Return: a table for struct pmc_x86_layout, or NULL: there are none.
 */
const struct pmc_x86_constraint *
pmc_intel_constraints(unsigned int family, unsigned int model, bool atom)
{
	unsigned int i;

	if (family != 6 || atom)
		return NULL;
	for (i = 0; i < ARRAY_SIZE(tables); i++)
		if (is_one_of(model, tables[i].models))
			return tables[i].constraints;
	return NULL;
}

/**
 * pmc_intel_leaks() - do events spoil the other hardware thread's counts
 * @family: as in CPUID leaf 1 EAX, extensions added
 * @model: the same
 *
 * While a hardware thread counts one of events 0xd0 to 0xd3 on a counter, the
 * other one's counter of that number counts too much: errata BJ122 (Sandy
 * Bridge), BV98 (Ivy Bridge), HSD29 (Haswell).
 *
 * Return: whether they do.
 */
bool pmc_intel_leaks(unsigned int family, unsigned int model)
{
	static const u8 models[] = {
		0x2a, 0x2d, 0x3a, 0x3e, 0x3c, 0x3f, 0x45, 0x46, 0
	};

	return family == 6 && is_one_of(model, models);
}

/**
 * pmc_intel_least_left() - how near to its overflow may a counter be set
 * @family: as in CPUID leaf 1 EAX, extensions added
 * @model: the same
 *
 * Haswell's interrupts take very long where two counters overflow that were set to fewer
 * than 32 events before: 25dfc9e357af ("perf/x86/intel: Limit the period on Haswell").
 *
 * Return: events before the overflow.
 */
unsigned int pmc_intel_least_left(unsigned int family, unsigned int model)
{
	static const u8 haswell_models[] = { 0x3c, 0x3f, 0x45, 0x46, 0 };

	return family == 6 && is_one_of(model, haswell_models) ? 32 : PMC_X86_LEAST_LEFT;
}

/**
 * pmc_intel_is_left_to_perf() - must counters be started in special ways
 * @family: as in CPUID leaf 1 EAX, extensions added
 * @model: the same
 *
 * Nehalem's and Westmere's: errata AAK100, AAP53, BD53.
 *
 * Return: whether they must, as perf does and we do not.
 */
bool pmc_intel_is_left_to_perf(unsigned int family, unsigned int model)
{
	static const u8 models[] = {
		0x1a, 0x1e, 0x1f, 0x25, 0x2c, 0x2e, 0x2f, 0
	};

	return family == 6 && is_one_of(model, models);
}
