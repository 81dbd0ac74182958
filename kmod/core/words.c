// SPDX-License-Identifier: GPL-2.0
/*
 * Words of the text protocol. The kernel's own kstrtoull() wants a zero at
 * the end and reads "010" as eight; neither suits words inside a line.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/string.h>

#include "words.h"

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/**
 * pmc_span_cut() - cut the next piece off a text
 * @rest: what is left of the text; its text is NULL once all is cut
 * @sep: character that ends a piece
 * @piece: out: the piece, without @sep. Empty between two separators, before
 *	a leading and behind a trailing one
 *
 * Return: false when nothing was left.
 */
bool pmc_span_cut(struct pmc_span *rest, char sep, struct pmc_span *piece)
{
	const char *end;

	if (!rest->text)
		return false;

	*piece = *rest;
	end = memchr(rest->text, sep, rest->len);
	if (end) {
		piece->len = end - rest->text;
		rest->text = end + 1;
		rest->len -= piece->len + 1;
	} else {
		rest->text = NULL;
		rest->len = 0;
	}

	return true;
}

/**
 * pmc_span_trim() - leave out the white space around a text
 * @span: the text
 *
 * Return: the part from the first to the last character that is no space.
 */
struct pmc_span pmc_span_trim(struct pmc_span span)
{
	while (span.len && isspace(span.text[0])) {
		span.text++;
		span.len--;
	}
	while (span.len && isspace(span.text[span.len - 1]))
		span.len--;

	return span;
}

/**
 * pmc_span_is() - compare a piece of text with a name
 * @span: the piece
 * @name: the name
 *
 * Return: true when they are equal.
 */
bool pmc_span_is(struct pmc_span span, const char *name)
{
	return strlen(name) == span.len && !memcmp(span.text, name, span.len);
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
	const struct pmc_span word = { text, len };
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (names[i] && pmc_span_is(word, names[i]))
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
