// SPDX-License-Identifier: GPL-2.0
/*
 * Tokens of the text protocol. The kernel's own kstrtoull() wants a zero at
 * the end and reads "010" as eight; neither suits tokens inside a line.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/string.h>

#include "base/err.h"
#include "base/tokenize.h"

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/**
 * pmc_tok_next() - take the next token of a text
 * @rest: the text behind the last token; its text is NULL at the end
 * @sep: character that ends a token
 * @tok: out: the token, without @sep. Empty between two separators, before
 *	a leading and behind a trailing one
 *
 * Return: false at the end of the text.
 */
bool pmc_tok_next(struct pmc_tok *rest, char sep, struct pmc_tok *tok)
{
	const char *end;

	if (!rest->text)
		return false;

	*tok = *rest;
	end = memchr(rest->text, sep, rest->len);
	if (end) {
		tok->len = end - rest->text;
		rest->text = end + 1;
		rest->len -= tok->len + 1;
	} else {
		rest->text = NULL;
		rest->len = 0;
	}

	return true;
}

/**
 * pmc_tok_trim() - leave out the white space around a token
 * @tok: the token
 *
 * Return: the part from the first to the last character that is no space.
 */
struct pmc_tok pmc_tok_trim(struct pmc_tok tok)
{
	while (tok.len && isspace(tok.text[0])) {
		tok.text++;
		tok.len--;
	}
	while (tok.len && isspace(tok.text[tok.len - 1]))
		tok.len--;

	return tok;
}

/**
 * pmc_tok_is() - compare a token with a name
 * @tok: the token
 * @name: the name
 *
 * Return: true when they are equal.
 */
bool pmc_tok_is(struct pmc_tok tok, const char *name)
{
	return strlen(name) == tok.len && !memcmp(tok.text, name, tok.len);
}

/**
 * pmc_parse_number() - read an unsigned number
 * @text: decimal digits, or 0x and hexadecimal digits, and nothing else
 * @len: length of @text in bytes
 * @value: out: the number, untouched on error
 *
 * Return: 0, -EINVAL when it is no number, -ERANGE when it is too large.
 */
int pmc_parse_number(const char *text, size_t len, u64 *value)
{
	unsigned int base = 10;
	bool overflow = false;
	u64 sum = 0;
	size_t i = 0;

	if (len > 1 && text[0] == '0' && (text[1] | 0x20) == 'x') {
		base = 16;
		i = 2;
	}
	if (i == len)
		return -EINVAL;

	for (; i < len; i++) {
		int digit = digit_of(text[i]);

		if (digit < 0 || digit >= base)
			return -EINVAL;
		overflow |= check_mul_overflow(sum, (u64)base, &sum);
		overflow |= check_add_overflow(sum, (u64)digit, &sum);
	}
	if (overflow)
		return -ERANGE;

	*value = sum;
	return 0;
}

/**
 * pmc_name_index() - look a word up in a table of names
 * @names: the table; may have NULLs in it
 * @nr: entries of @names
 * @text: the word
 * @len: its length in bytes
 *
 * Return: its index in @names, -1 when it is not there.
 */
int pmc_name_index(const char *const *names, unsigned int nr,
		   const char *text, size_t len)
{
	const struct pmc_tok word = { text, len };
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (names[i] && pmc_tok_is(word, names[i]))
			return i;
	}

	return -1;
}

/**
 * pmc_err_choice() - say that a word is not one of those there are
 * @err: where the message goes
 * @what: what the word should be, as in "unknown WHAT"
 * @text: the word
 * @len: its length in bytes
 * @names: the words there are; NULLs are passed over
 * @nr: entries of @names
 *
 * Return: -EINVAL.
 */
int pmc_err_choice(struct pmc_err *err, const char *what, const char *text,
		   size_t len, const char *const *names, unsigned int nr)
{
	char list[PMC_ERROR_LEN];
	struct pmc_quoted q;
	size_t used = 0;
	unsigned int i;

	list[0] = '\0';
	for (i = 0; i < nr; i++) {
		if (names[i])
			used += scnprintf(list + used, sizeof(list) - used,
					  "%s%s", used ? ", " : "", names[i]);
	}

	return pmc_err(err, -EINVAL, "unknown %s %s: use one of %s", what,
		       pmc_quote(&q, text, len), list);
}
