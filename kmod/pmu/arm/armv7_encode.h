/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The values of the event type registers of ARMv7's PMUv2 (Cortex-A7 and A15, and
 * A12 and A17, which are like A15), and the counters that an event may use.
 * Pure: touches no register.
 */
#ifndef PMC_PMU_ARMV7_ENCODE_H
#define PMC_PMU_ARMV7_ENCODE_H

#include <linux/bits.h>
#include <linux/types.h>

#include "pmu/arm/arm_encode.h"

/*
 * PMXEVTYPER: Arm Architecture Reference Manual ARMv7-A, DDI 0406C, B4.1.129.
 * The cycle counter's register has the filter bits only. HYP mode is never
 * counted: this kernel does not run there.
 */
#define PMC_ARMV7_EXCLUDE_PL1	BIT(31)
#define PMC_ARMV7_EXCLUDE_USER	BIT(30)
#define PMC_ARMV7_FILTER	(PMC_ARMV7_EXCLUDE_PL1 | PMC_ARMV7_EXCLUDE_USER)
#define PMC_ARMV7_EVENT		0xff

/* Longest period a counter takes in one step; the driver makes several. */
#define PMC_ARMV7_MAX_STEP	0x7fffffff

/* A processor's events: one bit for each of the 256 event numbers. */
struct pmc_armv7_events {
	u64 bits[4];
};

extern const struct pmc_armv7_events pmc_armv7_a7_events;
extern const struct pmc_armv7_events pmc_armv7_a15_events;

/**
 * struct pmc_armv7_layout - a core type's properties that the encoding needs
 * @nr_events: event counters, PMCR.N: 4 on Cortex-A7, 6 on A15
 * @events: the processor's own list, or NULL. PMCEID0, which lists the common
 *	events, is missing on some that report a Cortex-A15: emulators have
 *	none.
 */
struct pmc_armv7_layout {
	unsigned int nr_events;
	const struct pmc_armv7_events *events;
};

const struct pmc_armv7_events *pmc_armv7_events_of(u32 midr);
bool pmc_armv7_has_event(const struct pmc_armv7_layout *layout, u64 code);
int pmc_armv7_encode(const struct pmc_armv7_layout *layout,
		     const struct pmc_evreq *req, bool default_user,
		     bool default_kernel, u64 *config, u64 *candidates,
		     struct pmc_err *err);

#endif /* PMC_PMU_ARMV7_ENCODE_H */
