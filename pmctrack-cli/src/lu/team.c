// SPDX-License-Identifier: GPL-2.0
/*
 * The threads that factorise a matrix, each on its CPU. In each step all update the block
 * columns behind the one that was factorised last. The thread that updates the first of them
 * factorises it at once, while others still update the rest.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common.h"
#include "lu/share.h"
#include "lu/team.h"

struct team {
	struct matrix *m;
	struct share share;
	pthread_barrier_t barrier;
	cpu_set_t cpus;
};

struct worker {
	struct team *team;
	int number;
	pthread_t thread;
};

/* The CPU with this number in the set, which begins again behind the last */
static int nth_cpu(const cpu_set_t *cpus, int n)
{
	int cpu;

	n %= CPU_COUNT(cpus);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, cpus) && !n--)
			return cpu;
	return 0;
}

static void bind_worker(const struct worker *w)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(nth_cpu(&w->team->cpus, w->number), &one);
	/* Where that is refused, the threads have all CPUs of the process. */
	pthread_setaffinity_np(pthread_self(), sizeof(one), &one);
}

static void *work(void *data)
{
	struct worker *w = data;
	struct team *team = w->team;
	int step, block;

	bind_worker(w);
	for (step = 0; step < team->share.nr_blocks; step++) {
		pthread_barrier_wait(&team->barrier);
		while ((block = share_next(&team->share, step, w->number)) >= 0) {
			factor_update(team->m, step, block);
			if (block == step + 1)
				factor_panel(team->m, block);
		}
	}
	return NULL;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static double run(struct team *team, struct worker *workers, int nr)
{
	double begin = seconds();
	int i, err;

	factor_panel(team->m, 0);
	for (i = 0; i < nr; i++) {
		workers[i] = (struct worker){ .team = team, .number = i };
		err = pthread_create(&workers[i].thread, NULL, work, &workers[i]);
		if (err)
			bad("cannot start thread %d of %d: %s", i + 1, nr, strerror(err));
	}
	for (i = 0; i < nr; i++)
		pthread_join(workers[i].thread, NULL);
	return seconds() - begin;
}

double team_factorise(struct matrix *m, int nr, int steal)
{
	struct team team = { .m = m };
	struct worker *workers = new_array(nr, sizeof(*workers));
	double took;

	if (sched_getaffinity(0, sizeof(team.cpus), &team.cpus))
		bad("cannot ask for the CPUs of this process: %s", strerror(errno));
	if (share_init(&team.share, matrix_blocks(m), nr, steal))
		bad("out of memory");
	pthread_barrier_init(&team.barrier, NULL, nr);
	took = run(&team, workers, nr);
	pthread_barrier_destroy(&team.barrier);
	share_free(&team.share);
	free(workers);
	return took;
}
