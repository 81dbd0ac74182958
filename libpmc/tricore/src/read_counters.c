// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * ePAPI_read_counters() and ePAPI_accum_counters(). Each instruction here delays the program
 * that is measured (see the output of `make firmware`), so there is a function for each
 * counter that reads a list of one event.
 */
#include "core.h"

/* Any list of events. */
static PORT_COLD int deliver_list(long long *values, int array_len, u32 cctrl, unsigned int how)
{
	int ret = PAPI_EINVAL;

	epapi_core.cctrl = cctrl;
	if (values && array_len >= epapi_core.high_level->nr)
		ret = epapi_deliver(epapi_core.high_level, values, how);

	return epapi_resume(ret);
}

static PORT_COLD int read_list(long long *values, int array_len, u32 cctrl)
{
	return deliver_list(values, array_len, cctrl, DELIVER_CLEAR);
}

static PORT_COLD int accum_list(long long *values, int array_len, u32 cctrl)
{
	return deliver_list(values, array_len, cctrl, DELIVER_ADD | DELIVER_CLEAR);
}

/*
 * Wrong arguments and an overflow are handled by the general function, which finds the
 * counter unchanged.
 */
#define READERS(name, csfr) \
static int read_##name(long long *values, int array_len, u32 cctrl) \
{ \
	u32 zero, value; \
\
	if (port_unlikely(array_len < 1)) \
		goto list; \
	zero = port_zero(); \
	if (port_unlikely(!values)) \
		goto list; \
	value = port_mfcr(csfr); \
	if (port_unlikely((s32)value < 0)) \
		goto list; \
	port_mtcr(csfr, zero); \
	values[0] = (long long)value; \
	epapi_results.entry[0].value = value; \
	epapi_run_counters(cctrl); \
	return (int)zero; \
list: \
	return read_list(values, array_len, cctrl); \
} \
\
static int accum_##name(long long *values, int array_len, u32 cctrl) \
{ \
	u32 zero, value; \
	u64 sum; \
\
	if (port_unlikely(array_len < 1)) \
		goto list; \
	zero = port_zero(); \
	if (port_unlikely(!values)) \
		goto list; \
	value = port_mfcr(csfr); \
	if (port_unlikely((s32)value < 0)) \
		goto list; \
	port_mtcr(csfr, zero); \
	sum = port_add((u64)values[0], value); \
	values[0] = (long long)sum; \
	epapi_results.entry[0].value = sum; \
	epapi_run_counters(cctrl); \
	return (int)zero; \
list: \
	return accum_list(values, array_len, cctrl); \
}

READERS(cycles, PMC_TRICORE_CCNT)
READERS(instructions, PMC_TRICORE_ICNT)
READERS(m1, PMC_TRICORE_M1CNT)
READERS(m2, PMC_TRICORE_M2CNT)
READERS(m3, PMC_TRICORE_M3CNT)

struct readers {
	int (*read)(long long *values, int array_len, u32 cctrl);
	int (*accum)(long long *values, int array_len, u32 cctrl);
};

static const struct readers list_readers = { read_list, accum_list };
static const struct readers counter_readers[PMC_TRICORE_NR] = {
	{ read_cycles, accum_cycles },
	{ read_instructions, accum_instructions },
	{ read_m1, accum_m1 },
	{ read_m2, accum_m2 },
	{ read_m3, accum_m3 },
};

/* Call this when the high level's list of events, or its state, has changed. */
void epapi_choose_reader(void)
{
	const struct epapi_set *set = epapi_core.high_level;
	const struct readers *best = &list_readers;
	unsigned int i;

	if (epapi_core.mode != EPAPI_MODE_LIST || epapi_core.counting != set) {
		epapi_core.read = NULL;
		epapi_core.accum = NULL;
		return;
	}

	/* A list of one event on one counter, whose whole count is in the register. */
	for (i = 0; set->nr == 1u && i < PMC_TRICORE_NR; i++)
		if (set->plan.counters == PMC_TRICORE_BIT(i) && !set->count.value[i])
			best = &counter_readers[i];

	epapi_core.read = best->read;
	epapi_core.accum = best->accum;
}

static PORT_COLD int no_list(u32 cctrl)
{
	epapi_core.cctrl = cctrl;

	return epapi_resume(PAPI_EINVAL);
}

/* The counters stop first, before any argument is checked. */
int ePAPI_read_counters(long long *values, int array_len)
{
	u32 cctrl;

	if (port_unlikely(!epapi_supervisor()))
		return PAPI_EPERM;
	cctrl = epapi_stop_counters();
	if (port_unlikely(!epapi_core.read))
		return no_list(cctrl);

	return epapi_core.read(values, array_len, cctrl);
}

int ePAPI_accum_counters(long long *values, int array_len)
{
	u32 cctrl;

	if (port_unlikely(!epapi_supervisor()))
		return PAPI_EPERM;
	cctrl = epapi_stop_counters();
	if (port_unlikely(!epapi_core.accum))
		return no_list(cctrl);

	return epapi_core.accum(values, array_len, cctrl);
}
