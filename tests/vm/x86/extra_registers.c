// SPDX-License-Identifier: GPL-2.0
/*
 * Events of Intel processors with a second register that selects what they count. The
 * emulated machine's off-core registers select loads or stores. So a known loop shows the
 * register's value on each CPU, also after the CPU was offline and after perf has used it.
 * The register has one value at a time, for all sessions.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"
#include "perf.h"

/* Demand data reads and reads for ownership, with any response. */
#define LOADS		"0x10001"
#define STORES		"0x10002"
#define BOTH		"0x10003"

enum { LOADS_A_ROUND = 3, STORES_A_ROUND = 2 };

#define FEW		1000L
#define MANY		21000L

/* The core type's two off-core events, and perf's code of the first */
struct offcore {
	const char *first, *second;
	int code;
};

static const struct offcore *offcore(int core_type)
{
	static const struct offcore big = { "ev=0x2a:umask=1", "ev=0x2b:umask=1", 0x12a };
	static const struct offcore small = { "ev=0xb7:umask=1", "ev=0xb7:umask=2", 0x1b7 };

	return strcmp(core_types[core_type].name, "E") ? &big : &small;
}

static void loop(long rounds)
{
	long memory = 0, v;

	asm volatile("1: mov (%[memory]), %[v]\n"
		     "mov (%[memory]), %[v]\n"
		     "mov %[v], (%[memory])\n"
		     "mov (%[memory]), %[v]\n"
		     "mov %[v], (%[memory])\n"
		     "sub $1, %[rounds]\n"
		     "jnz 1b\n"
		     : [rounds]"+r"(rounds), [v]"=&r"(v)
		     : [memory]"r"(&memory)
		     : "memory", "cc");
}

/* The increase of a count by a loop. */
static long counted(int fd, int count, long rounds)
{
	uint64_t before = own_count(fd, -1, 0, count);

	start(fd);
	loop(rounds);
	stop(fd);
	return own_count(fd, -1, 0, count) - before;
}

/* Check that a count on this CPU grows by so many in each round, apart from other events. */
static void each_round(int fd, int count, int expected, const char *what)
{
	long few, many;

	/* The session counts this thread from here on. */
	start(fd);
	stop(fd);
	few = counted(fd, count, FEW);
	many = counted(fd, count, MANY);
	same(many - few, expected * (MANY - FEW), "CPU %d: %s", sched_getcpu(), what);
}

/* @fd counts loads, then stores, on this CPU. */
static void counts_both(int fd)
{
	each_round(fd, 0, LOADS_A_ROUND, "loads");
	each_round(fd, 1, STORES_A_ROUND, "stores");
}

static void on_each_cpu(void (*check)(int fd), int fd)
{
	int cpu, nr = sysconf(_SC_NPROCESSORS_CONF);

	for (cpu = 0; cpu < nr; cpu++) {
		pin(0, cpu);
		check(fd);
	}
	unpin(0);
}

/* Two values at a time: the second one uses the other, equivalent event. */
static int open_both(void)
{
	int fd = open_session(), ct;

	for (ct = 0; ct < nr_core_types; ct++)
		command(fd, "events coretype=%d,%s:extra=" LOADS ",%s:extra=" STORES, ct,
			offcore(ct)->first, offcore(ct)->first);
	return fd;
}

#define TRACING		"/sys/kernel/tracing/"

/*
 * What perf does not take for a value of the register is not even tried: the kernel traces
 * each write to a register.
 */
static void no_trial(void)
{
	static const char value[] = "value 8000000000000001";
	char line[300];
	bool tried = false;
	int fd = open_session();
	FILE *f;

	if (mount("tracefs", TRACING, "tracefs", 0, NULL) && errno != EBUSY)
		die("mount of tracefs: %s", strerror(errno));
	if (write_file(TRACING "events/msr/write_msr/enable", "1"))
		die("writes to registers can't be traced");
	command(fd, "events coretype=0,%s:extra=0x8000000000000001", offcore(0)->first);
	refused_start(fd, EINVAL, "does not take");
	write_file(TRACING "events/msr/write_msr/enable", "0");
	f = fopen(TRACING "trace", "r");
	while (f && fgets(line, sizeof(line), f))
		tried = tried || strstr(line, value);
	CHECK(f && !tried, "a value that perf refuses was written to the register");
	if (f)
		fclose(f);
	close(fd);
}

static void refusals(void)
{
	int fd = open_session(), ct;

	refused(fd, EINVAL, "leave extra out", "events ev=0xc0:extra=1");
	refused(fd, EINVAL, "extra0", "events pmc0,extra0=0");
	for (ct = 0; ct < nr_core_types; ct++) {
		const char *first = offcore(ct)->first, *foreign = offcore(!ct)->first;

		refused(fd, EINVAL, "0x1a6", "events coretype=%d,%s", ct, first);
		refused(fd, EINVAL, "leave extra out", "events coretype=%d,%s:extra=" LOADS, ct,
			foreign);
		/* Whether the register accepts a value is known only when it is written. */
		command(fd, "events coretype=%d,%s:extra=0x8000000000000000", ct, first);
		refused_start(fd, EINVAL, "does not take");
		command(fd, "clear");
	}
	refused(fd, EINVAL, "PEBS", "events coretype=0,ev=0xcd:umask=1:extra=8");
	/* This machine has no register 0x3f7, but does not report that. */
	command(fd, "events coretype=0,ev=0xc6:umask=1:extra=0x11");
	refused_start(fd, EINVAL, "0x3f7");
	/* No register is left in use. */
	close(fd);
	wait_until_idle();
	same(proc_value("stats", "sessions"), 0, "sessions");
	close(open_both());
}

static void third_value(const char *event, int core_type, int error)
{
	int fd = open_session();

	command(fd, "events coretype=%d,%s:extra=" BOTH, core_type, event);
	if (error)
		refused_start(fd, error, "another value");
	else
		start(fd);
	close(fd);
}

/* A user's session has both registers: root's session takes one of them. */
static void taken_from_user(void)
{
	int ready[2];
	pid_t pid;
	char byte;

	if (pipe(ready))
		die("pipe: %s", strerror(errno));
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid can't be set");
	pid = fork();
	if (!pid) {
		if (setresgid(1000, 1000, 1000) || setresuid(1000, 1000, 1000))
			die("becoming a user: %s", strerror(errno));
		start(open_both());
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		die("the user's process has ended");
	third_value(offcore(0)->first, 0, 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(ready[0]);
}

/* A register has one value for any number of sessions; the last session releases it. */
static void sharing(void)
{
	int both = open_both(), fd = open_session(), ct;

	on_each_cpu(counts_both, both);
	for (ct = 0; ct < nr_core_types; ct++) {
		third_value(offcore(ct)->first, ct, EBUSY);
		third_value(offcore(ct)->second, ct, EBUSY);
		/* For either event, the register has the value already. */
		command(fd, "events coretype=%d,%s:extra=" STORES, ct, offcore(ct)->first);
	}
	start(fd);
	stop(fd);
	close(both);
	for (ct = 0; ct < nr_core_types; ct++) {
		pin(0, core_types[ct].first_cpu);
		each_round(fd, 0, STORES_A_ROUND, "stores, when the loads are gone");
	}
	/* The loads' register is free again, the stores' is not. */
	both = open_session();
	command(both, "events coretype=0,%s:extra=" BOTH, offcore(0)->second);
	command(both, "events coretype=0,%s:extra=" LOADS, offcore(0)->first);
	refused_start(both, EBUSY, "another value");
	close(fd);
	command(both, "clear\nevents coretype=0,%s:extra=" BOTH ",%s:extra=" LOADS,
		offcore(0)->first, offcore(0)->second);
	pin(0, core_types[0].first_cpu);
	each_round(both, 0, LOADS_A_ROUND + STORES_A_ROUND, "loads and stores");
	each_round(both, 1, LOADS_A_ROUND, "loads beside them");
	unpin(0);
	close(both);
}

/*
 * The counter that counts an event with one value of the register can't count the event with
 * another one at the same time, unless the module has the PMU to itself.
 */
static void named_counter(void)
{
	const char *named = "events coretype=0,pmc5=0x2a,umask5=1,extra5=%s";
	int loads = open_session(), stores = open_session();
	pid_t pid;

	command(loads, named, LOADS);
	command(stores, named, STORES);
	pin(0, core_types[0].first_cpu);
	pid = fork();
	if (!pid)
		pause();
	command(loads, "attach %d", pid);
	if (proc_value("info", "exclusive"))
		each_round(stores, 0, STORES_A_ROUND, "stores beside loads");
	else
		refused_start(stores, EBUSY, "something else for another session");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	command(loads, "stop");
	command(stores, "stop");
	each_round(loads, 0, LOADS_A_ROUND, "loads on a counter by its number");
	close(loads);
	each_round(stores, 0, STORES_A_ROUND, "stores when the loads are gone");
	close(stores);
	unpin(0);
}

/*
 * Event sets of one session want different values for the same event: each has a counter of
 * its own, unless both name the same one.
 */
static void sets_by_turns(void)
{
	static const int each[] = { LOADS_A_ROUND, STORES_A_ROUND };
	long long shortest = proc_value("config", "tbs_min_us");
	struct records records = { };
	int fd = open_session(), i;

	set_config("tbs_min_us=200");
	pin(0, core_types[0].first_cpu);
	/* There is a branch in each round. */
	command(fd, "ring 4096\nperiod 200us");
	command(fd, "events coretype=0,%s:extra=" LOADS ",ev=0xc4", offcore(0)->first);
	command(fd, "events coretype=0,%s:extra=" STORES ",ev=0xc4", offcore(0)->first);
	start(fd);
	loop(50 * MANY);
	stop(fd);
	read_records(fd, &records);
	for (i = 0; i < 2; i++) {
		long rounds = sum_records(&records, 0, -1, i, 1);
		/* A tick comes in the middle of a round. */
		long around = 300 + each[i] * records.nr;

		CHECK(rounds > MANY, "set %d: %ld rounds", i, rounds);
		within(sum_records(&records, 0, -1, i, 0), each[i] * rounds - around,
		       each[i] * rounds + around, "set %d by turns: events", i);
	}
	forget_records(&records);
	unpin(0);
	command(fd, "stop\nclear\nevents coretype=0,pmc5=0x2a,umask5=1,extra5=" LOADS);
	if (!proc_value("info", "exclusive"))
		refused(fd, EBUSY, "another event set of the session",
			"events coretype=0,pmc5=0x2a,umask5=1,extra5=" STORES);
	close(fd);
	set_config("tbs_min_us=%lld", shortest);
}

static void set_online(int cpu, int online)
{
	char path[100];
	int ret;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	ret = write_file(path, "%d", online);
	if (ret)
		die("CPU %d cannot be put %s: %s", cpu, online ? "online" : "offline",
		    strerror(-ret));
}

/* CPUs that were offline while the value changed, or while it was set. */
static void hotplug(void)
{
	int nr = sysconf(_SC_NPROCESSORS_CONF), fd = -1, cpu;

	for (cpu = 1; cpu < nr; cpu++)
		set_online(cpu, 0);
	fd = open_both();
	for (cpu = 1; cpu < nr; cpu++)
		set_online(cpu, 1);
	on_each_cpu(counts_both, fd);
	for (cpu = 1; cpu < nr; cpu++) {
		set_online(cpu, 0);
		set_online(cpu, 1);
	}
	on_each_cpu(counts_both, fd);
	close(fd);
}

/* perf writes the register, too, when no session uses it. */
static void perf_between(void)
{
	int ct, fd, event;
	struct value v;

	for (ct = 0; ct < nr_core_types; ct++) {
		struct perf_event_attr attr = {
			.type = perf_type(ct),
			.config = offcore(ct)->code,
			.config1 = 0x10002,
			.exclude_kernel = 1,
			.disabled = 1,
			.read_format = PERF_TIMES,
		};

		close(open_both());
		wait_until_idle();
		pin(0, core_types[ct].first_cpu);
		event = perf_open(&attr, 0, -1, -1);
		prctl(PR_TASK_PERF_EVENTS_ENABLE);
		loop(MANY);
		prctl(PR_TASK_PERF_EVENTS_DISABLE);
		if (!perf_read(event, &v))
			die("perf has no counter");
		within(v.count, STORES_A_ROUND * MANY, STORES_A_ROUND * MANY + 20, "perf's stores");
		close(event);
		fd = open_both();
		counts_both(fd);
		close(fd);
	}
	unpin(0);
}

int main(void)
{
	need_core_types();
	if (strcmp(backend, "intel"))
		die("backend %s: not the intel one", backend);
	refusals();
	if (!proc_value("info", "exclusive"))
		no_trial();
	sharing();
	named_counter();
	sets_by_turns();
	taken_from_user();
	hotplug();
	perf_between();
	wait_until_idle();
	return result();
}
