// SPDX-License-Identifier: GPL-2.0
/* One run: start the program, and add a row to the record at each period until its end. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "common.h"
#include "node/sampler.h"

/*
 * Writing a row costs more than reading the sources. With shorter periods than this, all rows
 * are written at the end.
 */
#define WRITE_AT_ONCE_US 100000

/* After a signal, look so often whether it is time to pass it on. */
#define SIGNAL_POLL_MS 100

struct run {
	struct sampler *s;
	struct child child;
	int timer;
	int has_ended;
	struct timespec start;
	size_t nr_written;
};

/* The program that runs now, or 0 */
static pid_t running;

/* pmctrack ends before the program. Nobody would see the program otherwise. */
static void announce_program(void)
{
	if (running && !waitpid(running, NULL, WNOHANG))
		fprintf(stderr, "pmctrack node: process %d keeps running and is not counted any more\n",
			running);
}

static double seconds_since(const struct timespec *start)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec - start->tv_sec + (t.tv_nsec - start->tv_nsec) / 1e9;
}

/* The program gets the file as its standard output, and pmctrack keeps its own. */
static void prepare_child(struct run *run)
{
	int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	int file = open(run->s->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (own < 0 || file < 0 || dup2(file, STDOUT_FILENO) < 0)
		bad("cannot write %s: %s", run->s->output, strerror(errno));
	if (child_prepare(&run->child, run->s->o))
		bad("cannot start: %s", strerror(errno));
	if (dup2(own, STDOUT_FILENO) < 0)
		bad("cannot start: %s", strerror(errno));
	close(own);
	close(file);
}

static void release_child(struct run *run)
{
	int err = child_release(&run->child);

	if (!err) {
		running = run->child.pid;
		return;
	}
	waitpid(run->child.pid, NULL, 0);
	if (err < 0)
		bad("-c: cannot run on these CPUs: %s", strerror(-err));
	bad("cannot run '%s': %s", run->s->o->command[0], strerror(err));
}

/* Deadlines are multiples of the period since the start: they do not drift. */
static void start_timer(struct run *run)
{
	uint64_t us = run->s->o->period_us;
	struct timespec period = { us / 1000000, us % 1000000 * 1000 };
	struct itimerspec t = { .it_interval = period, .it_value = run->start };

	t.it_value.tv_sec += period.tv_sec;
	t.it_value.tv_nsec += period.tv_nsec;
	if (t.it_value.tv_nsec >= 1000000000) {
		t.it_value.tv_sec++;
		t.it_value.tv_nsec -= 1000000000;
	}
	run->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (run->timer < 0 || timerfd_settime(run->timer, TFD_TIMER_ABSTIME, &t, NULL))
		bad("cannot set a timer: %s", strerror(errno));
}

static void write_rows(struct run *run)
{
	const struct record *record = run->s->sources->record;

	record_write(record, run->s->samples, run->nr_written);
	run->nr_written = record->nr_rows;
}

static void add_row(struct run *run)
{
	double *row = record_new_row(run->s->sources->record);

	row[0] = seconds_since(&run->start);
	sources_read(run->s->sources, row);
}

/* The last row covers the machine until the end, and all counts of the program. */
static void add_last_row(struct run *run)
{
	double *row = record_new_row(run->s->sources->record);

	row[0] = run->s->seconds;
	sources_read_last(run->s->sources, row);
}

static void take_tick(struct run *run)
{
	uint64_t ticks;

	if (read(run->timer, &ticks, sizeof(ticks)) != sizeof(ticks))
		return;
	run->s->late += ticks - 1;
	add_row(run);
	if (run->s->o->period_us >= WRITE_AT_ONCE_US)
		write_rows(run);
}

static void reap(struct run *run)
{
	int status;

	if (waitpid(run->child.pid, &status, WNOHANG) != run->child.pid)
		return;
	running = 0;
	run->has_ended = 1;
	run->s->seconds = seconds_since(&run->start);
	run->s->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/*
 * A signal that ends pmctrack ends the program, which may have received it itself; the run's rows
 * are written. A program that goes on is killed by a second one.
 */
static void take_signal(struct run *run)
{
	struct signalfd_siginfo info;

	if (read(run->s->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGCHLD) {
		reap(run);
		return;
	}
	if (signal_origin_take(run->s->probe, info.ssi_signo))
		kill(run->child.pid, SIGKILL);
	run->s->signal = info.ssi_signo;
}

static void loop(struct run *run)
{
	struct pollfd p[2] = {
		{ .fd = run->timer, .events = POLLIN },
		{ .fd = run->s->signals, .events = POLLIN },
	};

	while (!run->has_ended) {
		if (poll(p, 2, run->s->probe->pass_on_ns ? SIGNAL_POLL_MS : -1) < 0 && errno != EINTR)
			bad("cannot wait for the program: %s", strerror(errno));
		if (p[0].revents)
			take_tick(run);
		if (p[1].revents)
			take_signal(run);
		signal_origin_pass_on(run->s->probe, run->has_ended ? 0 : run->child.pid);
	}
}

void sampler_run(struct sampler *s)
{
	static int announces;
	struct run run = { .s = s };

	if (!announces++)
		atexit(announce_program);
	prepare_child(&run);
	counters_start(&s->sources->counters, run.child.pid, s->o->period_us);
	sources_start(s->sources, s->o->period_us);
	clock_gettime(CLOCK_MONOTONIC, &run.start);
	start_timer(&run);
	release_child(&run);
	loop(&run);
	close(run.timer);
	add_last_row(&run);
	write_rows(&run);
}
