/* SPDX-License-Identifier: GPL-2.0 */
/* Check what ends a command: its exit status and its message. */
#ifndef PMC_TESTS_REFUSED_H
#define PMC_TESTS_REFUSED_H

#include <sys/wait.h>
#include <unistd.h>

#include "lib.h"

/* In a child process, @run(@arg) ends with exit status 2 and one line on stderr that has @part. */
static inline void check_refused(void (*run)(void *arg), void *arg, const char *part)
{
	char text[1024];
	int p[2], status;
	ssize_t n, len = 0;
	pid_t pid;

	assert_int_equal(pipe(p), 0);
	pid = fork();
	if (!pid) {
		dup2(p[1], 2);
		close(p[0]);
		run(arg);
		_exit(0);
	}
	close(p[1]);
	while ((n = read(p[0], text + len, sizeof(text) - 1 - len)) > 0)
		len += n;
	text[len] = '\0';
	close(p[0]);
	waitpid(pid, &status, 0);
	if (status != 2 << 8 || !strstr(text, part))
		fail_msg("status %#x, no '%s' in '%s'", status, part, text);
	assert_ptr_equal(strchr(text, '\n'), text + len - 1);
}

#endif
