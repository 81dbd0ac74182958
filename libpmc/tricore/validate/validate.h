/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Check whether this chip's counters count the events that ePAPI names. See validate.c. */
#ifndef EPAPI_VALIDATE_H
#define EPAPI_VALIDATE_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct epapi_check - some code, and the number of an event that it causes
 * @what: description of the code
 * @event: the event
 * @least: least number
 * @most: greatest number
 * @value: number that was counted
 * @state: EPAPI_CHECK_*; below 0: the error that ePAPI returned
 */
struct epapi_check {
	const char *what;
	int event;
	uint32_t least;
	uint32_t most;
	long long value;
	int state;
};

#define EPAPI_CHECK_NOT_RUN	0
#define EPAPI_CHECK_RIGHT	1
#define EPAPI_CHECK_WRONG	2

#define EPAPI_NR_CHECKS		22

extern struct epapi_check epapi_checks[EPAPI_NR_CHECKS];

/**
 * epapi_validate() - run all checks
 * @ram: 2 KiB of memory that this core's data cache caches (LMU, from 0x90000000
 *	on), at a multiple of 32; NULL: checks that need it are not run
 *
 * Return: number of wrong checks; epapi_checks says which.
 */
unsigned int epapi_validate(void *ram);

#endif /* EPAPI_VALIDATE_H */
