// SPDX-License-Identifier: GPL-2.0
/*
 * A user who counts own threads causes interrupts only on the CPUs of these threads, neither
 * by samples nor by attaching and detaching on others.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"

#define ROUNDS	100
/* Tolerance: interrupts of the kernel itself. */
#define FEW	(ROUNDS / 2)

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

static void undisturbed(int fd, const char *name, void (*once)(int fd, pid_t pid), pid_t pid)
{
	int nr_cpus = sysconf(_SC_NPROCESSORS_ONLN), cpu, i;
	long long before[nr_cpus];

	for (cpu = 0; cpu < nr_cpus; cpu++)
		before[cpu] = calls(cpu);
	for (i = 0; i < ROUNDS; i++)
		once(fd, pid);
	/* CPU 0 runs the caller, CPU 1 the counted thread. */
	for (cpu = 2; cpu < nr_cpus; cpu++)
		within(calls(cpu) - before[cpu], 0, FEW, "%s, %d times: interrupts of CPU %d", name,
		       ROUNDS, cpu);
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

int main(void)
{
	int fd = open_session(), keeper = open_session(), nr_cpus = sysconf(_SC_NPROCESSORS_ONLN), i;
	static pid_t pids[CPU_SETSIZE];

	read_machine();
	pin(0, 0);
	/* The first session switches the hooks on, the last one off, which interrupts all CPUs. */
	command(keeper, "ring 16\nevents sw=migrations");
	start(keeper);
	/* All CPUs are busy: the kernel itself interrupts idle ones. */
	for (i = 1; i < nr_cpus; i++)
		pids[i] = spinner(i);
	usleep(10000);
	command(fd, "ring 16\nevents sw=migrations,sw=page_faults");
	undisturbed(fd, "attach and detach", attach_and_detach, pids[1]);
	command(fd, "attach %d", pids[1]);
	undisturbed(fd, "sample", take_samples, pids[1]);
	close(fd);
	close(keeper);
	for (i = 1; i < nr_cpus; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	wait_until_idle();
	return result();
}
