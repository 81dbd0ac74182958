// SPDX-License-Identifier: GPL-2.0
/* Workloads of memory: in order, along a chain of pointers, a word of each page. */
#include <stdlib.h>

#include "common.h"
#include "workload/workloads.h"

#define STEPS 20000
#define LINE 64
#define PAGE 4096

void *work_memory(size_t bytes)
{
	return must_have(calloc(1, bytes));
}

uint64_t work_stream(const struct workload_size *size)
{
	size_t words = size->bytes / sizeof(uint64_t) / 2, i = 0;
	uint64_t *a = work_memory(size->bytes), *b = a + words, sum = 0, n;

	for (n = size->rounds * STEPS; n; n--) {
		b[i] = 3 * a[i] + n;
		sum += b[i];
		if (++i == words)
			i = 0;
	}
	free(a);
	return sum;
}

/*
 * One cycle through all elements, in random order (Sattolo, 1986): where the next one is takes the
 * one before.
 */
static void make_chain(uint32_t *next, size_t nr, size_t stride)
{
	uint64_t state = 1;
	uint32_t swap;
	size_t i, other;

	for (i = 0; i < nr; i++)
		next[i * stride] = i * stride;
	for (i = nr - 1; i > 0; i--) {
		other = work_random(&state) % i;
		swap = next[i * stride];
		next[i * stride] = next[other * stride];
		next[other * stride] = swap;
	}
}

static uint64_t follow(const struct workload_size *size, size_t step)
{
	size_t nr = size->bytes / step, stride = step / sizeof(uint32_t);
	uint32_t *next = work_memory(size->bytes), at = 0;
	uint64_t sum = 0, n;

	make_chain(next, nr, stride);
	for (n = size->rounds * STEPS; n; n--) {
		at = next[at];
		sum += at;
	}
	free(next);
	return sum;
}

uint64_t work_chase(const struct workload_size *size)
{
	return follow(size, LINE);
}

/* Other pages than those before, and each in another set of the first cache */
uint64_t work_tlb(const struct workload_size *size)
{
	return follow(size, PAGE + LINE);
}
