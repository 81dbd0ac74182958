// SPDX-License-Identifier: GPL-2.0
/* Whether a signal was sent to pmctrack alone or to its process group. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "witness.h"

/* pkill(1) by pmctrack's name or command line is for pmctrack alone. */
static void hide_name(void)
{
	memset(program_invocation_name, '-', strlen(program_invocation_name));
	prctl(PR_SET_NAME, "signal-witness");
}

/* It ends when pmctrack does, however that ends: then nobody reads the pipe. */
static _Noreturn void run(const sigset_t *mask, int out)
{
	struct pollfd p[2] = { { .events = POLLIN }, { .fd = out } };
	struct signalfd_siginfo info;
	unsigned char signal;

	hide_name();
	/* No file stays open because of it: neither the session nor a pipe. */
	dup2(out, 0);
	close_range(1, ~0U, 0);
	p[0].fd = signalfd(-1, mask, 0);
	p[1].fd = 0;
	while (poll(p, 2, -1) > 0 && !p[1].revents) {
		if (read(p[0].fd, &info, sizeof(info)) != sizeof(info))
			break;
		signal = info.ssi_signo;
		if (write(0, &signal, 1) != 1)
			break;
	}
	_exit(0);
}

int witness_start(struct witness *witness, const sigset_t *mask)
{
	sigset_t all, old;
	int p[2];

	if (pipe2(p, O_CLOEXEC | O_NONBLOCK))
		return -1;
	/* Of the others none is for it either, as whatever ends pmctrack ends it, too. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	witness->pid = fork();
	if (!witness->pid)
		run(mask, p[1]);
	sigprocmask(SIG_SETMASK, &old, NULL);
	close(p[1]);
	witness->fd = p[0];
	if (witness->pid > 0)
		return 0;
	close(p[0]);
	return -1;
}

void witness_seen(const struct witness *witness, sigset_t *seen)
{
	unsigned char signal;

	sigemptyset(seen);
	while (read(witness->fd, &signal, 1) == 1)
		sigaddset(seen, signal);
}

void witness_end(struct witness *witness)
{
	close(witness->fd);
	/* It may be stopped. */
	kill(witness->pid, SIGKILL);
	waitpid(witness->pid, NULL, 0);
}
