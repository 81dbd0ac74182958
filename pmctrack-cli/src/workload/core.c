// SPDX-License-Identifier: GPL-2.0
/* Workloads of a core: integers, floating point, division, branches, sorting. */
#include <stdlib.h>

#include "workload/workloads.h"

/* Steps of a round, for loops of about ten instructions */
#define STEPS 10000

uint64_t work_integer(const struct workload_size *size)
{
	uint64_t a = 1, b = 0x9e3779b97f4a7c15, n;

	for (n = size->rounds * STEPS; n; n--) {
		a = (a << 5 | a >> 59) ^ b;
		b += a * 0xff51afd7ed558ccd;
	}
	return a ^ b;
}

/* A product of 8 x 8 matrices, which stay in the first cache: 512 steps each */
#define EDGE 8

static void multiply(double c[EDGE][EDGE], double a[EDGE][EDGE], double b[EDGE][EDGE])
{
	int i, j, k;

	for (i = 0; i < EDGE; i++)
		for (j = 0; j < EDGE; j++) {
			double sum = 0;

			for (k = 0; k < EDGE; k++)
				sum += a[i][k] * b[k][j];
			c[i][j] = sum / EDGE;
		}
}

uint64_t work_float(const struct workload_size *size)
{
	double a[EDGE][EDGE], b[EDGE][EDGE], c[EDGE][EDGE];
	unsigned long n;
	int i;

	for (i = 0; i < EDGE * EDGE; i++) {
		a[i / EDGE][i % EDGE] = 1 + i / 100.0;
		b[i / EDGE][i % EDGE] = 1 - i / 100.0;
	}
	for (n = size->rounds * STEPS / (EDGE * EDGE * EDGE); n; n--) {
		multiply(c, a, b);
		a[n % EDGE][0] = c[0][n % EDGE] + 1;
	}
	return (uint64_t)(c[0][0] * 1e6);
}

uint64_t work_divide(const struct workload_size *size)
{
	uint64_t a = ~0ULL, sum = 0, n;
	double d = 2;

	for (n = size->rounds * STEPS; n; n--) {
		a = ~0ULL / (a % 1000 + n) + n;
		d = 2 + 1 / d;
		sum += a;
	}
	return sum + (uint64_t)(d * 1e6);
}

uint64_t work_branch(const struct workload_size *size)
{
	uint64_t state = 1, sum = 0, n;

	for (n = size->rounds * STEPS; n; n--) {
		/* Half of these branches are taken, at random: no conditional move can have the asm. */
		if (work_random(&state) & 1) {
			sum += n;
			__asm__ volatile("" : "+r"(sum));
		} else {
			sum ^= state;
		}
	}
	return sum;
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

#define SORTED 500

uint64_t work_sort(const struct workload_size *size)
{
	uint32_t numbers[SORTED];
	uint64_t state = 1, sum = 0;
	unsigned long n;
	int i;

	for (n = size->rounds; n; n--) {
		for (i = 0; i < SORTED; i++)
			numbers[i] = work_random(&state);
		qsort(numbers, SORTED, sizeof(numbers[0]), compare);
		sum += numbers[SORTED / 2];
	}
	return sum;
}
