// SPDX-License-Identifier: GPL-2.0
/*
 * pmctrack --remote HOST ...: the same command on another machine, by ssh, which does all that has to
 * do with passwords and keys. The other machine needs pmctrack alone.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "remote.h"

#define OPTION "--remote"

/* Behind quotation marks, a shell takes everything as it is but the mark itself. */
static void print_quoted(FILE *f, const char *word)
{
	fputc('\'', f);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", f);
		else
			fputc(*word, f);
	}
	fputc('\'', f);
}

char *remote_command_line(char *const *words)
{
	size_t size;
	char *text;
	FILE *f = must_have(open_memstream(&text, &size));

	fputs("pmctrack", f);
	for (; *words; words++) {
		fputc(' ', f);
		print_quoted(f, *words);
	}
	if (fclose(f))
		bad("out of memory");
	return text;
}

/* The host of --remote HOST or --remote=HOST; @words: out: those behind it */
static const char *find_host(char **argv, char ***words)
{
	const char *first = argv[1];

	if (!first || strncmp(first, OPTION, strlen(OPTION)))
		return NULL;
	if (first[strlen(OPTION)] == '=') {
		*words = argv + 2;
		return first + strlen(OPTION) + 1;
	}
	if (first[strlen(OPTION)])
		return NULL;
	if (!argv[2])
		bad("option '" OPTION "' requires an argument, as user@host");
	*words = argv + 3;
	return argv[2];
}

void remote_run(char **argv)
{
	const char *ssh = getenv("PMCTRACK_SSH"), *host;
	/* A screen, as of pmctrack top, takes a terminal on the other side. */
	const char *terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) ? "-t" : "-T";
	char **words;

	host = find_host(argv, &words);
	if (!host)
		return;
	/* ssh would take it for an option. */
	if (!*host || *host == '-')
		bad(OPTION " takes a host, as user@host, not '%s'", host);
	if (!*words)
		bad(OPTION ": what to do there? Name a program, or a verb as in: pmctrack " OPTION " %s top", host);
	if (!ssh || !*ssh)
		ssh = "ssh";
	execlp(ssh, ssh, terminal, "--", host, remote_command_line(words), (char *)NULL);
	bad(OPTION ": cannot run %s: %s", ssh, strerror(errno));
}
