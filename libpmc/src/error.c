// SPDX-License-Identifier: LGPL-2.1-or-later
/* The error line of the calling thread. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "error.h"

static __thread char line[ERROR_LINE];

const char *pmc_last_error(void)
{
	return line;
}

int pmc_fail(int err, const char *fmt, ...)
{
	char text[ERROR_LINE];
	va_list ap;

	/* The arguments may point into the old line. */
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	snprintf(line, sizeof(line), "%s", text);
	errno = err;
	return -1;
}

int pmc_fail_nomem(void)
{
	return pmc_fail(ENOMEM, "out of memory");
}
