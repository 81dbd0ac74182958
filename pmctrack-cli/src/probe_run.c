// SPDX-License-Identifier: GPL-2.0
/* Run a process under probes, until it ends or is to run on without them. */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "probe_run.h"

void probe_run(const struct probe_events *events, struct probe_functions *functions, pid_t pid,
	       void (*release)(void *arg), int (*stop)(void *arg), void *arg,
	       struct probe_calls *calls, struct probe_result *result)
{
	struct probe_rings rings;
	int fd = syscall(SYS_pidfd_open, pid, 0), has_ended;

	if (fd < 0)
		bad("probe: cannot watch process %d: %s", (int)pid, strerror(errno));
	probe_rings_open(&rings, events, functions);
	release(arg);
	do {
		has_ended = probe_rings_wait(&rings, fd);
		probe_rings_read(&rings, has_ended, probe_calls_take, calls);
	} while (!has_ended && !(stop && stop(arg)));
	close(fd);
	result->has_ended = has_ended;
	if (has_ended)
		waitpid(pid, &result->status, 0);
	result->lost = rings.lost;
	probe_calls_end(calls);
	probe_rings_close(&rings);
}
