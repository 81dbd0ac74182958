// SPDX-License-Identifier: GPL-2.0
/*
 * perf has a counter that a slot of the session's is named after. Other slots are placed anew
 * then where a new event needs it, and by the events that are counted now: those that have
 * been counted before keep no other out. It is paced like a claim, on however many CPUs. Where
 * perf has all counters that suit, it is tried less and less often.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"
#include "perf.h"

#define ROUNDS		10000L
/* Events of the calls around the loop */
#define AROUND		300
/* Starts that have counters placed anew */
#define STARTS		6

static struct perf_event_attr pinned(int config)
{
	return (struct perf_event_attr){
		.type = perf_type(0), .config = config, .exclude_kernel = 1, .pinned = 1,
	};
}

static pid_t sleeper(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (;;)
		pause();
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* The first four general counters, for an event that any counter can count, of a process */
static int count_branches(pid_t pid)
{
	int fd = open_session();

	command(fd, "events coretype=0,pmc6=%#x,pmc5=%#x,pmc4=%#x,pmc3=%#x", P_BRANCHES,
		P_BRANCHES, P_BRANCHES, P_BRANCHES);
	command(fd, "attach %d", pid);
	return fd;
}

/* A session of this thread counts loads on so many counters, from @first on. */
static void count_loads(int first, int nr, const char *when)
{
	char text[200] = "events coretype=0";
	int fd = open_session(), i;

	for (i = first; i < first + nr; i++)
		sprintf(text + strlen(text), ",pmc%d=%#x,umask%d=%#x", i, P_LOADS & 0xff, i,
			P_LOADS >> 8);
	command(fd, "%s", text);
	start(fd);
	load_loop(ROUNDS);
	stop(fd);
	for (i = 0; i < nr; i++)
		within(own_count(fd, -1, 0, i), ROUNDS, ROUNDS + AROUND, "%s: pmc%d", when,
		       first + i);
	close(fd);
}

/* As an unprivileged user, whose counters are kept for a while */
static void strict_events_leave(void)
{
	pid_t pid = sleeper();
	int fd = count_branches(pid);

	/* perf has the first of the four counters that can count loads. */
	count_loads(4, 3, "beside branches");
	count_loads(3, 1, "when three events are gone");
	close(fd);
	count_loads(4, 3, "alone");
	fd = count_branches(pid);
	count_loads(3, 1, "when counters serve other events");
	close(fd);
	end(pid);
}

static void claim_once(void)
{
	int fd = open_session();

	command(fd, "events coretype=0,pmc10=%#x", P_BRANCHES);
	start(fd);
	close(fd);
}

static void place_anew(void)
{
	count_loads(3, 1, "beside root's branches");
}

static void as_user(uid_t user, void (*test)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		change_user(user);
		test();
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of the user's process");
}

/*
 * With claims_max=1, a start waits as many seconds as there were claims before. It would be
 * refused after more than ten.
 */
static void paced(void)
{
	pid_t pid = sleeper();
	int fd, i;

	set_config("claims_max=1");
	/* The second one waits until a second begins. */
	for (i = 0; i < 2; i++)
		as_user(1001, claim_once);
	set_config("claims_max=16");
	for (i = 0; i < STARTS; i++) {
		fd = count_branches(pid);
		as_user(1001, place_anew);
		close(fd);
	}
	set_config("claims_max=1");
	as_user(1001, claim_once);
	set_config("claims_max=32");
	end(pid);
}

#define TRACING		"/sys/kernel/tracing/"

/* How often perf has written the select registers of the fifth and sixth counter */
static int nr_writes(void)
{
	FILE *f = fopen(TRACING "trace", "r");
	char line[300];
	int nr = 0;

	while (f && fgets(line, sizeof(line), f))
		nr += !!strstr(line, "write_msr");
	if (!f)
		die("trace: %s", strerror(errno));
	fclose(f);
	return nr;
}

static void trace_writes(bool on)
{
	const char *filter = on ? "msr == 0x18a || msr == 0x18b" : "0";

	if (mount("tracefs", TRACING, "tracefs", 0, NULL) && errno != EBUSY)
		die("mount of tracefs: %s", strerror(errno));
	if (write_file(TRACING "events/msr/write_msr/filter", filter) ||
	    write_file(TRACING "events/msr/write_msr/enable", on ? "1" : "0"))
		die("writes to registers can't be traced");
}

static pid_t spinner(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (;;) {
		spin(1000);
		usleep(1000);
	}
}

/* Branches on pmc3 and pmc8, of a process */
static int count_two(pid_t pid)
{
	int fd = open_session();

	command(fd, "events coretype=0,pmc3=%#x,pmc8=%#x\nattach %d", P_BRANCHES, P_BRANCHES,
		pid);
	return fd;
}

/*
 * perf has four counters since before the session, and enables them while branches are
 * counted on pmc3. A try has perf write the registers of the others six times.
 */
static void tried_less_often(void)
{
	struct perf_event_attr attr = pinned(P_LOADS);
	int perf[4], fd = open_session(), branches, i, writes;
	pid_t pid = spinner();
	long before;

	attr.disabled = 1;
	for (i = 0; i < 4; i++)
		perf[i] = perf_open(&attr, -1, 0, -1);
	branches = count_two(pid);
	command(fd, "events coretype=0,pmc3=%#x,umask3=%#x", P_LOADS & 0xff, P_LOADS >> 8);
	start(fd);
	stop(fd);
	usleep(20000);
	for (i = 0; i < 4; i++)
		ioctl(perf[i], PERF_EVENT_IOC_ENABLE, 0);
	trace_writes(true);
	writes = -nr_writes();
	start(fd);
	for (i = 0; i < 55; i++)
		usleep(100000);
	writes += nr_writes();
	trace_writes(false);
	within(writes, 6, 24, "writes of registers in 5.5 s");
	for (i = 0; i < 4; i++)
		close(perf[i]);
	i = 0;
	do {
		usleep(100000);
		before = own_count(fd, -1, 0, 0);
		load_loop(ROUNDS);
	} while (own_count(fd, -1, 0, 0) - before < ROUNDS && ++i < 100);
	CHECK(i < 100, "the counter is not placed anew when perf is gone");
	stop(fd);
	close(fd);
	close(branches);
	end(pid);
}

int main(void)
{
	struct perf_event_attr attr;
	int perf[CPU_SETSIZE], cpu;

	need_counters();
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid can't be set");
	pin(0, 0);
	attr = pinned(P_LOADS);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &core_types[0].cpus))
			perf[cpu] = perf_open(&attr, -1, cpu, -1);
	as_user(1000, strict_events_leave);
	paced();
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &core_types[0].cpus))
			close(perf[cpu]);
	wait_until_idle();
	tried_less_often();
	wait_until_idle();
	return result();
}
