// SPDX-License-Identifier: GPL-2.0
/*
 * ARMv8 PMUv3: from an event asked for to the value of the event type register,
 * and the counters that can count it.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "base/err.h"
#include "pmu/arm/arm_encode.h"
#include "pmu/arm/armv8_encode.h"

/**
 * pmc_armv8_has_event() - whether a core type implements an event
 * @layout: the core type
 * @code: number of the event
 *
 * Only for the common events PMCEID<n>_EL0 reports whether they exist; others, the
 * implementation defined ones among them, are taken on trust.
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
 * @req: the event; not a software counter's
 * @default_user: whether an event that names no mode counts in user mode
 * @default_kernel: the same for the kernel
 * @config: out: value of PMEVTYPER<n>_EL0; with PMC_ARMV8_FILTER of
 *	PMCCFILTR_EL0 if the event is placed on the cycle counter
 * @candidates: out: mask of the counters that can count it
 * @err: out: on error, what was wrong
 *
 * Context: any but NMI.
 * Return: 0 or -EINVAL.
 */
int pmc_armv8_encode(const struct pmc_armv8_layout *layout,
		     const struct pmc_evreq *req, bool default_user,
		     bool default_kernel, u64 *config, u64 *candidates,
		     struct pmc_err *err)
{
	struct pmc_arm_event ev;
	int ret;

	ret = pmc_arm_resolve("ARMv8", layout->nr_events, req, default_user,
			      default_kernel, &ev, err);
	if (!ret)
		ret = check_code(layout, ev.code, err);
	if (ret)
		return ret;

	*config = encode_filter(layout, ev.user, ev.kernel) | ev.code;
	*candidates = ev.candidates;

	return 0;
}
