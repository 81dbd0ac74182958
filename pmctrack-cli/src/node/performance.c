// SPDX-License-Identifier: GPL-2.0
/*
 * The performance that a program has printed: "12.3 Gflops", "Gflops: 12.3", or HPL's table,
 * in which a heading that ends in Gflops is above rows that begin with WR or WC, and end in the value
 * (HPL 2.3, HPL_pdtest.c: "WR11C2R4 ... 1.8863e+02").
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node/performance.h"

/* The number that begins at @text, behind signs such as ':' and '='; NAN: none */
static double number_behind(const char *text)
{
	double value;
	char *end;

	text += strspn(text, " \t:=");
	value = strtod(text, &end);
	return end == text ? NAN : value;
}

/* The number that ends at @end */
static double number_before(const char *line, const char *end)
{
	const char *begin;
	double value;
	char *behind;

	while (end > line && isspace((unsigned char)end[-1]))
		end--;
	for (begin = end; begin > line && strchr("0123456789.eE+-", begin[-1]);)
		begin--;
	value = strtod(begin, &behind);
	return begin == end || behind == begin ? NAN : value;
}

static double in_line(const char *line, int *in_table)
{
	const char *word = strcasestr(line, "gflops"), *end = line + strlen(line);
	double value;

	if (!word)
		return *in_table && *line == 'W' && strchr("RC", line[1]) ?
			number_before(line, end) : NAN;
	value = number_behind(word + strlen("gflops"));
	if (isnan(value))
		value = number_before(line, word);
	*in_table = isnan(value);
	return value;
}

double performance_read(const char *path)
{
	FILE *f = fopen(path, "re");
	double last = NAN, value;
	char *line = NULL;
	size_t size = 0;
	int in_table = 0;

	while (f && getline(&line, &size, f) > 0) {
		value = in_line(line, &in_table);
		last = isnan(value) ? last : value;
	}
	free(line);
	if (f)
		fclose(f);
	return last;
}
