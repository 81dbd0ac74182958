// SPDX-License-Identifier: GPL-2.0
/*
 * The ruler: with -icount shift=0 the virtual counter advances with every
 * instruction that is executed, whatever the PMU does: 1 ns for each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

uint64_t ruler(void)
{
#ifdef __aarch64__
	uint64_t ticks, frequency;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(ticks));
	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
	return ticks * (1000000000 / frequency);
#else
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
#endif
}

/* Executes so many instructions, give or take a few. */
void spin(uint64_t instructions)
{
	uint64_t n = instructions / 2;

#ifdef __aarch64__
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#else
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
#endif
}

/* Until what was started or stopped has had its aftermath. */
void settle(void)
{
	usleep(300000);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

#define RUNS	5

/* The median of several measurements. */
double median(double (*measure)(int), int nr)
{
	double figures[RUNS];
	int i;

	for (i = 0; i < RUNS; i++)
		figures[i] = measure(nr);
	qsort(figures, RUNS, sizeof(figures[0]), compare);
	return figures[RUNS / 2];
}

#define BATCHES	101

/*
 * What @nr times of the thing take, by the median of many batches: most of
 * them are shorter than the time between two ticks of the scheduler's clock,
 * and are the same to the instruction.
 */
double typical(void (*work)(void *), void *arg, int nr)
{
	double figures[BATCHES];
	uint64_t start;
	int i;

	settle();
	work(arg);
	for (i = 0; i < BATCHES; i++) {
		start = ruler();
		work(arg);
		figures[i] = (double)(ruler() - start) / nr;
	}
	qsort(figures, BATCHES, sizeof(figures[0]), compare);
	return figures[BATCHES / 2];
}

void die(const char *what)
{
	perror(what);
	exit(1);
}
