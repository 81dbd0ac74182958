/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calipers and direct readings. An architecture on which user space can read counters has
 * a file caliper_ARCH.S with pmc_caliper_read() and the code fragments below; on others
 * each reading is a system call.
 */
#ifndef LIBPMC_CALIPER_H
#define LIBPMC_CALIPER_H

/* Offsets for the assembler; caliper.c checks them. */
#define CALIPER_PAGE	0
#define CALIPER_SEQ	8
#define CALIPER_NR	16
#define CALIPER_TOTAL	24
#define CALIPER_STEPS	280
#define CALIPER_ENTRY	280
#define CALIPER_INDEX	288
#define CALIPER_MAX_COUNTS 32
#define PAGE_SEQ	0
#define PAGE_MASK	16
#define PAGE_START	56

/* Bytes from one counter's code fragment to the next, on arm64 */
#define STEP_SIZE	32

#if defined(__aarch64__) || defined(__x86_64__)
#define CALIPER_DIRECT
#endif

#ifndef __ASSEMBLER__

#include <stdint.h>

#include "../../kmod/uapi/pmctrack.h"
#include "pmctrack.h"

/* Differs from the seq of any page, which is 32 bits wide. */
#define SEQ_NONE	(~0ULL)

struct region;
struct thread_session;

/**
 * struct pmc_caliper - a caliper
 * @page: the kernel's page about this thread; never NULL
 * @seq: the page's seq for which the steps were made, or SEQ_NONE
 * @nr: number of counts of a direct reading
 * @total: the counts when the page was written, since the caliper was opened
 * @steps: arm64: the code fragment of each count's counter, then the end fragment
 * @entry: x86: the code that reads @nr counters
 * @index: x86: RDPMC's number of each counter
 * @mapped: @page is a mapping of the kernel's page
 * @allowed: the machine lets user space read counters by instruction
 * @ts: the session, which other calipers of the thread may use, too
 * @before: what the session had counted when the caliper was opened: counts, then virtual
 *	counters
 * @next: next in the list of all calipers
 * @tries: how often the current direct reading was started again
 * @nr_virtual: number of virtual counters; if there are any, regions are read by call
 * @virtual_grows: 1 for each virtual counter that is a count
 * @frames: regions that are entered and not left, outermost first
 */
struct pmc_caliper {
	const struct pmc_caliper_page *page;
	uint64_t seq;
	uint64_t nr;
	uint64_t total[PMC_MAX_COUNTS];
#if defined(__aarch64__)
	const char *steps[PMC_MAX_COUNTS + 1];
#elif defined(__x86_64__)
	const char *entry;
	uint32_t index[PMC_MAX_COUNTS];
#endif
	int mapped;
	int allowed;
	struct thread_session *ts;
	uint64_t before[PMC_MAX_COUNTS];
	struct pmc_caliper *next;
	int tries;
	int nr_virtual;
	int virtual_grows[PMC_MAX_VIRTUALS];
	struct region *regions;
	int nr_regions;
	int depth;
	struct frame *frames;
};

/* Read by a system call, which always works. */
int caliper_read_by_call(pmc_caliper_t *caliper, uint64_t *counts);

/* The same, together with the virtual counters at the same moment. */
int caliper_read_all(pmc_caliper_t *caliper, uint64_t *counts, uint64_t *values);

#ifdef CALIPER_DIRECT
/* Continue a direct reading whose steps are out of date. */
int caliper_read_slowly(pmc_caliper_t *caliper, uint64_t *counts);

/*
 * Code fragments. arm64: fragment N reads counter N. x86: each fragment before the end
 * fragment reads a count, the last one count 0. The end fragment completes the reading.
 */
extern const char caliper_step_code[];
extern const char caliper_end_code[];
#endif

/*
 * A caliper of the calling thread with this configuration: one event set for every core
 * type. Its counts begin when the thread's session began, so only differences mean
 * something. NULL: error.
 */
pmc_caliper_t *caliper_of_config(const pmc_machine_t *machine, const pmc_config_t *config);

/* region.c */
void regions_free(pmc_caliper_t *caliper);

#endif /* __ASSEMBLER__ */
#endif
