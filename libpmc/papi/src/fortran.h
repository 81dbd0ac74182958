/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How Fortran calls the library. */
#ifndef PAPI_FORTRAN_H
#define PAPI_FORTRAN_H

#include "papi.h"

#ifndef PAPI_API
#define PAPI_API __attribute__((visibility("default")))
#endif

#define FORTRAN_ALIAS(alias_name, name, args)						\
	PAPI_API void alias_name args __attribute__((alias(#name "_")))

/*
 * Begin a function that Fortran calls, under the names that compilers make of it: gfortran
 * appends one underscore; others append two, none, or write capitals.
 */
#define FORTRAN(name, capitals, args)							\
	PAPI_API void name##_ args;							\
	FORTRAN_ALIAS(name, name, args);						\
	FORTRAN_ALIAS(name##__, name, args);						\
	FORTRAN_ALIAS(capitals, name, args);						\
	void name##_ args

/*
 * Fortran's texts have no zero byte at their end. Compilers append their lengths to the
 * arguments, as int or as size_t: int is right for both, as the registers and the stack of
 * the supported machines have the low half where an int is.
 */
typedef int fortran_length;

#define FORTRAN_TEXT	PAPI_HUGE_STR_LEN

/* A C string of FORTRAN_TEXT bytes, without the spaces at the text's end. */
void fortran_to_c(char *to, const char *text, fortran_length length);
/* The rest is filled with spaces. A text that is too long is truncated. */
void fortran_from_c(char *text, fortran_length length, const char *from);

#endif
