// SPDX-License-Identifier: GPL-2.0
/*
 * The schedulers pmc-rr and pmc-hsp on a kernel with sched_ext. Round robin gives every
 * program the same time on big cores; high speedup runs those programs on big cores that
 * gain most from them. Both leave nothing behind, however they end, and handle threads that
 * start, end and change their affinity.
 *
 * On x86-timed the speedup factors are real, and measured. On other machines all programs are
 * as fast on either core type. There a model says that a program gains by the share of its
 * instructions that are in user mode.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "consumer.h"
#include "scx.h"
#include "vm.h"

#define PROGRAMS	4
#define PHASE_MIX	"/tests/programs/phase_mix"
/*
 * Sampling period, and the time of four samples, ms. The emulator runs a CPU up to a
 * millisecond late, which must be a small part of a sample.
 */
#define PERIOD		"20"
#define EXPLORE		"80"
#define KEEP		"20"

/* Alone, the first is 2.3 times faster on a big core, the last 1.3 times. */
static char *const mix[PROGRAMS] = {
	"0,100,0,0:100000000", "100,0,0,0:100000000",
	"60,0,5,20:100000000", "60,0,10,20:100000000",
};

/* Programs for machines that are not timed, by the model */
static const char *const modes[PROGRAMS] = {
	"user mode, 1", "user mode, 2", "system calls, 1", "system calls, 2",
};

static bool timed;
static const char *name[PROGRAMS];	/* of the programs on this machine */
static const char *module;		/* that provides speedup factors */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/*
 * Is the machine timed? There, cycles of a big core pass while it waits for memory. Elsewhere an
 * instruction takes one cycle. (Time does not tell: CPUs that take turns are slow together.)
 */
static bool is_timed(void)
{
	static volatile char memory[4 << 20];
	uint64_t instructions, cycles;
	int fd = open_session();
	size_t i;

	for (i = 0; i < sizeof(memory); i += 4096)
		memory[i] = 1;
	pin(0, core_types[0].first_cpu);
	command(fd, "events " INSTRUCTIONS "," CYCLES);
	start(fd);
	for (i = 0; i < sizeof(memory); i += 64)
		(void)memory[i];
	stop(fd);
	unpin(0);
	instructions = total(fd, -1, 0, 0);
	cycles = total(fd, -1, 0, 1);
	close(fd);
	printf("loads from memory: %llu instructions, %llu cycles\n",
	       (unsigned long long)instructions, (unsigned long long)cycles);
	return cycles > instructions * 3 / 2;
}

static void prepare_machine(void)
{
	int i;

	timed = is_timed();
	for (i = 0; i < PROGRAMS; i++)
		name[i] = timed ? mix[i] : modes[i];
	module = timed ? "ipc_sampling_sf" : "estimated_sf";
	load_module(timed ? "pmc_ipc_sampling_sf" : "pmc_estimated_sf");
	set_config("%s.period_ms=" PERIOD, module);
	if (timed)
		return;
	user_mode_model();
}

/* Is the process one of the scheduler's? Some kernels of the project's own do not say. */
static void in_class(pid_t pid, bool expected)
{
	char path[40], line[200];
	int enabled = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/sched", pid);
	f = fopen(path, "r");
	if (!f)
		return;
	while (fgets(line, sizeof(line), f))
		sscanf(line, "ext.enabled : %d", &enabled);
	fclose(f);
	same(enabled, expected, "process %d is one of the scheduler's", pid);
}

/* A program that is counted, but waits for its start. */
struct running {
	pid_t pid;
	int session;
	uint64_t big, all;
};

static void run_program(int i)
{
	if (timed) {
		execl(PHASE_MIX, PHASE_MIX, mix[i], NULL);
		die(PHASE_MIX ": %s", strerror(errno));
	}
	for (;;) {
		if (i < PROGRAMS / 2)
			spin(100000);
		else
			syscall(SYS_getppid);
	}
}

static void prepare(struct running *r, int i)
{
	r->pid = fork();
	if (!r->pid) {
		raise(SIGSTOP);
		run_program(i);
	}
	waitpid(r->pid, NULL, WUNTRACED);
	r->session = open_session();
	command(r->session, "events sw=task_clock\nattach %d", r->pid);
}

static uint64_t time_on(int fd, int core_type)
{
	struct pmc_totals t = { .core_type = core_type };

	if (ioctl(fd, PMC_IOC_TOTALS, &t))
		die("PMC_IOC_TOTALS: %s", strerror(errno));
	return t.running;
}

/* The thread's time on big cores and on all, with no sample between the two */
static void read_times(int session, uint64_t *big, uint64_t *all)
{
	uint64_t before;

	do {
		before = time_on(session, PMC_ALL_CORE_TYPES);
		*big = time_on(session, 0);
		*all = time_on(session, PMC_ALL_CORE_TYPES);
	} while (*all != before);
}

/* The share of big cores of each program during this time, in thousandths of its time. */
static void watch(struct running *r, int ms, long long *share)
{
	uint64_t big, all;
	int i, last;

	for (last = 0; last < 2; last++) {
		for (i = 0; i < PROGRAMS; i++)
			command(r[i].session, "sample");
		/* A thread that does not run is sampled when it runs again. */
		usleep(40000);
		for (i = 0; i < PROGRAMS; i++) {
			read_times(r[i].session, &big, &all);
			if (last) {
				big -= r[i].big;
				all -= r[i].all;
				share[i] = all ? big * 1000 / all : 0;
				printf("%-24s %4lld/1000 of %3llu ms on big cores\n", name[i],
				       share[i], (unsigned long long)all / 1000000);
				/* There are as many CPUs as programs; this test needs one, too. */
				if (all < ms * 800000ULL)
					fail("%s: it ran %llu ns in %d ms", name[i],
					     (unsigned long long)all, ms);
			}
			r[i].big = big;
			r[i].all = all;
		}
		if (!last)
			usleep(ms * 1000);
	}
}

/* Is the speedup factor of all programs known? Each needs time on both core types. */
static bool all_known(const struct running *r)
{
	unsigned long long value, age;
	int i;

	for (i = 0; i < PROGRAMS; i++)
		if (metric(r[i].pid, METRIC_SPEEDUP, &value, &age))
			return false;
	return true;
}

static void print_factors(const struct running *r)
{
	unsigned long long value = 0, age = 0;
	int i;

	for (i = 0; i < PROGRAMS; i++)
		if (!metric(r[i].pid, METRIC_SPEEDUP, &value, &age))
			printf("%-24s speedup factor %llu/1000, %llu ms old\n", name[i], value,
			       age / 1000000);
}

static void end(struct running *r)
{
	int i;

	for (i = 0; i < PROGRAMS; i++) {
		kill(r[i].pid, SIGKILL);
		waitpid(r[i].pid, NULL, 0);
		close(r[i].session);
	}
}

/* More threads than CPUs start, sleep, move from CPU to CPU, and end. */
static void many_threads(void)
{
	pid_t pids[12];
	int i, j;

	for (i = 0; i < 12; i++) {
		pids[i] = fork();
		if (pids[i])
			continue;
		for (j = 0; j < 20; j++) {
			spin(100000);
			if (i % 3 == 0)
				usleep(500);
			if (i % 3 == 1)
				pin(0, (i + j) % 4);
			if (i % 3 == 2 && !fork()) {
				spin(1000);
				_exit(0);
			}
		}
		while (wait(NULL) > 0)
			;
		_exit(7);
	}
	for (i = 0; i < 12; i++) {
		int status = 0;

		waitpid(pids[i], &status, 0);
		same(WEXITSTATUS(status), 7, "process %d of the many_threads", i);
	}
}

/* Programs of known length are counted while others take their places. */
static void exact_counts(void)
{
	struct pmc_totals t = { .core_type = PMC_ALL_CORE_TYPES };
	int fd = open_session(), go[2], i, status;
	pid_t pids[6];
	char c;

	command(fd, "events " INSTRUCTIONS "\nenable exec");
	if (pipe(go))
		die("pipe: %s", strerror(errno));
	for (i = 0; i < 6; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			if (read(go[0], &c, 1) == 1)
				execl("/tests/programs/known_loop", "known_loop", NULL);
			_exit(1);
		}
		command(fd, "attach %d", pids[i]);
	}
	if (write(go[1], "xxxxxx", 6) != 6)
		die("write: %s", strerror(errno));
	for (i = 0; i < 6; i++) {
		waitpid(pids[i], &status, 0);
		same(WEXITSTATUS(status), KNOWN_STATUS, "the exit status of program %d", i);
	}
	command(fd, "stop");
	if (ioctl(fd, PMC_IOC_TOTALS, &t))
		die("PMC_IOC_TOTALS: %s", strerror(errno));
	same(t.counts[0], 6 * KNOWN_LOOP, "instructions of six programs");
	close(go[0]);
	close(go[1]);
	close(fd);
}

/* With more threads than CPUs, too, a thread gets the CPU whose thread makes place for it. */
static void waiting_threads(struct running *r)
{
	long long swapped = reported("swapped");

	prepare(r, 0);
	kill(r->pid, SIGCONT);
	/* Reports come once a second. */
	usleep(by_size(1, 2) * 1000000 + 100000);
	swapped = reported("swapped") - swapped;
	printf("with a thread more than CPUs, %lld swapped\n", swapped);
	within(swapped, 5, 1000, "threads that took another one's place in a second or two");
	/* 1 of 93 was seen; without a queue for such threads it is 45 of 100. */
	within(reported("missed"), 0, swapped / 10,
	       "threads that did not get the CPU that was freed");
	kill(r->pid, SIGKILL);
	waitpid(r->pid, NULL, 0);
	close(r->session);
}

static void round_robin(struct running *r)
{
	char *const argv[] = { "pmc-rr", "--turn", "20", "--verbose", NULL };
	/* Five turns, as share of the time that is watched, times 1000. */
	const int ms = by_size(800, 1600), five_turns = 5 * 20 * 1000 / ms;
	pid_t scheduler = load_scheduler(argv);
	long long share[PROGRAMS];
	int i;

	for (i = 0; i < PROGRAMS; i++)
		prepare(&r[i], i);
	for (i = 0; i < PROGRAMS; i++)
		kill(r[i].pid, SIGCONT);
	mentions(scheduler_messages(), "on 2 big and 2 little CPUs", "the message");
	usleep(50000);
	printf("pmc-rr:\n");
	watch(r, ms, share);
	for (i = 0; i < PROGRAMS; i++) {
		within(share[i], 500 - five_turns, 500 + five_turns,
		       "%s: share of big cores", name[i]);
		in_class(r[i].pid, true);
	}
	waiting_threads(&r[PROGRAMS]);
	exact_counts();
	if (!syscall(SYS_delete_module, "pmctrack", O_NONBLOCK))
		fail("pmctrack could be unloaded while a scheduler uses it");
	many_threads();
	/* Reports come once a second. */
	usleep(1100000);
	decided("no_idle to_local to_target to_cluster by_affinity");
	decided("from_target from_cluster continued from_other idle");
	decided("balanced swapped no_lower");
	/* The programs continue when the scheduler ends, even when it is killed. */
	unload_scheduler(scheduler, SIGKILL);
	printf("the kernel's:\n");
	for (i = 0; i < PROGRAMS; i++)
		in_class(r[i].pid, false);
	watch(r, 100, share);
	end(r);
}

/* A thread is in another class for a while, as with priority inheritance, and returns. */
static void comes_back(const struct running *r)
{
	const struct sched_param first = { .sched_priority = 1 }, none = { .sched_priority = 0 };
	unsigned long long value, age;
	int i;

	if (sched_setscheduler(r->pid, SCHED_FIFO, &first))
		die("sched_setscheduler: %s", strerror(errno));
	for (i = 0; i < 100 && !metric(r->pid, METRIC_SPEEDUP, &value, &age); i++)
		usleep(10000);
	CHECK(i < 100, "the scheduler has had a real-time thread monitored for 1 s");
	if (sched_setscheduler(r->pid, SCHED_OTHER, &none))
		die("sched_setscheduler: %s", strerror(errno));
	for (i = 0; i < 300 && metric(r->pid, METRIC_SPEEDUP, &value, &age); i++)
		usleep(10000);
	CHECK(i < 300, "3 s after it was a real-time thread its speedup factor is not known");
	printf("known again after some %d ms\n", i * 10);
}

/* pmctrack does not monitor a thread any more: the scheduler asks for it again. */
static void requested_again(const struct running *r)
{
	unsigned long long value, age;
	int i;

	same(consumer("off", r->pid, 0), 0, "ending the monitoring of a thread");
	for (i = 0; i < 500 && !metric(r->pid, METRIC_SPEEDUP, &value, &age); i++)
		usleep(2000);
	CHECK(i < 500, "a thread is monitored 1 s after its monitoring should end");
	for (i = 0; i < 300 && metric(r->pid, METRIC_SPEEDUP, &value, &age); i++)
		usleep(10000);
	CHECK(i < 300, "3 s after it was not monitored any more its speedup factor is not known");
	printf("requested again, and known after some %d ms\n", i * 10);
}

static void high_speedup(struct running *r)
{
	char *const argv[] = { "pmc-hsp", "--explore", EXPLORE, "--keep", KEEP, "-v", NULL };
	long long share[PROGRAMS];
	pid_t scheduler;
	int i;

	/* The threads exist before the scheduler is loaded. */
	for (i = PROGRAMS - 1; i >= 0; i--)
		prepare(&r[i], i);
	scheduler = load_scheduler(argv);
	for (i = 0; i < PROGRAMS; i++)
		kill(r[i].pid, SIGCONT);
	/* Without a module all programs try big and little cores; no factor is known yet. */
	usleep(by_size(200000, 400000));
	activate(module);
	for (i = 0; i < 300 && !all_known(r); i++)
		usleep(10000);
	CHECK(i < 300, "after 3 s some speedup factor is not known yet");
	/* Time for the programs to change places */
	usleep(400000);
	printf("pmc-hsp, known after some %d ms:\n", i * 10);
	watch(r, by_size(500, 600), share);
	print_factors(r);
	printf("%lld swapped until then\n", reported("swapped"));
	/*
	 * When another thread wakes up, which this test does at the beginning and at the end of
	 * that time, a program leaves its big core for up to 40 ms.
	 */
	for (i = 0; i < PROGRAMS / 2; i++)
		within(share[i], 800, 1000, "%s: share of big cores", name[i]);
	for (; i < PROGRAMS; i++)
		within(share[i], 0, 200, "%s: share of big cores", name[i]);
	comes_back(&r[0]);
	requested_again(&r[0]);
	many_threads();
	end(r);
	unload_scheduler(scheduler, SIGTERM);
	decided("known unknown requested repeated refused explored deferred");
}

/* A thread that sleeps for a moment continues on its CPU, which has its cache lines. */
static void stays(void)
{
	char *const argv[] = { "pmc-rr", "-v", NULL };
	pid_t scheduler = load_scheduler(argv), pid;
	int i, status, cpu, before = 1, elsewhere = 0;

	pid = fork();
	if (!pid) {
		/* The second of the big CPUs */
		pin(0, 1);
		unpin(0);
		for (i = 0; i < 20; i++) {
			usleep(2000);
			spin(1000);
			cpu = sched_getcpu();
			elsewhere += cpu != before;
			before = cpu;
		}
		_exit(elsewhere);
	}
	waitpid(pid, &status, 0);
	/* The kernel also works on this CPU. */
	within(WEXITSTATUS(status), 0, 3, "of 20 times awake on another CPU than before");
	unload_scheduler(scheduler, SIGTERM);
	within(reported("prev_cpu"), 17, 1000, "threads that woke up on their previous CPU");
}

/* A thread that occupies a CPU, and ends before real-time threads are throttled */
static pid_t real_time_thread(int cpu)
{
	const struct sched_param first = { .sched_priority = 1 };
	pid_t pid = fork();
	uint64_t end;

	if (pid)
		return pid;
	if (sched_setscheduler(0, SCHED_FIFO, &first))
		die("sched_setscheduler: %s", strerror(errno));
	pin(0, cpu);
	end = now_ns() + by_size(400000000, 800000000);
	while (now_ns() < end)
		;
	_exit(0);
}

/* Check that a program runs for most of the time while real-time threads occupy some CPUs. */
static void runs_beside(pid_t pid, const char *threads)
{
	uint64_t start = now_ns(), ran = cpu_time_ns(pid);

	usleep(by_size(200000, 500000));
	ran = cpu_time_ns(pid) - ran;
	start = now_ns() - start;
	printf("beside %s: %llu of %llu ms\n", threads, (unsigned long long)ran / 1000000,
	       (unsigned long long)start / 1000000);
	/* The kernel updates the time of a thread that runs at each tick: at most 4 ms more. */
	within(ran * 1000 / start, 800, 1020,
	       "thousandths of its time that a thread runs beside %s", threads);
}

/*
 * A big CPU that runs a real-time thread is not idle, although the scheduler runs none there. A
 * thread that a real-time thread preempts continues on another CPU.
 */
static void real_time(struct running *r)
{
	char *const argv[] = { "pmc-rr", NULL };
	pid_t scheduler = load_scheduler(argv), pids[2];
	int i;

	prepare(r, 0);
	for (i = 0; i < 2; i++)
		pids[i] = real_time_thread(i);
	usleep(50000);
	kill(r->pid, SIGCONT);
	runs_beside(r->pid, "real-time threads on big CPUs");
	for (i = 0; i < 2; i++)
		waitpid(pids[i], NULL, 0);
	/* By now it is on a big CPU. */
	usleep(100000);
	pids[0] = real_time_thread(cpu_of(r->pid));
	usleep(50000);
	runs_beside(r->pid, "a real-time thread that preempted it");
	waitpid(pids[0], NULL, 0);
	kill(r->pid, SIGKILL);
	waitpid(r->pid, NULL, 0);
	close(r->session);
	unload_scheduler(scheduler, SIGTERM);
}

static void set_online(int cpu, bool online)
{
	char path[80];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	same(write_file(path, "%d", online), 0, "writing %d to %s", online, path);
}

/*
 * The formulae of the two core types differ by more than the margin: each program seems to gain
 * more while it is on a little core. Two programs that changed places keep them for a while.
 */
static void equal_programs(void)
{
	char *const argv[] = { "pmc-hsp", "--explore", EXPLORE, "--verbose", NULL };
	struct running r[PROGRAMS];
	int i, seconds = by_size(1, 2);
	long long swapped;
	pid_t scheduler;

	deactivate(module);
	set_config("estimated_sf.0.estimate=1");
	set_config("estimated_sf.1.estimate=1.1");
	activate(module);
	scheduler = load_scheduler(argv);
	for (i = 0; i < PROGRAMS; i++)
		prepare(&r[i], 0);
	for (i = 0; i < PROGRAMS; i++)
		kill(r[i].pid, SIGCONT);
	for (i = 0; i < 300 && !all_known(r); i++)
		usleep(10000);
	CHECK(i < 300, "after 3 s some speedup factor is not known yet");
	/* Reports come once a second. */
	usleep(1100000);
	swapped = reported("swapped");
	usleep(seconds * 1000000);
	swapped = reported("swapped") - swapped;
	printf("four programs that seem to gain on the other core: %lld swapped in %d s\n",
	       swapped, seconds);
	/* 200 ms, two big CPUs, and a report more or less */
	within(swapped, 2 * seconds, 2 * (seconds + 1) * 1000 / 200, "swapped");
	end(r);
	unload_scheduler(scheduler, SIGTERM);
	decided("held");
	deactivate(module);
	user_mode_model();
	activate(module);
}

/* In memory that processes share */
struct family {
	volatile bool may_fork, may_end;
	volatile pid_t child;
};

/* A process with a child that does not run: as a real-time thread, the parent keeps their CPU. */
static void keep_child_waiting(struct family *f)
{
	const struct sched_param first = { .sched_priority = 1 };
	pid_t child;

	pin(0, 3);
	while (!f->may_fork)
		spin(1000);
	child = fork();
	if (!child)
		for (;;)
			pause();
	f->child = child;
	if (sched_setscheduler(0, SCHED_FIFO, &first))
		die("sched_setscheduler: %s", strerror(errno));
	while (!f->may_end)
		;
	_exit(0);
}

/* Wait up to 3 s for the error of a query, @expected. Return: the error */
static int wait_for_error(pid_t pid, int expected)
{
	unsigned long long value, age;
	int i;

	for (i = 0; i < 300 && metric(pid, METRIC_SPEEDUP, &value, &age) != expected; i++)
		usleep(10000);
	return metric(pid, METRIC_SPEEDUP, &value, &age);
}

/* Monitoring is inherited. It ends with the scheduler, also for a thread that has not run. */
static void inherited(void)
{
	char *const argv[] = { "pmc-hsp", NULL };
	struct family *f = mmap(NULL, sizeof(*f), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t scheduler = load_scheduler(argv), parent = fork();

	if (!parent)
		keep_child_waiting(f);
	same(wait_for_error(parent, 0), 0, "the speedup factor of a parent");
	f->may_fork = true;
	/* The parent does not run under the scheduler any more. */
	same(wait_for_error(parent, -ESRCH), -ESRCH, "the speedup factor of a real-time thread");
	same(wait_for_error(f->child, -ENODATA), -ENODATA, "the speedup factor of its child");
	unload_scheduler(scheduler, SIGTERM);
	same(cpu_time_ns(f->child), 0, "CPU time of the child until then, in ns");
	f->may_end = true;
	waitpid(parent, NULL, 0);
	same(wait_for_error(f->child, -ESRCH), -ESRCH, "that after the scheduler has ended");
	kill(f->child, SIGKILL);
	munmap(f, sizeof(*f));
}

/* Programs that end before anything is known of them, one after the other */
static pid_t short_ones(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (;;) {
		if (!fork()) {
			spin(2000000);
			_exit(0);
		}
		wait(NULL);
	}
}

/* The big core of a program that gains is not given to programs of which nothing is known. */
static void short_programs(void)
{
	char *const argv[] = { "pmc-hsp", NULL };
	pid_t scheduler = load_scheduler(argv), others[3];
	struct running r[1];
	uint64_t big[2], all[2];
	long long share;
	int i;

	prepare(r, 0);
	kill(r->pid, SIGCONT);
	usleep(by_size(500000, 1000000));
	for (i = 0; i < 3; i++)
		others[i] = short_ones();
	usleep(50000);
	command(r->session, "sample");
	usleep(40000);
	read_times(r->session, &big[0], &all[0]);
	usleep(by_size(800000, 1500000));
	command(r->session, "sample");
	usleep(40000);
	read_times(r->session, &big[1], &all[1]);
	share = (big[1] - big[0]) * 1000 / (all[1] - all[0]);
	printf("beside short programs %lld/1000 of its time on big cores\n", share);
	/* Now and then there are more threads than CPUs, and some have to go to little cores. */
	within(share, 700, 1000, "share of big cores beside short programs");
	for (i = 0; i < 3; i++) {
		kill(others[i], SIGKILL);
		waitpid(others[i], NULL, 0);
	}
	kill(r->pid, SIGKILL);
	waitpid(r->pid, NULL, 0);
	close(r->session);
	unload_scheduler(scheduler, SIGTERM);
}

/* Wait up to 10 s for a message of the command that is in force. */
static void wait_for_message(const char *text, const char *when)
{
	int i;

	for (i = 0; i < 1000 && !strstr(scheduler_messages(), text); i++)
		usleep(10000);
	mentions(scheduler_messages(), text, "%s", when);
}

/* When CPUs go offline or come back, the scheduler starts again with the CPUs that there are. */
static void hotplug(void)
{
	char *const argv[] = { "pmc-rr", NULL };
	pid_t scheduler = load_scheduler(argv);
	int cpu, status;

	set_online(3, false);
	wait_for_message("on 2 big and 1 little CPUs", "CPU 3 offline");
	forget_messages();
	set_online(3, true);
	wait_for_message("on 2 big and 2 little CPUs", "CPU 3 online");
	many_threads();
	/* Without little CPUs there is nothing to do. */
	set_online(3, false);
	set_online(2, false);
	waitpid(scheduler, &status, 0);
	same(status, 1 << 8, "no little CPU: the scheduler's exit status");
	mentions(scheduler_messages(), "needs CPUs of different speed", "no little CPU");
	same(scheduler_ended(), true, "no little CPU: the scheduler ends");
	for (cpu = 2; cpu < 4; cpu++)
		set_online(cpu, true);
}

/* The command says why the kernel ended the scheduler, in the kernel's words. */
static void ended_by_kernel(void)
{
	char *const argv[] = { "pmc-rr", NULL };
	pid_t scheduler = load_scheduler(argv);
	int status;

	same(write_file("/proc/sysrq-trigger", "S"), 0, "writing S to sysrq-trigger");
	waitpid(scheduler, &status, 0);
	same(status, 1 << 8, "ended by SysRq: the scheduler's exit status");
	mentions(scheduler_messages(), "the kernel ended the scheduler: disabled by sysrq",
		 "ended by SysRq");
	same(scheduler_ended(), true, "ended by SysRq: the scheduler ends");
}

/* pmctrack cannot be unloaded while BPF programs use it. */
static void nothing_left(void)
{
	int i;

	wait_until_idle();
	for (i = 0; i < 500 && syscall(SYS_delete_module, "pmctrack", O_NONBLOCK); i++)
		usleep(10000);
	if (i == 500)
		fail("5 s after the last scheduler pmctrack cannot be unloaded: %s", strerror(errno));
	else
		load_module("pmctrack");
}

/* CPUs of which pmctrack knows no core type are little ones, and threads run there, too. */
static void unknown_core_type(void)
{
	char *const argv[] = { "pmc-rr", NULL };
	pid_t scheduler;
	int cpu;

	for (cpu = 2; cpu < 4; cpu++)
		set_online(cpu, false);
	if (system("rmmod pmctrack && insmod /lib/pmctrack/pmctrack.ko core_types=0:big,1:little"))
		die("pmctrack cannot be loaded without the little CPUs");
	for (cpu = 2; cpu < 4; cpu++)
		set_online(cpu, true);
	same(proc_value("stats", "cpus_left_out"), 2, "CPUs of no known type");
	scheduler = load_scheduler(argv);
	many_threads();
	same(waitpid(scheduler, NULL, WNOHANG), 0, "CPUs of no known type: the scheduler's end");
	mentions(scheduler_messages(), "on 1 big and 3 little CPUs", "CPUs of no known type");
	unload_scheduler(scheduler, SIGTERM);
	unload_module("pmctrack");
	load_module("pmctrack");
}

int main(void)
{
	struct running r[PROGRAMS + 1];

	need_core_types();
	prepare_machine();
	load_module("test_consumer");
	round_robin(r);
	high_speedup(r);
	/* The rest takes longer on x86-timed, and shows no more there. */
	if (!timed) {
		stays();
		real_time(r);
		equal_programs();
		short_programs();
		inherited();
		hotplug();
		ended_by_kernel();
	}
	deactivate(module);
	unload_module(timed ? "pmc_ipc_sampling_sf" : "pmc_estimated_sf");
	unload_module("test_consumer");
	nothing_left();
	if (!timed)
		unknown_core_type();
	return result();
}
