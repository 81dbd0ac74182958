/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cutting text into words, and the words that mean a number or a choice.
 */
#ifndef PMC_CORE_WORDS_H
#define PMC_CORE_WORDS_H

#include <linux/types.h>

#include "err.h"

/**
 * struct pmc_span - a piece of a text, not ended by a zero
 * @text: first character; NULL when there is no piece (an empty one has a
 *	place)
 * @len: bytes
 */
struct pmc_span {
	const char *text;
	size_t len;
};

bool pmc_span_cut(struct pmc_span *rest, char sep, struct pmc_span *piece);
struct pmc_span pmc_span_trim(struct pmc_span span);
bool pmc_span_is(struct pmc_span span, const char *name);

int pmc_parse_number(const char *text, size_t len, u64 *value);
int pmc_name_index(const char *const *names, unsigned int nr,
		   const char *text, size_t len);
int pmc_err_choice(struct pmc_err *err, const char *what, const char *text,
		   size_t len, const char *const *names, unsigned int nr);

#endif /* PMC_CORE_WORDS_H */
