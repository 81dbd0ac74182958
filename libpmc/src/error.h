/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The error line of the calling thread. */
#ifndef LIBPMC_ERROR_H
#define LIBPMC_ERROR_H

#include "pmctrack.h"

/* Longest error line, with its terminating zero. */
#define ERROR_LINE 512

/* Set errno and the error line; returns -1. */
int pmc_fail(int err, const char *fmt, ...) PMC_PRINTF(2, 3);

/* The same for want of memory. */
int pmc_fail_nomem(void);

#endif
