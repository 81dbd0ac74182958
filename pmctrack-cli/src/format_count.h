/* SPDX-License-Identifier: GPL-2.0 */
/* Counts as text: digits only, with separators, or with a unit. */
#ifndef PMCTRACK_FORMAT_COUNT_H
#define PMCTRACK_FORMAT_COUNT_H

#include <stddef.h>
#include <stdint.h>

enum numbers {
	NUMBERS_AUTO,	/* digits, except on a terminal: separators where there is room, else units */
	NUMBERS_RAW,	/* 1961001132 */
	NUMBERS_GROUPS,	/* 1,961,001,132 */
	NUMBERS_UNITS,	/* 1.96G */
};

/* Longest text of number_format(), with its terminating zero */
#define NUMBER_MAX 32

void number_format(char buf[NUMBER_MAX], uint64_t value, enum numbers numbers);

#endif
