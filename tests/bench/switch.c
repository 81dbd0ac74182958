// SPDX-License-Identifier: GPL-2.0
/*
 * What a context switch costs a counted process, out and in: two processes on
 * one CPU send a byte to and fro; one of them is counted.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "pmctrack.h"

#define ROUNDS	20

struct pair {
	pid_t child;
	int to[2];
	int from[2];
};

static void echo(int in, int out)
{
	char byte;

	while (read(in, &byte, 1) == 1)
		if (write(out, &byte, 1) != 1)
			break;
	_exit(0);
}

static void start(struct pair *p)
{
	if (pipe(p->to) || pipe(p->from))
		die("pipe");
	p->child = fork();
	if (p->child < 0)
		die("fork");
	if (!p->child) {
		close(p->to[1]);
		close(p->from[0]);
		echo(p->to[0], p->from[1]);
	}
	close(p->to[0]);
	close(p->from[1]);
}

static void stop(struct pair *p)
{
	close(p->to[1]);
	close(p->from[0]);
	waitpid(p->child, NULL, 0);
}

static void round_trips(void *pair)
{
	struct pair *p = pair;
	char byte = 0;
	int i;

	for (i = 0; i < ROUNDS; i++)
		if (write(p->to[1], &byte, 1) != 1 || read(p->from[0], &byte, 1) != 1)
			die("round trip");
}

static double measure(struct pair *p)
{
	return typical(round_trips, p, ROUNDS);
}

/*
 * All figures are differences within one pair, before and after: two pairs
 * differ by a hundred instructions, for no other reason than where their memory
 * lies. Of several pairs the median.
 */
static double pair_ours(int nr)
{
	pmc_session_t *session;
	struct pair p;
	double bare, cost;

	start(&p);
	/* Not before, or the child has it open, too. */
	session = ours_open(ours_events[nr], NULL);
	bare = measure(&p);
	ours_attach(session, p.child);
	cost = measure(&p);
	pmc_session_close(session);
	bare = (bare + measure(&p)) / 2;
	stop(&p);
	return cost - bare;
}

double switch_ours(int nr)
{
	return median(pair_ours, nr);
}

#define TURNS	7

double switch_extra(void (*without)(pid_t pid), void (*with)(pid_t pid))
{
	double extra[TURNS], before, after, cost;
	struct pair p;
	int i;

	start(&p);
	without(p.child);
	before = measure(&p);
	for (i = 0; i < TURNS; i++) {
		with(p.child);
		cost = measure(&p);
		without(p.child);
		after = measure(&p);
		extra[i] = cost - (before + after) / 2;
		before = after;
	}
	stop(&p);
	return middle(extra, TURNS);
}

/* Switches of others, while somebody is counted who does not run. */
double switch_ours_bystander(void)
{
	pmc_session_t *session = ours_open(ours_events[MAX_EVENTS], NULL);
	pid_t sleeper = fork();
	double bare, cost;
	struct pair p;

	if (!sleeper) {
		pause();
		_exit(0);
	}
	start(&p);
	bare = measure(&p);
	ours_attach(session, sleeper);
	cost = measure(&p);
	pmc_session_close(session);
	stop(&p);
	kill(sleeper, SIGKILL);
	waitpid(sleeper, NULL, 0);
	return cost - bare;
}

/* With the module in the kernel and nobody counted, against without it. */
double switch_ours_idle(const char *module)
{
	double bare, cost;
	struct pair p;

	if (system("rmmod pmctrack"))
		die("rmmod");
	start(&p);
	bare = measure(&p);
	if (setenv("MODULE", module, 1) || system("insmod $MODULE"))
		die("insmod");
	cost = measure(&p);
	stop(&p);
	return cost - bare;
}

static double pair_theirs(int nr)
{
	double bare, cost;
	struct theirs t;
	struct pair p;

	start(&p);
	bare = measure(&p);
	theirs_open(&t, p.child, nr, 0);
	cost = measure(&p);
	theirs_close(&t);
	bare = (bare + measure(&p)) / 2;
	stop(&p);
	return cost - bare;
}

double switch_theirs(int nr)
{
	return median(pair_theirs, nr);
}
