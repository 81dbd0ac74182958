/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of Intel's that need a second register beside the select register; a core
 * has one of these for all its counters.
 */
#ifndef PMC_INTEL_EXTRA_H
#define PMC_INTEL_EXTRA_H

#include <linux/types.h>

#include "base/err.h"
#include "base/parse_evset.h"

enum pmc_intel_extra {
	PMC_INTEL_OFFCORE_RSP_0,
	PMC_INTEL_OFFCORE_RSP_1,
	PMC_INTEL_FRONTEND,
	PMC_INTEL_SNOOP_RSP_0,
	PMC_INTEL_SNOOP_RSP_1,
	PMC_INTEL_NR_EXTRA,
	/* The event's register works with PEBS only, which we do not use. */
	PMC_INTEL_PEBS_ONLY = PMC_INTEL_NR_EXTRA,
};

/**
 * struct pmc_intel_extra_event - an event that needs a second register
 * @code: its number
 * @umask: its unit mask
 * @reg: enum pmc_intel_extra
 */
struct pmc_intel_extra_event {
	u8 code;
	u8 umask;
	u8 reg;
};

extern const u32 pmc_intel_extra_msr[PMC_INTEL_NR_EXTRA];

const struct pmc_intel_extra_event *
pmc_intel_extra_events(unsigned int family, unsigned int model, bool atom);
const struct pmc_intel_extra_event *
pmc_intel_extra_find(const struct pmc_intel_extra_event *events, u64 code,
		     u64 umask);
const struct pmc_intel_extra_event *
pmc_intel_extra_twin(const struct pmc_intel_extra_event *events,
		     const struct pmc_intel_extra_event *event);
int pmc_intel_extra_check(const struct pmc_intel_extra_event *events,
			  unsigned int regs, const struct pmc_evreq *ev,
			  struct pmc_err *err);

#endif /* PMC_INTEL_EXTRA_H */
