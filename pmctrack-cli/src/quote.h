/* SPDX-License-Identifier: GPL-2.0 */
/* Text as a field of other formats. */
#ifndef PMCTRACK_QUOTE_H
#define PMCTRACK_QUOTE_H

#include <stdio.h>

/* As it is, or between quotes if it has a comma, a quote or a line break in it. */
void print_csv_string(FILE *f, const char *s);
/* Between quotes. A byte that is no part of a character of UTF-8 becomes U+FFFD. */
void print_json_string(FILE *f, const char *s);

#endif
