// SPDX-License-Identifier: GPL-2.0
/*
 * Error messages: one line of printable ASCII, whatever the user wrote.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "base/err.h"

/* Terminals obey control characters, and a log forged by newlines lies. */
static char printable(char c)
{
	return c >= ' ' && c <= '~' ? c : '?';
}

/**
 * pmc_err_clear() - forget an error message
 * @err: the message
 *
 * Context: any.
 */
void pmc_err_clear(struct pmc_err *err)
{
	memset(err->text, 0, sizeof(err->text));
}

/**
 * pmc_verr() - pmc_err() with the arguments in a va_list
 * @err: the message, or NULL
 * @code: negative error code, for convenience
 * @fmt: format
 * @args: what it is for
 *
 * Context: any but NMI.
 * Return: @code.
 */
int pmc_verr(struct pmc_err *err, int code, const char *fmt, va_list args)
{
	size_t i, len;

	if (!err)
		return code;

	len = vscnprintf(err->text, sizeof(err->text), fmt, args);

	for (i = 0; i < len; i++)
		err->text[i] = printable(err->text[i]);
	memset(err->text + len, 0, sizeof(err->text) - len);

	return code;
}

/**
 * pmc_err() - say what was wrong
 * @err: where the message goes; NULL: nowhere
 * @code: error number, negative
 * @fmt: as for printf(), without newline
 *
 * The message ends after PMC_ERROR_LEN - 1 characters. Everything but
 * printable ASCII in it is replaced by '?', and the rest of @err is zeroed.
 *
 * Context: any but NMI.
 * Return: @code.
 */
int pmc_err(struct pmc_err *err, int code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	pmc_verr(err, code, fmt, args);
	va_end(args);

	return code;
}

/**
 * pmc_quote() - quote a word of the user's for an error message
 * @quoted: room for the result
 * @word: the word; need not end in a zero
 * @len: its length in bytes
 *
 * Words longer than PMC_QUOTE_MAX are shortened and end in "...".
 *
 * Context: any.
 * Return: the quoted word, in @quoted.
 */
const char *pmc_quote(struct pmc_quoted *quoted, const char *word, size_t len)
{
	size_t i, kept = min_t(size_t, len, PMC_QUOTE_MAX);
	char *p = quoted->text;

	*p++ = '\'';
	for (i = 0; i < kept; i++)
		*p++ = printable(word[i]);
	if (kept < len) {
		memset(p, '.', 3);
		p += 3;
	}
	*p++ = '\'';
	*p = '\0';

	return quoted->text;
}
