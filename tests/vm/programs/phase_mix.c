// SPDX-License-Identifier: GPL-2.0
/*
 * phase_mix - a program with phases that the caller specifies
 *
 * usage: phase_mix ALU,LOADS,MISSES,BRANCHES:ROUNDS...
 *
 * Each argument is a phase. Each of its rounds has so many simple calculations, loads from
 * a few KiB, loads from different cache lines of 2 MiB, and unpredictable branches. These
 * differ in how much a big core speeds them up. So the estimates of a scheduler or a model
 * can be compared with known values. The program executes the same instructions each time.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define FAR_SIZE	(2 << 20)
#define PAGE		4096
#define NEAR_WORDS	512
#define LINE		64

static volatile uint64_t near[NEAR_WORDS];
static volatile uint8_t *far;

struct phase {
	unsigned int alu, loads, misses, branches;
	unsigned long rounds;
};

static uint64_t calculate(uint64_t x, unsigned int n)
{
	while (n--) {
		x += x << 3;
		__asm__ volatile("" : "+r"(x));
		x ^= 0x55;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

static void load(unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		(void)near[i % NEAR_WORDS];
}

static size_t miss(size_t place, unsigned int n)
{
	while (n--) {
		(void)far[place];
		place = (place + LINE) % FAR_SIZE;
	}
	return place;
}

/* Branches in a direction given by xorshift64. */
static uint64_t branch(uint64_t random, unsigned int n)
{
	while (n--) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		if (random & 1)
			__asm__ volatile("nop");
	}
	return random;
}

static void run(const struct phase *p)
{
	static uint64_t random = 0x9e3779b97f4a7c15, x = 1;
	static size_t place;
	unsigned long i;

	for (i = 0; i < p->rounds; i++) {
		x = calculate(x, p->alu);
		load(p->loads);
		place = miss(place, p->misses);
		random = branch(random, p->branches);
	}
}

int main(int argc, char **argv)
{
	struct phase p;
	char rest;
	int i;

	/*
	 * In a huge page, if the kernel has one: a physically indexed cache holds more or
	 * fewer lines of single pages, depending on which pages the program got.
	 */
	far = aligned_alloc(FAR_SIZE, FAR_SIZE);
	if (argc < 2 || !far) {
		fprintf(stderr, "usage: phase_mix ALU,LOADS,MISSES,BRANCHES:ROUNDS...\n");
		return 2;
	}
	madvise((void *)far, FAR_SIZE, MADV_HUGEPAGE);
	/* Memory of its own, not one page of zeroes */
	for (i = 0; i < FAR_SIZE; i += PAGE)
		far[i] = 1;
	for (i = 1; i < argc; i++) {
		if (sscanf(argv[i], "%u,%u,%u,%u:%lu%c", &p.alu, &p.loads, &p.misses,
			   &p.branches, &p.rounds, &rest) != 5) {
			fprintf(stderr, "phase_mix: '%s' is not ALU,LOADS,MISSES,BRANCHES:ROUNDS\n",
				argv[i]);
			return 2;
		}
		run(&p);
	}
	return 0;
}
