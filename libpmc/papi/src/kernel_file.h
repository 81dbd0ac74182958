/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of /proc and /sys, below a root folder that tests choose; "" is that of the machine. */
#ifndef PAPI_KERNEL_FILE_H
#define PAPI_KERNEL_FILE_H

#include <stdio.h>

/** kernel_file_open - open a file to read; NULL: failed. @format is its path below @root */
FILE *kernel_file_open(const char *root, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * kernel_file_line - the first line of a file, without its end
 *
 * Return: 0; -1 if it cannot be read or has more than @size - 1 bytes.
 */
int kernel_file_line(char *line, size_t size, const char *root, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/** kernel_file_number - the number in a file, decimal or with 0x; @missing if there is none */
long long kernel_file_number(long long missing, const char *root, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* PAPI_KERNEL_FILE_H */
