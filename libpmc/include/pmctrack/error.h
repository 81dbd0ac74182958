/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Errors. Unless stated otherwise a call returns 0 or a positive value, and on
 * failure -1 (NULL if it returns a pointer) with errno set; pmc_last_error()
 * then returns one line for the user that says what is wrong and what to do.
 */
#ifndef LIBPMCTRACK_ERROR_H
#define LIBPMCTRACK_ERROR_H

#include <pmctrack/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * pmc_last_error - the reason why the calling thread's last failed call failed
 *
 * Return: one line without newline, "" if no call failed yet. The string belongs
 * to the library. Each thread has its own; its next failure overwrites it.
 */
PMC_API const char *pmc_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
