// SPDX-License-Identifier: GPL-2.0
/* See child.h. A byte in a pipe ends the waiting. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "vm.h"

pid_t child_start(void (*work)(void), int *go)
{
	int pipes[2];
	pid_t pid;
	char c;

	if (pipe2(pipes, O_CLOEXEC))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		close(pipes[1]);
		if (read(pipes[0], &c, 1) != 1)
			_exit(99);
		work();
		_exit(0);
	}
	close(pipes[0]);
	*go = pipes[1];
	return pid;
}

void child_go(int go)
{
	if (write(go, "", 1) != 1)
		die("pipe: %s", strerror(errno));
	close(go);
}
