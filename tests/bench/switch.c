// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of a context switch for a counted process, out and in. Two processes on one CPU
 * send a byte back and forth; one of them is counted.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uapi/pmctrack.h>

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

/* Number of calipers, and of sessions with a page each, that the child opens for itself. */
static int child_calipers, child_sessions;

static void open_session_with_page(void)
{
	int fd = pmc_session_fd(ours_open(ours_events[1], "ring 8"));

	if (ioctl(fd, PMC_IOC_START) ||
	    mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd, PMC_MMAP_CALIPER) == MAP_FAILED)
		die("session with a page");
}

static void open_calipers(void)
{
	int i;

	for (i = 0; i < child_calipers; i++)
		if (!pmc_caliper_open(ours_events[1]))
			ours_fail("caliper");
	for (i = 0; i < child_sessions; i++)
		open_session_with_page();
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
		open_calipers();
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
 * All figures are differences within one pair of processes, counted and not counted: two
 * pairs differ by a hundred instructions because their memory lies elsewhere. The result
 * is the median of several pairs.
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

static double pair_calipers(int nr)
{
	struct pair p;
	double cost;

	child_calipers = nr;
	start(&p);
	cost = measure(&p);
	stop(&p);
	child_calipers = 0;
	return cost;
}

/* The additional cost of the switches of a thread with @nr calipers, compared with one. */
double switch_calipers(int nr)
{
	return median(pair_calipers, nr) - median(pair_calipers, 1);
}

static double pair_sessions(int nr)
{
	struct pair p;
	double cost;

	child_sessions = nr;
	start(&p);
	cost = measure(&p);
	stop(&p);
	child_sessions = 0;
	return cost;
}

/* The same for a thread that @nr sessions count, which all have pages. */
double switch_sessions(int nr)
{
	return median(pair_sessions, nr) - median(pair_sessions, 1);
}

#define TURNS	7

/* Alternately, because the amount of the kernel's other work changes over time. */
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

/* Switches of other processes, while the counted process does not run. */
static pid_t sleeper;
static pmc_session_t *sleepers;

static void count_nothing(pid_t pid)
{
	pmc_session_close(sleepers);
	sleepers = NULL;
}

static void count_sleeper(pid_t pid)
{
	sleepers = ours_open(ours_events[MAX_EVENTS], NULL);
	ours_attach(sleepers, sleeper);
}

double switch_ours_bystander(void)
{
	double cost;

	sleeper = fork();
	if (!sleeper) {
		pause();
		_exit(0);
	}
	cost = switch_extra(count_nothing, count_sleeper);
	kill(sleeper, SIGKILL);
	waitpid(sleeper, NULL, 0);
	return cost;
}

/* With the module loaded and nothing counted, compared with no module. */
static void remove_module(pid_t pid)
{
	system("rmmod pmctrack 2>/dev/null");
}

static void insert_module(pid_t pid)
{
	if (system("insmod $MODULE"))
		die("insmod");
	/*
	 * The module looks at the PMU by an event of perf's, and perf stays in the way of
	 * switches for a second after its last event (perf_sched_delayed()).
	 */
	sleep(2);
}

double switch_ours_idle(const char *module)
{
	double cost;

	if (setenv("MODULE", module, 1))
		die("setenv");
	cost = switch_extra(remove_module, insert_module);
	insert_module(0);
	return cost;
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
