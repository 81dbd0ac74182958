// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * An EventSet for each thread: it counts the thread that started it, on all core types.
 *
 *   cc -o threads threads.c -lpmcpapi -lpthread
 *   ./threads [NUMBER]
 */
#include <papi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_THREADS 64

static void check(int code, const char *what)
{
	if (code == PAPI_OK)
		return;
	fprintf(stderr, "%s: %s\n", what, PAPI_strerror(code));
	exit(2);
}

static unsigned long thread_number(void)
{
	return (unsigned long)pthread_self();
}

static void work(long rounds)
{
	volatile long i;

	for (i = 0; i < rounds; i++)
		;
}

static void *thread(void *number)
{
	long long counts[2];
	int set = PAPI_NULL;

	check(PAPI_register_thread(), "a new thread");
	check(PAPI_create_eventset(&set), "a new EventSet");
	check(PAPI_add_event(set, PAPI_TOT_INS), "PAPI_TOT_INS");
	check(PAPI_add_event(set, PAPI_TOT_CYC), "PAPI_TOT_CYC");

	check(PAPI_start(set), "start");
	work(100000 * (1 + (long)number));
	check(PAPI_stop(set, counts), "stop");

	printf("thread %ld: %lld instructions, %lld cycles\n", (long)number, counts[0], counts[1]);
	check(PAPI_cleanup_eventset(set), "cleanup");
	check(PAPI_destroy_eventset(&set), "destroy");
	check(PAPI_unregister_thread(), "the end of a thread");
	return NULL;
}

int main(int argc, char **argv)
{
	long i, n = argc > 1 ? atoi(argv[1]) : 4;
	pthread_t threads[MAX_THREADS];

	if (n < 1 || n > MAX_THREADS) {
		fprintf(stderr, "usage: threads [NUMBER, at most %d]\n", MAX_THREADS);
		return 2;
	}
	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) {
		fprintf(stderr, "the library and papi.h are of different versions\n");
		return 2;
	}
	check(PAPI_thread_init(thread_number), "threads");
	for (i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, thread, (void *)i);
	for (i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
