// SPDX-License-Identifier: GPL-2.0
/* The program to be counted; it starts when counting is set up. */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

static _Noreturn void run(const struct options *o, const sigset_t *mask, int go, int result)
{
	char c;
	int err;

	if (read(go, &c, 1) != 1)
		_exit(0);
	close(go);
	sigprocmask(SIG_SETMASK, mask, NULL);
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

int child_prepare(struct child *child, const struct options *o, const sigset_t *mask)
{
	int go[2], result[2];

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
		run(o, mask, go[0], result[1]);
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
