/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tokens of a text, and those that mean a number or a choice.
 */
#ifndef PMC_TOKENIZE_H
#define PMC_TOKENIZE_H

#include <linux/types.h>

#include "base/err.h"

/**
 * struct pmc_tok - a token of a text, not ended by a zero
 * @text: first character; NULL when there is no token (an empty one has a
 *	place)
 * @len: bytes
 */
struct pmc_tok {
	const char *text;
	size_t len;
};

bool pmc_tok_next(struct pmc_tok *rest, char sep, struct pmc_tok *tok);
struct pmc_tok pmc_tok_trim(struct pmc_tok tok);
bool pmc_tok_is(struct pmc_tok tok, const char *name);

int pmc_parse_number(const char *text, size_t len, u64 *value);
int pmc_name_index(const char *const *names, unsigned int nr,
		   const char *text, size_t len);
int pmc_err_choice(struct pmc_err *err, const char *what, const char *text,
		   size_t len, const char *const *names, unsigned int nr);

#endif /* PMC_TOKENIZE_H */
