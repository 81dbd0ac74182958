// SPDX-License-Identifier: GPL-2.0
/* What it costs a counted process to have a child, counted too, until its end. */
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "pmctrack.h"

#define ROUNDS	10

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

static double measure(void)
{
	return typical(forks, NULL, ROUNDS);
}

/* A fork's cost drifts with the kernel's memory: measured before and after. */
double fork_ours(int nr)
{
	pmc_session_t *session = ours_open(nr, "follow children\nring 4096");
	double bare = measure(), cost;

	ours_attach(session, getpid());
	cost = measure();
	pmc_session_close(session);
	return cost - (bare + measure()) / 2;
}

double fork_theirs(int nr)
{
	double bare = measure(), cost;
	struct theirs t;

	theirs_open(&t, 0, nr, 1);
	cost = measure();
	theirs_close(&t);
	return cost - (bare + measure()) / 2;
}
