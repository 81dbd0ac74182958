// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions without the kernel module: perf_event_open() counts. The instructions of the
 * processes here are known, on each core type, and totals that are called exact have to be.
 */
#include <dirent.h>
#include <errno.h>
#include <pmctrack.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf.h"
#include "vm.h"

#define STEPS		8
#define THREADS		10
#define MOVES		4
#define MANY_SETS	8
#define LONG_LOOP	20000000
#define MANY_FILES	64
#define SAMPLES		100

/* Shared with the process that is counted. */
static struct shared {
	struct step steps[THREADS][STEPS];
	cpu_set_t cpus[2];
	int go[2];
	char drop[THREADS];
} *shared;

static pmc_machine_t *machine;
static int nr_types;

static void make_shared(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (shared == MAP_FAILED || pipe(shared->go))
		die("no memory, or no pipe: %s", strerror(errno));
}

/* The first step of a thread: it waits, and then goes round a loop. */
static void wait_step(int thread, long loops)
{
	make_step(&shared->steps[thread][0], SYS_read, shared->go[0],
		  (long)&shared->drop[thread], 1);
	shared->steps[thread][0].loops = loops;
}

static pid_t start_process(int nr_steps)
{
	pid_t pid = fork();

	if (!pid) {
		script(shared->steps[0], nr_steps);
		_exit(1);
	}
	return pid;
}

static bool is_reading(pid_t pid, pid_t tid)
{
	char path[64], text[64] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", pid, tid);
	f = fopen(path, "r");
	if (!f)
		return false;
	if (!fgets(text, sizeof(text), f))
		*text = '\0';
	fclose(f);
	return *text >= '0' && *text <= '9' && atoi(text) == SYS_read;
}

/* Wait until all @nr threads of a process are in their first system calls. */
static void await_threads(pid_t pid, int nr)
{
	struct dirent *entry;
	char path[64];
	int reading;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	do {
		usleep(1000);
		reading = 0;
		dir = opendir(path);
		while (dir && (entry = readdir(dir)))
			reading += *entry->d_name != '.' && is_reading(pid, atoi(entry->d_name));
		if (dir)
			closedir(dir);
	} while (reading != nr);
}

static void go(pid_t pid, int nr)
{
	int status;

	if (write(shared->go[1], "0123456789", nr) != nr)
		die("write: %s", strerror(errno));
	waitpid(pid, &status, 0);
}

static pmc_session_t *open_sets(const char *const *sets, int nr)
{
	pmc_session_t *session = pmc_session_open();
	pmc_config_t *config = pmc_config_new(machine);
	int i;

	if (!session)
		die("%s", pmc_last_error());
	for (i = 0; i < nr; i++)
		if (pmc_config_add(config, sets[i], PMC_EVERY_CORE_TYPE, 0))
			die("%s", pmc_last_error());
	if (pmc_session_configure(session, config))
		die("%s", pmc_last_error());
	pmc_config_free(config);
	return session;
}

static pmc_session_t *open_set(const char *set)
{
	return open_sets(&set, 1);
}

static void tell(pmc_session_t *session, const char *commands)
{
	if (pmc_session_command(session, "%s", commands))
		die("%s: %s", commands, pmc_last_error());
}

static void attach(pmc_session_t *session, pid_t pid)
{
	if (pmc_session_command(session, "attach %d", pid))
		die("attach: %s", pmc_last_error());
}

/* The total of the first event, and how far it can be relied on */
static uint64_t count_of(pmc_session_t *session, int core_type, int set, int *accuracy)
{
	uint64_t counts[PMC_MAX_COUNTS] = { 0 }, running, available = 0;

	if (pmc_session_totals(session, core_type, set, counts, &running, NULL) < 0)
		die("totals: %s", pmc_last_error());
	*accuracy = pmc_session_accuracy(session, core_type, set, 0, &available);
	CHECK(*accuracy >= 0, "%s", pmc_last_error());
	CHECK((*accuracy == PMC_EXACT) == (running >= available),
	      "accuracy %d, but %llu of %llu ns", *accuracy, (unsigned long long)running,
	      (unsigned long long)available);
	return counts[0];
}

static void exactly(pmc_session_t *session, int core_type, int set, uint64_t expected,
		    const char *what)
{
	int accuracy;

	same(count_of(session, core_type, set, &accuracy), expected, "%s, core type %d", what,
	     core_type);
	same(accuracy, PMC_EXACT, "accuracy of %s, core type %d", what, core_type);
}

static int first_cpu(int core_type)
{
	return atoi(pmc_machine_core_type(machine, core_type)->cpus);
}

/* Instructions after a system call, up to the next one with it */
static long segment(const struct step *step)
{
	return AFTER_CALL + 2 * step->loops + BEFORE_CALL;
}

/* Check the samples: they add up to the totals, and the very last one says so. */
static void check_samples(pmc_session_t *session, const long *expected, pid_t pid)
{
	struct pmc_reading r;
	uint64_t sums[2] = { 0 };
	int nr = 0, last = 0;

	while (pmc_session_wait(session, 10000) == 1)
		while (pmc_session_next(session, &r) == 1) {
			nr++;
			CHECK(!last, "a sample after the last one");
			last = !!(r.flags & PMC_READING_LAST);
			same(r.tid, pid, "the thread of a sample");
			same(r.type, last ? PMC_EXIT_SAMPLE : r.type, "the kind of the last sample");
			if (r.core_type < 2)
				sums[r.core_type] += r.counts[0];
		}
	CHECK(last, "no last sample");
	CHECK(nr > 2, "%d samples", nr);
	same(pmc_session_wait(session, 1000), 2, "waiting after the end");
	same(sums[0], expected[0], "sum of samples, core type 0");
	same(sums[1], expected[1], "sum of samples, core type 1");
	same(pmc_session_lost(session), 0, "lost samples");
}

/* A process that moves between core types, with samples over time */
static void test_moves(void)
{
	pmc_session_t *session = open_set("instr:u,cycles:u,task_clock");
	long expected[2] = { 0 };
	struct step *s = shared->steps[0];
	int i, type = 0;
	pid_t pid;

	wait_step(0, 100000);
	for (i = 0; i < nr_types; i++) {
		CPU_ZERO(&shared->cpus[i]);
		CPU_SET(first_cpu(i), &shared->cpus[i]);
	}
	expected[0] = segment(&s[0]);
	for (i = 1; i <= MOVES; i++) {
		type = i % nr_types;
		make_step(&s[i], SYS_sched_setaffinity, 0, sizeof(cpu_set_t), (long)&shared->cpus[type]);
		s[i].loops = 1000000 * i;
		expected[type] += segment(&s[i]);
	}
	make_step(&s[i], SYS_exit_group, 0, 0, 0);
	pid = start_process(i + 1);
	await_threads(pid, 1);
	pin(pid, first_cpu(0));
	tell(session, "period 1ms");
	attach(session, pid);
	go(pid, 1);
	check_samples(session, expected, pid);
	tell(session, "stop");
	for (i = 0; i < nr_types; i++)
		exactly(session, i, 0, expected[i], "instructions of a process that moves");
	exactly(session, PMC_EVERY_CORE_TYPE, 0, expected[0] + expected[1], "instructions in all");
	pmc_session_close(session);
}

/* Two sets that fit on the counters together are exact; many sets are not called so. */
static void test_sets(void)
{
	static const char *const sets[MANY_SETS] = {
		"instr:u,cycles:u,instr:k,cycles:k", "instr:u,cycles:u",
		"instr:u,cycles:u,instr:k,cycles:k",
		"instr:u,cycles:u,instr:k,cycles:k",
		"instr:u,cycles:u,instr:k,cycles:k",
		"instr:u,cycles:u,instr:k,cycles:k",
		"instr:u,cycles:u,instr:k,cycles:k",
		"instr:u,cycles:u,instr:k,cycles:k",
	};
	int nr, set, accuracy, inexact;
	pmc_session_t *session;
	uint64_t count;
	long expected;
	pid_t pid;

	for (nr = 2; nr <= MANY_SETS; nr += MANY_SETS - 2) {
		session = open_sets(sets, nr);
		wait_step(0, nr == 2 ? 1000000 : LONG_LOOP);
		make_step(&shared->steps[0][1], SYS_exit_group, 0, 0, 0);
		expected = segment(&shared->steps[0][0]);
		pid = start_process(2);
		await_threads(pid, 1);
		pin(pid, first_cpu(0));
		attach(session, pid);
		go(pid, 1);
		tell(session, "stop");
		for (set = inexact = 0; set < nr; set++) {
			count = count_of(session, 0, set, &accuracy);
			inexact += accuracy != PMC_EXACT;
			if (accuracy == PMC_EXACT)
				same(count, expected, "an exact total of set %d of %d", set, nr);
			/* The time on each core type is known even if its sets take turns. */
			CHECK(accuracy == PMC_EXACT || accuracy == PMC_ESTIMATED,
			      "the total of set %d of %d: accuracy %d", set, nr, accuracy);
			if (accuracy == PMC_ESTIMATED)
				within(count, expected * 9 / 10, expected * 11 / 10,
				       "an estimated total of set %d of %d", set, nr);
		}
		CHECK(nr == 2 ? !inexact : inexact, "%d of %d sets are not exact", inexact, nr);
		pmc_session_close(session);
	}
}

static void *run_thread(void *arg)
{
	script(shared->steps[(long)arg], 2);
	return NULL;
}

static void many_threads(void)
{
	pthread_t id;
	long i;

	for (i = 1; i < THREADS; i++)
		if (pthread_create(&id, NULL, run_thread, (void *)i))
			_exit(1);
	run_thread(NULL);
}

/* Return a running process of many threads. @expected: out: the instructions to come, user mode */
static pid_t start_threads(long *expected)
{
	pid_t pid;
	int i;

	*expected = 0;
	for (i = 0; i < THREADS; i++) {
		wait_step(i, 10000 * (i + 1));
		make_step(&shared->steps[i][1], SYS_exit, 0, 0, 0);
		*expected += segment(&shared->steps[i][0]);
	}
	pid = fork();
	if (!pid)
		many_threads();
	await_threads(pid, THREADS);
	return pid;
}

/* A running process of many threads */
static void test_threads(void)
{
	pmc_session_t *session = open_set("instr:u");
	uint64_t counts[PMC_MAX_COUNTS];
	long expected;
	pid_t pid = start_threads(&expected);

	attach(session, pid);
	go(pid, THREADS);
	tell(session, "stop");
	if (pmc_session_totals(session, PMC_EVERY_CORE_TYPE, 0, counts, NULL, NULL) != 1)
		die("totals: %s", pmc_last_error());
	same(counts[0], expected, "instructions of %d threads", THREADS);
	pmc_session_close(session);
}

/* A process and its child, which both go on after the fork */
static void test_children(void)
{
	struct step *s = shared->steps[0];
	pmc_session_t *session;
	int follow;
	pid_t pid;
	long own;

	for (follow = 0; follow < 2; follow++) {
		session = open_set("instr:u");
		wait_step(0, 1000);
		make_step(&s[1], SYS_clone, SIGCHLD, 0, 0);
		s[1].loops = 20000;
		make_step(&s[2], SYS_wait4, -1, 0, 0);
		s[2].loops = 300000;
		make_step(&s[3], SYS_exit_group, 0, 0, 0);
		own = segment(&s[1]) + segment(&s[2]);
		pid = start_process(4);
		await_threads(pid, 1);
		tell(session, follow ? "follow children" : "follow none");
		attach(session, pid);
		go(pid, 1);
		tell(session, "stop");
		exactly(session, PMC_EVERY_CORE_TYPE, 0, segment(&s[0]) + own * (1 + follow),
			follow ? "a process with its child" : "a process without its child");
		pmc_session_close(session);
	}
}

/* A child of fork() that closes its parent's session ends nothing. */
static void test_fork(void)
{
	pmc_session_t *session = open_set("instr:u");
	pid_t pid, child;

	wait_step(0, 5000);
	make_step(&shared->steps[0][1], SYS_exit_group, 0, 0, 0);
	pid = start_process(2);
	await_threads(pid, 1);
	attach(session, pid);
	child = fork();
	if (!child) {
		struct pmc_reading r;

		same(pmc_session_next(session, &r), -1, "a sample in a child");
		pmc_session_close(session);
		_exit(result());
	}
	go(child, 0);
	go(pid, 1);
	tell(session, "stop");
	exactly(session, PMC_EVERY_CORE_TYPE, 0, segment(&shared->steps[0][0]),
		"a process, when a child has closed the session");
	pmc_session_close(session);
}

/* The script of a process that waits, and then goes round a loop of known length */
static long make_known(long loops)
{
	wait_step(0, loops);
	make_step(&shared->steps[0][1], SYS_exit_group, 0, 0, 0);
	return segment(&shared->steps[0][0]);
}

/* However often a thread is attached, it is counted once, as by the kernel module. */
static void test_twice(void)
{
	static const char *const first[] = { "attach", "attach-thread" };
	long expected = make_known(5000);
	pmc_session_t *session;
	unsigned int i;
	pid_t pid;

	for (i = 0; i < 2; i++) {
		session = open_set("instr:u");
		pid = start_process(2);
		await_threads(pid, 1);
		if (pmc_session_command(session, "%s %d", first[i], pid))
			die("%s: %s", first[i], pmc_last_error());
		attach(session, pid);
		same(pmc_session_command(session, "attach-thread %d", pid), -1,
		     "a thread after %s", first[i]);
		same(errno, EEXIST, "its errno (%s)", pmc_last_error());
		go(pid, 1);
		tell(session, "stop");
		exactly(session, PMC_EVERY_CORE_TYPE, 0, expected, "a process attached twice");
		pmc_session_close(session);
	}
}

/* All of a process is counted if one of its threads was attached before. */
static void test_rest(void)
{
	pmc_session_t *session = open_set("instr:u");
	long expected;
	pid_t pid = start_threads(&expected);

	if (pmc_session_command(session, "attach-thread %d", pid))
		die("attach-thread: %s", pmc_last_error());
	attach(session, pid);
	go(pid, THREADS);
	tell(session, "stop");
	exactly(session, PMC_EVERY_CORE_TYPE, 0, expected, "a process after one of its threads");
	pmc_session_close(session);
}

static uint64_t count_own(const char *command)
{
	pmc_session_t *session = open_set("instr:u");
	uint64_t count;
	int accuracy;

	tell(session, "period 1ms");
	if (pmc_session_command(session, "%s %d", command, getpid()))
		die("%s: %s", command, pmc_last_error());
	usleep(200000);
	tell(session, "stop");
	count = count_of(session, PMC_EVERY_CORE_TYPE, 0, &accuracy);
	pmc_session_close(session);
	return count;
}

/* The thread that takes the samples is not among those of the caller's process. */
static void test_own_process(void)
{
	uint64_t thread;

	count_own("attach-thread");
	thread = count_own("attach-thread");
	within(count_own("attach"), 0, thread + 10000, "instructions of the process, beside its thread's");
}

/* Take all samples. Return: flags of the last one. */
static unsigned int drain(pmc_session_t *session)
{
	struct pmc_reading r = { .flags = 0 };

	while (pmc_session_next(session, &r) == 1)
		continue;
	return r.flags;
}

/* The samples end when the last process is detached, and go on when another one is attached. */
static void test_detach(void)
{
	pmc_session_t *session = open_set("instr:u");
	long expected = make_known(5000);
	pid_t pid = start_process(2);

	await_threads(pid, 1);
	attach(session, pid);
	same(pmc_session_wait(session, 0), 0, "waiting while a process is counted");
	if (pmc_session_command(session, "detach %d", pid))
		die("detach: %s", pmc_last_error());
	same(pmc_session_wait(session, 10000), 1, "waiting for the last sample");
	same(drain(session), PMC_READING_LAST, "flags of the last sample");
	same(pmc_session_wait(session, 1000), 2, "waiting after all are detached");

	attach(session, pid);
	same(pmc_session_wait(session, 0), 0, "waiting after another attach");
	go(pid, 1);
	same(pmc_session_wait(session, 10000), 1, "waiting for the process to end");
	same(drain(session), PMC_READING_LAST, "flags of its last sample");
	same(pmc_session_wait(session, 1000), 2, "waiting after its end");
	tell(session, "stop");
	exactly(session, PMC_EVERY_CORE_TYPE, 0, expected, "a process attached again");
	pmc_session_close(session);
}

/* Let a process of one thread go on to its next read(). */
static void go_on(pid_t pid)
{
	shared->drop[0] = '\0';
	if (write(shared->go[1], "0", 1) != 1)
		die("write: %s", strerror(errno));
	while (!__atomic_load_n(&shared->drop[0], __ATOMIC_RELAXED))
		usleep(1000);
	await_threads(pid, 1);
}

/* Let others count an event on the first CPU as often as it has counters. Return: how many files. */
static int take_counters(const char *event, int *files, int n)
{
	struct perf_event_attr attr;
	char buf[64];

	if (pmc_event_perf_attr(machine, 0, event, &attr))
		die("%s: %s", event, pmc_last_error());
	attr.pinned = 1;
	while (n < MANY_FILES) {
		files[n] = perf_open(&attr, -1, first_cpu(0), -1);
		if (!read(files[n++], buf, sizeof(buf)))
			break;
	}
	return n;
}

/* Each byte lets it go on once. */
static pid_t start_reader(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	while (read(shared->go[0], &shared->drop[0], 1) == 1)
		continue;
	_exit(1);
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Samples that find no room are counted, before and after a record says it. */
static void test_lost(void)
{
	pmc_session_t *session = open_set("task_clock");
	pid_t pid = start_reader();
	int i, lost = SAMPLES;
	struct pmc_reading r;

	await_threads(pid, 1);
	tell(session, "ring 1");
	attach(session, pid);
	for (i = 0; i < SAMPLES; i++) {
		go_on(pid);
		tell(session, "sample");
	}
	while (pmc_session_next(session, &r) == 1)
		lost--;
	CHECK(lost > 0, "all samples found room");
	same(pmc_session_lost(session), lost, "lost samples");
	go_on(pid);
	tell(session, "sample");
	same(pmc_session_next(session, &r), 1, "a sample after the lost ones");
	same(r.lost, lost, "lost samples before it");
	same(pmc_session_lost(session), lost, "lost samples, after a record has said it");
	end(pid);
	pmc_session_close(session);
}

/* Samples of a run that were not read are there after the next one. */
static void test_runs(void)
{
	pmc_session_t *session = open_set("task_clock");
	struct pmc_reading r;
	pid_t pids[2];
	int i;

	for (i = 0; i < 2; i++) {
		pids[i] = start_reader();
		await_threads(pids[i], 1);
		attach(session, pids[i]);
		end(pids[i]);
		tell(session, "stop");
	}
	for (i = 0; i < 2; i++) {
		same(pmc_session_next(session, &r), 1, "a sample of run %d", i);
		same(r.tid, pids[i], "its thread");
		same(r.flags, PMC_READING_LAST, "its flags");
	}
	same(pmc_session_wait(session, 1000), 2, "waiting after two runs");
	pmc_session_close(session);
}

/* The samples end although a child of fork() that was made meanwhile goes on. */
static void test_end_with_child(void)
{
	pmc_session_t *session = open_set("task_clock");
	pid_t child, pid = start_reader();

	await_threads(pid, 1);
	attach(session, pid);
	child = start_reader();
	end(pid);
	same(pmc_session_wait(session, 10000), 1, "waiting for the last sample");
	same(drain(session), PMC_READING_LAST, "its flags");
	same(pmc_session_wait(session, 10000), 2, "waiting after it, while a child goes on");
	end(child);
	pmc_session_close(session);
}

/*
 * The clock of several sets is refused a counter because others have them all: the kernel does not
 * try again. The totals have the later counts of the sets, and are not called exact.
 */
static void test_no_clock(void)
{
	static const char *const sets[] = { "instr:u", "cycles:u" };
	uint64_t counts[PMC_MAX_COUNTS];
	int files[MANY_FILES], n;
	pmc_session_t *session;
	pid_t pid;

	if (nr_types < 2)
		return;		/* The kernel's own clock needs no counter. */
	session = open_sets(sets, 2);
	wait_step(0, 1000000);
	shared->steps[0][1] = shared->steps[0][2] = shared->steps[0][0];
	make_step(&shared->steps[0][3], SYS_exit_group, 0, 0, 0);
	pid = start_process(4);
	n = take_counters("cycles:u", files, take_counters("instr:u", files, 0));
	await_threads(pid, 1);
	pin(pid, first_cpu(0));
	attach(session, pid);
	go_on(pid);
	while (n)
		close(files[--n]);
	go_on(pid);
	tell(session, "sample");
	if (pmc_session_totals(session, 0, 0, counts, NULL, NULL) < 0)
		die("totals: %s", pmc_last_error());
	CHECK(counts[0] > 1000000, "%llu instructions", (unsigned long long)counts[0]);
	CHECK(pmc_session_accuracy(session, 0, 0, 0, NULL) > PMC_EXACT,
	      "a total is called exact although a counter was missing");
	go(pid, 1);
	pmc_session_close(session);
}

static void test_cpus(void)
{
	pmc_session_t *session = open_set("instr,task_clock");
	uint64_t threads;
	int accuracy, id;

	tell(session, "syswide");
	same(pmc_session_command(session, "attach 1"), -1, "attach while CPUs are counted");
	for (id = 0; id < nr_types; id++) {
		pin(0, first_cpu(id));
		spin(100000);
	}
	unpin(0);
	tell(session, "stop");
	for (id = 0; id < nr_types; id++) {
		CHECK(count_of(session, id, 0, &accuracy) > 0, "no instructions on core type %d", id);
		same(accuracy, PMC_EXACT, "accuracy of CPUs, core type %d", id);
	}
	if (pmc_session_totals(session, 0, 0, (uint64_t[PMC_MAX_COUNTS]){ 0 }, NULL, &threads) < 0)
		die("%s", pmc_last_error());
	same(threads, sysconf(_SC_NPROCESSORS_ONLN), "CPUs");
	pmc_session_close(session);
}

#ifdef __x86_64__
#define WATCHDOG	"/proc/sys/kernel/nmi_watchdog"
/* Branches, which no fixed counter counts, and cycles, which may have one */
#define GENERAL		",ev=0xc4"
#define MAYBE_FIXED	",ev=0x3c"

static int nr_general(const struct pmc_core_type_info *ct)
{
	int i, n = 0;

	for (i = 0; i < ct->nr_counters; i++)
		if (ct->counters[i].kind == PMC_COUNTER_GENERAL)
			n += ct->counters[i].last - ct->counters[i].first + 1;
	return n;
}

/* A counter is the NMI watchdog's: there is one less, and sets that need it do not fit. */
static void test_watchdog(void)
{
	pmc_session_t *session = pmc_session_open();
	pmc_machine_t *without, *with;
	char set[1024] = "coretype=0";
	int n, i;

	/* CPUID describes the counters of the CPU that executes it. */
	pin(0, first_cpu(0));
	without = pmc_machine_open();
	if (write_file(WATCHDOG, "1"))
		die("the NMI watchdog can't be switched on");
	with = pmc_machine_open();
	if (!session || !without || !with)
		die("%s", pmc_last_error());
	n = nr_general(pmc_machine_core_type(without, 0));
	same(nr_general(pmc_machine_core_type(with, 0)), n - 1, "general counters beside the watchdog");
	for (i = 0; i < n; i++)
		strcat(set, GENERAL);
	if (pmc_machine_core_type(without, 0)->nr_hw_counters > n)
		strcat(set, MAYBE_FIXED);
	/* Alder Lake's P-cores have two counters more than CPUID says, as the kernel knows. */
	same(pmc_plan_fits(session, 0, set), pmc_machine_nr_core_types(without) > 1,
	     "a set of all counters fits beside the watchdog");
	write_file(WATCHDOG, "0");
	same(pmc_plan_fits(session, 0, set), 1, "a set of all counters fits (%s)", pmc_last_error());
	pmc_machine_close(with);
	pmc_machine_close(without);
	pmc_session_close(session);
	unpin(0);
}
#endif

static void test_refused(void)
{
	pmc_session_t *session = open_set("instr:u");

	same(pmc_session_start(session), -1, "counting oneself");
	mentions(pmc_last_error(), "needs the kernel module", "counting oneself");
	same(pmc_session_command(session, "attach 999999"), -1, "a process that does not exist");
	same(errno, ESRCH, "its errno (%s)", pmc_last_error());
	same(pmc_session_command(session, "period 10us"), -1, "a short period");
	same(pmc_session_command(session, "events ev=0xc0,coretype=9"), -1, "core type 9");
	same(pmc_session_command(session, "syswide 0-9999"), -1, "CPUs that do not exist");
	same(!!pmc_caliper_open("instr"), 0, "a caliper");
	mentions(pmc_last_error(), "modprobe pmctrack", "a caliper");
	pmc_session_close(session);
}

int main(void)
{
	machine = pmc_machine_open();
	if (!machine)
		die("%s", pmc_last_error());
	same(pmc_machine_has_module(machine), 0, "has the module");
	nr_types = pmc_machine_nr_core_types(machine);
	make_shared();
	test_moves();
	test_sets();
	test_threads();
	test_children();
	test_fork();
	test_twice();
	test_rest();
	test_own_process();
	test_detach();
	test_lost();
	test_runs();
	test_end_with_child();
	test_no_clock();
	test_cpus();
#ifdef __x86_64__
	test_watchdog();
#endif
	test_refused();
	return result();
}
