// SPDX-License-Identifier: GPL-2.0
/* The cost of a child for a counted process, from fork to exit; the child is counted, too. */
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "pmctrack.h"

#define ROUNDS	2
/* Paced forks: their number, and the instructions between two of them */
#define PACED_ROUNDS	32
#define PACE		500000

/*
 * The child uses its parent's address space. Copying and freeing one takes two hundred
 * times as many instructions as are measured here, and varies. Every other child gets a
 * kernel stack from the cache of the CPU, which is 17 000 instructions cheaper; only those
 * are compared.
 */
static void forks(void *unused)
{
	pid_t child;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		child = vfork();
		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
	}
}

static void paced_forks(void *unused)
{
	int i;

	for (i = 0; i < PACED_ROUNDS / ROUNDS; i++) {
		spin(ROUNDS * PACE);
		forks(NULL);
	}
}

/*
 * The process that forks. A byte from the parent starts a measurement; the result is sent
 * back. The result of paced forks is the mean, which includes the kernel's deferred work.
 */
struct forker {
	pid_t pid;
	int to[2];
	int from[2];
};

static void serve(int in, int out, bool paced)
{
	double cost;
	char byte;

	while (read(in, &byte, 1) == 1) {
		cost = paced ? typical(paced_forks, NULL, PACED_ROUNDS) :
			       lower(forks, NULL, ROUNDS);
		if (write(out, &cost, sizeof(cost)) != sizeof(cost))
			break;
	}
	_exit(0);
}

static void start(struct forker *f, bool paced)
{
	if (pipe(f->to) || pipe(f->from))
		die("pipe");
	f->pid = fork();
	if (f->pid < 0)
		die("fork");
	if (!f->pid) {
		close(f->to[1]);
		serve(f->to[0], f->from[1], paced);
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
static double ours(int nr, bool paced)
{
	pmc_session_t *session;
	double bare, cost;
	struct forker f;

	start(&f, paced);
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

static double theirs(int nr, bool paced)
{
	double bare, cost;
	struct forker f;
	struct theirs t;

	start(&f, paced);
	bare = measure(&f);
	theirs_open(&t, f.pid, nr, 1);
	cost = measure(&f);
	theirs_close(&t);
	bare = (bare + measure(&f)) / 2;
	stop(&f);
	return cost - bare;
}

static double ours_at_once(int nr) { return ours(nr, false); }
static double ours_paced(int nr) { return ours(nr, true); }
static double theirs_at_once(int nr) { return theirs(nr, false); }
static double theirs_paced(int nr) { return theirs(nr, true); }

double fork_ours(int nr, bool paced)
{
	return median(paced ? ours_paced : ours_at_once, nr);
}

double fork_theirs(int nr, bool paced)
{
	return median(paced ? theirs_paced : theirs_at_once, nr);
}
