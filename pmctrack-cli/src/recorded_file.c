// SPDX-License-Identifier: GPL-2.0
/* Files of runs that pmctrack --format=json has recorded. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "recorded_file.h"

char *recorded_read(const char *verb, const char *path)
{
	FILE *f = fopen(path, "re");
	size_t size = 0;
	char *text = NULL;

	if (!f)
		bad("%s: cannot read %s: %s", verb, path, strerror(errno));
	if (getdelim(&text, &size, '\0', f) < 0)
		bad("%s: %s is empty, or cannot be read", verb, path);
	fclose(f);
	return text;
}

char *recorded_rename(const char *path, const char *ending)
{
	size_t len = strlen(path);
	char *name;

	if (len > 5 && !strcmp(path + len - 5, ".json"))
		len -= 5;
	if (asprintf(&name, "%.*s%s", (int)len, path, ending) < 0)
		bad("out of memory");
	return name;
}
