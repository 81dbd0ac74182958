/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which process this is. */
#ifndef LIBPMC_FORKS_H
#define LIBPMC_FORKS_H

/*
 * Another number in each child, however it was made, also where the process ID is the
 * same. The kernel's mappings are not copied: whoever has one notes whose it is.
 */
unsigned long forks_process(void);

#endif
