// SPDX-License-Identifier: LGPL-2.1-or-later
/* The counters themselves: stopping, running and clearing them. */
#include "core.h"

PORT_LOCAL(core) struct epapi_core epapi_core;

/*
 * First thing in each call: stop the counters, so that they don't count what the
 * library does. Not outside supervisor mode, where calls that need no counter
 * work, too.
 *
 * Return: what to give to epapi_resume(), last thing in the call.
 */
u32 epapi_suspend(void)
{
	return epapi_supervisor() ? epapi_stop_counters() : 0u;
}

/* Return: @ret, which is the call's. */
int epapi_resume(u32 cctrl, int ret)
{
	if (cctrl)
		epapi_run_counters(cctrl);

	return ret;
}

/*
 * At least as many cycles as passed since the counters were cleared, which is
 * now; ~0: maybe more.
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
 * Clear the counters, which stand. What they counted is added to the set's
 * counts, if there is one.
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
