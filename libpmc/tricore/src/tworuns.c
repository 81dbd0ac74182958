// SPDX-License-Identifier: LGPL-2.1-or-later
/* Presets that need the same counter for two events: they take two runs. */
#include "core.h"

int epapi_two_runs(int event, int runs[2])
{
	const struct pmc_tricore_double *d = pmc_tricore_find_double((u32)event);

	if (!d || !runs)
		return PAPI_EINVAL;
	runs[0] = (int)d->runs[0];
	runs[1] = (int)d->runs[1];

	return PAPI_OK;
}

int epapi_combine(int event, long long first, long long second, long long *value)
{
	if (!pmc_tricore_find_double((u32)event) || !value)
		return PAPI_EINVAL;
	*value = (long long)((u64)first + (u64)second);

	return PAPI_OK;
}
