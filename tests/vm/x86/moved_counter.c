// SPDX-License-Identifier: GPL-2.0
/*
 * perf chooses a physical counter by the event that a slot was claimed for, and moves it when
 * other events come. A slot that two sessions share counts another event by then, which may
 * be for fewer counters. Such counts are right, or say that a counter was lost; and the
 * session has a counter that can count its event again before long.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"
#include "perf.h"

#define ROUNDS		100000L
/* Events of the calls around the loop. */
#define AROUND		300

/* A process whose session counts this, until it is told to end. */
static pid_t count_beside(const char *events, int *end)
{
	int told[2], ready[2], fd;
	pid_t pid;
	char c;

	if (pipe(told) || pipe(ready))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		close(told[1]);
		fd = open_session();
		command(fd, "events coretype=0,%s", events);
		start(fd);
		if (write(ready[1], "", 1) != 1 || read(told[0], &c, 1))
			die("pipe: %s", strerror(errno));
		_exit(result());
	}
	close(told[0]);
	if (read(ready[0], &c, 1) != 1)
		die("the other session does not count");
	close(ready[0]);
	close(ready[1]);
	*end = told[1];
	return pid;
}

static void end_beside(pid_t pid, int end)
{
	int status;

	close(end);
	waitpid(pid, &status, 0);
	same(status, 0, "status of the other session's process");
}

/* Return: whether a record since the last call says that a counter was taken away. */
static bool counter_was_lost(int fd)
{
	struct records records = { };
	bool lost = false;
	int i;

	read_records(fd, &records);
	for (i = 0; i < records.nr; i++)
		lost = lost || records.all[i].head.flags & PMC_REC_COUNTER_LOST;
	forget_records(&records);
	return lost;
}

/* Return: whether the count is complete. It may be too small, but says so then. */
static bool is_right(int fd, const char *when)
{
	long before = own_count(fd, -1, 0, 0), count;
	bool lost;

	start(fd);
	load_loop(ROUNDS);
	stop(fd);
	count = own_count(fd, -1, 0, 0) - before;
	lost = counter_was_lost(fd);
	within(count, lost ? 0 : ROUNDS, ROUNDS + AROUND, "%s: events%s", when,
	       lost ? ", counter lost" : "");
	return !lost;
}

static void gets_right(int fd, const char *when)
{
	int patience = 0;

	while (!is_right(fd, when) && ++patience < 200)
		usleep(10000);
	CHECK(patience < 200, "%s: the counter is not placed anew", when);
	CHECK(is_right(fd, when), "%s: lost again", when);
}

/*
 * The slot is claimed for cycles while another one has the fixed counter for these; then
 * that is free.
 */
static void fixed_counter(void)
{
	struct perf_event_attr attr = {
		.type = perf_type(0), .config = P_LOADS, .exclude_kernel = 1,
	};
	int end, fd = open_session(), perf;
	pid_t other = count_beside("pmc1,pmc3=0x3c", &end);

	command(fd, "events coretype=0,pmc3=%#x", P_BRANCHES);
	counted_loop(fd, 1);
	CHECK(is_right(fd, "beside cycles"), "a counter is lost without perf");
	end_beside(other, end);
	perf = perf_open(&attr, -1, 0, -1);
	gets_right(fd, "the fixed counter is free");
	close(perf);
	gets_right(fd, "perf is gone");
	close(fd);
	wait_until_idle();
}

/* The slot is claimed for an event of all counters; perf wants the first four. */
static void restricted(void)
{
	struct perf_event_attr attr = {
		.type = perf_type(0), .config = P_LOADS, .exclude_kernel = 1,
	};
	int end, fd = open_session(), perf[4], i;
	pid_t other;
	char branches[20];

	snprintf(branches, sizeof(branches), "pmc3=%#x", P_BRANCHES);
	other = count_beside(branches, &end);
	command(fd, "events coretype=0,pmc3=%#x,umask3=%#x", P_LOADS & 0xff, P_LOADS >> 8);
	counted_loop(fd, 1);
	CHECK(is_right(fd, "beside branches"), "a counter is lost without perf");
	for (i = 0; i < 4; i++)
		perf[i] = perf_open(&attr, -1, 0, -1);
	gets_right(fd, "perf has four events for four counters");
	for (i = 0; i < 4; i++)
		close(perf[i]);
	gets_right(fd, "perf is gone");
	end_beside(other, end);
	close(fd);
	wait_until_idle();
}

/*
 * While a thread is counted, perf moves the counter to where it cannot count this event, and
 * back: a new event of perf's for any counter has the lowest counters given out again.
 */
static void away_and_back(void)
{
	struct perf_event_attr attr = {
		.type = perf_type(0), .config = P_LOADS, .exclude_kernel = 1,
	};
	int end, fd = open_session(), perf[4], i;
	char branches[20];
	bool lost;
	long count;
	pid_t other;

	snprintf(branches, sizeof(branches), "pmc3=%#x", P_BRANCHES);
	other = count_beside(branches, &end);
	command(fd, "events coretype=0,pmc3=%#x,umask3=%#x", P_LOADS & 0xff, P_LOADS >> 8);
	start(fd);
	load_loop(ROUNDS);
	for (i = 0; i < 4; i++)
		perf[i] = perf_open(&attr, -1, 0, -1);
	load_loop(ROUNDS);
	for (i = 0; i < 4; i++)
		close(perf[i]);
	attr.config = P_BRANCHES;
	perf[0] = perf_open(&attr, -1, 0, -1);
	load_loop(ROUNDS);
	stop(fd);
	count = own_count(fd, -1, 0, 0);
	lost = counter_was_lost(fd);
	within(count, ROUNDS, 3 * ROUNDS - 1, "events counted of %ld", 3 * ROUNDS);
	CHECK(lost, "no flag says that the counter was away");
	close(perf[0]);
	gets_right(fd, "the counter is back");
	end_beside(other, end);
	close(fd);
	wait_until_idle();
}

/*
 * perf has a fixed counter for reference cycles, but the slot is a general one: an event of
 * perf's that comes does not move it there.
 */
static void reference_cycles(void)
{
	int fd = open_session(), perf = perf_own(P_BRANCHES, false, -1);

	command(fd, "events coretype=0,pmc3=0x3c,umask3=0x1");
	counted_loop(fd, 1);
	CHECK(!counter_was_lost(fd), "reference cycles are lost without perf");
	start(fd);
	load_loop(ROUNDS);
	ioctl(perf, PERF_EVENT_IOC_ENABLE, 0);
	load_loop(ROUNDS);
	stop(fd);
	CHECK(!counter_was_lost(fd), "reference cycles are lost when perf has a new event");
	close(perf);
	close(fd);
	wait_until_idle();
}

int main(void)
{
	need_counters();
	pin(0, 0);
	fixed_counter();
	restricted();
	away_and_back();
	reference_cycles();
	return result();
}
