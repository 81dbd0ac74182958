/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calipers, and what a direct reading needs. An architecture where user space
 * can read counters has a file caliper_ARCH.S with pmc_caliper_read() and the
 * code below; elsewhere each reading is a system call.
 */
#ifndef LIBPMC_CALIPER_H
#define LIBPMC_CALIPER_H

/* Offsets for the assembler; caliper.c checks them. */
#define CALIPER_PAGE	0
#define CALIPER_SEQ	8
#define CALIPER_NR	16
#define CALIPER_STEPS	24
#define CALIPER_ENTRY	24
#define CALIPER_INDEX	32
#define CALIPER_MAX_COUNTS 32
#define PAGE_SEQ	0
#define PAGE_MASK	16
#define PAGE_START	56
#define PAGE_TOTAL	312

/* Bytes from one counter's code fragment to the next, on arm64 */
#define STEP_SIZE	32

#if defined(__aarch64__) || defined(__x86_64__)
#define CALIPER_DIRECT
#endif

#ifndef __ASSEMBLER__

#include <stdint.h>

#include "../../kmod/uapi/pmctrack.h"
#include "pmctrack.h"

/* No page has this, as it is wider than a page's seq. */
#define SEQ_NONE	(~0ULL)

struct region;

/**
 * struct pmc_caliper - a caliper
 * @page: the kernel's page about this thread; never NULL
 * @seq: the page's seq when the steps were made up, or SEQ_NONE
 * @nr: counts of a direct reading
 * @steps: arm64: code that reads the counter of each count, then code that ends
 * @entry: x86: the code that reads so many counters
 * @index: x86: RDPMC's number of each counter
 * @mapped: @page is the kernel's
 * @allowed: the machine lets user space read counters by instruction
 * @borrowed: session and machine are somebody else's
 * @next: in the list of all
 * @tries: direct readings begun anew in the one going on
 * @nr_virtual: virtual counters; with some, regions are read by call
 * @virtual_grows: whether each of them is a count
 * @frames: regions entered and not left, outermost first
 */
struct pmc_caliper {
	const struct pmc_caliper_page *page;
	uint64_t seq;
	uint64_t nr;
#if defined(__aarch64__)
	const char *steps[PMC_MAX_COUNTS + 1];
#elif defined(__x86_64__)
	const char *entry;
	uint32_t index[PMC_MAX_COUNTS];
#endif
	int mapped;
	int allowed;
	int borrowed;
	struct pmc_caliper *next;
	int tries;
	int nr_virtual;
	int virtual_grows[PMC_MAX_VIRTUALS];
	pmc_session_t *session;
	pmc_machine_t *machine;
	struct region *regions;
	int nr_regions;
	int depth;
	struct frame *frames;
};

/* The way that always works */
int caliper_read_by_call(pmc_caliper_t *caliper, uint64_t *counts);

/* The same with virtual counters, at the same moment */
int caliper_read_all(pmc_caliper_t *caliper, uint64_t *counts, uint64_t *values);

#ifdef CALIPER_DIRECT
/* Where a direct reading goes on when its steps are of no use. */
int caliper_read_slowly(pmc_caliper_t *caliper, uint64_t *counts);

/*
 * arm64: fragment N reads counter N; x86: the fragments before the end read a
 * count each, the last before it count 0. The end ends the reading.
 */
extern const char caliper_step_code[];
extern const char caliper_end_code[];
#endif

/*
 * A caliper over a session that counts the calling thread, which stays its
 * owner's. NULL: the session is none that calipers can be over.
 */
pmc_caliper_t *caliper_over(pmc_session_t *session, pmc_machine_t *machine);

/* region.c */
void regions_free(pmc_caliper_t *caliper);

#endif /* __ASSEMBLER__ */
#endif
