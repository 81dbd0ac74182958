// SPDX-License-Identifier: GPL-2.0
/*
 * A user without rights has fewer counters than the processor: the module leaves some of them to others. An
 * EventSet takes no more events than this user can start, and with multiplexing the other ones take turns.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "papi_calls.h"

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define N	4000
#define MAX_EVENTS	32

/* Add all events of CPUs that fit. Return: PAPI_ECNFLCT if there was one that did not */
static int fill(int set)
{
	static const char *const names[] = {
		"branches", "branch_misses", "loads", "stores", "l1d_misses", "llc_misses", "llc_references",
		"dtlb_misses", "itlb_misses", "l1i_misses", "stall_backend", "stall_frontend",
	};
	int rc, conflict = PAPI_OK;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		rc = PAPI_add_named_event(set, names[i]);
		conflict = rc == PAPI_ECNFLCT ? rc : conflict;
	}
	return conflict;
}

static long long count(int set)
{
	long long values[MAX_EVENTS];

	OK(PAPI_start(set));
	spin(100L * N);
	OK(PAPI_stop(set, values));
	return values[0];
}

static int as_user(void)
{
	long long instructions;
	int full, turns;

	change_user(1000);
	begin_papi();

	full = new_set("instr");
	fill(full);
	instructions = count(full);
	printf("%d events: %lld instructions\n", PAPI_num_events(full), instructions);

	turns = new_set("instr");
	OK(PAPI_set_multiplex(turns));
	same(fill(turns), PAPI_OK, "a conflict in spite of multiplexing");
	printf("%d events take turns\n", PAPI_num_events(turns));
	within(count(turns), instructions * 8 / 10, instructions * 12 / 10, "estimated instructions");

	end_set(turns);
	end_set(full);
	PAPI_shutdown();
	return result();
}

int main(void)
{
	char before[16] = "";
	int status = -1;
	FILE *f;
	pid_t pid;

	need_counters();
	f = fopen(PARANOID, "r");
	if (!f || !fgets(before, sizeof(before), f) || write_file(PARANOID, "2"))
		die("perf_event_paranoid cannot be set");
	fclose(f);
	pid = fork();
	if (!pid)
		exit(as_user());
	waitpid(pid, &status, 0);
	same(status, 0, "status of the user's process");
	same(write_file(PARANOID, before), 0, "perf_event_paranoid as it was");
	return result();
}
