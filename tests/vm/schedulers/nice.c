// SPDX-License-Identifier: GPL-2.0
/*
 * The scheduler pmc-hsp, and threads with nice values. Times that options name are CPU time.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scx.h"
#include "vm.h"

#define MOST_THREADS	4

/* Processes that run on and on */
struct load {
	int nr;
	pid_t pids[MOST_THREADS];
};

static void add_spinner(struct load *load, int nice_value)
{
	pid_t pid = fork();

	if (!pid) {
		errno = 0;
		if (nice(nice_value) == -1 && errno)
			_exit(1);
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

/*
 * A thread whose speedup factor is unknown, as no module provides it, explores a big core for a
 * time that is CPU time. At nice -20, 80 ms of virtual time would be 7 s.
 */
static void explores(void)
{
	char *const argv[] = { "pmc-hsp", "--explore", "80", NULL };
	pid_t scheduler = load_scheduler(argv);
	int i, looks = by_size(100, 200), little = 0;
	struct load load = { };

	add_spinner(&load, -20);
	for (i = 0; i < 3; i++)
		add_spinner(&load, 0);
	usleep(300000);
	for (i = 0; i < looks; i++) {
		usleep(10000);
		little += cpu_of(load.pids[0]) >= 2;
	}
	printf("nice -20: in %d of %d looks on a little core\n", little, looks);
	within(little, looks / 20, looks, "looks with the thread of nice -20 on a little core");
	end(&load);
	unload_scheduler(scheduler, SIGTERM);
}

int main(void)
{
	need_core_types();
	explores();
	return result();
}
