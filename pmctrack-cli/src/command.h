/* SPDX-License-Identifier: GPL-2.0 */
/* What all commands do alike: say what is wrong, take numbers, end their output. */
#ifndef PMCTRACK_COMMAND_H
#define PMCTRACK_COMMAND_H

#include <stdint.h>
#include <stdio.h>

/* Print one line on stderr, behind the command's name, and exit with status 2. */
void bad(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* The decimal number that an option has for @text; bad() if it is none from @least to @most. */
uint64_t option_number(const char *option, const char *text, uint64_t least, uint64_t most);

/* All that was written to @f, called @name, has to have got there; else bad(). */
void written(FILE *f, const char *name);

#endif
