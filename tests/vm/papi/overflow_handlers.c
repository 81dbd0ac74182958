// SPDX-License-Identifier: GPL-2.0
/*
 * What overflow handlers do: they read, accumulate, stop and start their EventSet, take longer
 * than the period, and belong to several events of an EventSet. No overflow and no count is
 * lost, and none stops the program.
 */
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "papi_calls.h"
#include "perf.h"

#define N		2000000L
#define THRESHOLD	10000
/* More overflows than the library lets happen before it renews the counter's limit */
#define ROUNDS		200

static int my_set, calls, wrong;
static long long last;

static int code_of(const char *name)
{
	int code;

	OK(PAPI_event_name_to_code(name, &code));
	return code;
}

static void begin_set(const char *events, const char *event, int threshold,
		      PAPI_overflow_handler_t handler)
{
	my_set = new_set(events);
	OK(PAPI_overflow(my_set, code_of(event), threshold, 0, handler));
	calls = 0;
	wrong = 0;
}

/* ---- handlers that read ---- */

static void reads(int set, void *address, long long vector, void *context)
{
	long long value = 0;

	(void)address;
	(void)context;
	wrong += set != my_set || vector != 1 || PAPI_read(set, &value) != PAPI_OK || value <= last;
	last = value;
	calls++;
}

/* There are more overflows than the ring buffer has room for. */
static void test_reading(void)
{
	long long value;

	begin_set("instr", "instr", THRESHOLD, reads);
	last = 0;
	OK(PAPI_start(my_set));
	spin(N);
	OK(PAPI_stop(my_set, &value));
	same(wrong, 0, "readings in a handler");
	/* The handlers' own are among both. The counter waits for one handler in 32. */
	within(calls, value / THRESHOLD - 2, value / THRESHOLD + 1, "calls for %lld instructions", value);
	CHECK(calls > 300, "%d calls", calls);
	end_set(my_set);
}

/* ---- handlers that take the counts ---- */

static long long taken;

static void accumulates(int set, void *address, long long vector, void *context)
{
	(void)address;
	(void)vector;
	(void)context;
	wrong += PAPI_accum(set, &taken) != PAPI_OK;
	calls++;
}

/*
 * The handler and the code that it interrupts share out all instructions. Many overflows come
 * during PAPI_accum(). perf counts the calls of start and stop, too.
 */
static void test_accumulating(void)
{
	int perf = perf_own(event_codes()->instructions, true, -1), i;
	long long own = 0, value;
	struct value all;

	begin_set("instr", "instr", THRESHOLD, accumulates);
	/* The first start opens counters. */
	OK(PAPI_start(my_set));
	OK(PAPI_stop(my_set, NULL));
	ioctl(perf, PERF_EVENT_IOC_ENABLE, 0);
	OK(PAPI_start(my_set));
	for (i = 0; i < 3000; i++) {
		spin(500);
		OK(PAPI_accum(my_set, &own));
	}
	OK(PAPI_stop(my_set, &value));
	ioctl(perf, PERF_EVENT_IOC_DISABLE, 0);
	same(wrong, 0, "accumulations in a handler");
	CHECK(calls > 300, "%d calls that accumulate", calls);
	CHECK(perf_read(perf, &all), "perf's event is in its error state");
	close(perf);
	value += own + taken;
	within(value, all.count - 5000, all.count, "instructions that were accumulated");
	end_set(my_set);
}

/* ---- handlers that take long ---- */

static void takes_long(int set, void *address, long long vector, void *context)
{
	(void)set;
	(void)address;
	(void)vector;
	(void)context;
	spin(2 * THRESHOLD);
	calls++;
}

/*
 * The first calls come one after the other. From then on the counter stops while handlers run, and
 * the program executes a period between two calls.
 */
static void take_long(const char *what)
{
	calls = 0;
	OK(PAPI_start(my_set));
	spin(N);
	OK(PAPI_stop(my_set, NULL));
	within(calls, 2 * N / THRESHOLD - 2, 2 * N / THRESHOLD + 100, "calls that take long %s", what);
}

static void test_taking_long(void)
{
	begin_set("instr", "instr", THRESHOLD, takes_long);
	take_long("at first");
	take_long("again");
	end_set(my_set);
}

/* ---- handlers that stop and start ---- */

static int may_stop;

static void stops(int set, void *address, long long vector, void *context)
{
	long long value;

	if (!may_stop) {
		takes_long(set, address, vector, context);
		return;
	}
	wrong += PAPI_stop(set, &value) != PAPI_OK || value < THRESHOLD / 2;
	calls++;
}

/*
 * An EventSet overflows after each start, also after those that have seen no overflow. The part
 * of a period before a stop is in the first period after the next start.
 */
static void test_stopping(void)
{
	int i;

	begin_set("instr", "instr", THRESHOLD, stops);
	may_stop = 1;
	for (i = 1; i <= ROUNDS; i++) {
		OK(PAPI_start(my_set));
		OK(PAPI_stop(my_set, NULL));
		OK(PAPI_start(my_set));
		spin(2 * THRESHOLD);
		RETURNS(PAPI_ENOTRUN, PAPI_stop(my_set, NULL));
		if (!same(calls, i, "calls after start %d", i))
			break;
	}
	same(wrong, 0, "stops in a handler");
	may_stop = 0;
	take_long("after stops");
	end_set(my_set);
}

static void starts_again(int set, void *address, long long vector, void *context)
{
	(void)address;
	(void)vector;
	(void)context;
	wrong += PAPI_stop(set, NULL) != PAPI_OK || PAPI_start(set) != PAPI_OK;
	calls++;
}

static void test_starting_again(void)
{
	begin_set("instr", "instr", THRESHOLD, starts_again);
	OK(PAPI_start(my_set));
	spin(N);
	OK(PAPI_stop(my_set, NULL));
	same(wrong, 0, "starts in a handler");
	/* Instructions between the stop and the start are not counted. */
	within(calls, 2 * N / THRESHOLD * 9 / 10, 2 * N / THRESHOLD * 12 / 10, "calls that start again");
	end_set(my_set);
}

/* ---- handlers of two events ---- */

static int by_event[2];

static void of_two(int set, void *address, long long vector, void *context)
{
	int place, number = 1;

	(void)address;
	(void)context;
	wrong += set != my_set || (vector != 1 && vector != 2);
	wrong += PAPI_get_overflow_event_index(set, vector, &place, &number) != PAPI_OK || number != 1;
	by_event[place & 1]++;
}

static void test_two_events(void)
{
	long long values[2];

	begin_set("cycles,instr", "instr", THRESHOLD, of_two);
	OK(PAPI_overflow(my_set, code_of("cycles"), 3 * THRESHOLD, 0, of_two));
	OK(PAPI_start(my_set));
	spin(N);
	OK(PAPI_stop(my_set, values));
	same(wrong, 0, "calls with the right EventSet and vector");
	within(by_event[0], values[0] / (3 * THRESHOLD) - 2, values[0] / (3 * THRESHOLD) + 1,
	       "calls for cycles");
	within(by_event[1], values[1] / THRESHOLD - 2, values[1] / THRESHOLD + 1,
	       "calls for instructions");
	end_set(my_set);
}

int main(void)
{
	need_counters();
	begin_papi();
	pin(0, core_types[0].first_cpu);
	test_reading();
	test_accumulating();
	test_taking_long();
	test_stopping();
	test_starting_again();
	test_two_events();
	PAPI_shutdown();
	return result();
}
