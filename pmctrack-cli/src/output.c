// SPDX-License-Identifier: GPL-2.0
/* The file that a report goes to (-o). */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"

/* Standard output or standard error, if it is the same file as @fd; else -1. */
static int shared_with(int fd)
{
	struct stat file, ours;
	int n;

	if (fstat(fd, &file) || !S_ISREG(file.st_mode))
		return -1;
	for (n = STDOUT_FILENO; n <= STDERR_FILENO; n++)
		if (n != fd && !fstat(n, &ours) && ours.st_dev == file.st_dev &&
		    ours.st_ino == file.st_ino)
			return n;
	return -1;
}

FILE *output_open(const char *name)
{
	FILE *f = NULL;
	int fd, shared, err;

	if (!strcmp(name, "-"))
		return stdout;
	fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return NULL;
	shared = shared_with(fd);
	/* A second open file would write from the start, so share the existing one. */
	if (shared < 0 || dup3(shared, fd, O_CLOEXEC) >= 0)
		f = fdopen(fd, "w");
	if (f)
		return f;
	err = errno;
	close(fd);
	errno = err;
	return NULL;
}

const char *output_name(const struct options *o)
{
	return o->output && strcmp(o->output, "-") ? o->output : "standard output";
}

int output_clear(FILE *f)
{
	struct stat file;

	if (fstat(fileno(f), &file))
		return -1;
	if (f == stdout || f == stderr || !S_ISREG(file.st_mode) || shared_with(fileno(f)) >= 0)
		return 0;
	return ftruncate(fileno(f), 0);
}
