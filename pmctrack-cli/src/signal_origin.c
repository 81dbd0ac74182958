// SPDX-License-Identifier: GPL-2.0
/* Whether a signal was sent to pmctrack alone or to its process group. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interrupted.h"
#include "signal_origin.h"

/*
 * One request to end may come as several signals: timeout(1) sends one to pmctrack and one
 * to the process group. Signals within this time after the first are the same request.
 */
#define SAME_REQUEST_MS 1000

/* The program may receive its own signal by this time later than pmctrack. */
#define PASS_ON_MS 200

/* Length of this process's command line, with the zeros between and after the arguments */
static size_t command_line_length(void)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	char part[1024];
	size_t len = 0;
	ssize_t n;

	while (fd >= 0 && (n = read(fd, part, sizeof(part))) > 0)
		len += n;
	close(fd);
	return len;
}

/*
 * pkill(1) by pmctrack's name, or by a word of its command line, must not find the probe.
 * The arguments lie one after another, from argv[0] on.
 */
static void set_process_name(void)
{
	static const char name[] = "signal-probe";
	size_t len = command_line_length();

	memset(program_invocation_name, 0, len);
	memcpy(program_invocation_name, name, len > sizeof(name) ? sizeof(name) : len);
	prctl(PR_SET_NAME, name);
}

/* The probe ends with pmctrack, however pmctrack ends: the pipe then has no reader. */
static _Noreturn void run(const sigset_t *mask, int out)
{
	struct pollfd p[2] = { { .events = POLLIN }, { .fd = out } };
	struct signalfd_siginfo info;
	unsigned char signal;

	set_process_name();
	/* Close all files: the probe must not keep the session or a pipe open. */
	dup2(out, 0);
	close_range(1, ~0U, 0);
	p[0].fd = signalfd(-1, mask, 0);
	p[1].fd = 0;
	while (poll(p, 2, -1) > 0 && !p[1].revents) {
		if (read(p[0].fd, &info, sizeof(info)) != sizeof(info))
			break;
		signal = info.ssi_signo;
		if (write(0, &signal, 1) != 1)
			break;
	}
	_exit(0);
}

void signal_origin_mask(sigset_t *mask)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction was;
	size_t i;

	sigemptyset(mask);
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!sigaction(ends[i], NULL, &was) && was.sa_handler != SIG_IGN)
			sigaddset(mask, ends[i]);
}

int signal_origin_start(struct signal_origin *probe, const sigset_t *mask)
{
	sigset_t all, old;
	int p[2];

	if (pipe2(p, O_CLOEXEC | O_NONBLOCK))
		return -1;
	/* Block all other signals in the probe, too: it ends when pmctrack ends. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	probe->pid = fork();
	if (!probe->pid)
		run(mask, p[1]);
	sigprocmask(SIG_SETMASK, &old, NULL);
	close(p[1]);
	probe->fd = p[0];
	if (probe->pid > 0)
		return 0;
	close(p[0]);
	return -1;
}

static int asked_twice(struct signal_origin *probe)
{
	if (probe->asked_ns)
		return monotonic_ns() - probe->asked_ns >= SAME_REQUEST_MS * 1000000ULL;
	probe->asked_ns = monotonic_ns();
	return 0;
}

int signal_origin_take(struct signal_origin *probe, int signal)
{
	if (asked_twice(probe))
		return 1;
	sigaddset(&probe->to_pass_on, signal);
	probe->pass_on_ns = monotonic_ns() + PASS_ON_MS * 1000000ULL;
	return 0;
}

/* The signals that the probe received since the last call. */
static void signals_seen(const struct signal_origin *probe, sigset_t *seen)
{
	unsigned char signal;

	sigemptyset(seen);
	while (read(probe->fd, &signal, 1) == 1)
		sigaddset(seen, signal);
}

/* A terminal, timeout(1) and others send a signal to the whole process group. */
static int program_received(pid_t program, const sigset_t *seen, int signal)
{
	return sigismember(seen, signal) && getpgid(program) == getpgrp();
}

void signal_origin_pass_on(struct signal_origin *probe, pid_t program)
{
	sigset_t seen;
	int signal;

	if (!probe->pass_on_ns || monotonic_ns() < probe->pass_on_ns)
		return;
	signals_seen(probe, &seen);
	for (signal = 1; signal < NSIG; signal++)
		if (program && sigismember(&probe->to_pass_on, signal) == 1 &&
		    !program_received(program, &seen, signal))
			kill(program, signal);
	sigemptyset(&probe->to_pass_on);
	probe->pass_on_ns = 0;
}

void signal_origin_end(struct signal_origin *probe)
{
	close(probe->fd);
	/* The process may be stopped, so only SIGKILL ends it. */
	kill(probe->pid, SIGKILL);
	waitpid(probe->pid, NULL, 0);
}
