// SPDX-License-Identifier: GPL-2.0
/*
 * perf takes a counter from an EventSet that counts the calling thread. Values that are too
 * small are no result: PAPI_read(), PAPI_accum() and PAPI_stop() return PAPI_ECLOST, until the
 * EventSet is reset or started and has all of its counters.
 */
#include <sys/ioctl.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "papi.h"
#include "perf.h"
#include "vm.h"

#define MAX_EVENTS	16

static int set = PAPI_NULL;
static long long values[MAX_EVENTS];

/* An EventSet that has all counters of the first core type that can count what it counts */
static int fill(void)
{
	int code = PAPI_NATIVE_MASK, nr = 0;

	same(PAPI_create_eventset(&set), PAPI_OK, "create");
	PAPI_enum_event(&code, PAPI_ENUM_FIRST);
	do {
		nr += PAPI_add_event(set, code) == PAPI_OK;
	} while (nr < MAX_EVENTS && PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK);
	return nr;
}

/* perf's counter on the CPU has been there before those of the EventSet, and goes first. */
static int open_perf(void)
{
	struct perf_event_attr attr = {
		.type = perf_type(0), .config = event_codes()->instructions, .exclude_kernel = 1,
		.disabled = 1, .pinned = 1,
	};

	return perf_open(&attr, -1, core_types[0].first_cpu, -1);
}

static void work(void)
{
	spin(1000000);
}

/* Return: the result of PAPI_stop(). */
static int count_once(void)
{
	same(PAPI_start(set), PAPI_OK, "start");
	work();
	return PAPI_stop(set, values);
}

static void lose_one(int perf)
{
	same(PAPI_start(set), PAPI_OK, "start before the loss");
	work();
	same(PAPI_read(set, values), PAPI_OK, "read before the loss");
	ioctl(perf, PERF_EVENT_IOC_ENABLE, 0);
	work();
	same(PAPI_read(set, values), PAPI_ECLOST, "read after the loss");
	same(PAPI_accum(set, values), PAPI_ECLOST, "accum after the loss");
	same(PAPI_stop(set, values), PAPI_ECLOST, "stop after the loss");
}

static void get_it_back(int perf)
{
	int patience = 0;

	close(perf);
	/* The module tries to get its counters back a few times in a second. */
	while (count_once() != PAPI_OK && ++patience < 200)
		usleep(10000);
	CHECK(patience < 200, "the counter does not come back");
	same(count_once(), PAPI_OK, "stop with all counters");
}

/* A reset forgets the loss, if it is over. */
static void reset(int perf)
{
	int patience = 0;

	same(PAPI_start(set), PAPI_OK, "start before the second loss");
	ioctl(perf, PERF_EVENT_IOC_ENABLE, 0);
	work();
	same(PAPI_read(set, values), PAPI_ECLOST, "read after the second loss");
	close(perf);
	do {
		usleep(10000);
		same(PAPI_reset(set), PAPI_OK, "reset");
		work();
	} while (PAPI_read(set, values) != PAPI_OK && ++patience < 200);
	CHECK(patience < 200, "the counter does not come back after a reset");
	same(PAPI_stop(set, values), PAPI_OK, "stop after a reset");
}

int main(void)
{
	int perf;

	need_counters();
	pin(0, core_types[0].first_cpu);
	same(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT, "init");
	perf = open_perf();
	within(fill(), 4, MAX_EVENTS, "events");
	same(count_once(), PAPI_OK, "stop without perf");
	lose_one(perf);
	get_it_back(perf);
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
	perf = open_perf();
	fill();
	reset(perf);
	return result();
}
