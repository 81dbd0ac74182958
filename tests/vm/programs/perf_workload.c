// SPDX-License-Identifier: GPL-2.0
/*
 * perf_workload - typical uses of perf, repeated until SIGTERM
 *
 * usage: perf_workload [SEED]
 *
 * These are `perf stat` of a program and of all CPUs, with more events than counters and
 * with groups; `perf record` and `perf top` by frequency and by period; and switching the
 * NMI watchdog on and off. A program whose events perf counted all the time must be counted
 * exactly. At the end the program prints how often it did each; its exit status is 1 if a
 * count was wrong.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"
#include "perf.h"

#define WATCHDOG	"/proc/sys/kernel/nmi_watchdog"
#define MAX_CPUS	8
#define MAX_EVENTS	12
#define PINNED_GROUP	2

static volatile sig_atomic_t enough;
static unsigned int seed;
static int nr_cpus;
static long exact, partly, stats, pinned_groups, records, nr_refused, watchdogs;

static void on_term(int unused)
{
	(void)unused;
	enough = 1;
}

static int upto(int n)
{
	return rand_r(&seed) % n;
}

static void a_while(void)
{
	usleep(1000 + upto(30000));
}

/* perf stat PROGRAM, on one core type. */
static void stat_program(void)
{
	int ct = upto(nr_core_types), status, fd, i, others[3];
	struct perf_event_attr attr = {
		.type = perf_type(ct), .config = event_codes()->instructions, .disabled = 1,
		.exclude_kernel = 1, .enable_on_exec = 1, .inherit = 1, .read_format = PERF_TIMES,
	};
	struct value v = { };
	cpu_set_t cpus;
	void *page = MAP_FAILED;
	int go[2];
	char byte;
	pid_t pid;

	if (pipe(go))
		die("pipe");
	pid = fork();
	if (!pid) {
		/* The CPU may be offline. */
		CPU_ZERO(&cpus);
		CPU_SET(core_types[ct].first_cpu, &cpus);
		if (sched_setaffinity(0, sizeof(cpus), &cpus))
			_exit(96);
		if (read(go[0], &byte, 1) == 1)
			execl("/tests/programs/known_loop", "known_loop", NULL);
		_exit(97);
	}
	fd = perf_try(&attr, pid, -1, -1);
	/* Other events that are multiplexed with it */
	attr.config = event_codes()->cycles;
	for (i = 0; i < 3; i++)
		others[i] = perf_try(&attr, pid, -1, -1);
	/* From then on this process may read counters by instruction, without a switch. */
	if (fd >= 0 && upto(2))
		page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	/* A process that could not move to its CPU has ended. */
	signal(SIGPIPE, SIG_IGN);
	close(go[0]);
	if (write(go[1], "", 1) != 1 && errno != EPIPE)
		die("pipe: %s", strerror(errno));
	waitpid(pid, &status, 0);
	if (fd < 0 || WEXITSTATUS(status) == 96) {
		nr_refused++;
	} else if (perf_read(fd, &v) && v.running == v.enabled && v.running) {
		same(v.count, KNOWN_LOOP, "perf's instructions of a program, core type %d", ct);
		exact++;
	} else {
		if (v.count > KNOWN_LOOP)
			fail("perf has %lld instructions of a program of %lld",
			     (long long)v.count, (long long)KNOWN_LOOP);
		partly++;
	}
	if (page != MAP_FAILED)
		munmap(page, 4096);
	close(fd);
	for (i = 0; i < 3; i++)
		close(others[i]);
	close(go[1]);
}

/* perf stat -a, sometimes with more events than counters, or with a group. */
static void stat_cpus(void)
{
	int fds[MAX_CPUS][MAX_EVENTS], nr = 1 + upto(MAX_EVENTS), cpu, i;
	bool group = nr <= 4 && upto(2), pinned;

	/*
	 * AMD has six counters, of which the NMI watchdog has one, and tests need three: a pinned
	 * group has at most two.
	 */
	if (group)
		pinned = nr <= PINNED_GROUP && upto(2);
	else
		pinned = !upto(8);
	pinned_groups += group && pinned && nr > 1;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		for (i = 0; i < nr; i++) {
			struct perf_event_attr attr = {
				.type = perf_type(core_type_of(cpu)),
				.config = i % 2 ? event_codes()->cycles :
						  event_codes()->instructions,
				.pinned = pinned && !i, .exclude_user = i % 3 == 2,
				.read_format = PERF_TIMES,
			};

			fds[cpu][i] = perf_try(&attr, -1, cpu,
					       group && i ? fds[cpu][0] : -1);
			nr_refused += fds[cpu][i] < 0;
		}
	}
	a_while();
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		for (i = 0; i < nr; i++) {
			if (upto(2))
				ioctl(fds[cpu][i], PERF_EVENT_IOC_DISABLE, 0);
			close(fds[cpu][i]);
		}
	}
	stats++;
}

/* perf record and perf top: all CPUs, by frequency or by period. */
static void record(void)
{
	int fds[MAX_CPUS], cpu;
	void *rings[MAX_CPUS];
	bool by_period = upto(2);
	const size_t size = 9 * 4096;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		struct perf_event_attr attr = {
			.type = perf_type(core_type_of(cpu)),
			.config = upto(2) ? event_codes()->cycles : event_codes()->instructions,
			.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
			.freq = !by_period,
		};

		if (by_period)
			attr.sample_period = 100000 + upto(100000);
		else
			attr.sample_freq = 1000 + upto(3000);
		fds[cpu] = perf_try(&attr, -1, cpu, -1);
		nr_refused += fds[cpu] < 0;
		rings[cpu] = fds[cpu] < 0 ? MAP_FAILED :
			     mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fds[cpu], 0);
	}
	a_while();
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		if (rings[cpu] != MAP_FAILED)
			munmap(rings[cpu], size);
		close(fds[cpu]);
	}
	records++;
}

static void watchdog(void)
{
	write_file(WATCHDOG, upto(3) ? "1" : "0");
	watchdogs++;
}

int main(int argc, char **argv)
{
	seed = argc > 1 ? atoi(argv[1]) : 1;
	signal(SIGTERM, on_term);
	read_machine();
	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (nr_cpus > MAX_CPUS)
		nr_cpus = MAX_CPUS;
	while (!enough) {
		switch (upto(8)) {
		case 0: case 1: case 2: stat_program(); break;
		case 3: case 4: stat_cpus(); break;
		case 5: case 6: record(); break;
		default: watchdog(); break;
		}
		usleep(upto(5000));
	}
	write_file(WATCHDOG, "0");
	printf("perf: %ld programs counted exactly, %ld partly; all CPUs counted %ld times, %ld of them by a pinned group, sampled %ld times; the watchdog switched %ld times; %ld events refused\n",
	       exact, partly, stats, pinned_groups, records, watchdogs, nr_refused);
	if (!exact)
		fail("perf has counted nothing exactly");
	return result();
}
