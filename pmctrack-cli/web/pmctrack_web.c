// SPDX-License-Identifier: GPL-2.0
/* pmctrack web: run a program under pmctrack, and show its samples in a browser as they come. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "page.h"
#include "server.h"

#define MIB ((size_t)1 << 20)
#define DEFAULT_KEEP_MIB 256

/* Viewers that have gone are looked for when nothing has happened for so long. */
#define CHECK_MS 2000

static const char help[] =
"Usage: pmctrack web [OPTION]... [pmctrack's OPTION]... COMMAND [ARG]...\n"
"Run a program under pmctrack, and show its samples in a browser as they come: charts of each quantity\n"
"over time, by thread and core type. Prints the page's address. The page is on this machine alone\n"
"(127.0.0.1), and nobody sees it without the address. Ctrl-C ends the program and the page.\n"
"\n"
"      --port=N      listen on port N (default: any free one)\n"
"      --keep=MIB    keep at most so much of the samples for viewers that come later (default: 256)\n"
"  -h, --help        show this text\n"
"\n"
"These options come first. All that follows is for pmctrack: see pmctrack --help.\n"
"\n"
"Examples: pmctrack web -T 1 -c instr,cycles,llc_misses ./app\n"
"          pmctrack web -T 1 -S -c instr,cycles sleep 1000\n"
"          pmctrack --remote user@host web -T 1 ./app\n";

extern char **environ;

/**
 * struct run - pmctrack as it runs
 * @words: its command line
 * @pipe: the name of the pipe that it writes its report to
 * @fd: the pipe's other end; -1: the report has ended
 * @pid: 0: it has ended
 * @reported: it has written something
 * @status: how it has ended, as an exit status
 */
struct run {
	char **words;
	char *pipe;
	int fd;
	pid_t pid;
	int reported;
	int status;
};

#define OWN_OPTIONS "-o and --format are options that pmctrack web itself gives to pmctrack"

static char *folder;

static void remove_folder(void)
{
	char *path;

	if (asprintf(&path, "%s/report", folder) < 0)
		return;
	unlink(path);
	rmdir(folder);
	free(path);
}

/* A named pipe, which only this user can open */
static char *make_pipe(void)
{
	const char *parent = getenv("TMPDIR");
	char *path;

	if (!parent || !*parent)
		parent = "/tmp";
	if (asprintf(&folder, "%s/pmctrack-web.XXXXXX", parent) < 0)
		bad("out of memory");
	if (!mkdtemp(folder))
		bad("cannot make a folder in %s: %s", parent, strerror(errno));
	atexit(remove_folder);
	if (asprintf(&path, "%s/report", folder) < 0)
		bad("out of memory");
	if (mkfifo(path, 0600))
		bad("cannot make the pipe %s: %s", path, strerror(errno));
	return path;
}

/* The pmctrack that is in the same folder as this program, or else the one of PATH */
static char *find_pmctrack(void)
{
	char self[4096], *slash;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - sizeof("pmctrack"));

	if (len > 0) {
		self[len] = '\0';
		slash = strrchr(self, '/');
		strcpy(slash + 1, "pmctrack");
		if (!access(self, X_OK))
			return must_have(strdup(self));
	}
	return must_have(strdup("pmctrack"));
}

static char **command_line(char *pipe, char **words)
{
	int nr = 0, n = 0;
	char **all;

	while (words[nr])
		nr++;
	all = new_array(nr + 5, sizeof(*all));
	all[n++] = find_pmctrack();
	all[n++] = "--format=json";
	all[n++] = "-o";
	all[n++] = pipe;
	memcpy(all + n, words, nr * sizeof(*words));
	return all;
}

/*
 * pmctrack gets all signals that are blocked or ignored here. It would leave SIGINT ignored if a script has
 * started all this with &, and then no viewer could stop it.
 */
static void begin(struct run *r, struct server *s)
{
	posix_spawnattr_t attributes;
	sigset_t none, ignored;
	int err;

	r->fd = open(r->pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (r->fd < 0)
		bad("cannot open the pipe %s: %s", r->pipe, strerror(errno));
	sigemptyset(&none);
	sigemptyset(&ignored);
	sigaddset(&ignored, SIGPIPE);
	sigaddset(&ignored, SIGINT);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &ignored);
	err = posix_spawnp(&r->pid, r->words[0], NULL, &attributes, r->words, environ);
	posix_spawnattr_destroy(&attributes);
	if (err)
		bad("cannot run %s: %s", r->words[0], strerror(err));
	r->reported = 0;
	server_begin_run(s);
}

/* Viewers expect JSON, and no more of it than --keep says is kept. */
static void check_form(const struct run *r, const char *text)
{
	if (r->reported || *text == '{')
		return;
	if (r->pid)
		kill(r->pid, SIGINT);
	bad("the report is not in JSON: " OWN_OPTIONS);
}

/* Take what pmctrack has written. */
static void take_report(struct run *r, struct server *s)
{
	char buf[1 << 16];
	ssize_t n;

	while ((n = read(r->fd, buf, sizeof(buf))) > 0) {
		check_form(r, buf);
		server_add(s, buf, n);
		r->reported = 1;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0)
		bad("cannot read the pipe %s: %s", r->pipe, strerror(errno));
	close(r->fd);
	r->fd = -1;
}

/* Has pmctrack ended? Nothing more will come then. */
static void check_end(struct run *r, struct server *s)
{
	int status;

	if (!r->pid || waitpid(r->pid, &status, WNOHANG) <= 0)
		return;
	r->pid = 0;
	r->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (r->fd >= 0)
		take_report(r, s);
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}

/* @ends: no run begins any more */
static void do_request(struct run *r, struct server *s, int ends)
{
	enum request request = server_request(s);

	if (request == REQUEST_STOP && r->pid)
		kill(r->pid, SIGINT);
	if (request == REQUEST_START && !r->pid && !ends) {
		begin(r, s);
		fprintf(stderr, "pmctrack web: started again\n");
	}
}

/* A blocked signal has come. Return: it asks this program to end. */
static int take_signal(int fd, struct run *r, struct server *s)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return 0;
	if (info.ssi_signo == SIGCHLD) {
		check_end(r, s);
		return 0;
	}
	/*
	 * The kernel sends Ctrl-C to all programs of the terminal, but the end of the terminal to its first
	 * program alone, which this one is behind ssh. Others have sent the signal to this one alone.
	 */
	if (r->pid && (info.ssi_code <= 0 || info.ssi_signo == SIGHUP))
		kill(r->pid, info.ssi_signo);
	return 1;
}

/* With nohup, the end of a terminal ends neither the page nor the program. */
static void add_unless_ignored(sigset_t *set, int number)
{
	struct sigaction was;

	if (!sigaction(number, NULL, &was) && was.sa_handler != SIG_IGN)
		sigaddset(set, number);
}

static int block_signals(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGCHLD);
	add_unless_ignored(&set, SIGTERM);
	add_unless_ignored(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	/* If SIGCHLD is ignored, the kernel does not report the end of a child. */
	signal(SIGCHLD, SIG_DFL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		bad("no signalfd: %s", strerror(errno));
	return fd;
}

static void print_addresses(const struct server *s)
{
	unsigned int port = server_port(s);

	fprintf(stderr,
		"pmctrack web: open http://127.0.0.1:%u%s\n"
		"for those who may not stop the program: http://127.0.0.1:%u%s\n",
		port, server_control_path(s), port, server_view_path(s));
}

/*
 * Until a signal asks for the end, and pmctrack has ended. Viewers see this end together with that of
 * the run: they would ask for the next one.
 */
static void serve(struct run *r, struct server *s, int signals)
{
	struct pollfd fds[3] = {
		{ signals, POLLIN, 0 },
		{ server_request_fd(s), POLLIN, 0 },
		{ -1, POLLIN, 0 },
	};
	int ends = 0, ran = 1, nr;

	while (!ends || r->pid) {
		/* pmctrack has refused to begin, and has said why. */
		if (!r->pid && !r->reported && r->status == 2)
			return;
		if (!r->pid && ran) {
			server_end_run(s);
			if (!r->reported && !r->status)
				fprintf(stderr, "pmctrack web: the page has no report: " OWN_OPTIONS "\n");
			fprintf(stderr, "pmctrack web: the run has ended; Ctrl-C ends the page\n");
		}
		ran = r->pid;
		fds[2].fd = r->fd;
		nr = poll(fds, 3, CHECK_MS);
		if (nr < 0 && errno != EINTR)
			bad("poll: %s", strerror(errno));
		if (!nr)
			server_check_viewers(s);
		if (fds[2].revents)
			take_report(r, s);
		if (fds[0].revents)
			ends |= take_signal(signals, r, s);
		if (fds[1].revents)
			do_request(r, s, ends);
	}
}

/* The words behind the options */
static char **parse(char **argv, unsigned int *port, size_t *keep)
{
	for (argv++; *argv; argv++) {
		if (!strcmp(*argv, "-h") || !strcmp(*argv, "--help")) {
			fputs(help, stdout);
			exit(0);
		}
		if (!strncmp(*argv, "--port=", 7))
			*port = option_number("--port", *argv + 7, 1, 65535);
		else if (!strncmp(*argv, "--keep=", 7))
			*keep = option_number("--keep", *argv + 7, 1, 65536) * MIB;
		else
			return argv;
	}
	bad("what to run? Try: pmctrack web -T 1 ./app");
}

int main(int argc, char **argv)
{
	unsigned int port = 0;
	size_t keep = DEFAULT_KEEP_MIB * MIB;
	struct run r = { .fd = -1 };
	struct server *s;
	char **words;
	int signals;

	(void)argc;
	program_invocation_short_name = "pmctrack web";
	words = parse(argv, &port, &keep);
	page_check();
	signals = block_signals();
	s = server_start(port, keep);
	r.pipe = make_pipe();
	r.words = command_line(r.pipe, words);
	print_addresses(s);
	begin(&r, s);
	serve(&r, s, signals);
	server_end(s);
	return r.status;
}
