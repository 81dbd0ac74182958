/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Error codes: every call that fails returns papi_fail(code). */
#ifndef PAPI_ERRORS_H
#define PAPI_ERRORS_H

#include "papi.h"

/**
 * papi_fail - a call fails
 * @code: why
 *
 * The code is what PAPI_perror() describes next in this thread. The debug level decides
 * whether a message is printed and the program aborted. Values from 0 on are
 * no errors, and are returned as they are.
 *
 * Return: the value for the caller: @code, or what the user's handler makes of it.
 */
int papi_fail(int code);

/**
 * papi_fail_errno - a call fails because a call of the system or of libpmctrack did
 * @err: its errno
 * @what: what was tried, for the message; NULL: libpmctrack's own words say it
 */
int papi_fail_errno(int err, const char *what);

/** papi_error_of - the code that stands for an errno */
int papi_error_of(int err);

/** papi_debug_set - PAPI_DEBUG of PAPI_set_opt(). Return: PAPI_OK, PAPI_EINVAL */
int papi_debug_set(const PAPI_debug_option_t *debug);

/** papi_debug_get - PAPI_DEBUG of PAPI_get_opt() */
void papi_debug_get(PAPI_debug_option_t *debug);

#endif /* PAPI_ERRORS_H */
