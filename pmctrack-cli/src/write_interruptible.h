/* SPDX-License-Identifier: GPL-2.0 */
/* Output to a reader that may not read: a signal ends the wait for it. */
#ifndef PMCTRACK_WRITE_INTERRUPTIBLE_H
#define PMCTRACK_WRITE_INTERRUPTIBLE_H

#include <stddef.h>

/*
 * Write @len bytes of @text to @fd, after catch_interrupts(). With @interrupted, what has no room at
 * once is not written. Return: 0; -1 on failure, with errno.
 */
int write_interruptible(int fd, const char *text, size_t len);

#endif
