// SPDX-License-Identifier: GPL-2.0
/*
 * The ruler: with -icount shift=0 the virtual clock advances with every
 * instruction that is executed, whatever the PMU does: 1 ns for each. On arm64
 * it is the virtual counter, on x86 the time stamp counter, of 1 GHz then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"

uint64_t ticks_to_instructions(uint64_t ticks)
{
#ifdef __aarch64__
	uint64_t frequency;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
	return ticks * (1000000000 / frequency);
#else
	return ticks;
#endif
}

uint64_t ruler(void)
{
#ifdef __aarch64__
	uint64_t ticks;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks_to_instructions(ticks);
#else
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
#endif
}

/* Execute @n instructions; the number is exact to a few instructions. */
void spin(uint64_t instructions)
{
	uint64_t n = instructions / 2;

#ifdef __aarch64__
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#else
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
#endif
}

/* Check that the clock ticks once an instruction: the least of several tries, as others run. */
void check_ruler(void)
{
	uint64_t least = UINT64_MAX, start, took;
	int i;

	for (i = 0; i < 20; i++) {
		start = ruler();
		spin(100000);
		took = ruler() - start;
		if (took < least)
			least = took;
	}
	if (least >= 100000 && least < 101000)
		return;
	fprintf(stderr, "100000 instructions take %llu ticks: this machine's clock does not count instructions\n",
		(unsigned long long)least);
	exit(1);
}

/*
 * Wait until the kernel's deferred work of starting or stopping is done: both perf_event and
 * the module leave their hooks at switches for a second after the last user.
 */
void settle(void)
{
	usleep(1300000);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median; sorts them. */
double middle(double *figures, int nr)
{
	qsort(figures, nr, sizeof(figures[0]), compare);
	return figures[nr / 2];
}

#define RUNS	5

/* The median of several measurements. */
double median(double (*measure)(int), int nr)
{
	double figures[RUNS];
	int i;

	for (i = 0; i < RUNS; i++)
		figures[i] = measure(nr);
	return middle(figures, RUNS);
}

#define BATCHES	101

/*
 * The cost of one operation, measured in many batches of @nr operations. Most batches are
 * shorter than the time between two ticks of the scheduler. The kernel has further work
 * every few hundred thousand instructions, such as ageing its load averages; it falls into
 * some batches and not into others. So the result is the mean of the middle half.
 */
static void batches(double *figures, void (*work)(void *), void *arg, int nr)
{
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
}

double typical(void (*work)(void *), void *arg, int nr)
{
	double figures[BATCHES], sum = 0;
	int i;

	batches(figures, work, arg, nr);
	for (i = BATCHES / 4; i < BATCHES - BATCHES / 4; i++)
		sum += figures[i];
	return sum / (BATCHES - 2 * (BATCHES / 4));
}

/* The lower quartile, for operations of which about half take a longer path in the kernel. */
double lower(void (*work)(void *), void *arg, int nr)
{
	double figures[BATCHES];

	batches(figures, work, arg, nr);
	return figures[BATCHES / 4];
}

void die(const char *what)
{
	perror(what);
	exit(1);
}
