/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel module's files in /proc/pmc. */
#ifndef LIBPMC_PROC_H
#define LIBPMC_PROC_H

#include <stddef.h>

/* Name of a file in the kernel module's directory, in @buf. */
void proc_path(char *buf, size_t size, const char *file);

/* What is in it, for free(); NULL and an error line if it cannot be read. */
char *proc_read(const char *file);

#endif
