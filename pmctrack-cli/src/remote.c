// SPDX-License-Identifier: GPL-2.0
/*
 * pmctrack --remote HOST ...: the same command on another machine, by ssh, which does all that has to
 * do with passwords and keys. The other machine needs pmctrack alone.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common.h"
#include "remote.h"

#define OPTION "--remote"

/*
 * Behind quotation marks, a shell takes everything as it is except for the mark itself, and in fish for
 * a backslash. Outside of the marks, all shells take a sign behind a backslash as it is.
 */
static void print_quoted(FILE *f, const char *word)
{
	fputc('\'', f);
	for (; *word; word++) {
		if (*word == '\'' || *word == '\\')
			fprintf(f, "'\\%c'", *word);
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

/* A port that nobody listens on at 127.0.0.1 */
static unsigned int free_port(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, len) ||
	    getsockname(fd, (struct sockaddr *)&address, &len))
		bad(OPTION ": no port for the page: %s", strerror(errno));
	close(fd);
	return ntohs(address.sin_port);
}

/* The port that the options of pmctrack web name last, or 0. They come before all others. */
static unsigned int named_port(char *const *options)
{
	unsigned int port = 0;

	for (; *options; options++) {
		if (!strncmp(*options, "--port=", 7))
			port = option_number("--port", *options + 7, 1, 65535);
		else if (strncmp(*options, "--keep=", 7))
			break;
	}
	return port;
}

/* web, with an option that names the port, and the other @words */
static char **with_port(char **words, unsigned int port)
{
	char **all, *option;
	int nr = 0;

	while (words[nr])
		nr++;
	if (asprintf(&option, "--port=%u", port) < 0)
		bad("out of memory");
	all = new_array(nr + 2, sizeof(*all));
	all[0] = words[0];
	all[1] = option;
	memcpy(all + 2, words + 1, (nr - 1) * sizeof(*all));
	return all;
}

/*
 * pmctrack web has a page on the other side's loopback address: ssh forwards the same port from here,
 * and from no other address, whatever its configuration says. A terminal there ends the page and the
 * program when the connection ends.
 */
static void __attribute__((noreturn)) run_web(const char *ssh, const char *host, char **words)
{
	unsigned int port = named_port(words + 1);
	char forward[64];

	if (!port) {
		port = free_port();
		words = with_port(words, port);
	}
	snprintf(forward, sizeof(forward), "127.0.0.1:%u:127.0.0.1:%u", port, port);
	execlp(ssh, ssh, "-tt", "-o", "ExitOnForwardFailure=yes", "-L", forward, "--", host,
	       remote_command_line(words), (char *)NULL);
	bad(OPTION ": cannot run %s: %s", ssh, strerror(errno));
}

/*
 * A terminal on the other side mixes standard error with standard output. The screen of pmctrack
 * top takes one in any case.
 */
static int wants_terminal(const char *verb)
{
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
	       (isatty(STDERR_FILENO) || !strcmp(verb, "top"));
}

void remote_run(char **argv)
{
	const char *ssh = getenv("PMCTRACK_SSH"), *host;
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
	if (!strcmp(*words, "web"))
		run_web(ssh, host, words);
	execlp(ssh, ssh, wants_terminal(*words) ? "-t" : "-T", "--", host, remote_command_line(words), (char *)NULL);
	bad(OPTION ": cannot run %s: %s", ssh, strerror(errno));
}
