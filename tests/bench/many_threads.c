// SPDX-License-Identifier: GPL-2.0
/*
 * many_threads - very many counted threads at once
 *
 * usage: many_threads THREADS
 *
 * Each thread runs a known loop, waits until all threads run, and runs the loop again.
 * The program prints the kernel memory that counting adds for each thread, and the memory
 * still in use after the threads have ended. It checks that counters of the same event
 * agree and have counted the loops.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "pmctrack.h"

#define LOOPS	1000

/* PID_MAX_LIMIT of Linux on 64-bit machines */
#define MOST_TID	(4 << 20)

static pthread_barrier_t all_here;

static void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, pmc_last_error());
	exit(1);
}

/* 2 * LOOPS instructions in the loop. */
static void work(void)
{
	unsigned long n = LOOPS;

#ifdef __aarch64__
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#else
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
#endif
}

static void *run(void *unused)
{
	(void)unused;
	work();
	pthread_barrier_wait(&all_here);
	pthread_barrier_wait(&all_here);
	work();
	return NULL;
}

/* Kernel memory in use that belongs to no page of a process, KiB. */
static long kernel_memory(void)
{
	long total = 0, value;
	char line[128];
	FILE *f = fopen("/proc/meminfo", "r");

	if (!f)
		exit(1);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "SUnreclaim: %ld", &value) == 1 ||
		    sscanf(line, "VmallocUsed: %ld", &value) == 1 ||
		    sscanf(line, "Percpu: %ld", &value) == 1)
			total += value;
	fclose(f);
	return total;
}

/* Run @nr threads. Return: kernel memory in use while all of them exist, KiB. */
static long run_threads(int nr)
{
	pthread_t *threads = calloc(nr, sizeof(*threads));
	pthread_attr_t attr;
	long memory;
	int i;

	pthread_barrier_init(&all_here, NULL, nr + 1);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, sysconf(_SC_THREAD_STACK_MIN) + 8192);
	for (i = 0; i < nr; i++) {
		if (pthread_create(&threads[i], &attr, run, NULL)) {
			fprintf(stderr, "thread %d could not be started\n", i);
			exit(1);
		}
	}
	pthread_barrier_wait(&all_here);
	memory = kernel_memory();
	pthread_barrier_wait(&all_here);
	for (i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return memory;
}

/* The records of ended threads: how many, how many of them wrong, and the counts. */
struct ended {
	int threads;
	int wrong;
	uint64_t least;
	uint64_t most;
};

/*
 * A thread has a record for each core type that it ran on. Those of a thread that ends at the same
 * time may be between them.
 */
static void read_records(pmc_session_t *session, struct ended *ended)
{
	uint64_t *sums = calloc(MOST_TID + 1, sizeof(*sums));
	struct pmc_reading sample;
	uint64_t sum;

	if (!sums)
		fail("sums");
	*ended = (struct ended){ .least = UINT64_MAX };
	while (pmc_session_next(session, &sample) == 1) {
		if (sample.type != PMC_EXIT_SAMPLE)
			continue;
		sum = sums[sample.tid] += sample.counts[0];
		ended->wrong += sample.counts[0] != sample.counts[1] ||
			       sample.counts[0] > sample.counts[3];
		if (!(sample.flags & PMC_READING_LAST))
			continue;
		ended->threads++;
		ended->wrong += sum < 4 * LOOPS;
		if (sum < ended->least)
			ended->least = sum;
		if (sum > ended->most)
			ended->most = sum;
		sums[sample.tid] = 0;
	}
	free(sums);
}

static int configure(pmc_session_t *session)
{
	pmc_machine_t *machine = pmc_machine_open();
	pmc_config_t *config = machine ? pmc_config_new(machine) : NULL;
	int rc;

	rc = !config ||
	     pmc_config_add(config, "instr,instr:u,cycles,instr:u:k", PMC_EVERY_CORE_TYPE, 0) ||
	     pmc_session_configure(session, config);
	pmc_config_free(config);
	pmc_machine_close(machine);
	return rc;
}

int main(int argc, char **argv)
{
	int nr = argc == 2 ? atoi(argv[1]) : 0;
	long bare, counted, before, opened, first, second, after;
	pmc_session_t *session;
	struct ended ended, again;

	if (nr <= 0) {
		fprintf(stderr, "usage: many_threads THREADS\n");
		return 2;
	}
	run_threads(nr);
	sleep(2);
	bare = run_threads(nr);
	sleep(2);
	before = kernel_memory();
	session = pmc_session_open();
	if (!session || pmc_session_command(session, "ring %d", 4 * nr) ||
	    configure(session) ||
	    pmc_session_command(session, "follow threads") ||
	    pmc_session_start(session))
		fail("session");
	opened = kernel_memory();
	counted = run_threads(nr);
	sleep(2);
	first = kernel_memory();
	read_records(session, &ended);
	run_threads(nr);
	sleep(2);
	second = kernel_memory();
	read_records(session, &again);
	printf("%d threads counted at once on %d CPUs: %d ended with a record, %d records lost\n",
	       nr, get_nprocs(), ended.threads, (int)pmc_session_lost(session));
	printf("user instructions of a thread: %llu to %llu; counters that disagree: %d\n",
	       (unsigned long long)ended.least, (unsigned long long)ended.most,
	       ended.wrong + again.wrong);
	pmc_session_close(session);
	sleep(2);
	after = kernel_memory();
	printf("kernel memory a thread: %ld bytes more than uncounted\n",
	       (counted - bare - (opened - before)) * 1024 / nr);
	printf("kernel memory of the session: %ld KiB; when the threads are gone %ld KiB, after a second run %ld KiB, closed %+ld KiB\n",
	       opened - before, first - before, second - before, after - before);
	return ended.threads != nr || again.threads != nr || ended.wrong || again.wrong;
}
