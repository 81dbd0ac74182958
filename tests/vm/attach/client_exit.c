// SPDX-License-Identifier: GPL-2.0
/*
 * Clients are killed. Whatever they were doing, all their resources are released: no
 * session, thread or counter is left, and the counted processes continue, also those that
 * sleep for long at that moment. Every other client is an ordinary user's. Also tested:
 * a session's file that is shared by threads, fork() and dup().
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leftovers.h"
#include "vm.h"

static const char *hardware(const char *with, const char *without)
{
	return core_types[0].nr_hw ? with : without;
}

static void *work(void *unused)
{
	for (;;) {
		spin(100000);
		touch_pages(1);
		sched_yield();
	}
	return unused;
}

static void busy_threads(int nr)
{
	pthread_t id;

	while (nr--)
		if (pthread_create(&id, NULL, work, NULL))
			die("no thread");
}

static void *count_itself(void *arg)
{
	int fd = (long)arg;

	for (;;) {
		start(fd);
		spin(5000);
		stop(fd);
	}
	return NULL;
}

/* Children of children, each of which lives for a moment. */
static void breed(void)
{
	for (;;) {
		pid_t pid = fork();

		if (!pid) {
			spin(20000);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

/* The activities of a client when it is killed; @target is a process it may attach. */
static const struct kind {
	const char *name;
	const char *with, *without;	/* with hardware counters, without them */
	bool self, family, whole_machine, mapped;
} kinds[] = {
	{ .name = "counting", .with = "events ev=@I,ev=@C,sw=page_faults",
	  .without = "events sw=page_faults" },
	{ .name = "TBS", .with = "events ev=@I,ev=@C\nevents ev=@C,ev=@I\nperiod 1ms",
	  .without = "events sw=page_faults\nevents sw=migrations\nperiod 1ms" },
	{ .name = "EBS", .with = "events ev=@I:ebs=10000,ev=@C:ebs=7000" },
	{ .name = "system-wide", .with = "events ev=@I,ev=@C\nperiod 1ms", .whole_machine = true },
	{ .name = "self", .with = "events ev=@I", .without = "events sw=page_faults", .self = true },
	{ .name = "self with a page", .with = "events ev=@I,ev=@C", .self = true, .mapped = true },
	{ .name = "children", .with = "events ev=@I,ev=@C\nfollow children\nperiod 2ms",
	  .without = "events sw=page_faults\nfollow children\nperiod 2ms", .family = true },
};

#define NR_KINDS	(sizeof(kinds) / sizeof(*kinds))

static void be_client(const struct kind *k, uid_t uid, pid_t target, int ready)
{
	pthread_t id;
	int fd, i;

	if (uid)
		change_user(uid);
	fd = open_session();
	command(fd, "%s", hardware(k->with, k->without));
	if (k->whole_machine)
		command(fd, "syswide");
	else if (!k->self)
		command(fd, "attach %d", target);
	if (k->self)
		start(fd);
	if (k->mapped &&
	    mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, PMC_MMAP_CALIPER) == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	if (k->self)
		for (i = 0; i < 8; i++)
			pthread_create(&id, NULL, count_itself, (void *)(long)fd);
	/* The ring overflows, because it is not read. */
	if (write(ready, "", 1) != 1)
		die("pipe: %s", strerror(errno));
	pause();
}

static struct sleeper {
	const char *kind;
	pid_t group;
} sleepers[2 * NR_KINDS];

static int nr_sleepers;

/* A process that was counted continues. */
static void continues(pid_t target, const char *kind)
{
	int status;

	same(waitpid(target, &status, WNOHANG), 0, "%s: what was counted has ended", kind);
	kill(-target, SIGKILL);
	waitpid(target, NULL, 0);
}

/*
 * Those that went to sleep wake up. Freed memory (kfree_rcu) is used again 5 s later. Without
 * counters the machine's clock is the host's, and it is not worth the time.
 */
static void wake_sleepers(void)
{
	int i;

	if (core_types[0].nr_hw)
		sleep(7);
	for (i = 0; i < nr_sleepers; i++)
		kill(-sleepers[i].group, SIGCONT);
	usleep(20000);
	for (i = 0; i < nr_sleepers; i++)
		continues(sleepers[i].group, sleepers[i].kind);
}

/* @sleeps: what is counted goes to sleep just before the client is killed, 1, or after, 2. */
static void killed(const struct kind *k, uid_t uid, int sleeps, int delay)
{
	long long samples = proc_value("stats", "samples");
	pid_t target, client;
	int pipes[2], status;
	char c;

	if (pipe(pipes))
		die("pipe: %s", strerror(errno));
	target = fork();
	if (!target) {
		setpgid(0, 0);
		if (uid)
			change_user(uid);
		if (write(pipes[1], "", 1) != 1)
			_exit(1);
		close(pipes[0]);
		close(pipes[1]);
		busy_threads(4);
		if (k->family)
			breed();
		work(NULL);
	}
	/* The client may not attach to another user's process. */
	if (read(pipes[0], &c, 1) != 1)
		die("%s: no process to count", k->name);
	client = fork();
	if (!client)
		be_client(k, uid, target, pipes[1]);
	close(pipes[1]);
	if (read(pipes[0], &c, 1) != 1)
		die("%s: the client failed", k->name);
	usleep(delay);
	if (!proc_value("stats", "threads"))
		fail("%s: nothing was counted", k->name);
	if (sleeps == 1)
		kill(-target, SIGSTOP);
	kill(client, SIGKILL);
	if (sleeps == 2)
		kill(-target, SIGSTOP);
	waitpid(client, &status, 0);
	same(WTERMSIG(status), SIGKILL, "%s: the signal it died of", k->name);
	wait_until_idle();
	counters_are_free(k->name);
	if (sleeps)
		sleepers[nr_sleepers++] = (struct sleeper){ k->name, target };
	else
		continues(target, k->name);
	close(pipes[0]);
	if (!strcmp(k->name, "TBS") && proc_value("stats", "samples") == samples)
		fail("%s: no sample was taken", k->name);
}

/* ---- the file ---- */

static atomic_int stop_now;
static atomic_long rounds;

static void *start_and_stop(void *arg)
{
	int fd = (long)arg;

	while (!stop_now) {
		/* Once it is closed, or another file, these fail. */
		if (ioctl(fd, PMC_IOC_START) || ioctl(fd, PMC_IOC_STOP))
			continue;
		rounds++;
	}
	return NULL;
}

/* One thread closes the file while others use it. */
static void closed_meanwhile(void)
{
	pthread_t id[6];
	int round, i, fd;

	for (round = 0; round < by_size(3, 20); round++) {
		stop_now = 0;
		rounds = 0;
		fd = open_session();
		command(fd, "%s", hardware("events ev=@I,ev=@C\nperiod 1ms",
					   "events sw=page_faults\nperiod 1ms"));
		for (i = 0; i < 6; i++)
			pthread_create(&id[i], NULL, start_and_stop, (void *)(long)fd);
		while (rounds < 20)
			usleep(100);
		close(fd);
		usleep(1000);
		stop_now = 1;
		for (i = 0; i < 6; i++)
			pthread_join(id[i], NULL);
		wait_until_idle();
	}
	counters_are_free("closed by another thread");
}

/* A session lives as long as its file is open anywhere. */
static void inherited(void)
{
	uint64_t before;
	int fd = open_session(), go[2], status, copy;
	pid_t pid;

	if (pipe(go))
		die("pipe: %s", strerror(errno));
	command(fd, "%s", hardware("events ev=@I", "events sw=page_faults"));
	start(fd);
	pid = fork();
	if (!pid) {
		char c;

		close(go[1]);
		if (read(go[0], &c, 1))
			_exit(1);
		/* The parent is still counted; this child is not. */
		_exit(ioctl(fd, PMC_IOC_STOP) == -1 && errno == ESRCH ? 0 : 2);
	}
	copy = dup(fd);
	close(fd);
	touch_pages(20);
	before = own_count(copy, -1, 0, 0);
	if (before < 20)
		fail("a copy of the file counts %llu", (unsigned long long)before);
	close(copy);
	same(proc_value("stats", "sessions"), 1, "sessions while a child has it open");
	same(proc_value("stats", "threads"), 1, "threads while a child has it open");
	close(go[0]);
	close(go[1]);
	waitpid(pid, &status, 0);
	same(status, 0, "status of the child with the file");
	wait_until_idle();
	counters_are_free("inherited");
}

/* Mappings alone keep the session, too, until the last one is removed. */
static void mapped(void)
{
	int fd = open_session();
	char *ring;

	command(fd, "%s", hardware("events ev=@I", "events sw=page_faults"));
	ring = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, PMC_MMAP_RING);
	if (ring == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	/* On one core type, so that it is one record. */
	pin(0, 0);
	start(fd);
	stop(fd);
	unpin(0);
	close(fd);
	same(proc_value("stats", "sessions"), 1, "sessions while it is mapped");
	same(((struct pmc_ring_info *)ring)->head, 1, "records in the ring that is mapped");
	munmap(ring, 4096);
	wait_until_idle();
}

int main(void)
{
	static const uid_t user = 1000;
	unsigned int i, round, nr = 0;

	read_machine();
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid can't be set");
	note_resources(&user, 1);
	for (i = 0; i < NR_KINDS; i++)
		for (round = 0; round < 3; round++)
			if (core_types[0].nr_hw || kinds[i].without)
				killed(&kinds[i], nr++ % 2 && !kinds[i].whole_machine ? user : 0,
				       round, 1000 + 7777 * round);
	wake_sleepers();
	closed_meanwhile();
	inherited();
	mapped();
	nothing_is_left();
	return result();
}
