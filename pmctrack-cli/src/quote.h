/* SPDX-License-Identifier: GPL-2.0 */
/* Quote strings for CSV, JSON and OpenMetrics, and names for all forms. */
#ifndef PMCTRACK_QUOTE_H
#define PMCTRACK_QUOTE_H

#include <stdio.h>

/* Print @s, between quotes if it contains a comma, a quote or a line break. */
void print_csv_string(FILE *f, const char *s);
/*
 * Print @s between quotes. A byte that is not part of a UTF-8 character becomes U+FFFD. Control
 * characters are written as numbers, because the reader may be a terminal; so is <, because the
 * reader may be a browser (page.h).
 */
void print_json_string(FILE *f, const char *s);

/*
 * Print @s between quotes, with a backslash in front of backslash and quote, and \n for a newline. Other
 * control characters, which the format cannot escape, and bytes that are part of no UTF-8 character
 * become U+FFFD.
 */
void print_openmetrics_string(FILE *f, const char *s);

/*
 * A name for a table or CSV, in a buffer of NAME_QUOTED bytes for a thread's name: \xNN stands for
 * each byte of control characters and of what is no UTF-8, for backslashes, and for those of
 * @also, which may be "". Return: @buf.
 */
#define NAME_QUOTED (4 * 15 + 1)
char *quote_name(char *buf, size_t size, const char *name, const char *also);

/* The number of columns that a text in UTF-8 takes: one for each character */
int text_columns(const char *text);
/* Shorten the text of quote_name() to this number of columns at most, and not within \xNN. */
void shorten_name(char *text, int columns);

#endif
