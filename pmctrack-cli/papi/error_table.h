/* SPDX-License-Identifier: GPL-2.0 */
/* PAPI's error codes: their names, and what to do. */
#ifndef PMCTRACK_PAPI_ERROR_TABLE_H
#define PMCTRACK_PAPI_ERROR_TABLE_H

#include <stddef.h>

/**
 * struct error_row - an error code
 * @code: its number, 0 or below
 * @name: its name in papi.h
 * @meaning: what has happened, for a library that has no text for the code
 * @remedy: what to do
 */
struct error_row {
	int code;
	const char *name;
	const char *meaning;
	const char *remedy;
};

extern const struct error_row error_table[];
extern const size_t error_table_nr;

/* The row of @code; NULL: there is none */
const struct error_row *error_find(int code);

/* The row of a name, as PAPI_ECNFLCT, or ecnflct; NULL: there is none */
const struct error_row *error_find_name(const char *name);

#endif
