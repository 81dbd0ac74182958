/* SPDX-License-Identifier: GPL-2.0 */
/* Tables of options: what the command line of a verb may have, and who takes it. */
#ifndef PMCTRACK_OPTION_TABLE_H
#define PMCTRACK_OPTION_TABLE_H

#include <getopt.h>
#include <stddef.h>

struct options;

/* Number of an option without a letter, above all letters */
#define LONG_ONLY(n) (256 + (n))

/**
 * struct option_row - an option
 * @letter: 'x' for -x, or LONG_ONLY(n)
 * @name: "name" for --name
 * @argument: no_argument, required_argument or optional_argument
 * @take: takes the argument; bad() if it is wrong
 * @flag: without @take: the int that becomes 1
 * @text: without @take: the string that the argument becomes
 *
 * The last two are offsets in the structure that begins with struct options, with OPTION_AT().
 */
struct option_row {
	int letter;
	const char *name;
	int argument;
	void (*take)(struct options *o, const char *argument);
	size_t flag;
	size_t text;
};

#define OPTION_FLAG(letter, name, type, member) \
	{ letter, name, no_argument, NULL, offsetof(type, member), 0 }
#define OPTION_TEXT(letter, name, type, member) \
	{ letter, name, required_argument, NULL, 0, offsetof(type, member) }
#define OPTION_TAKE(letter, name, take) { letter, name, required_argument, take, 0, 0 }

/*
 * Take the options of the command line by the table, which ends with a row without a name. Exits
 * for --help, which prints @help, and for options that are not in the table. Return: the words
 * behind the options, or NULL if there are none.
 */
char **option_table_parse(const struct option_row *rows, const char *help, struct options *o,
			  int argc, char **argv);

#endif
