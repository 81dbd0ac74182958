/* SPDX-License-Identifier: GPL-2.0 */
/* Files of sysfs: their text, and those that match a pattern. */
#ifndef PMCTRACK_NODE_SYSFS_TEXT_H
#define PMCTRACK_NODE_SYSFS_TEXT_H

#include <stddef.h>

struct sources;

/* The first line of a file; -1 if it cannot be read, or is empty. */
int sysfs_text(char *text, size_t size, const char *path, ...) __attribute__((format(printf, 3, 4)));

/* Call @add for each file that matches the pattern, in the order of their names and numbers. */
void sysfs_each(struct sources *s, void (*add)(struct sources *s, const char *path),
		const char *pattern, ...) __attribute__((format(printf, 3, 4)));

#endif
