// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * TriCore: from event codes to CCTRL, and from the counters' registers to 64-bit
 * counts.
 */
#include "tricore.h"

/* In a cycle each of the three pipelines can complete an instruction. */
#define MOST_INSTRUCTIONS	3u

/**
 * pmc_tricore_find() - find an event
 * @code: its code
 *
 * Return: the event, or NULL.
 */
const struct pmc_tricore_event *pmc_tricore_find(u32 code)
{
	unsigned int i;

	for (i = 0; i < PMC_TRICORE_NR_EVENTS; i++)
		if (pmc_tricore_events[i].code == code)
			return &pmc_tricore_events[i];

	return NULL;
}

static char upper(char c)
{
	return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c;
}

/* As PAPI compares names: in any case. */
static bool same(const char *name, const char *given)
{
	while (*name && *name == upper(*given)) {
		name++;
		given++;
	}

	return *name == *given;
}

/**
 * pmc_tricore_find_name() - find an event
 * @name: its name: PAPI_... for presets; in upper or lower case
 *
 * Return: the event, or NULL.
 */
const struct pmc_tricore_event *pmc_tricore_find_name(const char *name)
{
	unsigned int i;

	for (i = 0; i < PMC_TRICORE_NR_EVENTS; i++)
		if (same(pmc_tricore_events[i].name, name))
			return &pmc_tricore_events[i];

	return NULL;
}

/**
 * pmc_tricore_find_double() - find out how to count what takes two runs
 * @code: code of an event
 *
 * Return: what to count in them, or NULL if the event does not take two.
 */
const struct pmc_tricore_double *pmc_tricore_find_double(u32 code)
{
	unsigned int i;

	for (i = 0; i < PMC_TRICORE_NR_DOUBLES; i++)
		if (pmc_tricore_doubles[i].code == code)
			return &pmc_tricore_doubles[i];

	return NULL;
}

/* The fields of CCTRL that belong to some counters, with the setting in each. */
static u16 fields(unsigned int counters, unsigned int setting)
{
	unsigned int ones =
		(counters & PMC_TRICORE_HAS_M1) << (PMC_TRICORE_CCTRL_M1 - PMC_TRICORE_M1) |
		(counters & PMC_TRICORE_HAS_M2) << (PMC_TRICORE_CCTRL_M2 - PMC_TRICORE_M2) |
		(counters & PMC_TRICORE_HAS_M3) << (PMC_TRICORE_CCTRL_M3 - PMC_TRICORE_M3);

	return ones * setting;
}

/**
 * pmc_tricore_add() - count an event together with others
 * @plan: counters in use so far; unchanged if the event does not fit
 * @ev: the event; not one that takes two runs
 *
 * Any number of events can share a counter, as long as they agree on what it
 * counts.
 *
 * Return: false if one of them needs another setting of a counter.
 */
bool pmc_tricore_add(struct pmc_tricore_plan *plan,
		     const struct pmc_tricore_event *ev)
{
	u8 counters = pmc_tricore_counters(ev);
	u16 shared = fields(plan->counters & counters, 0x7);
	u16 wanted = fields(counters, ev->setting);

	if ((plan->cctrl ^ wanted) & shared)
		return false;

	plan->counters |= counters;
	plan->cctrl |= wanted;

	return true;
}

/**
 * pmc_tricore_collect() - add what the counters counted since they were 0
 * @count: where to add it
 * @raw: their registers
 * @cycles: cycles since then, or more; ~0 if it may be more than that
 *
 * A counter of 31 bits with its sticky bit set has overflowed, once or several
 * times. If once, the register as a whole is the count; the time tells whether
 * more was possible.
 */
void pmc_tricore_collect(struct pmc_tricore_count *count,
			 const u32 raw[PMC_TRICORE_NR], u32 cycles)
{
	unsigned int i;

	for (i = 0; i < PMC_TRICORE_NR; i++) {
		u32 most = i == PMC_TRICORE_INSTRUCTIONS ?
			   ~0u / MOST_INSTRUCTIONS : ~0u;

		count->value[i] += raw[i];
		if (raw[i] & PMC_TRICORE_STICKY) {
			count->wrapped |= PMC_TRICORE_BIT(i);
			if (cycles >= most)
				count->inexact |= PMC_TRICORE_BIT(i);
		}
	}
}

/**
 * pmc_tricore_value() - how often an event was counted
 * @ev: the event
 * @count: what was counted
 *
 * Return: the number; what is negative, of a difference whose counters were
 * not exact, as a two's complement.
 */
u64 pmc_tricore_value(const struct pmc_tricore_event *ev,
		      const struct pmc_tricore_count *count)
{
	u64 value = 0;
	unsigned int i;

	for (i = 0; i < PMC_TRICORE_NR; i++) {
		u64 counted = count->value[i];

		if (ev->plus & PMC_TRICORE_BIT(i))
			value += counted;
		if (ev->minus & PMC_TRICORE_BIT(i))
			value -= counted;
	}

	return value;
}
