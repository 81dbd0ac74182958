/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included by every test of the kernel module's pure parts.
 */
#ifndef PMC_TESTS_UNIT_H
#define PMC_TESTS_UNIT_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "base/err.h"

/* A repeatable random number: the same run every time (xorshift64*). */
static inline u64 next_random(u64 *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;

	return *state * 0x2545f4914f6cdd1dULL;
}

/*
 * Check an error message: it contains the word at fault, is one line of printable ASCII,
 * and is followed by zero bytes only.
 */
static inline void check_message(const struct pmc_err *err, const char *part)
{
	size_t i, len = strnlen(err->text, sizeof(err->text));

	assert_in_range(len, 1, sizeof(err->text) - 1);
	for (i = 0; i < len; i++)
		assert_in_range(err->text[i], ' ', '~');
	for (; i < sizeof(err->text); i++)
		assert_int_equal(err->text[i], 0);

	if (!strstr(err->text, part))
		fail_msg("'%s' is not in message '%s'", part, err->text);
}

#endif /* PMC_TESTS_UNIT_H */
