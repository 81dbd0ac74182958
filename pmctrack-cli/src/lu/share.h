/* SPDX-License-Identifier: GPL-2.0 */
/* Which thread works on which block column in a step of the factorisation */
#ifndef PMC_LU_SHARE_H
#define PMC_LU_SHARE_H

/**
 * struct share - the blocks that are not yet taken
 * @nr_blocks: block columns of the matrix
 * @nr_threads: number of threads
 * @steal: a thread without work takes that of others
 * @next: for each step and thread, how many of its blocks are taken
 */
struct share {
	int nr_blocks;
	int nr_threads;
	int steal;
	_Atomic int *next;
};

/* -1: no memory */
int share_init(struct share *share, int nr_blocks, int nr_threads, int steal);
void share_free(struct share *share);

/*
 * The next block that @thread is to update in step @step, in which blocks above @step are
 * updated; -1 if none is left for it.
 *
 * Equal shares: thread T has the blocks T, T + nr_threads and so on, in all steps. With
 * stealing, the blocks are dealt anew in each step, beginning with the first thread, and a thread
 * that has no block left takes one of another thread.
 */
int share_next(struct share *share, int step, int thread);

#endif
