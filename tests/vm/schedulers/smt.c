// SPDX-License-Identifier: GPL-2.0
/*
 * The schedulers pmc-rr and pmc-hsp on cores with two CPUs (SMT): no two threads share a core
 * while another core is idle, whether they wake up or run on. CPUs are used one by one when
 * all cores are busy.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "consumer.h"
#include "scx.h"
#include "vm.h"

#define MAX_CPUS	16

static int core_of[MAX_CPUS];	/* the first CPU of each CPU's core */
static int nr_cpus, nr_cores;

static void read_cores(void)
{
	char path[100];
	FILE *f;
	int cpu;

	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	for (cpu = 0; cpu < nr_cpus && cpu < MAX_CPUS; cpu++) {
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
		f = fopen(path, "r");
		if (!f || fscanf(f, "%d", &core_of[cpu]) != 1)
			die("%s: %s", path, strerror(errno));
		fclose(f);
		nr_cores += core_of[cpu] == cpu;
	}
	if (nr_cores == nr_cpus)
		die("no core has two CPUs");
}

static pid_t spinner(int cpu)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	if (cpu >= 0)
		pin(0, cpu);
	for (;;)
		spin(100000);
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* How many of the processes share a core with another one of them? */
static int sharing(const pid_t *pids, int nr)
{
	int i, on[MAX_CPUS] = { }, shared = 0;

	for (i = 0; i < nr; i++)
		on[core_of[cpu_of(pids[i])]]++;
	for (i = 0; i < nr; i++)
		shared += on[core_of[cpu_of(pids[i])]] > 1;
	return shared;
}

/* Check that within a second each process has a core of its own, and keeps one. */
static void apart(const pid_t *pids, int nr, const char *what)
{
	int i, j, late = 0, waited;

	for (i = 0; i < 100 && sharing(pids, nr); i++)
		usleep(10000);
	waited = i * 10;
	for (j = 0; j < 20; j++) {
		usleep(5000);
		if (!sharing(pids, nr))
			continue;
		late++;
		printf("look %d: on CPUs", j);
		for (i = 0; i < nr; i++)
			printf(" %d", cpu_of(pids[i]));
		printf("\n");
	}
	printf("%s: each of %d threads has a core after %d ms", what, nr, waited);
	for (i = 0; i < nr; i++)
		printf(" %d", cpu_of(pids[i]));
	printf("\n");
	/* A thread that is about to move, or to change places, is still on its old CPU. */
	within(late, 0, 8, "%s: of 20 times two of %d threads share a core", what, nr);
}

/* Two threads of one big core, while the other big core is idle */
static void idle_core(void)
{
	pid_t pids[MAX_CPUS];
	int i;

	for (i = 0; i < nr_cpus; i++)
		pids[i] = spinner(i);
	usleep(200000);
	end(pids[2]);
	end(pids[3]);
	same(sharing(pids, 2), 2, "threads that share a core, as each may use one CPU only");
	unpin(pids[0]);
	unpin(pids[1]);
	apart(pids, 2, "an idle big core");
	end(pids[0]);
	end(pids[1]);
	for (i = 4; i < nr_cpus; i++)
		end(pids[i]);
}

/* The same, and no core is idle but a little one. */
static void idle_little_core(void)
{
	pid_t pids[MAX_CPUS];
	int i;

	for (i = 0; i < nr_cpus; i++)
		pids[i] = spinner(i);
	usleep(200000);
	end(pids[nr_cpus - 1]);
	unpin(pids[0]);
	unpin(pids[1]);
	apart(pids, 2, "an idle little core");
	for (i = 0; i < nr_cpus - 1; i++)
		end(pids[i]);
}

/* As many threads as cores start at once, and sleep now and then. */
static void as_many_as_cores(void)
{
	pid_t pids[MAX_CPUS];
	int i;

	for (i = 0; i < nr_cores; i++) {
		pids[i] = fork();
		if (pids[i])
			continue;
		for (;;) {
			spin(5000000);
			usleep(100);
		}
	}
	apart(pids, nr_cores, "as many threads as cores");
	for (i = 0; i < nr_cores; i++)
		end(pids[i]);
}

/* A thread wakes up on an idle core, not on its previous CPU, whose sibling is busy. */
static void wakes_up(void)
{
	pid_t other = spinner(0), pid;
	int i, status, half = 0;

	usleep(50000);
	pid = fork();
	if (!pid) {
		pin(0, 1);
		unpin(0);
		for (i = 0; i < 20; i++) {
			/* Shorter than a tick, at which it could move */
			usleep(2000);
			spin(1000);
			half += core_of[sched_getcpu()] == 0;
		}
		_exit(half);
	}
	waitpid(pid, &status, 0);
	within(WEXITSTATUS(status), 0, 3, "of 20 times awake on a core whose other CPU is busy");
	end(other);
}

/* As many threads as CPUs: each has one. */
static void as_many_as_cpus(void)
{
	pid_t pids[MAX_CPUS];
	int i, j, wait, used = 0;

	for (i = 0; i < nr_cpus; i++)
		pids[i] = spinner(-1);
	for (wait = 0; wait < 100 && used < nr_cpus; wait++) {
		bool on[MAX_CPUS] = { };

		usleep(10000);
		for (used = 0, j = 0; j < nr_cpus; j++) {
			used += !on[cpu_of(pids[j])];
			on[cpu_of(pids[j])] = true;
		}
	}
	same(used, nr_cpus, "CPUs that %d threads use after a second", nr_cpus);
	for (i = 0; i < nr_cpus; i++)
		end(pids[i]);
}

/* A thread of which one in @ratio rounds is a system call */
static pid_t caller(const cpu_set_t *cpus, long ratio)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	if (sched_setaffinity(0, sizeof(*cpus), cpus))
		die("sched_setaffinity: %s", strerror(errno));
	for (;;) {
		spin(ratio);
		syscall(SYS_getppid);
	}
}

static void wait_until_known(pid_t pid, const char *which)
{
	unsigned long long value = 0;

	same(wait_for_metric(pid, METRIC_SPEEDUP, &value), 0, "%s: speedup factor", which);
	printf("%s: speedup factor %llu/1000\n", which, value);
}

/*
 * A thread on a little core gains more than two others on big cores. It takes the place of the
 * one whose core nobody shares, though that one gains more than the other.
 */
static void whole_core(void)
{
	int big = core_types[0].first_cpu, little = core_types[1].first_cpu;
	pid_t sharing, alone, moving, fixed[2];
	int go[2], status;
	cpu_set_t cpus;
	char c;

	fixed[0] = spinner(big + 1);
	fixed[1] = spinner(little + 1);
	/* Each may leave its CPU for that of the moving thread only. */
	CPU_ZERO(&cpus);
	CPU_SET(big, &cpus);
	CPU_SET(little, &cpus);
	sharing = caller(&cpus, 1);
	CPU_ZERO(&cpus);
	CPU_SET(big + 2, &cpus);
	CPU_SET(little, &cpus);
	alone = caller(&cpus, 100);
	if (pipe(go))
		die("pipe: %s", strerror(errno));
	if (fcntl(go[0], F_SETFL, O_NONBLOCK))
		die("fcntl: %s", strerror(errno));
	moving = fork();
	if (!moving) {
		pin(0, little);
		while (read(go[0], &c, 1) != 1)
			spin(1000000);
		unpin(0);
		while (sched_getcpu() == little)
			spin(1000);
		_exit(sched_getcpu());
	}
	wait_until_known(sharing, "sharing a core");
	wait_until_known(alone, "alone on a core");
	wait_until_known(moving, "on a little core");
	/* Time for each to get its place */
	usleep(500000);
	if (write(go[1], "", 1) != 1)
		die("write: %s", strerror(errno));
	waitpid(moving, &status, 0);
	same(WEXITSTATUS(status), big + 2, "the CPU of the core that one thread has");
	end(sharing);
	end(alone);
	end(fixed[0]);
	end(fixed[1]);
	close(go[0]);
	close(go[1]);
}

int main(void)
{
	/* Threads that take turns change their cores, too, and are not looked at here. */
	char *const schedulers[][5] = { { "pmc-rr", "--turn", "5000", "-v" }, { "pmc-hsp", "-v" } };
	pid_t scheduler;
	int i;

	need_core_types();
	read_cores();
	load_module("pmc_estimated_sf");
	load_module("test_consumer");
	user_mode_model();
	set_config("estimated_sf.period_ms=20");
	activate("estimated_sf");
	for (i = 0; i < 2; i++) {
		printf("%s:\n", schedulers[i][0]);
		scheduler = load_scheduler(schedulers[i]);
		mentions(scheduler_messages(), "on 4 big and 2 little CPUs", "the message");
		idle_core();
		idle_little_core();
		as_many_as_cores();
		as_many_as_cpus();
		wakes_up();
		if (i)
			whole_core();
		unload_scheduler(scheduler, SIGTERM);
		decided("spread");
	}
	deactivate("estimated_sf");
	unload_module("test_consumer");
	unload_module("pmc_estimated_sf");
	return result();
}
