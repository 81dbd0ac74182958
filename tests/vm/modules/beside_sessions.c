// SPDX-License-Identifier: GPL-2.0
/*
 * An ordinary user's processes start and stop sessions with a virtual counter all the time. The
 * root user's requests for monitoring modules do not wait until the sessions' threads have ended,
 * which takes a grace period each time.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"

#define USER		1000
#define PROCESSES	16
#define REQUESTS	100

static atomic_long *rounds;

/* Does not return. */
static void start_and_stop(void)
{
	int fd;

	change_user(USER);
	fd = open_session();
	command(fd, "virtual template_switches");
	for (;; (*rounds)++) {
		start(fd);
		command(fd, "stop");
	}
}

/* As activate and deactivate, it takes the lock of the list of modules. */
static void list_modules(void)
{
	char text[4096];
	int fd = open("/proc/pmc/mm_manager", O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text)) <= 0)
		die("/proc/pmc/mm_manager: %s", strerror(errno));
	close(fd);
}

int main(void)
{
	pid_t pids[PROCESSES];
	int paranoid, i;
	long before;

	wait_until_idle();
	paranoid = change_number("/proc/sys/kernel/perf_event_paranoid", 2);
	rounds = mmap(NULL, sizeof(*rounds), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	load_module("pmc_template");
	activate("template");
	for (i = 0; i < PROCESSES; i++) {
		pids[i] = fork();
		if (!pids[i])
			start_and_stop();
	}
	while (*rounds < PROCESSES)
		usleep(1000);
	before = *rounds;
	for (i = 0; i < REQUESTS; i++)
		list_modules();
	/* Behind all processes in a queue, three or four rounds for each request */
	within(*rounds - before, 0, REQUESTS / 2,
	       "rounds of the user's processes during %d requests", REQUESTS);
	for (i = 0; i < PROCESSES; i++)
		kill(pids[i], SIGKILL);
	for (i = 0; i < PROCESSES; i++)
		waitpid(pids[i], NULL, 0);
	wait_until_idle();
	deactivate("template");
	unload_module("pmc_template");
	change_number("/proc/sys/kernel/perf_event_paranoid", paranoid);
	return result();
}
