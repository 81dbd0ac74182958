// SPDX-License-Identifier: LGPL-2.1-or-later
/* Stop, start and clear the counters. */
#include "core.h"

PORT_LOCAL(core) struct epapi_core epapi_core;

/* Like epapi_suspend_now(), but as a call, so that some more instructions are counted. */
void epapi_suspend(void)
{
	epapi_suspend_now();
}

/* Return: @ret, the return value of the call that ends here. */
int epapi_resume(int ret)
{
	u32 cctrl = epapi_core.cctrl;

	epapi_core.cctrl = 0u;
	if (cctrl)
		epapi_run_counters(cctrl);

	return ret;
}

/*
 * An upper limit of the cycles since the counters were cleared; ~0: there is none. The time
 * of clearing becomes now.
 */
u32 epapi_cycles_passed(void)
{
	u32 now = port_coarse_time();
	u32 units = now - epapi_core.cleared;

	epapi_core.cleared = now;

	if (units >= ~0u / PORT_COARSE_CYCLES)
		return ~0u;

	return (units + 1u) * PORT_COARSE_CYCLES;
}

/*
 * Clear the stopped counters. Their counts are added to those of the set, if there is one.
 */
void epapi_collect(struct epapi_set *set)
{
	u32 raw[PMC_TRICORE_NR];
	u32 cycles;

	raw[PMC_TRICORE_CYCLES] = port_mfcr(PMC_TRICORE_CCNT);
	raw[PMC_TRICORE_INSTRUCTIONS] = port_mfcr(PMC_TRICORE_ICNT);
	raw[PMC_TRICORE_M1] = port_mfcr(PMC_TRICORE_M1CNT);
	raw[PMC_TRICORE_M2] = port_mfcr(PMC_TRICORE_M2CNT);
	raw[PMC_TRICORE_M3] = port_mfcr(PMC_TRICORE_M3CNT);
	port_mtcr(PMC_TRICORE_CCNT, 0u);
	port_mtcr(PMC_TRICORE_ICNT, 0u);
	port_mtcr(PMC_TRICORE_M1CNT, 0u);
	port_mtcr(PMC_TRICORE_M2CNT, 0u);
	port_mtcr(PMC_TRICORE_M3CNT, 0u);
	port_isync();

	cycles = epapi_cycles_passed();
	if (set)
		pmc_tricore_collect(&set->count, raw, cycles);
}
