/* SPDX-License-Identifier: GPL-2.0 */
/* The threads of a program, and the energy of each on each core type. */
#ifndef PMCTRACK_ENERGY_THREADS_H
#define PMCTRACK_ENERGY_THREADS_H

#include "pmctrack.h"

/**
 * struct energy_thread - a thread
 * @last: the core type of its last sum
 */
struct energy_thread {
	pid_t pid;
	pid_t tid;
	char name[PMC_THREAD_NAME];
	int last;
};

/**
 * struct energy_threads - all threads of a run
 * @estimates: microjoules: for each thread, one number for each core type
 * @running: ns that threads ran, likewise
 */
struct energy_threads {
	int nr_core_types;
	int nr;
	struct energy_thread *all;
	double *estimates;
	uint64_t *running;
};

/*
 * Add the sum of a thread on a core type, of @microjoules. Sums come by thread, and for each thread
 * by core type.
 */
void energy_threads_add(struct energy_threads *threads, const struct pmc_reading *sum,
			double microjoules);
void energy_threads_free(struct energy_threads *threads);

#endif
