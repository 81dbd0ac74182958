// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Count the cycles and the data cache misses of some code. This is a PAPI program, except
 * that its calls begin with ePAPI_. With papi.h instead of epapi.h they can begin with
 * PAPI_.
 *
 * The values are also in the core's results area: pmc-epapi-read shows them from a dump of
 * the core's memory.
 */
#include <epapi.h>

#define NUM_EVENTS	2
#define LENGTH		1024

static volatile int numbers[LENGTH];

static void code_under_analysis(void)
{
	int i;

	for (i = 0; i < LENGTH; i++)
		numbers[i] += i;
}

int main(void)
{
	int Events[NUM_EVENTS] = { PAPI_TOT_CYC, PAPI_L1_DCM };
	long long values[NUM_EVENTS];

	/* Start counting events */
	if (ePAPI_start_counters(Events, NUM_EVENTS) != PAPI_OK)
		return 1;

	code_under_analysis();

	/* Read the counters */
	if (ePAPI_read_counters(values, NUM_EVENTS) != PAPI_OK)
		return 1;

	code_under_analysis();

	/* Add the counters */
	if (ePAPI_accum_counters(values, NUM_EVENTS) != PAPI_OK)
		return 1;

	code_under_analysis();

	/* Stop counting events */
	if (ePAPI_stop_counters(values, NUM_EVENTS) != PAPI_OK)
		return 1;

	return 0;
}
