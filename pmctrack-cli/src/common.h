/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that all commands use: errors, numbers in options, the end of the output. */
#ifndef PMCTRACK_COMMON_H
#define PMCTRACK_COMMON_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Print one line on stderr, behind the command's name, and exit with status 2. */
void bad(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Call @function before bad() prints, to give the terminal back; NULL: none */
void bad_begins_with(void (*function)(void));

/* Parse the decimal number @text of an option; bad() if it is not from @least to @most. */
uint64_t option_number(const char *option, const char *text, uint64_t least, uint64_t most);

/* Parse the percent @text of an option as a share; bad() if it is not above 0 and at most 1000 %. */
double option_percent(const char *option, const char *text);

/* @memory; bad() if it is NULL, as there was none. */
void *must_have(void *memory);

/* @nr elements of @size bytes, all 0; at least one. */
void *new_array(size_t nr, size_t size);

/* Print the words of a command, with blanks between. */
void print_command_line(FILE *f, char *const *words);

/* Flush @f, which messages call @name; bad() if something could not be written. */
void written(FILE *f, const char *name);

/* Sleep for @us microseconds, which may be more than usleep() takes: 4294 seconds. */
void sleep_us(uint64_t us);

#endif
