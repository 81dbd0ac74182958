/* SPDX-License-Identifier: GPL-2.0 */
/* Long lines on a terminal. */
#ifndef PMCTRACK_WRAP_H
#define PMCTRACK_WRAP_H

#include <stdio.h>

/*
 * Print @text and a newline. On a terminal of @width columns, lines end between words, and those
 * behind the first begin in column @indent. @at: the column where @text begins; @width 0: one line
 */
void print_wrapped(FILE *f, const char *text, int at, int indent, int width);

#endif
