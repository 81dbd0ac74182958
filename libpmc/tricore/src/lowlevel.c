// SPDX-License-Identifier: LGPL-2.1-or-later
/* The calls of the low level that count. */
#include "core.h"

void epapi_clear_count(struct epapi_set *set)
{
	unsigned int i;

	for (i = 0; i < PMC_TRICORE_NR; i++)
		set->count.value[i] = 0u;
}

/* Count for @set (NULL: for none) from epapi_resume() on. */
int epapi_begin(struct epapi_set *set)
{
	int ret;

	if (!set)
		return PAPI_ENOEVST;
	if (epapi_core.counting || set->running)
		return PAPI_EISRUN;
	if (!set->nr)
		return PAPI_EINVAL;
	if (!epapi_supervisor())
		return PAPI_EPERM;
	if (port_mfcr(PMC_TRICORE_CPU_ID) >> PMC_TRICORE_CPU_ID_MOD == PMC_TRICORE_MOD_TC16E)
		return PAPI_ENOSUPP;
	ret = epapi_enable_counters();
	if (ret != PAPI_OK)
		return ret;

	epapi_clear_count(set);
	set->count.wrapped = 0u;
	set->count.inexact = 0u;
	set->cctrl = set->plan.cctrl | PMC_TRICORE_CCTRL_RUN | epapi_core.task_mode;
	set->running = true;
	epapi_core.counting = set;
	epapi_collect(NULL);
	epapi_show(set);
	epapi_choose_reader();
	epapi_core.cctrl = set->cctrl;

	return PAPI_OK;
}

/*
 * Deliver the values of a set's events, if there is a set: store them, or add them
 * (DELIVER_ADD); then clear them (DELIVER_CLEAR), or end counting (DELIVER_STOP). The
 * counters are stopped, except outside supervisor mode.
 */
int epapi_deliver(struct epapi_set *set, long long *values, unsigned int how)
{
	bool counting = epapi_core.counting == set;
	bool show = counting && (values || (how & DELIVER_STOP));
	unsigned int i;

	if (!set)
		return PAPI_ENOEVST;
	if (counting) {
		if (!epapi_supervisor())
			return PAPI_EPERM;
		epapi_collect(set);
	}

	for (i = 0; i < set->nr; i++) {
		u64 value = pmc_tricore_value(&pmc_tricore_events[set->event[i]], &set->count);

		if (values) {
			if (how & DELIVER_ADD)
				value += (u64)values[i];
			values[i] = (long long)value;
		}
		if (show)
			epapi_show_value(i, set, value);
	}

	if (how & DELIVER_CLEAR)
		epapi_clear_count(set);
	if (counting && (how & DELIVER_STOP)) {
		set->running = false;
		epapi_core.counting = NULL;
		epapi_core.cctrl = 0u;
		epapi_results.state = EPAPI_RESULTS_STOPPED;
	}
	epapi_choose_reader();

	return PAPI_OK;
}

int ePAPI_start(int EventSet)
{
	return epapi_resume(epapi_begin(epapi_use_set(EventSet)));
}

static int give(int number, long long *values, unsigned int how)
{
	struct epapi_set *set = epapi_use_set(number);

	return epapi_resume(values ? epapi_deliver(set, values, how) : PAPI_EINVAL);
}

int ePAPI_read(int EventSet, long long *values)
{
	epapi_suspend_now();

	return give(EventSet, values, 0u);
}

int ePAPI_accum(int EventSet, long long *values)
{
	epapi_suspend_now();

	return give(EventSet, values, DELIVER_ADD | DELIVER_CLEAR);
}

/* As in PAPI, values may be NULL. A set that counts for another task keeps counting. */
int ePAPI_stop(int EventSet, long long *values)
{
	struct epapi_set *set = epapi_use_set(EventSet);
	int ret = PAPI_ENOTRUN;

	if (!set || epapi_core.counting == set)
		ret = epapi_deliver(set, values, DELIVER_STOP);

	return epapi_resume(ret);
}

int ePAPI_reset(int EventSet)
{
	return epapi_resume(epapi_deliver(epapi_use_set(EventSet), NULL, DELIVER_CLEAR));
}

int ePAPI_state(int EventSet, int *status)
{
	const struct epapi_set *set = epapi_use_set(EventSet);
	int ret = PAPI_OK;

	if (!status)
		ret = PAPI_EINVAL;
	else if (!set)
		ret = PAPI_ENOEVST;
	else
		*status = set->running ? PAPI_RUNNING : PAPI_STOPPED;

	return epapi_resume(ret);
}
