// SPDX-License-Identifier: GPL-2.0
/*
 * The placement of sessions on counters. If perf shares counters, sessions that count the
 * same event share one; different events get different counters while there are any.
 * Events also move to other counters when a session begins to count CPUs.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "vm.h"

static bool shared_with_perf(void)
{
	char line[64];
	bool shared = true;
	FILE *f = fopen("/proc/pmc/info", "r");

	while (f && fgets(line, sizeof(line), f))
		if (!strcmp(line, "exclusive 1\n"))
			shared = false;
	if (f)
		fclose(f);
	return shared;
}

static int opened(const char *commands)
{
	int fd = open_session();

	command(fd, "%s", commands);
	return fd;
}

/* The slot of a set's first event, on core type 0 */
static int counter_of(int fd, int set)
{
	struct pmc_placement p = { .set = set };

	if (ioctl(fd, PMC_IOC_PLACEMENT, &p))
		die("PMC_IOC_PLACEMENT: %s", strerror(errno));
	CHECK(p.nr_counts, "set %d counts nothing", set);
	return p.slot[0];
}

static void counts(int fd, const char *what)
{
	uint64_t before;
	long truth;

	start(fd);
	stop(fd);
	before = own_count(fd, -1, 0, 0);
	truth = counted_loop(fd, 10000);
	same(own_count(fd, -1, 0, 0) - before, truth, "%s: instructions", what);
}

static void two(const char *first, const char *second, bool alike)
{
	int a = opened(first), b = opened(second);

	CHECK((counter_of(a, 0) == counter_of(b, 0)) == alike, "'%s' on %d, '%s' on %d", first,
	      counter_of(a, 0), second, counter_of(b, 0));
	close(a);
	close(b);
}

static void pairs(void)
{
	static const char instructions[] = "events coretype=0," INSTRUCTIONS;
	static const char sampled[] = "events coretype=0," INSTRUCTIONS ":ebs=100000";

	two(instructions, instructions, shared_with_perf());
	two(instructions, "filter all\nevents coretype=0," INSTRUCTIONS, false);
	two(instructions, "events coretype=0,pmc@2=@C", false);
	two(instructions, sampled, false);
	two(sampled, instructions, false);
}

static void both_count(void)
{
	int a = opened("events " INSTRUCTIONS), b = opened("events " INSTRUCTIONS);

	counts(a, "the one");
	counts(b, "the other");
	counts(a, "the one again");
	close(a);
	close(b);
}

/* A counter of two multiplexed events is not shared with a session of one of them. */
static void by_turns(void)
{
	int a = opened("events coretype=0,pmc@1=@I\n"
		       "events coretype=0,pmc@1=@I,usr@1=1,os@1=1"), b;

	b = opened("events coretype=0," INSTRUCTIONS);
	CHECK(counter_of(a, 0) != counter_of(b, 0), "on counter %d, which is multiplexed", counter_of(a, 0));
	close(a);
	close(b);
}

/* Sets of one session are placed on the same counters, and move together. */
static void cpus_begin_second(void)
{
	int threads = opened("events coretype=0," INSTRUCTIONS "\nevents coretype=0," INSTRUCTIONS);
	int cpus = opened("events coretype=0," INSTRUCTIONS "\nevents coretype=0," INSTRUCTIONS);

	counts(threads, "thread");
	command(cpus, "syswide");
	CHECK(counter_of(cpus, 0) != counter_of(threads, 0), "CPUs are counted by a thread's counter");
	CHECK(counter_of(cpus, 1) != counter_of(threads, 1), "the second set is on a thread's counter");
	counts(threads, "thread, beside CPUs");
	command(cpus, "stop");
	CHECK(total(cpus, 0, 0, 0) > 0, "CPUs have counted nothing");
	/* And again, with its present slot. */
	command(cpus, "syswide\nstop");
	close(cpus);
	close(threads);
}

static void cpus_begin_first(void)
{
	int threads = opened("events coretype=0," INSTRUCTIONS);
	int cpus = opened("events coretype=0," INSTRUCTIONS);

	command(cpus, "syswide");
	counts(threads, "thread, after CPUs");
	CHECK(counter_of(cpus, 0) != counter_of(threads, 0), "a thread is counted by the CPUs' counter");
	close(cpus);
	close(threads);
}

/* A counter requested by number is never moved, and may be refused. */
static void by_number(void)
{
	int threads = opened("events coretype=0,pmc@1=@I"), cpus = opened("events coretype=0,pmc@1=@I");
	int where = counter_of(cpus, 0);

	counts(threads, "thread, by number");
	refused(cpus, EBUSY, "pmc@1", "syswide");
	same(counter_of(cpus, 0), where, "its counter after it was refused");
	command(threads, "stop");
	command(cpus, "syswide");
	refused_start(threads, EBUSY, "system-wide");
	close(cpus);
	close(threads);
}

/* If there is no other counter, the session is refused, and still counts correctly later. */
static void none_left(void)
{
	int nr = __builtin_popcountll(core_types[0].general) + core_types[0].fixed_instructions;
	char events[50 + 50 * PMC_MAX_COUNTS] = "events coretype=0";
	int threads, cpus, i;

	for (i = 0; i < nr; i++)
		strcat(events, "," INSTRUCTIONS);
	threads = opened(events);
	cpus = opened("events coretype=0," INSTRUCTIONS);
	counts(threads, "all counters");
	refused(cpus, EBUSY, "used by another session", "syswide");
	command(threads, "stop");
	command(cpus, "syswide");
	spin(100000);
	command(cpus, "stop");
	CHECK(total(cpus, 0, 0, 0) >= 200000, "CPUs have counted too little once they may");
	close(threads);
	close(cpus);
}

int main(void)
{
	need_counters();
	pin(0, core_types[0].first_cpu);
	pairs();
	both_count();
	/* There a counter counts one event for all, and the number of counters is unknown. */
	if (strcmp(backend, "perf")) {
		by_turns();
		none_left();
	}
	cpus_begin_second();
	cpus_begin_first();
	by_number();
	wait_until_idle();
	return result();
}
