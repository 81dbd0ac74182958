// SPDX-License-Identifier: LGPL-2.1-or-later
/* Closing a caliper, with all that was built on it. */
#include <errno.h>
#include <stddef.h>

#include "caliper.h"
#include "caliper_sums.h"

void pmc_caliper_close(pmc_caliper_t *caliper)
{
	int err = errno;

	if (!caliper)
		return;
	regions_free(caliper);
	type_reader_free(caliper->types);
	caliper_values_free(caliper->values);
	caliper_free(caliper);
	errno = err;
}
