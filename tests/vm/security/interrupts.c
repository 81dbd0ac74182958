// SPDX-License-Identifier: GPL-2.0
/*
 * A user who counts own threads causes interrupts only on the CPUs of these threads, neither
 * by samples nor by attaching and detaching on others, nor by starting and stopping: what the
 * first start has enabled and claimed on all CPUs is kept for the next one. Starts that need
 * other counters have to wait, also those of many users.
 */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"

#define ROUNDS	100
/* Of starts and stops, which wait for grace periods */
#define STARTS	20
#define MAPPINGS	30
#define OTHERS	80
#define USERS	16

/* Number of function call interrupts of a CPU. */
static long long calls(int cpu)
{
	FILE *f = fopen("/proc/interrupts", "r");
	char line[4096], *p;
	long long n = -1;
	int i;

	if (!f)
		die("/proc/interrupts cannot be read");
	while (fgets(line, sizeof(line), f)) {
		if (!strstr(line, "Function call interrupts"))
			continue;
		p = strchr(line, ':') + 1;
		for (i = 0; i <= cpu; i++)
			n = strtoll(p, &p, 10);
	}
	fclose(f);
	if (n < 0)
		die("/proc/interrupts has no function calls");
	return n;
}

static void undisturbed(int fd, const char *name, int rounds, void (*once)(int fd, pid_t pid),
			pid_t pid)
{
	int nr_cpus = sysconf(_SC_NPROCESSORS_ONLN), cpu, i;
	long long before[nr_cpus];

	for (cpu = 0; cpu < nr_cpus; cpu++)
		before[cpu] = calls(cpu);
	for (i = 0; i < rounds; i++)
		once(fd, pid);
	/* CPU 0 runs the caller, CPU 1 the counted thread. The kernel itself interrupts, too. */
	for (cpu = 2; cpu < nr_cpus; cpu++)
		within(calls(cpu) - before[cpu], 0, rounds / 2 + 5,
		       "%s, %d times: interrupts of CPU %d", name, rounds, cpu);
}

static void take_samples(int fd, pid_t pid)
{
	(void)pid;
	command(fd, "sample");
}

static void attach_and_detach(int fd, pid_t pid)
{
	command(fd, "attach %d\ndetach %d", pid, pid);
}

/* With hooks of all kinds, counters and a page, which is mapped for some time */
static const char *events;
static unsigned int mapped_us;

static void start_and_close(int unused, pid_t pid)
{
	int fd = open_session();
	void *page;

	(void)unused;
	(void)pid;
	command(fd, "ring 16\n%s", events);
	start(fd);
	page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, PMC_MMAP_CALIPER);
	if (page == MAP_FAILED)
		die("mmap of the page: %s", strerror(errno));
	spin(1000);
	if (mapped_us)
		usleep(mapped_us);
	munmap(page, 4096);
	close(fd);
	/* Workers have a moment to do what follows the end of a session at once. */
	usleep(2000);
}

static void start_and_stop_often(const char *name, const char *what)
{
	events = what;
	/* A worker enables the hooks of the page, unless the session is closed before. */
	mapped_us = 100000;
	start_and_close(-1, 0);
	mapped_us = 0;
	undisturbed(-1, name, STARTS, start_and_close, 0);
}

static void *sleep_forever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

/* Only a process with several threads has to wait for those that are being switched to. */
static void map_with_two_threads(void)
{
	pthread_t id;
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (pthread_create(&id, NULL, sleep_forever, NULL))
			die("no thread");
		undisturbed(-1, "a page is mapped beside a second thread", MAPPINGS,
			    start_and_close, 0);
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of the process with two threads");
}

static long long start_ms(const char *a, const char *b)
{
	struct timespec begin, end;
	int i;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (i = 0; i < OTHERS; i++) {
		int fd = open_session();

		command(fd, "ring 16\n%s", i & 1 ? a : b);
		start(fd);
		close(fd);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	return (end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000;
}

static void counters(char *text, int first, int nr)
{
	strcpy(text, "events coretype=0");
	while (nr--)
		sprintf(text + strlen(text), ",pmc%d=@I", general_slot(0, ++first));
}

/*
 * Starts that need others than the counters that are kept have to wait. A start begins only if
 * 31 counters or fewer were claimed in the same second, however slow the host is.
 */
static void other_counters_each_time(void)
{
	int nr = __builtin_popcountll(core_types[0].general) / 2;
	char a[1000], b[1000];

	counters(a, 0, nr);
	counters(b, nr, nr);
	within(start_ms(a, b), (OTHERS * nr / (31 + nr) - 1) * 1000, 60000,
	       "ms for %d starts with other counters each time", OTHERS);
}

static void become(uid_t user)
{
	if (setresgid(user, user, user) || setresuid(user, user, user))
		die("becoming a user: %s", strerror(errno));
}

/* One after the other, each user starts once, with other counters than the one before. */
static void many_users(void)
{
	int nr = __builtin_popcountll(core_types[0].general) / 2, status, i;
	struct timespec begin, end;
	char text[2][1000];
	pid_t pid;

	counters(text[0], 0, nr);
	counters(text[1], nr, nr);
	/* A second with one claim for each user, and eight for all */
	set_config("claims_max=1");
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (i = 0; i < USERS; i++) {
		pid = fork();
		if (!pid) {
			int fd;

			become(2000 + i);
			fd = open_session();
			command(fd, "ring 16\n%s", text[i & 1]);
			start(fd);
			_exit(result());
		}
		waitpid(pid, &status, 0);
		same(status, 0, "status of user %d's process", i);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	set_config("claims_max=32");
	within((end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000,
	       ((USERS * nr - 8 - nr) / 8 - 1) * 1000, 60000, "ms for %d users' starts", USERS);
}

/*
 * More than eleven counters at a time: a second later, the next start would still have to wait for
 * more than ten seconds.
 */
static void too_long_to_wait(void)
{
	char text[4096];
	int status, fd;
	pid_t pid;

	if (strcmp(backend, "intel") || nr_core_types < 2)
		return;
	set_config("claims_max=1");
	pid = fork();
	if (!pid) {
		become(3000);
		fd = open_session();
		command(fd, "ring 16\nevents coretype=0,pmc0,pmc1,pmc2,pmc@1=@I,pmc@2=@I,pmc@3=@I");
		command(fd, "events coretype=1,pmc0,pmc1,pmc2,pmc@1=@I,pmc@2=@I,pmc@3=@I");
		start(fd);
		close(fd);
		usleep(1100000);
		fd = open_session();
		counters(text, 3, 4);
		command(fd, "ring 16\n%s", text);
		refused_start(fd, EAGAIN, "claims_max");
		close(fd);
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of the process that is to wait too long");
	set_config("claims_max=32");
}

static pid_t spinner(int cpu)
{
	pid_t pid = fork();

	if (!pid) {
		pin(0, cpu);
		for (;;)
			spin(1000000);
	}
	return pid;
}

/* As an unprivileged user */
static void count(void)
{
	int fd = open_session(), nr_cpus = sysconf(_SC_NPROCESSORS_ONLN), i;
	static pid_t pids[CPU_SETSIZE];

	pin(0, 0);
	/* All CPUs are busy: the kernel itself interrupts idle ones. */
	for (i = 1; i < nr_cpus; i++)
		pids[i] = spinner(i);
	usleep(10000);
	command(fd, "ring 16\nevents sw=migrations,sw=page_faults");
	undisturbed(fd, "attach and detach", ROUNDS, attach_and_detach, pids[1]);
	command(fd, "attach %d", pids[1]);
	undisturbed(fd, "sample", ROUNDS, take_samples, pids[1]);
	close(fd);
	start_and_stop_often("software events", "events sw=task_clock");
	if (core_types[0].nr_hw) {
		start_and_stop_often("four events", "events pmc@1=@I,pmc@2=@I,@F,sw=task_clock");
		/* The counters of one core type serve other events, too. */
		start_and_stop_often("samples", "events pmc@1=@I,ebs@1=1000000,pmc@2=@C");
		map_with_two_threads();
	}
	for (i = 1; i < nr_cpus; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	if (core_types[0].nr_hw)
		other_counters_each_time();
}

/* The kernel wakes its own threads, such as RCU's, on other CPUs by function call interrupts. */
static void move_kernel_threads(const cpu_set_t *cpus, const char *mask)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	write_file("/sys/devices/virtual/workqueue/cpumask", mask);
	while (dir && (entry = readdir(dir)))
		if (atoi(entry->d_name))
			sched_setaffinity(atoi(entry->d_name), sizeof(*cpus), cpus);
	if (dir)
		closedir(dir);
}

int main(void)
{
	cpu_set_t first, all;
	pid_t pid;
	int status;

	read_machine();
	sched_getaffinity(0, sizeof(all), &all);
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	move_kernel_threads(&first, "1");
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid can't be set");
	pid = fork();
	if (!pid) {
		become(1000);
		/* Let the user's session count the user's other processes. */
		prctl(PR_SET_DUMPABLE, 1);
		count();
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of the user's process");
	move_kernel_threads(&all, "f");
	if (core_types[0].nr_hw) {
		many_users();
		too_long_to_wait();
	}
	wait_until_idle();
	return result();
}
