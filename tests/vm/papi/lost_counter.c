// SPDX-License-Identifier: GPL-2.0
/*
 * perf takes a counter from an EventSet that counts the calling thread, another one, a CPU, or
 * children. Values that are too small are no result: PAPI_read(), PAPI_accum() and PAPI_stop()
 * return PAPI_ECLOST, until the EventSet is reset or started and has all of its counters. The
 * ends of regions return it, too.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#include "papi.h"
#include "perf.h"
#include "vm.h"

#define MAX_EVENTS	16

static int set = PAPI_NULL;
static long long values[MAX_EVENTS];

/* Events of the kernel need no counter, and some of them are not those of CPUs. */
static int needs_counter(int code)
{
	static const char *const others[] = { "task_clock", "context_switches", "migrations", "_faults" };
	char name[PAPI_MAX_STR_LEN];
	size_t i;

	PAPI_event_code_to_name(code, name);
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strstr(name, others[i]))
			return 0;
	return 1;
}

/* An EventSet that has all counters of the first core type that can count what it counts */
static int fill(void)
{
	int code = PAPI_NATIVE_MASK, nr = 0;

	same(PAPI_create_eventset(&set), PAPI_OK, "create");
	PAPI_enum_event(&code, PAPI_ENUM_FIRST);
	do {
		nr += needs_counter(code) && PAPI_add_event(set, code) == PAPI_OK;
	} while (nr < MAX_EVENTS && PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK);
	return nr;
}

static void end(void)
{
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
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
	memset(values, 0, sizeof(values));
	same(PAPI_read(set, values), PAPI_ECLOST, "read after the loss");
	CHECK(values[0] > 0, "read stores no value of what was counted");
	memset(values, 0, sizeof(values));
	same(PAPI_accum(set, values), PAPI_ECLOST, "accum after the loss");
	same(values[0], 0, "what accum adds of incomplete values");
	same(PAPI_stop(set, values), PAPI_ECLOST, "stop after the loss");
	CHECK(values[0] > 0, "stop stores no value of what was counted");
	same(PAPI_read(set, values), PAPI_ECLOST, "read of the stopped EventSet");
	same(PAPI_accum(set, values), PAPI_ECLOST, "accum of the stopped EventSet");
	same(PAPI_reset(set), PAPI_OK, "reset of the stopped EventSet");
	same(PAPI_read(set, values), PAPI_OK, "read after the reset");
	same(values[0], 0, "the value after the reset");
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
	same(count_once(), PAPI_OK, "stop after another start");
}

static void caller(void)
{
	int perf = open_perf();

	within(fill(), 4, MAX_EVENTS, "events");
	same(count_once(), PAPI_OK, "stop without perf");
	lose_one(perf);
	get_it_back(perf);
	end();
	perf = open_perf();
	fill();
	reset(perf);
	end();
}

/* ---- a region of the high level ---- */

/* Up to this many events, which the high level finds in its variable */
static void name_events(void)
{
	int codes[MAX_EVENTS], nr = MAX_EVENTS, i;
	char text[MAX_EVENTS * PAPI_MAX_STR_LEN] = "", name[PAPI_MAX_STR_LEN];

	fill();
	same(PAPI_list_events(set, codes, &nr), PAPI_OK, "list of the events");
	for (i = 0; i < nr; i++) {
		PAPI_event_code_to_name(codes[i], name);
		strcat(strcat(text, i ? "," : ""), name);
	}
	end();
	setenv("PAPI_EVENTS", text, 1);
	setenv("PAPI_OUTPUT_DIRECTORY", "/tmp", 1);
}

/* The end of a region, or a stop, says that a counter was lost. The high level is off then. */
static void lose_in_region(int stop)
{
	int perf = open_perf();

	name_events();
	same(PAPI_hl_region_begin("region"), PAPI_OK, "begin");
	work();
	same(PAPI_hl_read("region"), PAPI_OK, "read before the loss, in a region");
	ioctl(perf, PERF_EVENT_IOC_ENABLE, 0);
	work();
	if (stop) {
		same(PAPI_hl_stop(), PAPI_ECLOST, "stop of the high level after the loss");
		same(PAPI_hl_stop(), PAPI_ENOEVNT, "stop of the high level that is off");
		same(PAPI_hl_region_end("region"), PAPI_EMISC, "end of a region, after the stop");
	} else {
		same(PAPI_hl_region_end("region"), PAPI_ECLOST, "end of a region with a loss");
	}
	_exit(result());
}

static void region(int stop)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		lose_in_region(stop);
	waitpid(pid, &status, 0);
	same(status, 0, "status of the program with a region");
}

/* A process that runs on the CPU of perf's counter, and the caller elsewhere */
static pid_t start_spinner(void)
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pin(0, core_types[0].first_cpu);
		for (;;)
			work();
	}
	pin(0, sysconf(_SC_NPROCESSORS_ONLN) - 1);
	return pid;
}

static void another_thread(pid_t pid)
{
	int perf = open_perf();

	fill();
	same(PAPI_attach(set, pid), PAPI_OK, "attach");
	lose_one(perf);
	get_it_back(perf);
	end();
	perf = open_perf();
	fill();
	same(PAPI_attach(set, pid), PAPI_OK, "attach again");
	reset(perf);
	end();
}

static void cpu(void)
{
	PAPI_option_t opt = { .cpu = { .cpu_num = core_types[0].first_cpu } };
	int perf = open_perf();

	fill();
	opt.cpu.eventset = set;
	same(PAPI_set_opt(PAPI_CPU_ATTACH, &opt), PAPI_OK, "attach to a CPU");
	lose_one(perf);
	get_it_back(perf);
	end();
}

static void run_child(int on)
{
	pid_t pid = fork();

	if (!pid) {
		pin(0, on);
		work();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* Of more children than the session keeps samples, the last one loses a counter. */
static void children(void)
{
	PAPI_option_t opt = { .inherit = { .inherit = PAPI_INHERIT_ALL } };
	int perf = open_perf(), here = sysconf(_SC_NPROCESSORS_ONLN) - 1, i;

	fill();
	opt.inherit.eventset = set;
	same(PAPI_set_opt(PAPI_INHERIT, &opt), PAPI_OK, "inherit");
	same(PAPI_start(set), PAPI_OK, "start before children");
	for (i = 0; i < 30; i++)
		run_child(here);
	same(PAPI_read(set, values), PAPI_OK, "read after children");
	for (i = 0; i < 30; i++)
		run_child(here);
	ioctl(perf, PERF_EVENT_IOC_ENABLE, 0);
	run_child(core_types[0].first_cpu);
	close(perf);
	same(PAPI_read(set, values), PAPI_ECLOST, "read after a child's loss");
	same(PAPI_stop(set, values), PAPI_ECLOST, "stop after a child's loss");
	end();
}

int main(void)
{
	pid_t pid;

	need_counters();
	pin(0, core_types[0].first_cpu);
	same(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT, "init");
	caller();
	region(0);
	region(1);
	pid = start_spinner();
	another_thread(pid);
	cpu();
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	children();
	return result();
}
