// SPDX-License-Identifier: LGPL-2.1-or-later
/* EventSets whose values are estimates, because the program has asked for that. */
#include "errors.h"
#include "eventset.h"
#include "library.h"
#include "pmcpapi.h"

int pmcpapi_estimate_by_samples(int id, int on, long long period)
{
	int error;
	struct eventset *set = eventset_get_stopped(id, &error);

	if (!set)
		return papi_fail(error);
	if (on && (period <= 0 || set->state & PAPI_MULTIPLEXING))
		return papi_fail(PAPI_EINVAL);
	if (on && !pmc_machine_has_module(papi_machine()))
		return papi_fail(PAPI_ENOSUPP);
	eventset_close(set);
	set->target.sample_period = on ? period : 0;
	return PAPI_OK;
}

int pmcpapi_is_estimate(int id)
{
	const struct eventset *set = eventset_get(id);

	if (!set)
		return papi_fail(papi_machine() ? PAPI_ENOEVST : PAPI_ENOINIT);
	return set->target.sample_period || set->target.multiplex_ns;
}
