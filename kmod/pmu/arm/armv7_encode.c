// SPDX-License-Identifier: GPL-2.0
/*
 * ARMv7 PMUv2: from an event asked for to the value of the event type register,
 * and the counters that can count it.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "base/err.h"
#include "pmu/arm/arm_encode.h"
#include "pmu/arm/armv7_encode.h"

/* MIDR: implementer and part number (DDI 0406C, B4.1.105). */
#define MIDR_PART(midr)		((midr) & 0xff00fff0)
#define MIDR_CORTEX_A7		0x4100c070
#define MIDR_CORTEX_A15		0x4100c0f0

/* Cortex-A7 MPCore TRM, DDI 0464, 11.8 "Events", table 11-5. */
const struct pmc_armv7_events pmc_armv7_a7_events = { {
	0x0000000023ffffffULL,			/* 0x00-0x19, 0x1d */
	BIT_ULL(0x60 - 0x40) | BIT_ULL(0x61 - 0x40),
	BIT_ULL(0x86 - 0x80) | BIT_ULL(0x87 - 0x80),
	/* 0xc0-0xc5, 0xc7-0xca */
	GENMASK_ULL(0x05, 0x00) | GENMASK_ULL(0x0a, 0x07),
} };

/* Cortex-A15 MPCore TRM, DDI 0438, 11.6 "Events", table 11-6. */
const struct pmc_armv7_events pmc_armv7_a15_events = { {
	/* 0x00-0x05, 0x08-0x0b, 0x10-0x1d */
	GENMASK_ULL(0x05, 0x00) | GENMASK_ULL(0x0b, 0x08) |
	GENMASK_ULL(0x1d, 0x10),
	/* 0x40-0x43, 0x46-0x48, 0x4c, 0x4d */
	GENMASK_ULL(0x03, 0x00) | GENMASK_ULL(0x08, 0x06) |
	GENMASK_ULL(0x0d, 0x0c) |
	/* 0x50-0x53, 0x56-0x58 */
	GENMASK_ULL(0x13, 0x10) | GENMASK_ULL(0x18, 0x16) |
	/* 0x60-0x6a, 0x6c-0x6e */
	GENMASK_ULL(0x2a, 0x20) | GENMASK_ULL(0x2e, 0x2c) |
	/* 0x70-0x76, 0x78-0x7a, 0x7c-0x7e */
	GENMASK_ULL(0x36, 0x30) | GENMASK_ULL(0x3a, 0x38) |
	GENMASK_ULL(0x3e, 0x3c),
} };

/**
 * pmc_armv7_events_of() - the list of events of a processor
 * @midr: its Main ID Register
 *
 * Return: the list, or NULL for one whose manual is not here.
 */
const struct pmc_armv7_events *pmc_armv7_events_of(u32 midr)
{
	switch (MIDR_PART(midr)) {
	case MIDR_CORTEX_A7:
		return &pmc_armv7_a7_events;
	case MIDR_CORTEX_A15:
		return &pmc_armv7_a15_events;
	default:
		return NULL;
	}
}

/**
 * pmc_armv7_has_event() - whether a core type implements an event
 * @layout: the core type
 * @code: number of the event
 *
 * By the processor's manual; without a manual every event is taken on trust.
 *
 * Return: false when the event would never count.
 */
bool pmc_armv7_has_event(const struct pmc_armv7_layout *layout, u64 code)
{
	if (code > PMC_ARMV7_EVENT)
		return false;
	if (!layout->events)
		return true;

	return layout->events->bits[code / 64] & BIT_ULL(code % 64);
}

static int check_code(const struct pmc_armv7_layout *layout, u64 code,
		      struct pmc_err *err)
{
	if (code > PMC_ARMV7_EVENT)
		return pmc_err(err, -EINVAL,
			       "event 0x%llx: event numbers of this core type end at 0x%x",
			       (unsigned long long)code, PMC_ARMV7_EVENT);
	if (!pmc_armv7_has_event(layout, code))
		return pmc_err(err, -EINVAL,
			       "event 0x%llx is not implemented by this core type: see its manual",
			       (unsigned long long)code);

	return 0;
}

/**
 * pmc_armv7_encode() - encode an event
 * @layout: the core type it is to be counted on
 * @req: the event; not a software counter's
 * @default_user: whether an event that names no mode counts in user mode
 * @default_kernel: the same for the kernel
 * @config: out: value of PMXEVTYPER; with PMC_ARMV7_FILTER that of the cycle
 *	counter if the event is placed there
 * @candidates: out: mask of the counters that can count it
 * @err: out: on error, what was wrong
 *
 * Context: any but NMI.
 * Return: 0 or -EINVAL.
 */
int pmc_armv7_encode(const struct pmc_armv7_layout *layout,
		     const struct pmc_evreq *req, bool default_user,
		     bool default_kernel, u64 *config, u64 *candidates,
		     struct pmc_err *err)
{
	struct pmc_arm_event ev;
	int ret;

	ret = pmc_arm_resolve("ARMv7", layout->nr_events, req, default_user,
			      default_kernel, &ev, err);
	if (!ret)
		ret = check_code(layout, ev.code, err);
	if (ret)
		return ret;

	*config = (u32)((ev.user ? 0 : PMC_ARMV7_EXCLUDE_USER) |
			(ev.kernel ? 0 : PMC_ARMV7_EXCLUDE_PL1) | ev.code);
	*candidates = ev.candidates;

	return 0;
}
