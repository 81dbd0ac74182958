// SPDX-License-Identifier: GPL-2.0
/*
 * A real-time thread that does not leave its CPU. A session that needs counters there has them
 * or, with exclusive=1, is refused after a short time, and no other process waits for it.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"

#define RUNTIME	"/proc/sys/kernel/sched_rt_runtime_us"
/* A claim without a limit of time ends with the thread. */
#define THREAD_S	15

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Return: its process, once it has its CPU. */
static pid_t realtime_thread(void)
{
	const struct sched_param param = { .sched_priority = 10 };
	int ready[2];
	double end;
	pid_t pid;
	char c;

	if (pipe(ready))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		pin(0, 1);
		if (sched_setscheduler(0, SCHED_FIFO, &param))
			die("sched_setscheduler: %s", strerror(errno));
		end = now() + THREAD_S;
		if (write(ready[1], "", 1) != 1)
			_exit(1);
		while (now() < end)
			;
		_exit(0);
	}
	if (read(ready[0], &c, 1) != 1)
		die("no real-time thread");
	return pid;
}

int main(void)
{
	double began;
	pid_t pid;
	int fd, ret;

	need_counters();
	if (write_file(RUNTIME, "-1"))
		die(RUNTIME " cannot be written");
	/* Linux 6.12 and later reserve some time for other threads. */
	write_file("/sys/kernel/debug/sched/fair_server/cpu1/runtime", "0");
	pin(0, 0);
	pid = realtime_thread();
	fd = open_session();
	command(fd, "events " INSTRUCTIONS);
	began = now();
	ret = try_start(fd);
	CHECK(now() - began < 10, "the start took %.1f s", now() - began);
	if (ret) {
		same(ret, -EBUSY, "errno (%s)", why(fd));
		mentions(why(fd), "real-time thread", "why there are no counters");
	}
	same(!!ret, proc_value("info", "exclusive"), "refused");
	printf("counters %s after %.1f s\n", ret ? "refused" : "claimed", now() - began);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	if (ret)
		start(fd);
	within(counted_loop(fd, 1000), 2000, 2100, "instructions, afterwards");
	close(fd);
	write_file(RUNTIME, "950000");
	wait_until_idle();
	return result();
}
