// SPDX-License-Identifier: LGPL-2.1-or-later
/* Files of /proc and /sys. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_file.h"

static FILE *open_file(const char *root, const char *format, va_list args)
{
	char path[PATH_MAX];
	int root_length, length;

	root_length = snprintf(path, sizeof(path), "%s", root);
	if (root_length >= (int)sizeof(path))
		return NULL;
	length = vsnprintf(path + root_length, sizeof(path) - root_length, format, args);
	if (length >= (int)sizeof(path) - root_length)
		return NULL;
	return fopen(path, "re");
}

static int read_line(char *line, size_t size, FILE *f)
{
	size_t length;
	int rc = -1;

	if (!f)
		return -1;
	if (fgets(line, size, f)) {
		length = strcspn(line, "\n");
		rc = line[length] || length + 1 < size ? 0 : -1;
		line[length] = '\0';
	}
	fclose(f);
	return rc;
}

FILE *kernel_file_open(const char *root, const char *format, ...)
{
	va_list args;
	FILE *f;

	va_start(args, format);
	f = open_file(root, format, args);
	va_end(args);
	return f;
}

int kernel_file_line(char *line, size_t size, const char *root, const char *format, ...)
{
	va_list args;
	FILE *f;

	va_start(args, format);
	f = open_file(root, format, args);
	va_end(args);
	return read_line(line, size, f);
}

long long kernel_file_number(long long missing, const char *root, const char *format, ...)
{
	char line[64], *end;
	long long number;
	va_list args;
	FILE *f;

	va_start(args, format);
	f = open_file(root, format, args);
	va_end(args);
	if (read_line(line, sizeof(line), f))
		return missing;
	errno = 0;
	number = strtoll(line, &end, strncmp(line, "0x", 2) ? 10 : 16);
	return end == line || errno ? missing : number;
}
