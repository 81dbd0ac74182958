/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Recognize a child process. */
#ifndef LIBPMC_FORKS_H
#define LIBPMC_FORKS_H

/*
 * A number of this process. A child gets another one, however it was made, and even if its
 * process ID is the same. Children do not inherit the kernel module's mappings, so the
 * owner of a mapping notes this number with it.
 */
unsigned long forks_process(void);

#endif
