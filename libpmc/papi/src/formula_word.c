// SPDX-License-Identifier: LGPL-2.1-or-later
/* Words of formulas: N0, N1, ... for events, numbers, # for the frequency, and operators. */
#include <stdint.h>
#include <string.h>

#include "formula_word.h"
#include "preset_table.h"

/* A number of more than 64 bits is the largest that has as many. */
static const char *read_digits(const char *p, wide_t *n)
{
	int64_t value = 0;

	for (; *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, *p - '0', &value))
			value = INT64_MAX;
	*n = value;
	return p;
}

const char *formula_next_word(const char *p, struct word *word)
{
	wide_t term;

	p += strspn(p, "| \t");
	*word = (struct word){ .op = *p };
	if (*p >= '0' && *p <= '9') {
		word->op = 'C';
		return read_digits(p, &word->constant);
	}
	if (*p == 'N' && p[1] >= '0' && p[1] <= '9') {
		p = read_digits(p + 1, &term);
		word->term = term > PRESET_MAX_TERMS ? PRESET_MAX_TERMS : term;
		return p;
	}
	if (*p && !strchr("#+-*/", *p))
		word->op = '?';
	return *p ? p + 1 : p;
}
