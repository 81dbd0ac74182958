// SPDX-License-Identifier: GPL-2.0
/*
 * A pipe whose reader has stopped is full for as long as the reader wants. A blocked write() ends with
 * a signal, but a signal that comes just before the call does not end it, and stdio writes the rest in
 * further calls. So the wait is that of poll_interruptible().
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include "interrupted.h"
#include "write_interruptible.h"

/*
 * Return: 1: there is room for PIPE_BUF bytes, or an error; 0: a signal has ended the wait. After a
 * signal there is no wait, but what has room is written.
 */
static int wait_for_room(int fd)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };

	poll_interruptible(&room, -1);
	return !interrupted || poll(&room, 1, 0) > 0;
}

int write_interruptible(int fd, const char *text, size_t len)
{
	ssize_t n;

	while (len && wait_for_room(fd)) {
		n = write(fd, text, len < PIPE_BUF ? len : PIPE_BUF);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -1;
		if (n > 0) {
			text += n;
			len -= n;
		}
	}
	return 0;
}
