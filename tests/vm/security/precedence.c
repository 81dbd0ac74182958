// SPDX-License-Identifier: GPL-2.0
/*
 * An ordinary user's session that counts nothing keeps no counter from others. While it
 * counts, it cannot keep root, a monitoring module or a scheduler from counting the same
 * thread: it loses its counters, and its samples and its ring say so.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "consumer.h"
#include "vm.h"
#include "perf.h"

/* A counter that cannot be shared, because it has a sampling period */
#define ALONE	"events pmc@1=@I,ebs@1=1000000"
#define COUNTS	"events pmc@1=@I"

struct shared {
	volatile int ready;
	volatile int stop;
	volatile int evicted;	/* records that said so */
	volatile int last;	/* last records */
	volatile int unknown;	/* records whose virtual counter has no value */
	volatile int losses;	/* the ring says that counts are too small */
	volatile int leaving;	/* how often a user began to stop counting */
};

static struct shared *shared;

static void become_user(void)
{
	if (setresgid(1000, 1000, 1000) || setresuid(1000, 1000, 1000))
		die("becoming a user: %s", strerror(errno));
	/* As after a login, not as a program that has changed its user */
	if (prctl(PR_SET_DUMPABLE, 1))
		die("PR_SET_DUMPABLE: %s", strerror(errno));
}

static bool has_no_value(const struct record *r)
{
	return r->head.nr_virtual && r->counts[r->head.nr_counts] == PMC_NO_VALUE;
}

static void note_losses(int fd)
{
	const struct pmc_ring_info *info =
		mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd, PMC_MMAP_RING);

	if (info == MAP_FAILED)
		die("mapping the ring: %s", strerror(errno));
	shared->losses = info->losses > 0;
}

/*
 * A user's process that sends these commands, counts itself, and runs. %d in the commands is
 * the process.
 */
static pid_t user_counts(const char *commands, bool counting)
{
	pid_t pid;

	memset(shared, 0, sizeof(*shared));
	pid = fork();
	if (!pid) {
		struct records records = {};
		char text[4000];
		int fd, i;

		become_user();
		pin(0, 1);
		fd = open_session();
		snprintf(text, sizeof(text), commands, getpid());
		command(fd, "ring 4096\n%s", text);
		if (counting)
			start(fd);
		shared->ready = 1;
		while (!shared->stop)
			spin(10000);
		read_records(fd, &records);
		/* A loss is counted before its record is there. */
		note_losses(fd);
		for (i = 0; i < records.nr; i++) {
			shared->evicted += !!(records.all[i].head.flags & PMC_REC_EVICTED);
			shared->last += !!(records.all[i].head.flags & PMC_REC_LAST);
			shared->unknown += has_no_value(&records.all[i]);
		}
		_exit(result());
	}
	while (!shared->ready)
		usleep(1000);
	return pid;
}

static void user_ends(pid_t pid, int evicted, const char *what)
{
	int status;

	shared->stop = 1;
	waitpid(pid, &status, 0);
	same(status, 0, "%s: status of the user's process", what);
	same(shared->evicted, evicted, "%s: records that say evicted", what);
	same(shared->losses, evicted > 0, "%s: losses of the ring", what);
	same(shared->last, evicted, "%s: last records before the end", what);
}

/* A session that only has events set takes no counters from others. */
static void idle(void)
{
	int fd = open_session(), event;
	pid_t pid = user_counts(COUNTS "," CYCLES, false);
	struct value v;

	event = perf_own(event_codes()->instructions, true, -1);
	ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
	spin(1000);
	same(perf_read(event, &v), true, "perf counts while a user has events");
	close(event);
	command(fd, COUNTS);
	command(fd, "syswide");
	command(fd, "stop");
	close(fd);
	user_ends(pid, 0, "events alone");
}

/* Between sessions of the same user, the first one keeps its counters. */
static void equals(void)
{
	pid_t pid = user_counts(ALONE, true), other;
	int status;

	other = fork();
	if (!other) {
		int fd;

		become_user();
		fd = open_session();
		command(fd, COUNTS);
		refused(fd, EBUSY, "another session", "attach %d", pid);
		_exit(result());
	}
	waitpid(other, &status, 0);
	same(status, 0, "status of the other user's process");
	user_ends(pid, 0, "another user's session");
}

/* Root counts the process; the samples of the user's session say so. */
static void root(void)
{
	pid_t pid = user_counts(ALONE, true);
	int fd = open_session();

	command(fd, COUNTS "\nattach %d", pid);
	usleep(20000);
	command(fd, "detach %d", pid);
	CHECK(total(fd, -1, 0, 0) > 10000, "root counts %llu instructions",
	      (unsigned long long)total(fd, -1, 0, 0));
	user_ends(pid, 1, "root attaches");
	close(fd);
}

static void root_on_all_cpus(void)
{
	pid_t pid = user_counts(COUNTS, true);
	int fd = open_session();

	command(fd, COUNTS "\nsyswide");
	usleep(20000);
	user_ends(pid, 1, "root counts CPUs");
	command(fd, "stop");
	CHECK(total(fd, -1, 0, 0) > 10000, "root counts %llu instructions of CPUs",
	      (unsigned long long)total(fd, -1, 0, 0));
	close(fd);
}

/* A thread that was not loaded before has a record, too: it waits for its exec. */
static void root_comes_first(void)
{
	pid_t pid = user_counts(COUNTS "\nenable exec\nattach %d", false);
	int fd = open_session();

	command(fd, COUNTS "\nsyswide\nstop");
	user_ends(pid, 1, "root comes first");
	close(fd);
}

/*
 * A thread that was not loaded before has no value of a ratio. The monitoring module has the
 * first counters.
 */
static void no_values(void)
{
	int fd = open_session();
	pid_t pid;

	if (write_file("/proc/sys/kernel/perf_event_paranoid", "0"))
		die("perf_event_paranoid can't be set");
	load_module("pmc_template");
	activate("template");
	pid = user_counts("events pmc@3=@I\nvirtual template_ipc\nenable exec\nattach %d", false);
	command(fd, "events pmc@3=@I\nsyswide\nstop");
	user_ends(pid, 1, "root comes first, with a ratio");
	same(shared->unknown, 1, "records without a value of the ratio");
	close(fd);
	deactivate("template");
	unload_module("pmc_template");
	write_file("/proc/sys/kernel/perf_event_paranoid", "2");
}

/* A user who may count CPUs takes the counters, too. */
static void thread_of_root(void)
{
	int fd = open_session(), cpus = sysconf(_SC_NPROCESSORS_ONLN);
	pid_t pid;

	if (write_file("/proc/sys/kernel/perf_event_paranoid", "0"))
		die("perf_event_paranoid can't be set");
	pid = user_counts(COUNTS "\nsyswide", false);
	command(fd, COUNTS);
	start(fd);
	spin(1000);
	stop(fd);
	user_ends(pid, cpus, "root counts a thread");
	close(fd);
	write_file("/proc/sys/kernel/perf_event_paranoid", "2");
}

/* ---- a measurement ends as root's begins ---- */

static volatile int spinner;

static void *run_on_cpu_1(void *unused)
{
	pin(0, 1);
	spinner = gettid();
	while (!shared->stop)
		spin(10000);
	return unused;
}

/*
 * Counts a thread that runs, for a short time, again and again. Root may have the counters
 * at any step.
 */
static void count_and_leave(void)
{
	int fd, round;
	pthread_t thread;

	become_user();
	fd = open_session();
	command(fd, "ring 16\n" COUNTS);
	if (pthread_create(&thread, NULL, run_on_cpu_1, NULL))
		die("no thread");
	pin(0, 2);
	while (!spinner)
		usleep(1000);
	for (round = 0; !shared->stop; round++) {
		if (try_command(fd, "attach-thread %d", spinner)) {
			usleep(1000);
			continue;
		}
		usleep(2000);
		shared->leaving++;
		if (round % 2)
			try_command(fd, "detach-thread %d", spinner);
		command(fd, "stop");
		CHECK(total(fd, -1, 0, 0) < 1000000000, "the user's thread counts %llu",
		      (unsigned long long)total(fd, -1, 0, 0));
	}
	pthread_join(thread, NULL);
}

/*
 * Root takes the counters at any time between the moment in which a user's thread leaves its
 * session and the one in which nothing of it is on the CPU.
 */
static void root_as_a_user_leaves(void)
{
	int fd = open_session(), round, seen, status;
	pid_t pid;

	memset(shared, 0, sizeof(*shared));
	pid = fork();
	if (!pid) {
		count_and_leave();
		_exit(result());
	}
	command(fd, COUNTS);
	for (round = 0; round < by_size(10, 150); round++) {
		for (seen = shared->leaving; shared->leaving == seen;)
			usleep(200);
		usleep(round % 15 * 2000);
		command(fd, "syswide");
		usleep(500);
		command(fd, "stop");
	}
	shared->stop = 1;
	waitpid(pid, &status, 0);
	same(status, 0, "status of the user's process that counts again and again");
	close(fd);
}

static void every_counter(char *text, size_t size, int ct)
{
	const struct core_type *type = &core_types[ct];
	int nr;

	snprintf(text, size, "events coretype=%d", ct);
	for (nr = 0; nr < type->nr_hw; nr++) {
		bool general = type->general & 1ull << nr;

		if (general || nr == type->fixed_cycles || (!nr && type->fixed_instructions))
			snprintf(text + strlen(text), size - strlen(text),
				 ",pmc%d%s,ebs%d=1000000", nr, general ? "=@I" : "", nr);
	}
	snprintf(text + strlen(text), size - strlen(text), "\n");
}

static void scheduler(void)
{
	long long unmonitored = proc_value("stats", "unmonitored");
	char text[4096] = "";
	pid_t pid;
	int ct;

	load_module("pmc_template");
	load_module("test_consumer");
	activate("template");
	/* There is no other counter for the module. */
	set_config("free_counters=0");
	for (ct = 0; ct < nr_core_types; ct++)
		every_counter(text + strlen(text), sizeof(text) - strlen(text), ct);
	pid = user_counts(text, true);
	same(consumer("on", pid, 0), 0, "having a process monitored");
	usleep(50000);
	same(proc_value("stats", "unmonitored") - unmonitored, 0, "threads hidden from it");
	user_ends(pid, 1, "a scheduler monitors");
	set_config("free_counters=2");
	deactivate("template");
	unload_module("test_consumer");
	unload_module("pmc_template");
}

int main(void)
{
	need_counters();
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		die("no memory: %s", strerror(errno));
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid can't be set");
	idle();
	equals();
	root();
	root_on_all_cpus();
	root_comes_first();
	no_values();
	thread_of_root();
	root_as_a_user_leaves();
	scheduler();
	wait_until_idle();
	return result();
}
