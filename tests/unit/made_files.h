/* SPDX-License-Identifier: GPL-2.0 */
/* Files below a folder that a test makes in place of / or /sys. */
#ifndef PMC_TESTS_MADE_FILES_H
#define PMC_TESTS_MADE_FILES_H

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

/* Write @size bytes to the file @name below @root, and make its folders. @mode is fopen()'s. */
static inline void made_write(const char *root, const char *name, const char *mode,
			      const void *bytes, size_t size)
{
	char path[512], *slash;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (slash = strchr(path + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	f = fopen(path, mode);
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static inline int made_remove_one(const char *path, const struct stat *status, int type,
				  struct FTW *at)
{
	return remove(path);
}

/* Remove a folder, or a file, with all below it. Return: 0, or -1 with errno. */
static inline int made_remove(const char *path)
{
	return nftw(path, made_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
