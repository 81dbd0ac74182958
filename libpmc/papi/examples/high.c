// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions: the events are chosen when the program runs, and a file has what they counted.
 *
 *   cc -o high high.c -lpmcpapi
 *   PAPI_EVENTS=PAPI_TOT_INS,PAPI_TOT_CYC PAPI_REPORT=1 ./high
 *
 * The file is papi_hl_output/rank_NUMBER.json; PAPI_OUTPUT_DIRECTORY names another place for
 * the folder.
 */
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int code, const char *what)
{
	if (code == PAPI_OK)
		return;
	fprintf(stderr, "%s: %s\n", what, PAPI_strerror(code));
	exit(2);
}

static void work(int rounds)
{
	volatile int i;

	for (i = 0; i < rounds; i++)
		;
}

int main(void)
{
	int step;

	check(PAPI_hl_region_begin("solve"), "begin of solve");
	for (step = 0; step < 3; step++) {
		check(PAPI_hl_region_begin("step"), "begin of a step");
		work(100000);
		check(PAPI_hl_region_end("step"), "end of a step");
		/* The counts until now */
		check(PAPI_hl_read("solve"), "read");
	}
	check(PAPI_hl_region_end("solve"), "end of solve");
	return 0;
}
