/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The values of the ARMv8 PMU's event type registers, and the counters that an
 * event may use. Pure: touches no register.
 */
#ifndef PMC_PMU_ARMV8_ENCODE_H
#define PMC_PMU_ARMV8_ENCODE_H

#include <linux/bits.h>
#include <linux/types.h>

#include "pmu/arm/arm_encode.h"

/*
 * PMEVTYPER<n>_EL0 and PMCCFILTR_EL0: Arm Architecture Reference Manual,
 * DDI 0487, D24.5. PMCCFILTR_EL0 has the filter bits only.
 */
#define PMC_ARMV8_EXCLUDE_EL1	BIT_ULL(31)
#define PMC_ARMV8_EXCLUDE_EL0	BIT_ULL(30)
#define PMC_ARMV8_INCLUDE_EL2	BIT_ULL(27)
#define PMC_ARMV8_FILTER	(PMC_ARMV8_EXCLUDE_EL1 | \
				 PMC_ARMV8_EXCLUDE_EL0 | \
				 PMC_ARMV8_INCLUDE_EL2)
#define PMC_ARMV8_EVENT		0xffffULL

#define PMC_ARMV8_CHAIN		0x1e

/**
 * struct pmc_armv8_layout - a core type's properties that the encoding needs
 * @nr_events: event counters, PMCR_EL0.N: at most 31
 * @evt_bits: width of an event number: 10 (PMUv3) or 16 (from PMUv3.1 on)
 * @hyp: the kernel runs at EL2 (VHE): its events are EL2's, and EL1 is a
 *	guest's
 * @has_pmceid: @pmceid is known
 * @pmceid: PMCEID0_EL0 and PMCEID1_EL0: bits 0-31 of them tell which of
 *	events 0x00-0x1f and 0x20-0x3f are implemented, bits 32-63 the same
 *	for 0x4000-0x401f and 0x4020-0x403f
 */
struct pmc_armv8_layout {
	unsigned int nr_events;
	unsigned int evt_bits;
	bool hyp;
	bool has_pmceid;
	u64 pmceid[2];
};

bool pmc_armv8_has_event(const struct pmc_armv8_layout *layout, u64 code);
int pmc_armv8_encode(const struct pmc_armv8_layout *layout,
		     const struct pmc_evreq *req, bool default_user,
		     bool default_kernel, u64 *config, u64 *candidates,
		     struct pmc_err *err);

#endif /* PMC_PMU_ARMV8_ENCODE_H */
