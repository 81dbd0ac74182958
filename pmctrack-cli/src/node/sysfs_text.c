// SPDX-License-Identifier: GPL-2.0
/* Files of sysfs: their text, and those that match a pattern. */
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node/sysfs_text.h"

int sysfs_text(char *text, size_t size, const char *path, ...)
{
	char name[512];
	va_list args;
	FILE *f;

	va_start(args, path);
	vsnprintf(name, sizeof(name), path, args);
	va_end(args);
	*text = '\0';
	f = fopen(name, "re");
	if (!f)
		return -1;
	if (fgets(text, size, f))
		text[strcspn(text, "\n")] = '\0';
	fclose(f);
	return *text ? 0 : -1;
}

/* thermal_zone2 comes before thermal_zone10. */
static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

void sysfs_each(struct sources *s, void (*add)(struct sources *s, const char *path),
		const char *pattern, ...)
{
	char name[512];
	va_list args;
	glob_t found;
	size_t i;

	va_start(args, pattern);
	vsnprintf(name, sizeof(name), pattern, args);
	va_end(args);
	if (!glob(name, GLOB_NOSORT, NULL, &found)) {
		qsort(found.gl_pathv, found.gl_pathc, sizeof(char *), by_version);
		for (i = 0; i < found.gl_pathc; i++)
			add(s, found.gl_pathv[i]);
	}
	globfree(&found);
}
