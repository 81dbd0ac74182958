// SPDX-License-Identifier: GPL-2.0
/*
 * Overflow handlers without the kernel module, where perf_event_open() counts. They read, accumulate
 * and stop their EventSet, and may interrupt malloc(), whose locks they must not wait for.
 */
#include <dirent.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "papi_calls.h"

#define THRESHOLD	20000
#define CALLS		by_size(50, 1000)
/* Memory that is taken with the lock held: threads keep none of this size for themselves. */
#define LARGE		4000
/* Seconds after which a test has hung */
#define PATIENCE	20

static int my_set, wrong;
static volatile int calls;
static long long last, taken;

/* Take memory and give it back until the handler was called so often. */
static void use_memory(int nr_calls)
{
	void *volatile some;

	while (calls < nr_calls) {
		some = malloc(LARGE);
		free(some);
	}
}

static void begin_set(PAPI_overflow_handler_t handler)
{
	int instr;

	OK(PAPI_event_name_to_code("instr", &instr));
	OK(PAPI_overflow(my_set, instr, THRESHOLD, 0, handler));
	OK(PAPI_start(my_set));
}

static void reads(int set, void *address, long long vector, void *context)
{
	long long value = 0;

	(void)address;
	(void)vector;
	(void)context;
	wrong += PAPI_read(set, &value) != PAPI_OK || value <= last;
	last = value;
	calls++;
}

static void test_reading(void)
{
	my_set = new_set("instr");
	begin_set(reads);
	use_memory(CALLS);
	OK(PAPI_stop(my_set, NULL));
}

/* The library's own thread reads the same EventSet every millisecond. */
static void test_multiplexed(void)
{
	PAPI_option_t opt = { .multiplex = { .ns = 1000000 } };

	my_set = new_set("instr");
	opt.multiplex.eventset = my_set;
	OK(PAPI_set_opt(PAPI_MULTIPLEX, &opt));
	begin_set(reads);
	use_memory(CALLS);
	OK(PAPI_stop(my_set, NULL));
}

static void accumulates(int set, void *address, long long vector, void *context)
{
	(void)address;
	(void)vector;
	(void)context;
	wrong += PAPI_accum(set, &taken) != PAPI_OK;
	calls++;
}

static void test_accumulating(void)
{
	my_set = new_set("instr");
	begin_set(accumulates);
	use_memory(CALLS);
	OK(PAPI_stop(my_set, NULL));
	CHECK(taken >= (long long)(CALLS - 1) * THRESHOLD, "%lld instructions were accumulated", taken);
}

static void stops(int set, void *address, long long vector, void *context)
{
	long long value = 0;

	(void)address;
	(void)vector;
	(void)context;
	wrong += PAPI_stop(set, &value) != PAPI_OK || value < THRESHOLD / 2;
	last = value;
	calls++;
}

/* An EventSet that a handler has stopped starts again, and counts anew. */
static void test_stopping(void)
{
	long long value;
	int i;

	my_set = new_set("instr");
	begin_set(stops);
	for (i = 1; i <= CALLS; i++) {
		use_memory(i);
		RETURNS(PAPI_ENOTRUN, PAPI_stop(my_set, NULL));
		OK(PAPI_read(my_set, &value));
		same(value, last, "the value that the handler has got");
		OK(PAPI_start(my_set));
	}
	use_memory(i);
	within(last, THRESHOLD / 2, 20 * THRESHOLD, "instructions of the last start");
}

static void in_child(void (*test)(void), const char *what)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		alarm(PATIENCE);
		begin_papi();
		pin(0, 0);
		test();
		same(wrong, 0, "failures in a handler that %s", what);
		end_set(my_set);
		PAPI_shutdown();
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of a process with a handler that %s", what);
}

int main(void)
{
	if (opendir("/proc/pmc"))
		die("the module is loaded");
	in_child(test_reading, "reads");
	in_child(test_multiplexed, "reads a multiplexed EventSet");
	in_child(test_accumulating, "accumulates");
	in_child(test_stopping, "stops");
	return result();
}
