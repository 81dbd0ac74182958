// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The counters are part of the debug unit (OCDS). Writes to its register OEC enable and
 * disable it for the whole chip.
 */
#include "core.h"

/* Stores are posted: a load from the same address waits until they have arrived. */
static void wait_for_stores(void)
{
	(void)port_load(PMC_TRICORE_CBS_OSTATE);
}

/* Limit of polls until the debug unit is enabled */
#define ENABLE_LOOKS	64u
/* Number of polls before the request is repeated; higher on cores with higher numbers */
#define ENABLE_PAUSE	16u
#define ENABLE_STAGGER	4u

/*
 * A debugger or another core may have enabled the debug unit already. If another core
 * writes the sequence at the same time, both may fail: then it is repeated, at different
 * times on different cores.
 */
int epapi_enable_counters(void)
{
	bool asked = false;
	unsigned int pause = 0;
	unsigned int i;

	for (i = 0; i < ENABLE_LOOKS; i++) {
		if (port_mfcr(PMC_TRICORE_DBGSR) & PMC_TRICORE_DBGSR_DE) {
			epapi_core.enabled |= asked;
			return PAPI_OK;
		}
		if (pause) {
			pause--;
			continue;
		}
		port_store(PMC_TRICORE_CBS_OEC, PMC_TRICORE_OEC_FIRST);
		port_store(PMC_TRICORE_CBS_OEC, PMC_TRICORE_OEC_SECOND);
		port_store(PMC_TRICORE_CBS_OEC, PMC_TRICORE_OEC_FIRST);
		port_store(PMC_TRICORE_CBS_OEC, PMC_TRICORE_OEC_SECOND);
		wait_for_stores();
		asked = true;
		pause = ENABLE_PAUSE + ENABLE_STAGGER * port_core_id();
	}

	return PAPI_ENOCNTR;
}

/* Disable the debug unit only if this core enabled it. */
static int disable(void)
{
	unsigned int i;

	if (!epapi_supervisor())
		return PAPI_EPERM;
	for (i = 0; i < EPAPI_MAX_SETS; i++)
		if (epapi_core.set[i].running)
			return PAPI_EISRUN;

	if (epapi_core.enabled) {
		port_store(PMC_TRICORE_CBS_OEC, PMC_TRICORE_OEC_DISABLE);
		wait_for_stores();
		epapi_core.enabled = false;
	}

	return PAPI_OK;
}

int epapi_disable_counters(void)
{
	epapi_suspend();

	return epapi_resume(disable());
}
