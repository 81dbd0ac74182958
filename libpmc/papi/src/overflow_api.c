// SPDX-License-Identifier: LGPL-2.1-or-later
/* PAPI_overflow() and the call that belongs to it */
#include "errors.h"
#include "eventset.h"
#include "overflow_events.h"

static void call_handler(struct eventset *set, int index, void *address, long long excess,
			 void *context)
{
	(void)excess;
	set->overflow->handler(set->id, address, 1LL << index, context);
}

int PAPI_overflow(int id, int code, int threshold, int flags, PAPI_overflow_handler_t handler)
{
	struct eventset *set = eventset_get(id);
	int index, rc;

	if (!set)
		return papi_fail(PAPI_ENOEVST);
	index = overflow_check(set, code, threshold);
	if (index < 0)
		return papi_fail(index);
	if ((threshold && !handler) || (!set->overflow && !threshold))
		return papi_fail(PAPI_EINVAL);
	/* Handlers decide which events the EventSet's counters count. */
	eventset_close(set);
	/* As PAPI: a handler replaces profiles. */
	if (set->state & PAPI_PROFILING)
		overflow_free(set);
	/* PAPI_OVERFLOW_FORCE_SW, a timer that looks at the count: the counter's interrupt is better. */
	(void)flags;
	rc = overflow_set(set, index, threshold, call_handler);
	if (rc == PAPI_OK && threshold) {
		set->overflow->handler = handler;
		set->state |= PAPI_OVERFLOWING;
	}
	return papi_fail(rc);
}

/* A vector of overflows has a bit for each event of the EventSet. */
int PAPI_get_overflow_event_index(int id, long long vector, int *array, int *number)
{
	const struct eventset *set = eventset_get(id);
	int i, n = 0;

	if (!set)
		return papi_fail(PAPI_ENOEVST);
	if (!array || !number || !vector || *number <= 0)
		return papi_fail(PAPI_EINVAL);
	for (i = 0; i < set->nr && i < 64 && n < *number; i++)
		if (vector & 1LL << i)
			array[n++] = i;
	*number = n;
	return PAPI_OK;
}
