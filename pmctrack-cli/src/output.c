// SPDX-License-Identifier: GPL-2.0
/* The file that a report goes to (-o). */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
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

/* A buffered stream on file descriptor @fd, which is closed if there is no memory */
static FILE *stream(int fd)
{
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	int err = errno;

	if (!f && fd >= 0)
		close(fd);
	errno = err;
	return f;
}

static FILE *open_file(const char *name)
{
	int fd, shared, err;

	fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return NULL;
	shared = shared_with(fd);
	/* A second open file would write from the start, so share the existing one. */
	if (shared < 0 || dup3(shared, fd, O_CLOEXEC) >= 0)
		return stream(fd);
	err = errno;
	close(fd);
	errno = err;
	return NULL;
}

FILE *output_open(const struct options *o)
{
	if (o->output && strcmp(o->output, "-"))
		return open_file(o->output);
	if (o->output || !o->command)
		return stdout;
	/* stderr itself has no buffer: each number of a row would be a system call. */
	return stream(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

const char *output_name(const struct options *o)
{
	if (o->output && strcmp(o->output, "-"))
		return o->output;
	return o->output || !o->command ? "standard output" : "standard error";
}

int output_width(FILE *f)
{
	struct winsize size;

	if (!isatty(fileno(f)))
		return 0;
	/* A serial line does not know the size of what is at its end. */
	return !ioctl(fileno(f), TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : 80;
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
