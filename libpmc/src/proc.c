// SPDX-License-Identifier: LGPL-2.1-or-later
/* The kernel module's files in /proc/pmc. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "error.h"
#include "proc.h"

#define PROC_DIR "/proc/pmc"

/* Tests set another directory in the environment; a privileged program ignores it. */
void proc_path(char *buf, size_t size, const char *file)
{
	const char *dir = secure_getenv("PMCTRACK_PROC");

	snprintf(buf, size, "%s/%s", dir ? dir : PROC_DIR, file);
}

char *proc_read(const char *file)
{
	char path[256];
	size_t size = 4096, len = 0;
	char *text = malloc(size), *bigger;
	ssize_t n = 0;
	int fd;

	proc_path(path, sizeof(path), file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (text && fd >= 0 && (n = read(fd, text + len, size - len - 1)) > 0) {
		len += n;
		if (size - len > 1)
			continue;
		bigger = realloc(text, size *= 2);
		if (!bigger)
			free(text);
		text = bigger;
	}
	if (!text) {
		pmc_fail_nomem();
	} else if (fd < 0 || n < 0) {
		if (errno == ENOENT)
			pmc_fail(ENOENT, "no %s: load the kernel module first (modprobe pmctrack)",
				 path);
		else
			pmc_fail(errno, "cannot read %s: %m", path);
		free(text);
		text = NULL;
	} else {
		text[len] = '\0';
	}
	if (fd >= 0)
		close(fd);
	return text;
}
