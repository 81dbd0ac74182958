// SPDX-License-Identifier: GPL-2.0
/* pmctrack doctor: files below the root folder. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "doctor.h"

#define READ_AT_ONCE 65536
/* More than the kernel's log or a list of keys has */
#define LONGEST (16 << 20)

static char *path_of(const struct doctor *d, const char *fmt, va_list args)
{
	char *name, *path;

	if (vasprintf(&name, fmt, args) < 0 || asprintf(&path, "%s/%s", d->root, name) < 0)
		bad("out of memory");
	free(name);
	return path;
}

/* /dev/kmsg returns a message at a time, and EPIPE where messages have been overwritten. */
static char *read_all(int fd, size_t *size)
{
	char *text = NULL;
	ssize_t n;

	*size = 0;
	do {
		text = must_have(realloc(text, *size + READ_AT_ONCE + 1));
		n = read(fd, text + *size, READ_AT_ONCE);
		*size += n > 0 ? n : 0;
	} while ((n > 0 && *size < LONGEST) || (n < 0 && (errno == EPIPE || errno == EINTR)));
	if (n < 0 && !*size) {
		free(text);
		return NULL;
	}
	text[*size] = '\0';
	return text;
}

static char *read_file(const struct doctor *d, size_t *size, const char *fmt, va_list args)
{
	char *path = path_of(d, fmt, args), *text = NULL;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	free(path);
	if (fd < 0)
		return NULL;
	text = read_all(fd, size);
	close(fd);
	return text;
}

char *doctor_bytes(const struct doctor *d, size_t *size, const char *fmt, ...)
{
	va_list args;
	char *bytes;

	va_start(args, fmt);
	bytes = read_file(d, size, fmt, args);
	va_end(args);
	return bytes;
}

char *doctor_text(const struct doctor *d, const char *fmt, ...)
{
	va_list args;
	size_t size;
	char *text;

	va_start(args, fmt);
	text = read_file(d, &size, fmt, args);
	va_end(args);
	if (text && size && text[size - 1] == '\n')
		text[size - 1] = '\0';
	return text;
}

int doctor_is(const struct doctor *d, const char *file, const char *value)
{
	char *text = doctor_text(d, "%s", file);
	int is = text && !strncmp(text, value, strlen(value));

	free(text);
	return is;
}

int doctor_number(const struct doctor *d, const char *file, long *value)
{
	char *text = doctor_text(d, "%s", file), *end;

	if (!text)
		return -1;
	*value = strtol(text, &end, 0);
	free(text);
	return 0;
}

void doctor_field(const struct doctor *d, const char *file, const char *name, char *buf, size_t size)
{
	char *text = doctor_text(d, "%s", file), *line, *save;
	size_t len = strlen(name);

	*buf = '\0';
	for (line = text ? strtok_r(text, "\n", &save) : NULL; line && !*buf; line = strtok_r(NULL, "\n", &save)) {
		if (strncmp(line, name, len) || line[len + strspn(line + len, " \t")] != ':')
			continue;
		line = strchr(line + len, ':') + 1;
		snprintf(buf, size, "%s", line + strspn(line, " \t"));
	}
	free(text);
}

int doctor_exists(const struct doctor *d, const char *fmt, ...)
{
	va_list args;
	char *path;
	int exists;

	va_start(args, fmt);
	path = path_of(d, fmt, args);
	va_end(args);
	exists = !access(path, F_OK);
	free(path);
	return exists;
}

size_t doctor_find(const struct doctor *d, const char *pattern, glob_t *found)
{
	char *path;
	size_t nr;

	if (asprintf(&path, "%s/%s", d->root, pattern) < 0)
		bad("out of memory");
	nr = glob(path, 0, NULL, found) ? 0 : found->gl_pathc;
	free(path);
	return nr;
}
