// SPDX-License-Identifier: GPL-2.0
/*
 * Counters are few, and perf and the NMI watchdog need some, too. Unprivileged sessions leave
 * some of each core type free, so that the root user's perf and the watchdog count beside
 * them. Where perf has the rest, a session of the root user gets counters of unprivileged
 * sessions, whichever they are, those of the newest session first. Counters of an unprivileged session
 * are kept for a second, unless others want them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"
#include "perf.h"

/* An event that no fixed counter counts, to which perf could move it: branches */
#ifdef __x86_64__
#define GENERAL	0xc4
#else
#define GENERAL	event_codes()->instructions
#endif

#define WATCHDOG	"/proc/sys/kernel/nmi_watchdog"

/* What an unprivileged user's process reports. */
struct user {
	pid_t pid;
	volatile int ready;
	volatile int stop;
	volatile int started;	/* 0 or -errno */
	volatile int evicted;	/* records that said so */
	volatile long long counted;	/* in a loop of known length */
	long long truth;
	char why[PMC_ERROR_LEN];
};

static struct user *users;

/* A user's process that has a session with these commands, and sleeps. */
static void user_begins(struct user *u, const char *commands)
{
	memset(u, 0, sizeof(*u));
	u->pid = fork();
	if (!u->pid) {
		struct records records = {};
		int fd, i;

		if (setresgid(1000, 1000, 1000) || setresuid(1000, 1000, 1000))
			die("becoming a user: %s", strerror(errno));
		fd = open_session();
		u->started = try_command(fd, "ring 64\n%s", commands) ?: try_start(fd);
		memcpy(u->why, why(fd), sizeof(u->why));
		if (!u->started) {
			stop(fd);
			u->counted = -own_count(fd, -1, 0, 0);
			u->truth = counted_loop(fd, 1000);
			u->counted += own_count(fd, -1, 0, 0);
		}
		u->ready = 1;
		while (!u->stop)
			usleep(1000);
		read_records(fd, &records);
		for (i = 0; i < records.nr; i++)
			u->evicted += !!(records.all[i].head.flags & PMC_REC_EVICTED);
		_exit(result());
	}
	while (!u->ready)
		usleep(1000);
}

static void user_ends(struct user *u, int evicted, const char *what)
{
	int status;

	u->stop = 1;
	waitpid(u->pid, &status, 0);
	same(status, 0, "%s: status of the user's process", what);
	same(u->evicted, evicted, "%s: records that say evicted", what);
}

/* Counters of each core type that are not for one event alone */
static int general[16];
/* With backend=perf a counter counts one event, and has more numbers than counters. */
static bool by_perf;

static int nr_general(int ct)
{
	return general[ct];
}

/* General counters of a core type that unprivileged sessions may have by default */
static int quota(int ct)
{
	int nr = nr_general(ct);

	return nr - (nr / 2 < 2 ? nr / 2 : 2);
}

/* An event on each general counter of a core type, from the first-th on */
static const char *counters(char *text, int ct, int first, int nr)
{
	sprintf(text, "events coretype=%d", ct);
	while (nr--)
		sprintf(text + strlen(text), ",pmc%d=0x%x", general_slot(ct, ++first), GENERAL);
	strcat(text, "\n");
	return text;
}

/* The fixed counters, too */
static void add_fixed(char *text, int ct)
{
	const struct core_type *type = &core_types[ct];

	text[strlen(text) - 1] = '\0';
	if (type->fixed_instructions)
		strcat(text, ",pmc0");
	if (type->fixed_cycles >= 0)
		sprintf(text + strlen(text), ",pmc%d", type->fixed_cycles);
	strcat(text, "\n");
}

/* No user gets more than the quota, nor do two together; but they can share counters. */
static void limited(int ct)
{
	struct user *a = &users[0], *b = &users[1];
	char text[4096];
	int i;

	user_begins(a, counters(text, ct, 0, quota(ct) + 1));
	same(a->started, -ENOSPC, "a user's event set with a counter more than the quota");
	mentions(a->why, "free_counters", "why");
	user_ends(a, 0, "more than the quota");

	user_begins(a, counters(text, ct, 0, quota(ct)));
	same(a->started, 0, "a user's session with as many counters as the quota (%s)", a->why);
	user_begins(b, counters(text, ct, nr_general(ct) - 1, 1));
	same(b->started, -EBUSY, "another session with another counter");
	mentions(b->why, "free_counters", "why");
	user_ends(b, 0, "another counter");
	if (by_perf)
		goto settings;
	/* It would be placed on counters that nobody uses. */
	sprintf(text, "events coretype=%d", ct);
	for (i = 0; i < quota(ct); i++)
		strcat(text, ",ev=@I:k");
	user_begins(b, text);
	same(b->started, 0, "another session with other events (%s)", b->why);
	user_ends(b, 0, "other events");
settings:
	user_ends(a, 0, "as many as the quota");
	user_begins(a, counters(text, ct, nr_general(ct) - quota(ct), quota(ct)));
	same(a->started, 0, "as many other counters when that session has ended (%s)", a->why);
	user_ends(a, 0, "as many others");

	/* The administrator may choose another number, but not more than half. */
	set_config("free_counters=1");
	user_begins(a, counters(text, ct, 0, nr_general(ct) - 1));
	same(a->started, 0, "all counters but one (%s)", a->why);
	user_ends(a, 0, "all but one");
	set_config("free_counters=64");
	user_begins(a, counters(text, ct, 0, nr_general(ct) - nr_general(ct) / 2));
	same(a->started, 0, "half of the counters (%s)", a->why);
	user_ends(a, 0, "half");
	set_config("free_counters=2");
}

/* Events that need a general counter, on a CPU, for the root user */
static int perf_on(int cpu, int kernel)
{
	struct perf_event_attr attr = {
		.type = perf_type(core_type_of(cpu)),
		.config = GENERAL,
		.exclude_kernel = !kernel,
		.pinned = 1,
		.read_format = PERF_TIMES,
	};

	return perf_open(&attr, -1, cpu, -1);
}

static void all_the_time(int fd, const char *what, int cpu)
{
	struct value v = {};

	if (!perf_read(fd, &v))
		fail("%s: CPU %d: perf has no counter", what, cpu);
	else
		same(v.running, v.enabled, "%s: CPU %d: time_running", what, cpu);
	CHECK(v.enabled, "%s: CPU %d: no time", what, cpu);
	close(fd);
}

static void user_takes_all(struct user *u)
{
	char text[8192] = "";
	int ct;

	for (ct = 0; ct < nr_core_types; ct++) {
		counters(text + strlen(text), ct, 0, quota(ct));
		add_fixed(text, ct);
	}
	user_begins(u, text);
	same(u->started, 0, "a user's session with all that it may have (%s)", u->why);
}

/* perf, a user, and the root user's session, which shares the user's counters */
static void beside_both(void)
{
	int fd = open_session();
	long truth;

	command(fd, "events pmc@1=@I");
	truth = counted_loop(fd, 1000);
	same(own_count(fd, -1, 0, 0), truth, "instructions beside both");
	close(fd);
}

/* Two events of perf's on each CPU count all the time beside an unprivileged session. */
static void beside_perf(void)
{
	int nr_cpus = sysconf(_SC_NPROCESSORS_ONLN), fds[CPU_SETSIZE][2], cpu, i;

	user_takes_all(&users[0]);
	for (cpu = 0; cpu < nr_cpus; cpu++)
		for (i = 0; i < 2; i++)
			fds[cpu][i] = perf_on(cpu, i);
	usleep(50000);
	if (!by_perf)
		beside_both();
	for (cpu = 0; cpu < nr_cpus; cpu++)
		for (i = 0; i < 2; i++)
			all_the_time(fds[cpu][i], "beside a user's session", cpu);
	user_ends(&users[0], 0, "beside perf");
}

/* All counters of a core type. The last one of those is on no fixed counter's slot. */
static void everything(char *text, int ct)
{
	counters(text, ct, 0, nr_general(ct));
	add_fixed(text, ct);
}

/* The watchdog begins while a user has counters, and has one on each core type. */
static void beside_watchdog(void)
{
	char text[4096];
	long truth;
	int fd, ct;

#ifndef __x86_64__
	/* Another kind of watchdog, without counters */
	return;
#endif
	if (access(WATCHDOG, W_OK))
		return;
	user_takes_all(&users[0]);
	if (write_file(WATCHDOG, "1")) {
		user_ends(&users[0], 0, "no watchdog");
		return;
	}
	fd = open_session();
	command(fd, "events pmc@1=@I");
	truth = counted_loop(fd, 1000);
	same(own_count(fd, -1, 0, 0), truth, "instructions beside the watchdog");
	close(fd);
	user_ends(&users[0], 0, "beside the watchdog");
	for (ct = 0; ct < nr_core_types; ct++) {
		fd = open_session();
		everything(text, ct);
		command(fd, "%s", text);
		refused_start(fd, EBUSY, "NMI watchdog");
		close(fd);
	}
	write_file(WATCHDOG, "0");
	for (ct = 0; ct < nr_core_types; ct++) {
		fd = open_session();
		everything(text, ct);
		command(fd, "%s", text);
		start(fd);
		close(fd);
	}
}

/* The counter that perf's cycles are on, and one that it could have else, are the issue. */
static void room_for_root(int ct)
{
	const struct core_type *type = &core_types[ct];
	int nr = nr_general(ct), fixed = type->fixed_cycles, fd, perf;
	struct user *old = &users[0], *new = &users[1];
	struct perf_event_attr attr = {
		.type = perf_type(ct),
		.config = event_codes()->cycles,
		.pinned = 1,
		.read_format = PERF_TIMES,
	};
	char text[4096];

	set_config("free_counters=0");
	/* Nothing is kept of earlier sessions. */
	usleep(1100000);
	/* Here the users' processes run, too. */
	pin(0, type->first_cpu);
	perf = perf_open(&attr, -1, type->first_cpu, -1);
	/* All counters are taken, but none that the root user asks for by its number. */
	user_begins(old, counters(text, ct, 0, 1));
	user_begins(new, counters(text, ct, 1, nr - (fixed >= 0 ? 1 : 2)));
	same(old->started, 0, "the older session (%s)", old->why);
	same(new->started, 0, "the newer session (%s)", new->why);
	if (fixed >= 0)
		sprintf(text, "events coretype=%d,pmc%d", ct, fixed);
	else
		counters(text, ct, nr - 1, 1);
	/* For another unprivileged user there is none. */
	user_begins(&users[2], text);
	same(users[2].started, -EBUSY, "one more session (%s)", users[2].why);
	mentions(users[2].why, "no counter is free", "why");
	user_ends(&users[2], 0, "one more session");
	fd = open_session();
	command(fd, "%s", text);
	start(fd);
	spin(1000);
	stop(fd);
	CHECK(own_count(fd, ct, 0, 0) >= 1000, "the root user counts %llu cycles or branches",
	      (unsigned long long)own_count(fd, ct, 0, 0));
	close(fd);
	user_ends(new, 1, "the newer session");
	user_ends(old, 0, "the older session");
	all_the_time(perf, "the root user's session", type->first_cpu);
	set_config("free_counters=2");
}

static void user_counted(const char *commands, const char *what)
{
	user_begins(&users[0], commands);
	same(users[0].started, 0, "%s (%s)", what, users[0].why);
	user_ends(&users[0], 0, what);
}

static void set_online(int cpu, int online)
{
	char path[100];
	int ret;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	ret = write_file(path, "%d", online);
	if (ret)
		die("CPU %d: %s", cpu, strerror(-ret));
}

/* Kept counters are released when others want them, a CPU comes online, or a second is over. */
static void kept(int ct)
{
	int nr = nr_general(ct), cpu = core_types[ct].first_cpu + 1, fds[64], i, fd;
	char text[4096];

	user_counted(counters(text, ct, 0, quota(ct)), "a session");
	user_counted(counters(text, ct, nr - quota(ct), quota(ct)),
		     "a session with other counters right after it");
	fd = open_session();
	everything(text, ct);
	command(fd, "%s", text);
	start(fd);
	close(fd);

	snprintf(text, sizeof(text), "events coretype=%d,pmc%d=@I", ct, general_slot(ct, 1));
	user_counted(text, "one more session");
	set_online(cpu, 0);
	set_online(cpu, 1);
	pin(0, cpu);
	user_begins(&users[0], text);
	same(users[0].started, 0, "a session with a counter that was kept (%s)", users[0].why);
	same(users[0].counted, users[0].truth, "instructions on a CPU that has come back");
	user_ends(&users[0], 0, "a counter that was kept");

	user_counted(counters(text, ct, 0, 1), "a session of an event for general counters");
	usleep(1500000);
	for (i = 0; i < nr; i++)
		fds[i] = perf_on(cpu, 0);
	usleep(50000);
	while (i--)
		all_the_time(fds[i], "all counters after a session", cpu);
}

/* As many as perf has for events of the root user; the module has to know that, too. */
static void count_general(int ct)
{
	int fds[64], nr = 0, got = 0;
	struct value v;

	while (nr < 64) {
		fds[nr++] = perf_on(core_types[ct].first_cpu, 0);
		if (!perf_read(fds[nr - 1], &v))
			break;
		got++;
	}
	while (nr)
		close(fds[--nr]);
	general[ct] = got;
	if (!by_perf)
		same(__builtin_popcountll(core_types[ct].general), got,
		     "general counters of core type %d", ct);
}

#ifdef __x86_64__
/* Sessions that count CPUs are work of each timer interrupt: a user has 16 of them at most. */
static const char commands[] = "ring 1\nperiod 100ms\nvirtual energy_pkg\nsyswide";

/* Eight users have as many as all may have: a user may have subordinate user numbers. */
static void syswide_sessions_of_all(void)
{
	pid_t pids[9];
	int ready[2], i, j;
	char c;

	if (pipe(ready))
		die("pipe: %s", strerror(errno));
	for (i = 0; i < 9; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			change_user(1000 + i);
			for (j = 0; i < 8 && j < 16; j++)
				command(open_session(), "%s", commands);
			if (i == 8)
				refused(open_session(), EUSERS, "128 system-wide sessions", "%s", commands);
			c = result();
			if (write(ready[1], &c, 1) != 1)
				die("write: %s", strerror(errno));
			pause();
		}
		if (read(ready[0], &c, 1) != 1)
			die("read: %s", strerror(errno));
		same(c, 0, "status of user %d with system-wide sessions", 1000 + i);
	}
	while (i--) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	close(ready[0]);
	close(ready[1]);
}

static void syswide_sessions(void)
{
	int fds[16], root, i, status;
	pid_t pid;

	load_module("pmc_energy");
	activate("energy");
	write_file("/proc/sys/kernel/perf_event_paranoid", "0");
	pid = fork();
	if (!pid) {
		change_user(1000);
		for (i = 0; i < 16; i++) {
			fds[i] = open_session();
			command(fds[i], "%s", commands);
		}
		refused(open_session(), EUSERS, "16 system-wide sessions", "%s", commands);
		close(fds[3]);
		command(open_session(), "%s", commands);
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of the user with system-wide sessions");
	syswide_sessions_of_all();
	for (i = 0; i < 17; i++) {
		root = open_session();
		command(root, "%s", commands);
	}
	while (i--)
		close(root--);
	write_file("/proc/sys/kernel/perf_event_paranoid", "1");
	deactivate("energy");
	unload_module("pmc_energy");
}
#endif

int main(void)
{
	int ct;

	need_counters();
	by_perf = !strcmp(backend, "perf");
	/* None is kept from an unprivileged session of another test. */
	usleep(1100000);
	for (ct = 0; ct < nr_core_types; ct++)
		count_general(ct);
	users = mmap(NULL, sizeof(*users) * 3, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (users == MAP_FAILED)
		die("no memory: %s", strerror(errno));
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "1"))
		die("perf_event_paranoid can't be set");
	same(proc_value("config", "free_counters"), 2, "free_counters");
	for (ct = 0; ct < nr_core_types; ct++)
		limited(ct);
	beside_perf();
	if (!by_perf)
		beside_watchdog();
	for (ct = 0; !by_perf && ct < nr_core_types; ct++)
		room_for_root(ct);
	for (ct = 0; !by_perf && ct < nr_core_types; ct++)
		kept(ct);
#ifdef __x86_64__
	syswide_sessions();
#endif
	wait_until_idle();
	return result();
}
