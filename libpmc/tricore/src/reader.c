// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * ePAPI_read_counters() and ePAPI_accum_counters(). What one counter alone
 * counts is read by a function of that counter's own, as each instruction here
 * delays the program being measured: see what `make firmware` prints.
 */
#include "core.h"

/* Any list of events. */
static int read_list(long long *values, int array_len)
{
	if (!values || array_len < epapi_core.high_level->nr)
		return PAPI_EINVAL;

	return epapi_deliver(epapi_core.high_level, values, DELIVER_CLEAR);
}

static int accum_list(long long *values, int array_len)
{
	if (!values || array_len < epapi_core.high_level->nr)
		return PAPI_EINVAL;

	return epapi_deliver(epapi_core.high_level, values, DELIVER_ADD | DELIVER_CLEAR);
}

/* The counter has overflowed: the long way, from the register's value on. */
static PORT_COLD int deliver_wrapped(long long *values, u32 value, unsigned int how)
{
	struct epapi_set *set = epapi_core.high_level;
	u32 raw[PMC_TRICORE_NR] = { 0 };
	unsigned int i;

	for (i = 0; i < PMC_TRICORE_NR; i++)
		if (set->plan.counters & PMC_TRICORE_BIT(i))
			raw[i] = value;
	pmc_tricore_collect(&set->count, raw, epapi_cycles_passed());

	return epapi_deliver(set, values, how);
}

/*
 * The counters stand while one of them is read and cleared. CCTRL is read back
 * rather than remembered: that is one access of memory less.
 */
#define READERS(name, csfr) \
static int read_##name(long long *values, int array_len) \
{ \
	u32 zero, cctrl, value; \
\
	if (port_unlikely(array_len < 1)) \
		return PAPI_EINVAL; \
	zero = port_zero(); \
	if (port_unlikely(!values)) \
		return PAPI_EINVAL; \
	cctrl = port_mfcr(PMC_TRICORE_CCTRL); \
	port_mtcr(PMC_TRICORE_CCTRL, zero); \
	port_isync(); \
	value = port_mfcr(csfr); \
	port_mtcr(csfr, zero); \
	if (port_unlikely((s32)value < 0)) \
		return deliver_wrapped(values, value, DELIVER_CLEAR); \
	values[0] = (long long)value; \
	epapi_results.entry[0].value = value; \
	port_mtcr(PMC_TRICORE_CCTRL, cctrl); \
	port_isync(); \
	return (int)zero; \
} \
\
static int accum_##name(long long *values, int array_len) \
{ \
	u32 zero, cctrl, value; \
	u64 sum; \
\
	if (port_unlikely(array_len < 1)) \
		return PAPI_EINVAL; \
	zero = port_zero(); \
	if (port_unlikely(!values)) \
		return PAPI_EINVAL; \
	cctrl = port_mfcr(PMC_TRICORE_CCTRL); \
	port_mtcr(PMC_TRICORE_CCTRL, zero); \
	port_isync(); \
	value = port_mfcr(csfr); \
	port_mtcr(csfr, zero); \
	if (port_unlikely((s32)value < 0)) \
		return deliver_wrapped(values, value, DELIVER_ADD | DELIVER_CLEAR); \
	sum = port_add((u64)values[0], value); \
	values[0] = (long long)sum; \
	epapi_results.entry[0].value = sum; \
	port_mtcr(PMC_TRICORE_CCTRL, cctrl); \
	port_isync(); \
	return (int)zero; \
}

READERS(cycles, PMC_TRICORE_CCNT)
READERS(instructions, PMC_TRICORE_ICNT)
READERS(m1, PMC_TRICORE_M1CNT)
READERS(m2, PMC_TRICORE_M2CNT)
READERS(m3, PMC_TRICORE_M3CNT)

static const struct {
	int (*read)(long long *values, int array_len);
	int (*accum)(long long *values, int array_len);
} readers[PMC_TRICORE_NR] = {
	{ read_cycles, accum_cycles },
	{ read_instructions, accum_instructions },
	{ read_m1, accum_m1 },
	{ read_m2, accum_m2 },
	{ read_m3, accum_m3 },
};

/* To be called when what the high level counts, or how far, has changed. */
void epapi_choose_reader(void)
{
	const struct epapi_set *set;
	unsigned int i;

	epapi_core.read = NULL;
	epapi_core.accum = NULL;
	if (epapi_core.mode != EPAPI_MODE_LIST || epapi_core.counting != epapi_core.high_level)
		return;

	set = epapi_core.high_level;
	epapi_core.read = read_list;
	epapi_core.accum = accum_list;
	for (i = 0; i < PMC_TRICORE_NR; i++) {
		/* Of one event on this counter, that was counted nowhere else yet. */
		if (set->nr == 1u && set->plan.counters == PMC_TRICORE_BIT(i) &&
		    !set->count.value[i]) {
			epapi_core.read = readers[i].read;
			epapi_core.accum = readers[i].accum;
		}
	}
}

int ePAPI_read_counters(long long *values, int array_len)
{
	if (port_unlikely(!epapi_core.read))
		return PAPI_EINVAL;

	return epapi_core.read(values, array_len);
}

int ePAPI_accum_counters(long long *values, int array_len)
{
	if (port_unlikely(!epapi_core.accum))
		return PAPI_EINVAL;

	return epapi_core.accum(values, array_len);
}
