/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Words of formulas. */
#ifndef LIBPMCPAPI_FORMULA_WORD_H
#define LIBPMCPAPI_FORMULA_WORD_H

/* As wide as the compiler has it, so that products of counts are exact, too */
#ifdef __SIZEOF_INT128__
typedef __int128 wide_t;
#else
typedef long long wide_t;
#endif

/**
 * struct word - a word of a formula
 * @op: N: an event, C: a number, #: the frequency, + - * /: an operator; 0: the end of the
 *	text, ?: none of these
 * @term: number of the event
 * @constant: the number
 */
struct word {
	char op;
	int term;
	wide_t constant;
};

/**
 * formula_next_word - the first word of a text
 *
 * Return: the text behind the word.
 */
const char *formula_next_word(const char *text, struct word *word);

#endif
