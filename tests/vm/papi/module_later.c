// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel module is loaded after PAPI_library_init(): it counts EventSets that are started later.
 * Estimates of events that take turns stay right.
 */
#include "papi_calls.h"

#define N	500000
#define WORK	(2LL * N)

/* More events than there are counters; instructions are the first. */
static void check_estimate(const char *when)
{
	static const char *const names[] = {
		"branches", "branch_misses", "loads", "stores", "l1d_misses", "llc_misses",
		"llc_references", "dtlb_misses", "itlb_misses", "l1i_misses", "stall_backend",
		"stall_frontend",
	};
	int set = new_set("instr");
	long long values[16];
	size_t i;

	OK(PAPI_set_multiplex(set));
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		PAPI_add_named_event(set, names[i]);
	OK(PAPI_start(set));
	spin(100L * N);
	OK(PAPI_stop(set, values));
	printf("%s, %d events: %lld of %lld instructions estimated\n", when, PAPI_num_events(set),
	       values[0], 100 * WORK);
	within(values[0], 80 * WORK, 120 * WORK, "estimated instructions, %s", when);
	end_set(set);
}

int main(void)
{
	pin(0, 0);
	begin_papi();
	check_estimate("without the module");
	load_module("pmctrack");
	check_estimate("with the module loaded later");
	PAPI_shutdown();
	unload_module("pmctrack");
	return result();
}
