// SPDX-License-Identifier: GPL-2.0
/* Counts as text: digits only, with separators, or with a unit. */
#include <stdio.h>

#include "format_count.h"
#include "text_chart.h"

static void group_digits(char *buf, uint64_t value)
{
	char digits[NUMBER_MAX];
	int i, len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);

	for (i = 0; i < len; i++) {
		*buf++ = digits[i];
		if ((len - i - 1) % 3 == 0 && i + 1 < len)
			*buf++ = ',';
	}
	*buf = '\0';
}

void number_format(char buf[NUMBER_MAX], uint64_t value, enum numbers numbers)
{
	if (numbers == NUMBERS_GROUPS)
		group_digits(buf, value);
	else if (numbers == NUMBERS_UNITS && value >= 1000)
		chart_number(buf, NUMBER_MAX, value);
	else
		snprintf(buf, NUMBER_MAX, "%llu", (unsigned long long)value);
}
