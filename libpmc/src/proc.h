/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel module's files in /proc/pmc. */
#ifndef LIBPMC_PROC_H
#define LIBPMC_PROC_H

#include <stddef.h>

/* Write the path of a file of the kernel module to @buf. */
void proc_path(char *buf, size_t size, const char *file);

/* Return: the file's contents, for free(); NULL with an error line if it cannot be read. */
char *proc_read(const char *file);

#endif
