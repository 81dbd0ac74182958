// SPDX-License-Identifier: GPL-2.0
/*
 * waking_threads - many threads that sleep and wake up, for what shows all threads of a machine
 *
 * usage: waking_threads THREADS
 *
 * Each thread wakes up twice a second, until the program is killed. The program prints a line
 * when all threads run.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define WAKES_PER_SECOND	2
#define STACK_BYTES		(64 << 10)

static void *run(void *unused)
{
	const struct timespec pause = { .tv_nsec = 1000000000 / WAKES_PER_SECOND };

	(void)unused;
	for (;;)
		nanosleep(&pause, NULL);
	return NULL;
}

int main(int argc, char **argv)
{
	int nr = argc == 2 ? atoi(argv[1]) : 0;
	pthread_attr_t attr;
	pthread_t thread;
	int i;

	if (nr < 1) {
		fprintf(stderr, "usage: waking_threads THREADS\n");
		return 2;
	}
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (i = 0; i < nr; i++)
		if (pthread_create(&thread, &attr, run, NULL)) {
			fprintf(stderr, "waking_threads: only %d threads could be started\n", i);
			return 1;
		}
	printf("%d threads\n", nr);
	fflush(stdout);
	pause();
	return 0;
}
