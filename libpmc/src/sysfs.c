// SPDX-License-Identifier: LGPL-2.1-or-later
/* Files of sysfs and of /proc/sys: one line each. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sysfs.h"

int sysfs_read(char *buf, size_t size, const char *path, ...)
{
	char name[512];
	size_t len = 0;
	va_list ap;
	FILE *f;
	int n;

	va_start(ap, path);
	n = vsnprintf(name, sizeof(name), path, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof(name))
		return -1;
	f = fopen(name, "re");
	if (!f)
		return -1;
	len = fread(buf, 1, size, f);
	fclose(f);
	if (!len || len == size)
		return -1;
	buf[len] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return *buf ? 0 : -1;
}
