// SPDX-License-Identifier: GPL-2.0
/* Which thread works on which block column in a step of the factorisation */
#include <stdatomic.h>
#include <stdlib.h>

#include "lu/share.h"

int share_init(struct share *share, int nr_blocks, int nr_threads, int steal)
{
	*share = (struct share){ nr_blocks, nr_threads, steal, NULL };
	share->next = calloc((size_t)nr_blocks * nr_threads, sizeof(*share->next));
	return share->next ? 0 : -1;
}

void share_free(struct share *share)
{
	free(share->next);
}

/* The first block above @step that the thread has */
static int first_block(const struct share *share, int step, int thread)
{
	int nr = share->nr_threads;

	if (share->steal)
		return step + 1 + thread;
	return step + 1 + ((thread - step - 1) % nr + nr) % nr;
}

static int take(struct share *share, int step, int owner)
{
	_Atomic int *next = &share->next[step * share->nr_threads + owner];
	int block = first_block(share, step, owner) + atomic_fetch_add(next, 1) * share->nr_threads;

	return block < share->nr_blocks ? block : -1;
}

int share_next(struct share *share, int step, int thread)
{
	int block = take(share, step, thread), i;

	for (i = 1; block < 0 && share->steal && i < share->nr_threads; i++)
		block = take(share, step, (thread + i) % share->nr_threads);
	return block;
}
