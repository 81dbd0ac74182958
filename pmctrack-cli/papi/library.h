/* SPDX-License-Identifier: GPL-2.0 */
/* The start of PAPI, and error lines for its codes. */
#ifndef PMCTRACK_PAPI_LIBRARY_H
#define PMCTRACK_PAPI_LIBRARY_H

/* Initialize PAPI. bad() if the library is another version, or counting cannot be had. */
void library_begin(void);

/*
 * Print one line and exit with status 2: the message, what PAPI says of @code, the name of the
 * code, and what to do.
 */
_Noreturn void library_bad(int code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* library_bad() if @code is an error, else @code */
#define library_must(code, ...) \
	({ \
		int code_ = (code); \
		\
		if (code_ < 0) \
			library_bad(code_, __VA_ARGS__); \
		code_; \
	})

#endif
