// SPDX-License-Identifier: GPL-2.0
/* The program to be counted; it starts when counting is set up. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

/* Signals as this process was started with them; the command changes them for itself. */
static struct {
	int are_known;
	sigset_t mask;
	struct sigaction sigpipe;
	struct sigaction sigchld;
} at_start;

void child_note_signals(void)
{
	if (at_start.are_known)
		return;
	at_start.are_known = 1;
	sigprocmask(SIG_SETMASK, NULL, &at_start.mask);
	sigaction(SIGPIPE, NULL, &at_start.sigpipe);
	sigaction(SIGCHLD, NULL, &at_start.sigchld);
}

static _Noreturn void run(const struct options *o, int go, int result)
{
	char c;
	int err;

	if (read(go, &c, 1) != 1)
		_exit(0);
	close(go);
	sigaction(SIGPIPE, &at_start.sigpipe, NULL);
	sigaction(SIGCHLD, &at_start.sigchld, NULL);
	sigprocmask(SIG_SETMASK, &at_start.mask, NULL);
	if (o->has_bind && sched_setaffinity(0, sizeof(o->bind), &o->bind)) {
		err = -errno;
	} else {
		execvp(o->command[0], o->command);
		err = errno;
	}
	if (write(result, &err, sizeof(err)) < 0)
		_exit(1);
	_exit(127);
}

int child_prepare(struct child *child, const struct options *o)
{
	int go[2], result[2];

	child_note_signals();
	if (pipe2(go, O_CLOEXEC))
		return -1;
	if (pipe2(result, O_CLOEXEC)) {
		close(go[0]);
		close(go[1]);
		return -1;
	}
	child->pid = fork();
	if (!child->pid) {
		close(go[1]);
		close(result[0]);
		run(o, go[0], result[1]);
	}
	close(go[0]);
	close(result[1]);
	child->go = go[1];
	child->result = result[0];
	return child->pid < 0 ? -1 : 0;
}

int child_release(struct child *child)
{
	int err = 0;

	if (write(child->go, "", 1) < 0)
		err = errno;
	close(child->go);
	/* exec closes the other end if it succeeds. */
	if (!err && read(child->result, &err, sizeof(err)) < 0)
		err = errno;
	close(child->result);
	return err;
}

void child_cancel(struct child *child)
{
	close(child->go);
	close(child->result);
	waitpid(child->pid, NULL, 0);
}
