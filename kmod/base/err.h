/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one-line message that explains a refused command. A session keeps the
 * last one for PMC_IOC_ERROR; the functions below the session fill it.
 */
#ifndef PMC_ERR_H
#define PMC_ERR_H

#include <linux/compiler.h>
#include <linux/stdarg.h>
#include <linux/types.h>

#include "uapi/pmctrack.h"

/* Characters of a user's word that a message repeats. */
#define PMC_QUOTE_MAX	32

/**
 * struct pmc_err - an error message
 * @text: one line without newline, padded with zeroes to the full length, so
 *	that the whole array may be copied to user space
 */
struct pmc_err {
	char text[PMC_ERROR_LEN];
};

/**
 * struct pmc_quoted - room for a quoted word of the user's
 * @text: two quotes, the word, "..." and the terminating zero
 */
struct pmc_quoted {
	char text[PMC_QUOTE_MAX + 6];
};

void pmc_err_clear(struct pmc_err *err);
__printf(3, 0) int pmc_verr(struct pmc_err *err, int code, const char *fmt,
			    va_list args);
__printf(3, 4) int pmc_err(struct pmc_err *err, int code, const char *fmt, ...);
const char *pmc_quote(struct pmc_quoted *quoted, const char *word, size_t len);

#endif /* PMC_ERR_H */
