// SPDX-License-Identifier: GPL-2.0
/* What it costs a counted process to have a child, counted too, until its end. */
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "pmctrack.h"

#define ROUNDS	2

static void forks(void *unused)
{
	pid_t child;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		child = fork();
		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
	}
}

/* The process that forks: it measures when told, and tells what it took. */
struct forker {
	pid_t pid;
	int to[2];
	int from[2];
};

static void serve(int in, int out)
{
	double cost;
	char byte;

	while (read(in, &byte, 1) == 1) {
		cost = typical(forks, NULL, ROUNDS);
		if (write(out, &cost, sizeof(cost)) != sizeof(cost))
			break;
	}
	_exit(0);
}

static void start(struct forker *f)
{
	if (pipe(f->to) || pipe(f->from))
		die("pipe");
	f->pid = fork();
	if (f->pid < 0)
		die("fork");
	if (!f->pid) {
		close(f->to[1]);
		serve(f->to[0], f->from[1]);
	}
}

static double measure(struct forker *f)
{
	double cost;

	if (write(f->to[1], "", 1) != 1 ||
	    read(f->from[0], &cost, sizeof(cost)) != sizeof(cost))
		die("forker");
	return cost;
}

static void stop(struct forker *f)
{
	close(f->to[0]);
	close(f->to[1]);
	close(f->from[0]);
	close(f->from[1]);
	waitpid(f->pid, NULL, 0);
}

/* A fork's cost drifts with the kernel's memory: measured before and after. */
static double pair_ours(int nr)
{
	pmc_session_t *session;
	double bare, cost;
	struct forker f;

	start(&f);
	/* Not before, or the child has it open, too. */
	session = ours_open(ours_events[nr], "follow children\nring 4096");
	bare = measure(&f);
	ours_attach(session, f.pid);
	cost = measure(&f);
	pmc_session_close(session);
	bare = (bare + measure(&f)) / 2;
	stop(&f);
	return cost - bare;
}

/* Sometimes it leaps between them: of several pairs the median. */
double fork_ours(int nr)
{
	return median(pair_ours, nr);
}

static double pair_theirs(int nr)
{
	double bare, cost;
	struct forker f;
	struct theirs t;

	start(&f);
	bare = measure(&f);
	theirs_open(&t, f.pid, nr, 1);
	cost = measure(&f);
	theirs_close(&t);
	bare = (bare + measure(&f)) / 2;
	stop(&f);
	return cost - bare;
}

double fork_theirs(int nr)
{
	return median(pair_theirs, nr);
}
