/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages of the high level. */
#ifndef PAPI_HIGH_MESSAGES_H
#define PAPI_HIGH_MESSAGES_H

/* With PAPI_HL_VERBOSE in the environment, to stdout as PAPI does. */
void hl_info(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* To stderr, unless PAPI_NO_WARNING is in the environment: data are missing or not as asked. */
void hl_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
