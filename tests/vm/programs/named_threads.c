// SPDX-License-Identifier: GPL-2.0
/*
 * named_threads - a program with threads of different names and work, for reports of threads
 *
 * usage: named_threads [wait]
 *
 * The threads are "worker 1" to "worker 3", which execute 1, 2 and 3 million rounds of a loop;
 * one with odd bytes in its name; and "short", which ends at once. The first thread is called
 * "leader". With `wait`, all of them wake up now and then until standard input ends.
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define ROUNDS	1000000

static int waits;

struct job {
	const char *name;
	long rounds;
};

static struct job jobs[] = {
	{ "worker 1", ROUNDS }, { "worker 2", 2 * ROUNDS }, { "worker 3", 3 * ROUNDS },
	{ "a,\"b\"\033[31m\377", 0 }, { "short", 0 },
};

#define NR_JOBS	(sizeof(jobs) / sizeof(*jobs))

static void work(long rounds)
{
	while (rounds-- > 0)
		__asm__ volatile("");
}

static void *run(void *arg)
{
	const struct job *job = arg;
	struct pollfd input = { .fd = 0, .events = POLLIN };

	prctl(PR_SET_NAME, job->name);
	work(job->rounds);
	while (waits && poll(&input, 1, 10) == 0)
		;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t ids[NR_JOBS];
	size_t i;

	waits = argc > 1 && !strcmp(argv[1], "wait");
	prctl(PR_SET_NAME, "leader");
	for (i = 0; i < NR_JOBS; i++)
		if (pthread_create(&ids[i], NULL, run, &jobs[i])) {
			perror("named_threads");
			return 1;
		}
	for (i = 0; i < NR_JOBS; i++)
		pthread_join(ids[i], NULL);
	return 0;
}
