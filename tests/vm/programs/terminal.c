// SPDX-License-Identifier: GPL-2.0
/*
 * terminal COLUMNSxLINES COMMAND...: run a command on a terminal of its own, and do what standard
 * input says, a line each:
 *
 *   wait TEXT    until the command has printed TEXT since the last key
 *   key TEXT     type TEXT: \e is Escape, \n Enter, \c Control-C, \U \D \L \R the arrows
 *   size CxL     change the terminal's size
 *   end          until the command ends
 *
 * The command's output goes to standard output. The exit status is the command's, or 99 if a
 * text did not come in time.
 */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_S 120

static int terminal;
static pid_t child;
static char seen[1 << 20];	/* since the last key */
static size_t nr_seen;

static struct winsize size_of(const char *text)
{
	struct winsize size = { 0 };

	if (sscanf(text, "%hux%hu", &size.ws_col, &size.ws_row) != 2) {
		fprintf(stderr, "a size is 80x24, not %s\n", text);
		exit(98);
	}
	return size;
}

/* Return: 0 when the command has closed its terminal */
static int read_some(int ms)
{
	struct pollfd fd = { .fd = terminal, .events = POLLIN };
	char buf[4096];
	ssize_t n;

	if (poll(&fd, 1, ms) <= 0)
		return 1;
	n = read(terminal, buf, sizeof(buf));
	if (n <= 0)
		return 0;
	fwrite(buf, 1, n, stdout);
	if (nr_seen + n >= sizeof(seen))
		nr_seen = 0;
	memcpy(seen + nr_seen, buf, n);
	nr_seen += n;
	return 1;
}

static void __attribute__((noreturn)) too_late(const char *what)
{
	fflush(stdout);
	fprintf(stderr, "\n%s did not come in %d s\n", what, PATIENCE_S);
	kill(child, SIGKILL);
	exit(99);
}

static void wait_for(const char *text)
{
	time_t end = time(NULL) + PATIENCE_S;

	while (!memmem(seen, nr_seen, text, strlen(text)))
		if (time(NULL) > end || !read_some(1000))
			too_late(text);
}

static void type_byte(char c)
{
	if (write(terminal, &c, 1) != 1)
		too_late("room for a key");
}

static void type(const char *text)
{
	static const char arrows[] = "UDRL";
	const char *arrow;

	nr_seen = 0;
	for (; *text; text++) {
		if (*text != '\\') {
			type_byte(*text);
			continue;
		}
		text++;
		arrow = strchr(arrows, *text);
		if (arrow) {
			dprintf(terminal, "\033O%c", "ABCD"[arrow - arrows]);
		} else {
			type_byte(*text == 'n' ? '\r' : *text == 'e' ? '\033' : *text == 'c' ? 3 : *text);
		}
	}
}

static int wait_for_end(void)
{
	time_t end = time(NULL) + PATIENCE_S;
	int status;

	while (waitpid(child, &status, WNOHANG) != child) {
		if (time(NULL) > end)
			too_late("the end");
		read_some(100);
	}
	while (read_some(0) && nr_seen)
		nr_seen = 0;
	fflush(stdout);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	struct winsize size;
	char line[256];

	if (argc < 3)
		return 98;
	size = size_of(argv[1]);
	child = forkpty(&terminal, NULL, NULL, &size);
	if (child < 0)
		return 98;
	if (!child) {
		execvp(argv[2], argv + 2);
		_exit(97);
	}
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "wait ", 5)) {
			wait_for(line + 5);
		} else if (!strncmp(line, "key ", 4)) {
			type(line + 4);
		} else if (!strncmp(line, "size ", 5)) {
			size = size_of(line + 5);
			nr_seen = 0;
			ioctl(terminal, TIOCSWINSZ, &size);
		} else if (!strcmp(line, "end")) {
			return wait_for_end();
		} else {
			fprintf(stderr, "unknown: %s\n", line);
			return 98;
		}
	}
	return wait_for_end();
}
