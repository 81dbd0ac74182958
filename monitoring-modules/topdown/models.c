// SPDX-License-Identifier: GPL-2.0
/*
 * Which events are slots, by Intel's event lists for each model (perfmon), and
 * the ratios they give. Tested on the host.
 */
#include <linux/kernel.h>
#include <linux/math64.h>

#include "topdown.h"

/* CPUID leaf 0x1A EAX[31:24] */
#define ATOM	0x20
#define CORE	0x40

#define EVENT(number, umask)	"ev=" number ":umask=" umask ":u:k"

/*
 * Golden Cove and Redwood Cove: TOPDOWN.SLOTS_P, UOPS_RETIRED.SLOTS,
 * TOPDOWN.BAD_SPEC_SLOTS, TOPDOWN.BACKEND_BOUND_SLOTS. These share out all
 * slots, so that the rest is the frontend's.
 */
static const struct topdown_model golden_cove = {
	.events = EVENT("0xa4", "1") "," EVENT("0xc2", "2") ","
		  EVENT("0xa4", "4") "," EVENT("0xa4", "2"),
	.slots = 0,
	.part = {
		[TOPDOWN_RETIRING] = 1,
		[TOPDOWN_BAD_SPECULATION] = 2,
		[TOPDOWN_FRONTEND_BOUND] = TOPDOWN_REST,
		[TOPDOWN_BACKEND_BOUND] = 3,
	},
};

/*
 * Sunny Cove, Willow Cove, Cypress Cove: the same, but bad speculation is not
 * counted and IDQ_UOPS_NOT_DELIVERED.CORE is.
 */
static const struct topdown_model sunny_cove = {
	.events = EVENT("0xa4", "1") "," EVENT("0xc2", "2") ","
		  EVENT("0x9c", "1") "," EVENT("0xa4", "2"),
	.slots = 0,
	.part = {
		[TOPDOWN_RETIRING] = 1,
		[TOPDOWN_BAD_SPECULATION] = TOPDOWN_REST,
		[TOPDOWN_FRONTEND_BOUND] = 2,
		[TOPDOWN_BACKEND_BOUND] = 3,
	},
};

/*
 * Gracemont: TOPDOWN_RETIRING.ALL, TOPDOWN_BAD_SPECULATION.ALL, TOPDOWN_FE_BOUND.ALL,
 * TOPDOWN_BE_BOUND.ALL. Crestmont has another number for the first.
 */
#define ATOM_MODEL(retiring) {						\
	.events = EVENT(retiring, "0") "," EVENT("0x73", "0") ","	\
		  EVENT("0x71", "0") "," EVENT("0x74", "0"),		\
	.slots = TOPDOWN_SUM,						\
	.part = {							\
		[TOPDOWN_RETIRING] = 0,					\
		[TOPDOWN_BAD_SPECULATION] = 1,				\
		[TOPDOWN_FRONTEND_BOUND] = 2,				\
		[TOPDOWN_BACKEND_BOUND] = 3,				\
	},								\
}

static const struct topdown_model gracemont = ATOM_MODEL("0xc2");
static const struct topdown_model crestmont = ATOM_MODEL("0x72");

/* Models of family 6; @atom and @core for those that are hybrid, or can be. */
static const struct {
	u8 model;
	const struct topdown_model *core, *atom;
} models[] = {
	{ 0x6a, &sunny_cove, NULL },		/* ICX */
	{ 0x6c, &sunny_cove, NULL },		/* ICX-D */
	{ 0x7d, &sunny_cove, NULL },		/* ICL */
	{ 0x7e, &sunny_cove, NULL },		/* ICL */
	{ 0x8c, &sunny_cove, NULL },		/* TGL */
	{ 0x8d, &sunny_cove, NULL },		/* TGL */
	{ 0xa7, &sunny_cove, NULL },		/* RKL */
	{ 0x8f, &golden_cove, NULL },		/* SPR */
	{ 0xcf, &golden_cove, NULL },		/* EMR */
	{ 0xad, &golden_cove, NULL },		/* GNR */
	{ 0xae, &golden_cove, NULL },		/* GNR-D */
	{ 0x97, &golden_cove, &gracemont },	/* ADL */
	{ 0x9a, &golden_cove, &gracemont },	/* ADL */
	{ 0xb7, &golden_cove, &gracemont },	/* RPL */
	{ 0xba, &golden_cove, &gracemont },	/* RPL */
	{ 0xbf, &golden_cove, &gracemont },	/* RPL */
	{ 0xaa, &golden_cove, &crestmont },	/* MTL */
	{ 0xac, &golden_cove, &crestmont },	/* MTL */
	{ 0xbe, NULL, &gracemont },		/* ADL-N */
};

/**
 * topdown_model - how a core counts slots
 * @family: from CPUID
 * @model: the same
 * @kind: EAX[31:24] of its leaf 0x1A; 0 when there is none
 *
 * Return: NULL if it is not known to.
 */
const struct topdown_model *topdown_model(u32 family, u32 model, u32 kind)
{
	unsigned int i;

	if (family != 6)
		return NULL;
	for (i = 0; i < ARRAY_SIZE(models); i++) {
		if (models[i].model != model)
			continue;
		if (kind == ATOM)
			return models[i].atom;
		return kind == CORE || !kind ? models[i].core : NULL;
	}
	return NULL;
}

/**
 * topdown_ratios - the parts of the slots
 * @m: how they were counted
 * @counts: of the model's events
 * @ratios: out: thousandths of all slots, which add up to TOPDOWN_SCALE except for
 *	rounding; untouched on failure
 *
 * Events are not counted in the same instant, so together they may be a few
 * more than the slots; then they are all there are.
 *
 * Return: were there any?
 */
bool topdown_ratios(const struct topdown_model *m, const u64 *counts,
		    u64 ratios[TOPDOWN_PARTS])
{
	u64 sum = 0, slots, count;
	unsigned int i;

	for (i = 0; i < TOPDOWN_PARTS; i++)
		if (m->part[i] != TOPDOWN_REST)
			sum += counts[m->part[i]];
	slots = m->slots == TOPDOWN_SUM ? sum : counts[m->slots];
	if (!slots || !sum)
		return false;
	if (slots < sum)
		slots = sum;
	for (i = 0; i < TOPDOWN_PARTS; i++) {
		count = m->part[i] == TOPDOWN_REST ? slots - sum :
			counts[m->part[i]];
		ratios[i] = div64_u64(count * TOPDOWN_SCALE, slots);
	}
	return true;
}
