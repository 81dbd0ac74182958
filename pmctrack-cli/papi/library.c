// SPDX-License-Identifier: GPL-2.0
/* The start of PAPI, and error lines for its codes. */
#include <stdarg.h>
#include <stdio.h>

#include <papi.h>

#include "../src/common.h"
#include "error_table.h"
#include "library.h"

void library_begin(void)
{
	int version = PAPI_library_init(PAPI_VER_CURRENT);

	if (version > 0 && version != PAPI_VER_CURRENT)
		bad("the PAPI library is version %d.%d, the command is for %d.%d: install both from the same source",
		    PAPI_VERSION_MAJOR(version), PAPI_VERSION_MINOR(version),
		    PAPI_VERSION_MAJOR(PAPI_VERSION), PAPI_VERSION_MINOR(PAPI_VERSION));
	/* PAPI has no text for its codes before it is initialized. */
	if (version == PAPI_EINVAL)
		bad("the PAPI library is not version %d.%d, which the command is for: install both from the same source",
		    PAPI_VERSION_MAJOR(PAPI_VERSION), PAPI_VERSION_MINOR(PAPI_VERSION));
	if (version != PAPI_VER_CURRENT)
		library_bad(version, "PAPI cannot be initialized");
	PAPI_set_debug(PAPI_QUIET);
}

void library_bad(int code, const char *fmt, ...)
{
	const struct error_row *row = error_find(code);
	const char *text = PAPI_strerror(code);
	char message[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	if (!row)
		bad("%s: %s (code %d)", message, text ? text : "unknown error", code);
	bad("%s: %s (%s): %s", message, text ? text : row->meaning, row->name, row->remedy);
}
