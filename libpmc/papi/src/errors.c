// SPDX-License-Identifier: LGPL-2.1-or-later
/* Error codes: their descriptions, and what happens when a call fails. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "pmctrack.h"

struct error {
	const char *symbol;
	/* PAPI_strerror() returns a pointer that is not const */
	char text[64];
};

/* By code, without its sign */
static struct error errors[PAPI_NUM_ERRORS] = {
	[-PAPI_OK] = { "PAPI_OK", "No error" },
	[-PAPI_EINVAL] = { "PAPI_EINVAL", "An argument is wrong" },
	[-PAPI_ENOMEM] = { "PAPI_ENOMEM", "No memory is available" },
	[-PAPI_ESYS] = { "PAPI_ESYS", "A system call failed" },
	[-PAPI_ECMP] = { "PAPI_ECMP", "The component cannot do this" },
	[-PAPI_ECLOST] = { "PAPI_ECLOST", "The counters were taken away" },
	[-PAPI_EBUG] = { "PAPI_EBUG", "The library has a fault" },
	[-PAPI_ENOEVNT] = { "PAPI_ENOEVNT", "There is no such event" },
	[-PAPI_ECNFLCT] = { "PAPI_ECNFLCT", "The counters cannot count these events at once" },
	[-PAPI_ENOTRUN] = { "PAPI_ENOTRUN", "The EventSet does not count" },
	[-PAPI_EISRUN] = { "PAPI_EISRUN", "The EventSet counts; it has to be stopped first" },
	[-PAPI_ENOEVST] = { "PAPI_ENOEVST", "There is no such EventSet" },
	[-PAPI_ENOTPRESET] = { "PAPI_ENOTPRESET", "The event is not a preset" },
	[-PAPI_ENOCNTR] = { "PAPI_ENOCNTR", "The machine has no performance counters" },
	[-PAPI_EMISC] = { "PAPI_EMISC", "The reason has no code of its own" },
	[-PAPI_EPERM] = { "PAPI_EPERM", "Permission is missing" },
	[-PAPI_ENOINIT] = { "PAPI_ENOINIT", "The library has not been initialized" },
	[-PAPI_ENOCMP] = { "PAPI_ENOCMP", "There is no such component" },
	[-PAPI_ENOSUPP] = { "PAPI_ENOSUPP", "This is not possible here" },
	[-PAPI_ENOIMPL] = { "PAPI_ENOIMPL", "This has not been written" },
	[-PAPI_EBUF] = { "PAPI_EBUF", "A buffer is too small" },
	[-PAPI_EINVAL_DOM] = { "PAPI_EINVAL_DOM", "The EventSet's domain does not allow this" },
	[-PAPI_EATTR] = { "PAPI_EATTR", "Attributes of an event are wrong or missing" },
	[-PAPI_ECOUNT] = { "PAPI_ECOUNT", "There are too many events or attributes" },
	[-PAPI_ECOMBO] = { "PAPI_ECOMBO", "These features exclude each other" },
	[-PAPI_ECMP_DISABLED] = { "PAPI_ECMP_DISABLED", "The event's component is disabled" },
	[-PAPI_EDELAY_INIT] = { "PAPI_EDELAY_INIT", "The component is initialized on demand" },
	[-PAPI_EMULPASS] = { "PAPI_EMULPASS", "The event needs several runs of the program" },
	[-PAPI_PARTIAL] = { "PAPI_PARTIAL", "A part of the component is disabled" },
};

static int print_error(int code);

static int debug_level = PAPI_QUIET;
static PAPI_debug_handler_t debug_handler = print_error;

/* What PAPI_perror() describes, and the cause of a failure that is being reported */
static _Thread_local int last_error;
static _Thread_local const char *cause;

static struct error *find_error(int code)
{
	if (code > 0 || code <= -PAPI_NUM_ERRORS)
		return NULL;
	return &errors[-code];
}

/* The library's own handler */
static int print_error(int code)
{
	const struct error *error = find_error(code);

	if (debug_level == PAPI_QUIET)
		return code;
	fprintf(stderr, "PAPI Error: Error Code %d, %s, %s", code,
		error ? error->symbol : "?", error ? error->text : "this code is unknown");
	if (cause)
		fprintf(stderr, ": %s", cause);
	if (code == PAPI_ESYS)
		fprintf(stderr, ": %s", strerror(errno));
	fputc('\n', stderr);
	if (debug_level == PAPI_VERB_ESTOP)
		abort();
	return code;
}

int papi_fail(int code)
{
	if (code >= PAPI_OK)
		return code;
	last_error = code;
	return debug_handler(code);
}

int papi_error_of(int err)
{
	switch (err) {
	case 0:
		return PAPI_OK;
	case EINVAL:
		return PAPI_EINVAL;
	case ENOMEM:
		return PAPI_ENOMEM;
	case EPERM:
	case EACCES:
		return PAPI_EPERM;
	case EUSERS:
	case EBUSY:
	case ENOSPC:
		return PAPI_ECNFLCT;
	case ENOENT:
		return PAPI_ENOEVNT;
	case ESRCH:
		return PAPI_ECLOST;
	default:
		return PAPI_ESYS;
	}
}

int papi_fail_errno(int err, const char *what)
{
	int code;

	/* Messages of the handler, and callers who get PAPI_ESYS, read errno. */
	errno = err;
	cause = what ? what : pmc_last_error();
	code = papi_fail(papi_error_of(err));
	cause = NULL;
	return code;
}

int papi_debug_set(const PAPI_debug_option_t *debug)
{
	if (debug->level < PAPI_QUIET || debug->level > PAPI_VERB_ESTOP)
		return PAPI_EINVAL;
	debug_level = debug->level;
	debug_handler = debug->handler ? debug->handler : print_error;
	return PAPI_OK;
}

void papi_debug_get(PAPI_debug_option_t *debug)
{
	debug->level = debug_level;
	debug->handler = debug_handler;
}

int PAPI_set_debug(int level)
{
	const PAPI_debug_option_t debug = { level, debug_handler };

	return papi_fail(papi_debug_set(&debug));
}

char *PAPI_strerror(int code)
{
	struct error *error = find_error(code);

	return error ? error->text : NULL;
}

void PAPI_perror(const char *msg)
{
	const char *text = PAPI_strerror(last_error);

	if (!text)
		return;
	if (msg && *msg)
		fprintf(stderr, "%s: ", msg);
	fprintf(stderr, "%s\n", text);
}
