// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Instructions, or other events, per cycle. Only the results are in floating point; they
 * are computed from sums of integers.
 */
#include "core.h"

/* Convert 64 bits without the compiler's library. */
static PORT_COLD float to_float(u64 value)
{
	return (float)(u32)(value >> 32) * 4294967296.0f + (float)(u32)value;
}

static int start(int event, enum epapi_mode mode)
{
	int ret;

	if (epapi_core.mode != EPAPI_MODE_IDLE || epapi_core.rating)
		return PAPI_EINVAL;
	ret = epapi_start_high_level(&event, 1, mode);
	if (ret == PAPI_OK)
		epapi_core.rating = epapi_core.high_level;

	return ret;
}

/* The first call starts counting, and returns 0 for all values. */
static PORT_COLD int rate(int event, enum epapi_mode mode, float *rtime, float *ptime,
			  long long *ref, long long *core, long long *evt, float *per_cycle)
{
	u64 now = port_time();
	u64 cycles = 0u, passed;
	long long events = 0;
	int ret;

	if (!rtime || !ptime || !ref || !core || !evt || !per_cycle)
		return PAPI_EINVAL;
	if (epapi_core.mode != mode) {
		ret = start(event, mode);
		if (ret == PAPI_OK) {
			epapi_core.start = now;
			epapi_core.last = now;
			epapi_core.cycles = 0u;
			epapi_core.events = 0u;
		}
	} else {
		/* Every set counts cycles. */
		ret = epapi_deliver(epapi_core.high_level, &events, 0u);
		cycles = epapi_core.high_level->count.value[PMC_TRICORE_CYCLES];
	}
	if (ret != PAPI_OK)
		return ret;

	*rtime = to_float(now - epapi_core.start) / (float)EPAPI_STM_HZ;
	*ptime = to_float(cycles) / (float)EPAPI_CPU_HZ;
	*ref = (long long)(now - epapi_core.last);
	passed = cycles - epapi_core.cycles;
	*core = (long long)passed;
	*evt = events;
	*per_cycle = 0.0f;
	if (passed)
		*per_cycle = to_float((u64)events - epapi_core.events) / to_float(passed);
	epapi_core.last = now;
	epapi_core.cycles = cycles;
	epapi_core.events = (u64)events;

	return PAPI_OK;
}

int ePAPI_ipc(float *rtime, float *ptime, long long *ins, float *ipc)
{
	long long ref, core;

	epapi_suspend();

	return epapi_resume(rate(PAPI_TOT_INS, EPAPI_MODE_IPC, rtime, ptime, &ref, &core, ins,
				 ipc));
}

/* The reference clock is that of the system timer. */
int ePAPI_epc(int event, float *rtime, float *ptime, long long *ref, long long *core,
	      long long *evt, float *epc)
{
	epapi_suspend();

	return epapi_resume(rate(event ? event : PAPI_TOT_INS, EPAPI_MODE_EPC, rtime, ptime, ref,
				 core, evt, epc));
}
