// SPDX-License-Identifier: GPL-2.0
/*
 * The schedulers pmc-rr and pmc-hsp, and threads with nice values. Threads of equal nice values get
 * equal CPU time, whatever the value is. Times that options name are CPU time.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scx.h"
#include "vm.h"

#define MOST_THREADS	8

/* Processes that run on and on */
struct load {
	int nr;
	pid_t pids[MOST_THREADS];
};

static void add_spinner(struct load *load, int nice_value)
{
	pid_t pid = fork();

	if (!pid) {
		setpriority(PRIO_PROCESS, 0, nice_value);
		for (;;)
			spin(100000);
	}
	load->pids[load->nr++] = pid;
}

static void end(struct load *load)
{
	int i;

	for (i = 0; i < load->nr; i++) {
		kill(load->pids[i], SIGKILL);
		waitpid(load->pids[i], NULL, 0);
	}
	load->nr = 0;
}

/* More threads than CPUs, all of one nice value, have the same CPU time. */
static void equal_threads(char *const argv[], int nice_value, const char *what)
{
	uint64_t ran[MOST_THREADS], mean = 0;
	pid_t scheduler = load_scheduler(argv);
	struct load load = { };
	int i;

	for (i = 0; i < MOST_THREADS; i++)
		add_spinner(&load, nice_value);
	usleep(200000);
	for (i = 0; i < MOST_THREADS; i++)
		ran[i] = cpu_time_ns(load.pids[i]);
	usleep(by_size(2500000, 5000000));
	for (i = 0; i < MOST_THREADS; i++) {
		ran[i] = cpu_time_ns(load.pids[i]) - ran[i];
		mean += ran[i] / MOST_THREADS;
	}
	printf("%s: %llu ms each\n", what, (unsigned long long)mean / 1000000);
	for (i = 0; i < MOST_THREADS; i++)
		within(ran[i] * 1000 / mean, 700, 1300,
		       "%s: thousandths of the mean CPU time, thread %d", what, i);
	end(&load);
	unload_scheduler(scheduler, SIGTERM);
}

/* A turn is CPU time. At nice 19 a tick is 400 ms of virtual time. */
static void lowest_weight(void)
{
	char *const argv[] = { "pmc-rr", "-v", NULL };
	long long swapped;

	equal_threads(argv, 19, "nice 19");
	swapped = reported("swapped");
	printf("%lld swapped\n", swapped);
	within(swapped, 5, by_size(150, 300), "threads of nice 19 that swapped places");
}

static void highest_weight(void)
{
	char *const argv[] = { "pmc-rr", NULL };

	equal_threads(argv, -20, "nice -20");
}

/* Threads swap places in each slice. Those that wait have their slices all the same. */
static void short_turns(void)
{
	char *const argv[] = { "pmc-rr", "--turn", "5", NULL };

	equal_threads(argv, 0, "turns of 5 ms");
}

/*
 * A thread whose speedup factor is unknown, as no module provides it, explores a big core for a
 * time that is CPU time; then others do. At nice -20, 80 ms of virtual time would be 7 s.
 */
static void explores(void)
{
	char *const argv[] = { "pmc-hsp", "--explore", "80", "-v", NULL };
	pid_t scheduler = load_scheduler(argv);
	struct load load = { };
	long long explored;
	int i;

	add_spinner(&load, -20);
	for (i = 0; i < 3; i++)
		add_spinner(&load, 0);
	/* Each has had a turn. Reports come once a second. */
	usleep(1200000);
	explored = reported("explored");
	usleep(1100000);
	explored = reported("explored") - explored;
	printf("beside nice -20: %lld explored\n", explored);
	within(explored, 6, 1000, "threads that explored beside one of nice -20");
	end(&load);
	unload_scheduler(scheduler, SIGTERM);
}

int main(void)
{
	need_core_types();
	/* This process need not wait long for a CPU. */
	setpriority(PRIO_PROCESS, 0, -20);
	lowest_weight();
	highest_weight();
	short_turns();
	explores();
	return result();
}
