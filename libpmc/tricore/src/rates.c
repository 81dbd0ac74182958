// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Instructions, or other events, per cycle. The only floating point there is:
 * what goes back to the caller is computed from sums of integers.
 */
#include "core.h"

struct rate {
	float real;
	float processor;
	float rate;
	u64 reference;
	u64 cycles;
	u64 events;
};

/* Without the compiler's library, that has 64 bits to convert. */
static PORT_COLD float to_float(u64 value)
{
	return (float)(u32)(value >> 32) * 4294967296.0f + (float)(u32)value;
}

static int start(int event, enum epapi_mode mode)
{
	int ret;

	if (epapi_core.mode != EPAPI_MODE_IDLE || epapi_core.rating)
		return PAPI_EINVAL;
	epapi_core.start = port_time();
	epapi_core.last = epapi_core.start;
	epapi_core.cycles = 0u;
	epapi_core.events = 0u;
	ret = epapi_start_high_level(&event, 1, mode);
	if (ret == PAPI_OK)
		epapi_core.rating = epapi_core.high_level;

	return ret;
}

/* All is 0 at the first call. */
static PORT_COLD int rate(int event, enum epapi_mode mode, struct rate *out)
{
	struct epapi_set *set;
	long long events;
	u64 now;
	int ret;

	*out = (struct rate){ .real = 0.0f };
	if (epapi_core.mode != mode)
		return start(event, mode);

	/* Cycles are counted with every set. */
	set = epapi_core.high_level;
	ret = epapi_deliver(set, &events, 0u);
	if (ret != PAPI_OK)
		return ret;
	out->cycles = set->count.value[PMC_TRICORE_CYCLES];
	epapi_clear_count(set);

	epapi_core.cycles += out->cycles;
	epapi_core.events += (u64)events;
	now = port_time();
	out->reference = now - epapi_core.last;
	epapi_core.last = now;
	out->events = epapi_core.events;
	out->real = to_float(now - epapi_core.start) / (float)EPAPI_STM_HZ;
	out->processor = to_float(epapi_core.cycles) / (float)EPAPI_CPU_HZ;
	if (out->cycles)
		out->rate = to_float((u64)events) / to_float(out->cycles);

	return PAPI_OK;
}

int ePAPI_ipc(float *rtime, float *ptime, long long *ins, float *ipc)
{
	struct rate out;
	int ret;

	if (!rtime || !ptime || !ins || !ipc)
		return PAPI_EINVAL;
	ret = rate(PAPI_TOT_INS, EPAPI_MODE_IPC, &out);
	if (ret == PAPI_OK) {
		*rtime = out.real;
		*ptime = out.processor;
		*ins = (long long)out.events;
		*ipc = out.rate;
	}

	return ret;
}

/* The reference clock is that of the system timer. */
int ePAPI_epc(int event, float *rtime, float *ptime, long long *ref, long long *core,
	      long long *evt, float *epc)
{
	struct rate out;
	int ret;

	if (!rtime || !ptime || !ref || !core || !evt || !epc)
		return PAPI_EINVAL;
	ret = rate(event ? event : PAPI_TOT_INS, EPAPI_MODE_EPC, &out);
	if (ret == PAPI_OK) {
		*rtime = out.real;
		*ptime = out.processor;
		*ref = (long long)out.reference;
		*core = (long long)out.cycles;
		*evt = (long long)out.events;
		*epc = out.rate;
	}

	return ret;
}
