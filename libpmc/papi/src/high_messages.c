// SPDX-License-Identifier: LGPL-2.1-or-later
/* Messages of the high level. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "high_messages.h"

static void print(FILE *to, const char *kind, const char *format, va_list args)
{
	flockfile(to);
	fprintf(to, "PAPI-HL %s: ", kind);
	vfprintf(to, format, args);
	putc('\n', to);
	funlockfile(to);
}

void hl_info(const char *format, ...)
{
	va_list args;

	if (!getenv("PAPI_HL_VERBOSE"))
		return;
	va_start(args, format);
	print(stdout, "Info", format, args);
	va_end(args);
}

void hl_warn(const char *format, ...)
{
	va_list args;

	if (getenv("PAPI_NO_WARNING"))
		return;
	va_start(args, format);
	print(stderr, "Warning", format, args);
	va_end(args);
}
