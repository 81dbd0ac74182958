/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of pmctrack.ko that monitoring modules use, for their tests. */
#ifndef UNIT_MODULE_ERROR_H
#define UNIT_MODULE_ERROR_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct pmc_err error;

int pmc_module_error(int code, const char *fmt, ...)
{
	va_list args;

	memset(&error, 0, sizeof(error));
	va_start(args, fmt);
	vsnprintf(error.text, sizeof(error.text), fmt, args);
	va_end(args);
	return code;
}

#endif
