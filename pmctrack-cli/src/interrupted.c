// SPDX-License-Identifier: GPL-2.0
/* Commands that go on until a signal ends them. */
#include <errno.h>
#include <stddef.h>
#include <time.h>

#include "interrupted.h"

volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
	interrupted = signal;
}

void catch_interrupts(void)
{
	static const int signals[] = { SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = interrupt }, was;
	size_t i;

	/* Shells ignore it for all that a script starts with &, but it is the normal end. */
	sigaction(SIGINT, &action, NULL);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &was) && was.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
}

/* The signals are enabled in ppoll() alone. */
int poll_interruptible(struct pollfd *fd, int timeout_ms)
{
	struct timespec timeout = {
		.tv_sec = timeout_ms / 1000, .tv_nsec = timeout_ms % 1000 * 1000000L,
	};
	sigset_t blocked, before;
	int rc = -1;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGINT);
	sigaddset(&blocked, SIGTERM);
	sigaddset(&blocked, SIGHUP);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	errno = EINTR;
	if (!interrupted)
		rc = ppoll(fd, 1, timeout_ms < 0 ? NULL : &timeout, &before);
	/* A signal that has come meanwhile is delivered here. */
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}

uint64_t monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}
