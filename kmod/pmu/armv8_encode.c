// SPDX-License-Identifier: GPL-2.0
/*
 * ARMv8 PMUv3: from an event asked for to what the event type register is
 * told, and the counters that can count it.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "armv8_encode.h"

/**
 * pmc_armv8_has_event() - whether a core type implements an event
 * @layout: the core type
 * @code: number of the event
 *
 * Only the common events that PMCEID<n>_EL0 tells of can be known not to be
 * there; others, the implementation defined ones among them, are taken on
 * trust.
 *
 * Return: false when the event would never count.
 */
bool pmc_armv8_has_event(const struct pmc_armv8_layout *layout, u64 code)
{
	unsigned int bit = code & 0x1f;

	if (!layout->has_pmceid)
		return true;
	if (code >= 0x4000 && code < 0x4040)
		bit += 32;
	else if (code >= 0x40)
		return true;

	return layout->pmceid[(code >> 5) & 1] & BIT_ULL(bit);
}

static int check_code(const struct pmc_armv8_layout *layout, u64 code,
		      struct pmc_err *err)
{
	if (code >= BIT_ULL(layout->evt_bits))
		return pmc_err(err, -EINVAL,
			       "event 0x%llx: event numbers of this core type end at 0x%llx",
			       (unsigned long long)code,
			       BIT_ULL(layout->evt_bits) - 1);
	if (code == PMC_ARMV8_CHAIN)
		return pmc_err(err, -EINVAL,
			       "event 0x1e (CHAIN) only joins two counters: counts are 64 bits wide without it");
	if (!pmc_armv8_has_event(layout, code))
		return pmc_err(err, -EINVAL,
			       "event 0x%llx is not implemented by this core type: see /proc/pmc/info",
			       (unsigned long long)code);

	return 0;
}

/* Words that other processors know. */
static int check_foreign(const struct pmc_evreq *ev, struct pmc_err *err)
{
	const char *word = ev->umask ? "umask" :
			   ev->cmask ? "cmask" :
			   ev->edge ? "edge" :
			   ev->inv ? "inv" :
			   ev->any ? "any" :
			   ev->extra ? "extra" : NULL;

	if (!word)
		return 0;

	return pmc_err(err, -EINVAL,
		       "%s means nothing on ARMv8: leave it out, the event's code is all there is",
		       word);
}

static int encode_software(const struct pmc_armv8_layout *layout,
			   const struct pmc_evreq *ev, unsigned int sw,
			   u64 *config, u64 *candidates, struct pmc_err *err)
{
	const char *name = pmc_sw_names[sw];

	if (ev->has_code)
		return pmc_err(err, -EINVAL,
			       "pmc%u is the software counter %s: it takes no event code",
			       ev->slot, name);
	if (ev->ebs)
		return pmc_err(err, -EINVAL,
			       "ebs: the software counter %s raises no interrupt to sample by",
			       name);
	if (ev->usr >= 0 || ev->os >= 0)
		return pmc_err(err, -EINVAL,
			       "usr and os mean nothing for the software counter %s",
			       name);

	*config = 0;
	*candidates = BIT_ULL(pmc_armv8_sw_slot(layout) + sw);

	return 0;
}

static int pinned_code(const struct pmc_armv8_layout *layout,
		       const struct pmc_evreq *ev, u64 *code,
		       struct pmc_err *err)
{
	if (ev->slot == PMC_ARMV8_SLOT_CYCLES) {
		if (ev->has_code && ev->code != PMC_ARMV8_CPU_CYCLES)
			return pmc_err(err, -EINVAL,
				       "pmc0 counts cycles (0x11) only, not event 0x%llx: use ev=0x%llx",
				       (unsigned long long)ev->code,
				       (unsigned long long)ev->code);
		*code = PMC_ARMV8_CPU_CYCLES;
		return 0;
	}

	if (!ev->has_code)
		return pmc_err(err, -EINVAL,
			       "pmc%u needs an event code, as in pmc%u=0x8",
			       ev->slot, ev->slot);
	/*
	 * The kernel's driver puts whatever counts cycles on the cycle
	 * counter when it next places events, and leaves it there.
	 */
	if (ev->code == PMC_ARMV8_CPU_CYCLES)
		return pmc_err(err, -EINVAL,
			       "pmc%u: cycles (0x11) are counted by pmc0 alone: write pmc0",
			       ev->slot);
	*code = ev->code;

	return 0;
}

static u64 encode_filter(const struct pmc_armv8_layout *layout, bool user,
			 bool kernel)
{
	u64 filter = user ? 0 : PMC_ARMV8_EXCLUDE_EL0;

	if (layout->hyp) {
		/* This kernel is at EL2; what is at EL1 is a guest's. */
		filter |= PMC_ARMV8_EXCLUDE_EL1;
		if (kernel)
			filter |= PMC_ARMV8_INCLUDE_EL2;
	} else if (!kernel) {
		filter |= PMC_ARMV8_EXCLUDE_EL1;
	}

	return filter;
}

/**
 * pmc_armv8_encode() - encode an event
 * @layout: the core type it is to be counted on
 * @ev: the event
 * @default_user: whether an event that names no mode counts in user mode
 * @default_kernel: the same for the kernel
 * @config: out: value of PMEVTYPER<n>_EL0; with PMC_ARMV8_FILTER of
 *	PMCCFILTR_EL0 if the event is placed on the cycle counter; 0 for a
 *	software counter
 * @candidates: out: mask of the counters that can count it
 * @err: out: on error, what was wrong
 *
 * Context: any but NMI.
 * Return: 0 or -EINVAL.
 */
int pmc_armv8_encode(const struct pmc_armv8_layout *layout,
		     const struct pmc_evreq *ev, bool default_user,
		     bool default_kernel, u64 *config, u64 *candidates,
		     struct pmc_err *err)
{
	const unsigned int sw_slot = pmc_armv8_sw_slot(layout);
	u64 code = ev->code;
	bool user, kernel;
	int ret;

	if (ev->kind == PMC_EVREQ_PINNED && ev->slot >= sw_slot + PMC_SW_NR)
		return pmc_err(err, -EINVAL,
			       "pmc%u: this core type has pmc0 to pmc%u",
			       ev->slot, sw_slot + PMC_SW_NR - 1);

	ret = check_foreign(ev, err);
	if (ret)
		return ret;
	if (ev->kind == PMC_EVREQ_SW)
		return encode_software(layout, ev, ev->sw, config, candidates,
				       err);
	if (ev->kind == PMC_EVREQ_PINNED && ev->slot >= sw_slot)
		return encode_software(layout, ev, ev->slot - sw_slot, config,
				       candidates, err);

	if (ev->kind == PMC_EVREQ_PINNED) {
		ret = pinned_code(layout, ev, &code, err);
		if (ret)
			return ret;
	}
	ret = check_code(layout, code, err);
	if (ret)
		return ret;
	if (layout->max_period && ev->ebs > layout->max_period)
		return pmc_err(err, -EINVAL,
			       "ebs: a period of %llu events is too long: at most %llu",
			       (unsigned long long)ev->ebs,
			       (unsigned long long)layout->max_period);
	pmc_evreq_modes(ev, default_user, default_kernel, &user, &kernel);
	if (!user && !kernel)
		return pmc_err(err, -EINVAL,
			       "the event counts neither in user mode nor in the kernel: set usr or os");

	*config = encode_filter(layout, user, kernel) | code;
	if (ev->kind == PMC_EVREQ_PINNED)
		*candidates = BIT_ULL(ev->slot);
	else if (code == PMC_ARMV8_CPU_CYCLES)
		*candidates = BIT_ULL(PMC_ARMV8_SLOT_CYCLES);
	else
		*candidates = GENMASK_ULL(sw_slot - 1, 1);

	return 0;
}
