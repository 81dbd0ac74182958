// SPDX-License-Identifier: GPL-2.0
/* Parse command lines by tables of options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "option_table.h"

static int count_rows(const struct option_row *rows)
{
	int n = 0;

	while (rows[n].name)
		n++;
	return n;
}

/* The table in the forms of getopt_long() */
static struct option *make_long(const struct option_row *rows, int nr)
{
	struct option *all = new_array(nr + 2, sizeof(*all));
	int i;

	for (i = 0; i < nr; i++)
		all[i] = (struct option){ rows[i].name, rows[i].argument, NULL, rows[i].letter };
	all[nr] = (struct option){ "help", no_argument, NULL, 'h' };
	return all;
}

/* + ends the options at the first word that is none; : leaves errors to refuse(). */
static char *make_short(const struct option_row *rows, int nr)
{
	char *text = new_array(3 * nr + 4, 1), *p = text;
	int i;

	*p++ = '+';
	*p++ = ':';
	for (i = 0; i < nr; i++) {
		if (rows[i].letter >= LONG_ONLY(0))
			continue;
		*p++ = rows[i].letter;
		if (rows[i].argument == required_argument)
			*p++ = ':';
	}
	*p = 'h';
	return text;
}

static void take(const struct option_row *rows, struct options *o, int letter, const char *argument)
{
	int i;

	for (i = 0; rows[i].letter != letter; i++)
		;
	if (rows[i].take)
		rows[i].take(o, argument);
	else if (rows[i].argument == no_argument)
		*(int *)((char *)o + rows[i].flag) = 1;
	else
		*(const char **)((char *)o + rows[i].text) = argument;
}

static void refuse(char **argv, int letter)
{
	const char *word = argv[optind - 1];

	if (letter == ':')
		bad("option '%s' requires an argument; see %s --help", word, argv[0]);
	if (optopt && optopt < LONG_ONLY(0) && strncmp(word, "--", 2))
		bad("invalid option -- '%c'; see %s --help", optopt, argv[0]);
	bad("unrecognized option '%s'; see %s --help", word, argv[0]);
}

char **option_table_parse(const struct option_row *rows, const char *help, struct options *o,
			  int argc, char **argv)
{
	int nr = count_rows(rows), letter;
	struct option *names = make_long(rows, nr);
	char *letters = make_short(rows, nr);

	optind = 0;
	opterr = 0;
	while ((letter = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		if (letter == '?' || letter == ':')
			break;
		if (letter == 'h') {
			fputs(help, stdout);
			exit(0);
		}
		take(rows, o, letter, optarg);
	}
	free(names);
	free(letters);
	if (letter != -1)
		refuse(argv, letter);
	return argv[optind] ? argv + optind : NULL;
}
