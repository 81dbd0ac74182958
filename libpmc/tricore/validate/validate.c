// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Validation on a board: code that causes a known number of each event. Compile it into a
 * program for the board with GCC, call epapi_validate() on a core, and inspect epapi_checks
 * with a debugger.
 *
 * The core has to be in the state that the start-up code of iLLD leaves: supervisor mode,
 * program and data cache on, watchdogs off or slow enough; interrupts off; code and
 * constants in flash, at its cached addresses (from 0x80000000); and, for PCON1, CPU
 * ENDINIT cleared.
 *
 * Each number is the difference to that of the same calls around no code, so the events of
 * the calls themselves are not included. Where the manual does not specify the number of
 * an event, there are wide bounds.
 */
#include "epapi.h"
#include "validate.h"

#define LINE		32u	/* bytes, of both caches */
#define LINES		64u
#define PCON1		0x9204	/* bit 0: invalidate the program cache */

#define KNOWN		static void __attribute__((noinline, aligned(32)))
#define ASM(text)	__asm__ volatile(text : : : "memory", "d0", "d1", "d2", "d3", "d15", "a15")
#define REPEAT(n, text)	".rept " #n "\n\t" text "\n\t.endr\n\t"

/* Larger than any data cache; only the first lines are read. */
static const uint32_t constants[32768 / sizeof(uint32_t)] __attribute__((aligned(32))) = { 1 };
static uint32_t *cached_ram;

KNOWN nothing(void)
{
	ASM("");
}

/* The number in a name is how many instructions more than nothing() it executes. */
KNOWN straight_512(void)
{
	ASM(REPEAT(512, "nop"));
}

/* A branch executed 1000 times, and taken 999 times. */
KNOWN branches_2001(void)
{
	ASM("mov %%d15, 1000\n"
	    "1:	add %%d15, -1\n"
	    "	jnz %%d15, 1b");
}

/* An instruction of the integer pipeline and one of the load-store pipeline. */
KNOWN pairs_512(void)
{
	ASM(REPEAT(256, "add %%d0, 1\n\tmov.aa %%a15, %%a4"));
}

/* Each division waits for the previous one. */
KNOWN divisions_130(void)
{
	ASM("mov %%d0, 1\n\tmov %%d1, 1\n\t" REPEAT(64, "div.u %%e2, %%d0, %%d1\n\tmov %%d0, %%d2\n\t")
	    "");
}

/* Hardware loops of one round that start as soon as their counter is known. */
KNOWN loops_128(void)
{
	ASM(REPEAT(64, "mov.a %%a15, 0\n\tloop %%a15, .+4"));
}

static void read_lines(const uint32_t *from, unsigned int lines)
{
	const volatile uint32_t *word = from;
	unsigned int i;

	for (i = 0; i < lines; i++)
		(void)word[i * LINE / sizeof(*word)];
}

KNOWN read_cached(void)
{
	read_lines(constants, LINES);
}

KNOWN read_all(void)
{
	read_lines(constants, sizeof(constants) / LINE);
}

/* The same flash at its addresses that are not cached. */
KNOWN read_uncached(void)
{
	read_lines((const uint32_t *)((uintptr_t)constants | 0x20000000u), LINES);
}

static void nothing_to_prepare(void)
{
}

/* Afterwards no line of the data cache has data that was read. */
static void forget_lines(void)
{
	unsigned int i;

	for (i = 0; i < LINES; i++)
		__asm__ volatile("cachea.i [%0]0" : : "a" ((const char *)constants + i * LINE)
				 : "memory");
}

/* Write to 64 lines, which then are only in the cache. */
static void write_lines(void)
{
	volatile uint32_t *word = cached_ram;
	unsigned int i;

	read_all();
	for (i = 0; i < LINES; i++)
		word[i * LINE / sizeof(*word)] = i;
}

static void forget_code(void)
{
	__asm__ volatile("mtcr %0, %1\n\tisync" : : "i" (PCON1), "d" (1) : "memory");
}

static void have_code(void)
{
	straight_512();
}

static void have_lines(void)
{
	read_cached();
}

/* The checks: code to run before counting, and code to count. */
static const struct {
	void (*prepare)(void);
	void (*code)(void);
} code[EPAPI_NR_CHECKS] = {
	{ nothing_to_prepare, straight_512 },
	{ nothing_to_prepare, branches_2001 },
	{ nothing_to_prepare, pairs_512 },
	{ have_code, straight_512 },
	{ nothing_to_prepare, branches_2001 },
	{ nothing_to_prepare, branches_2001 },
	{ nothing_to_prepare, pairs_512 },
	{ nothing_to_prepare, divisions_130 },
	{ nothing_to_prepare, read_uncached },
	{ nothing_to_prepare, loops_128 },
	{ forget_code, straight_512 },
	{ forget_code, straight_512 },
	{ have_code, straight_512 },
	{ have_code, straight_512 },
	{ forget_code, straight_512 },
	{ nothing_to_prepare, read_uncached },
	{ forget_lines, read_cached },
	{ forget_lines, read_cached },
	{ have_lines, read_cached },
	{ have_lines, read_cached },
	{ write_lines, read_all },
	{ write_lines, read_all },
};

struct epapi_check epapi_checks[EPAPI_NR_CHECKS] = {
	{ "512 instructions in a row", PAPI_TOT_INS, 512, 512, 0, 0 },
	{ "2001 instructions, 1000 of them branches", PAPI_TOT_INS, 2001, 2001, 0, 0 },
	{ "256 pairs of instructions", PAPI_TOT_INS, 512, 512, 0, 0 },
	{ "512 instructions, at most three a cycle", PAPI_TOT_CYC, 171, 4096, 0, 0 },
	{ "1000 branches", EPAPI_TOTAL_BRANCH, 1000, 1000, 0, 0 },
	{ "cycles without one of 1000 branches", PAPI_BRU_IDL, 0, 20000, 0, 0 },
	{ "256 pairs that may go together", EPAPI_MULTI_ISSUE, 128, 260, 0, 0 },
	{ "64 divisions that wait", EPAPI_IP_DISPATCH_STALL, 64, 4096, 0, 0 },
	{ "64 uncached reads", EPAPI_LS_DISPATCH_STALL, 64, 16384, 0, 0 },
	{ "64 loops of one round", EPAPI_LP_DISPATCH_STALL, 0, 4096, 0, 0 },
	{ "1 KiB of code, not cached yet: misses", EPAPI_PCACHE_MISS, 16, 80, 0, 0 },
	{ "... as a preset", PAPI_L1_ICM, 16, 80, 0, 0 },
	{ "1 KiB of code, cached: misses", EPAPI_PCACHE_MISS, 0, 4, 0, 0 },
	{ "1 KiB of code, cached: hits", EPAPI_PCACHE_HIT, 32, 600, 0, 0 },
	{ "1 KiB of code, not cached yet: stalls", EPAPI_PMEM_STALL, 16, 16384, 0, 0 },
	{ "64 uncached reads: stalls", EPAPI_DMEM_STALL, 64, 16384, 0, 0 },
	{ "64 lines of data, not cached yet: clean misses", EPAPI_DCACHE_MISS_CLEAN, 64, 68, 0, 0 },
	{ "... all misses, as a preset", PAPI_L1_DCM, 64, 68, 0, 0 },
	{ "64 lines of data, cached: hits", EPAPI_DCACHE_HIT, 64, 68, 0, 0 },
	{ "... misses, as a preset", PAPI_L1_DCM, 0, 4, 0, 0 },
	{ "64 written lines replaced: dirty misses", EPAPI_DCACHE_MISS_DIRTY, 60, 68, 0, 0 },
	{ "... among 1024 lines read", PAPI_L1_DCM, 1016, 1032, 0, 0 },
};

static int count(int event, void (*prepare)(void), void (*run)(void), long long *value)
{
	int ret;

	/* Run it once before, so that the code itself is cached. */
	run();
	prepare();
	ret = ePAPI_start_counters(&event, 1);
	if (ret != PAPI_OK)
		return ret;
	run();

	return ePAPI_stop_counters(value, 1);
}

static int judge(struct epapi_check *check, void (*prepare)(void), void (*run)(void))
{
	long long with, without;
	int ret;

	ret = count(check->event, prepare, nothing, &without);
	if (ret == PAPI_OK)
		ret = count(check->event, prepare, run, &with);
	if (ret != PAPI_OK)
		return ret;
	check->value = with - without;

	return check->value >= (long long)check->least && check->value <= (long long)check->most ?
	       EPAPI_CHECK_RIGHT : EPAPI_CHECK_WRONG;
}

unsigned int epapi_validate(void *ram)
{
	unsigned int wrong = 0;
	unsigned int i;

	cached_ram = ram;
	for (i = 0; i < EPAPI_NR_CHECKS; i++) {
		epapi_checks[i].state = EPAPI_CHECK_NOT_RUN;
		if (code[i].prepare == write_lines && !ram)
			continue;
		epapi_checks[i].state = judge(&epapi_checks[i], code[i].prepare, code[i].code);
		wrong += epapi_checks[i].state != EPAPI_CHECK_RIGHT;
	}

	return wrong;
}
