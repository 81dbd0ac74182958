// SPDX-License-Identifier: GPL-2.0
/*
 * regions - a program with regions in threads and processes, for traces
 *
 * usage: regions [again]
 *
 * Two calipers have "outer", with "inner" in it two times, and "other", which overlaps with
 * "outer". A thread has "threaded", and ends without closing its caliper. A child has "forked",
 * and is killed in "unfinished". At last the program executes itself with `again`: then it has
 * "executed" alone, in which another caliper has "nested".
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmctrack.h>

static void must(int failed)
{
	if (!failed)
		return;
	fprintf(stderr, "regions: %s\n", pmc_last_error());
	exit(1);
}

static pmc_caliper_t *caliper(void)
{
	pmc_caliper_t *c = pmc_caliper_open("instr");

	must(!c);
	return c;
}

static void enter(pmc_caliper_t *c, const char *name)
{
	must(pmc_region_begin(c, name));
}

static void leave(pmc_caliper_t *c, const char *name)
{
	must(pmc_region_end(c, name));
}

static void *thread(void *arg)
{
	pmc_caliper_t *c = caliper();

	enter(c, "threaded");
	leave(c, "threaded");
	return arg;
}

static void child(void)
{
	pmc_caliper_t *c = caliper();

	enter(c, "forked");
	leave(c, "forked");
	enter(c, "unfinished");
	raise(SIGKILL);
}

static void first(void)
{
	pmc_caliper_t *one = caliper(), *two = caliper();
	pthread_t t;
	pid_t pid;

	enter(one, "outer");
	enter(one, "inner");
	leave(one, "inner");
	enter(one, "inner");
	leave(one, "inner");
	enter(two, "other");
	leave(one, "outer");
	leave(two, "other");
	must(pthread_create(&t, NULL, thread, NULL));
	pthread_join(t, NULL);
	pid = fork();
	if (!pid)
		child();
	waitpid(pid, NULL, 0);
}

static void second(void)
{
	pmc_caliper_t *one = caliper(), *two = caliper();

	enter(one, "executed");
	enter(two, "nested");
	leave(two, "nested");
	leave(one, "executed");
	pmc_caliper_close(one);
	pmc_caliper_close(two);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		second();
		return 0;
	}
	first();
	execl(argv[0], argv[0], "again", NULL);
	return 1;
}
