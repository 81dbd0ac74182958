// SPDX-License-Identifier: GPL-2.0
/* Reports of the files that drive counters. */
#include "base/pmu_callbacks.h"

const struct pmc_upcalls *pmc_upcalls;

DEFINE_STATIC_CALL_NULL(pmc_up_overflow, pmc_overflow_t);
DEFINE_STATIC_CALL_NULL(pmc_up_overflows, pmc_overflows_t);

/**
 * pmc_upcalls_init - say who is called
 * @upcalls: the functions
 *
 * Context: May sleep. Before any counter is claimed, and not with CPUs locked: patching
 * calls locks them.
 */
void pmc_upcalls_init(const struct pmc_upcalls *upcalls)
{
	pmc_upcalls = upcalls;
	static_call_update(pmc_up_overflow, upcalls->overflow);
	static_call_update(pmc_up_overflows, upcalls->overflows);
}
