// SPDX-License-Identifier: LGPL-2.1-or-later
/* The other calls of the high level, which has an event set of its own. */
#include "core.h"

int ePAPI_num_counters(void)
{
	return PMC_TRICORE_NR;
}

static int start(struct epapi_set *set, const int *events, int nr, enum epapi_mode mode)
{
	int ret = PAPI_OK;
	int i;

	for (i = 0; ret == PAPI_OK && i < nr; i++)
		ret = epapi_add(set, events[i]);
	if (ret != PAPI_OK)
		return ret;

	epapi_core.high_level = set;
	epapi_core.mode = (u8)mode;
	ret = epapi_begin(set);
	if (ret != PAPI_OK) {
		epapi_core.high_level = NULL;
		epapi_core.mode = EPAPI_MODE_IDLE;
	}

	return ret;
}

int epapi_start_high_level(const int *events, int nr, enum epapi_mode mode)
{
	struct epapi_set *set = epapi_new_set(EPAPI_HIGH_LEVEL);
	int ret;

	if (!set)
		return PAPI_ENOMEM;
	ret = start(set, events, nr, mode);
	if (ret != PAPI_OK)
		epapi_free_set(set);

	return ret;
}

int ePAPI_start_counters(int *events, int array_len)
{
	int ret;

	epapi_suspend();
	if (!events || array_len <= 0)
		ret = PAPI_EINVAL;
	else if (epapi_core.mode != EPAPI_MODE_IDLE)
		ret = PAPI_EISRUN;
	else
		ret = epapi_start_high_level(events, array_len, EPAPI_MODE_LIST);

	return epapi_resume(ret);
}

/* After ePAPI_ipc() and ePAPI_epc() there are no values to return. */
static int stop(long long *values, int array_len)
{
	struct epapi_set *set;
	int ret;

	if (epapi_core.mode == EPAPI_MODE_IDLE)
		return PAPI_ENOTRUN;
	set = epapi_core.high_level;
	if (epapi_core.mode != EPAPI_MODE_LIST)
		values = NULL;
	else if (!values || array_len < set->nr)
		return PAPI_EINVAL;

	ret = epapi_deliver(set, values, DELIVER_STOP);
	if (ret != PAPI_OK)
		return ret;

	if (epapi_core.rating == epapi_core.high_level)
		epapi_core.rating = NULL;
	epapi_core.high_level = NULL;
	epapi_core.mode = EPAPI_MODE_IDLE;
	epapi_free_set(set);

	return PAPI_OK;
}

int ePAPI_stop_counters(long long *values, int array_len)
{
	epapi_suspend();

	return epapi_resume(stop(values, array_len));
}
