// SPDX-License-Identifier: GPL-2.0
/* Holding Arm's counters through the kernel's own. */
#include "base/err.h"
#include "pmu/arm/arm_encode.h"
#include "pmu/arm/arm_kcounter.h"
#include "pmu/event_set.h"
#include "pmu/kcounter.h"

/* Counts writes to a register that is never written: none. */
#define SW_INCR		0x0

/**
 * pmc_arm_claim - hold a slot of a CPU
 * @cpu: an online CPU
 * @ev: event that it is for. Slot 0 is the cycle counter: perf puts nothing else on
 *	it. Others count nothing until they are programmed.
 * @err: says why not
 *
 * Context: May sleep.
 * Return: as pmc_kcounter_create().
 */
int pmc_arm_claim(unsigned int cpu, const struct pmc_hw_event *ev,
		  struct pmc_err *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.config = ev->slot == PMC_ARM_SLOT_CYCLES ? PMC_ARM_CPU_CYCLES :
							SW_INCR,
	};

	return pmc_kcounter_create(cpu, ev->slot, -1, &attr, err);
}
