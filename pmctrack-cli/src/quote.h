/* SPDX-License-Identifier: GPL-2.0 */
/* Quote strings for CSV and JSON. */
#ifndef PMCTRACK_QUOTE_H
#define PMCTRACK_QUOTE_H

#include <stdio.h>

/* Print @s, between quotes if it contains a comma, a quote or a line break. */
void print_csv_string(FILE *f, const char *s);
/* Print @s between quotes. A byte that is not part of a UTF-8 character becomes U+FFFD. */
void print_json_string(FILE *f, const char *s);

#endif
