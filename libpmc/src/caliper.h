/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calipers and direct readings. An architecture on which user space can read counters has
 * a file caliper_ARCH.S with pmc_caliper_read() and the code fragments below; on others
 * each reading is a system call.
 *
 * The files, lowest first: caliper_ARCH.S; caliper_call.c; caliper_sums.c; caliper_direct.c,
 * which makes what caliper_ARCH.S needs; caliper.c, which opens calipers; and all others. The
 * assembler continues in higher files through the addresses that the caliper has.
 */
#ifndef LIBPMC_CALIPER_H
#define LIBPMC_CALIPER_H

/* Offsets for the assembler; caliper.c checks them. */
#define CALIPER_SLOWLY	8
#define CALIPER_SPREAD	16
#define CALIPER_RSEQ	24
#define CALIPER_PAGE	128
#define CALIPER_SEQ	136
#define CALIPER_NR	144
#define CALIPER_MASK	152
#define CALIPER_COUNTS	160
#define CALIPER_STEPS	672
#define CALIPER_ENTRY	672
#define CALIPER_INDEX	680
#define CALIPER_MAX_COUNTS 32

/* On arm64, the word in front of code where restartable sequences are aborted: RSEQ_SIG */
#define CALIPER_RSEQ_SIGNATURE 0xd428bc00

/* Bytes from one counter's code fragment to the next, on arm64 */
#define STEP_SIZE	28

#if defined(__aarch64__) || defined(__x86_64__)
#define CALIPER_DIRECT
#endif

#ifndef __ASSEMBLER__

#include <stdint.h>

#include "../../kmod/uapi/pmctrack.h"
#include "pmctrack.h"

/* Differs from the seq of any page, which is 32 bits wide. */
#define SEQ_NONE	(~0ULL)

/* Differs from SEQ_NONE, and from the 0 that a child finds in place of a caliper's seq. */
#define SEQ_NO_PAGE	1

struct caliper_values;
struct region;
struct region_recorder;
struct thread_session;
struct type_reader;

/**
 * struct pmc_caliper - a caliper
 * @no_page_seq: SEQ_NO_PAGE, read in place of the page's seq where there is no page
 * @read_slowly: continues a direct reading whose steps are out of date: caliper_read_slowly()
 * @spread: ends a direct reading of values, some of which have no count on this core type
 * @rseq_cs: arm64: where the thread says which restartable sequence it is in; @no_rseq if it
 *	has none
 * @sequence: arm64: caliper_sequence
 * @no_rseq: not read
 * @ts: the session, which other calipers of the thread may use, too
 * @nr_virtual: number of virtual counters; if there are any, regions are read by call
 * @types: reads the counts of each core type; NULL: the caliper counts all together
 * @values: what it reads if not counts; NULL: it reads counts
 * @virtual_grows: 1 for each virtual counter that is a count
 * @frames: regions that are entered and not left, outermost first
 * @recorder: records regions for a trace; NULL: they are not recorded
 * @page: distance from the caliper to the kernel's page about this thread; 0: no page
 * @seq: the page's seq for which the following was made, or SEQ_NONE
 * @nr: number of counts of a direct reading
 * @mask: x86: the bits of a difference that are valid
 * @counts: when the page was written: the counter, and the count since the caliper was opened
 * @steps: arm64: the code fragment of each count's counter, then the end fragment
 * @entry: x86: the code that reads @nr counters
 * @index: x86: RDPMC's number of each counter
 * @allowed: the machine lets user space read counters by instruction
 * @tries: how often the current direct reading was started again
 * @before: what the session had counted when the caliper was opened: counts, then virtual
 *	counters
 *
 * A child process has the object but neither the page nor the counters, and its memory may
 * have something else at the page's address. Handlers of pthread_atfork() do not run in
 * children made by clone() or _Fork(). So the kernel clears everything from @page on in
 * children (MADV_WIPEONFORK): a child finds @no_page_seq where it looks for the page's seq,
 * which is not the caliper's seq, so it makes a system call, which fails.
 */
struct pmc_caliper {
	uint64_t no_page_seq;
	int (*read_slowly)(pmc_caliper_t *caliper, uint64_t *counts);
	int (*spread)(pmc_caliper_t *caliper, uint64_t *values, uint64_t seq);
#if defined(__aarch64__)
	uint64_t *rseq_cs;
	const char *sequence;
	uint64_t no_rseq;
#endif
	struct thread_session *ts;
	struct region *regions;
	struct frame *frames;
	struct region_recorder *recorder;
	int nr_regions;
	int depth;
	int nr_virtual;
	struct type_reader *types;
	struct caliper_values *values;
	char virtual_grows[PMC_MAX_VIRTUALS];

	_Alignas(CALIPER_PAGE) intptr_t page;
	uint64_t seq;
	uint64_t nr;
	uint64_t mask;
	struct {
		uint64_t start;
		uint64_t total;
	} counts[PMC_MAX_COUNTS];
#if defined(__aarch64__)
	const char *steps[PMC_MAX_COUNTS + 1];
#elif defined(__x86_64__)
	const char *entry;
	uint32_t index[PMC_MAX_COUNTS];
#endif
	int allowed;
	int tries;
	uint64_t before[PMC_MAX_COUNTS];
};

/* The kernel's page about this thread; only if @page is not 0. */
static inline const struct pmc_caliper_page *caliper_page(const pmc_caliper_t *caliper)
{
	return (const void *)((uintptr_t)caliper + caliper->page);
}

/* caliper_call.c: read by a system call, which always works. */
int caliper_read_by_call(pmc_caliper_t *caliper, uint64_t *counts);

/* The same, together with the virtual counters at the same moment. */
int caliper_read_all(pmc_caliper_t *caliper, uint64_t *counts, uint64_t *values);

/* Continue a direct reading whose steps are out of date; caliper->read_slowly points to this. */
int caliper_read_slowly(pmc_caliper_t *caliper, uint64_t *counts);

/* For readings by instruction by the calling thread, whose caliper it is */
#if defined(__aarch64__)
void caliper_find_rseq(pmc_caliper_t *caliper);
#else
static inline void caliper_find_rseq(pmc_caliper_t *caliper)
{
	(void)caliper;
}
#endif

#ifdef CALIPER_DIRECT
/*
 * Code fragments. arm64: fragment N reads counter N. x86: each fragment before an end
 * fragment reads a count, the last one count 0. An end fragment completes the reading: of
 * counts, or of values that are spread.
 */
extern const char caliper_step_code[];
extern const char caliper_end_code[];
extern const char caliper_spread_end_code[];
/* arm64: the restartable sequence in which counters are read */
extern const char caliper_sequence[];
#endif

/*
 * A caliper needs one event set for each core type, and no sampling periods. 0, or -1 with the
 * error line set.
 */
int caliper_check(const pmc_machine_t *machine, const pmc_config_t *config);

/*
 * A caliper of the calling thread with this configuration: one event set for every core
 * type. Its counts begin when the thread's session began, so only differences mean
 * something. NULL: error.
 */
pmc_caliper_t *caliper_of_config(const pmc_machine_t *machine, const pmc_config_t *config);

/* Free a caliper on which nothing was built, and give its session back; NULL is allowed. */
void caliper_free(pmc_caliper_t *caliper);

/* caliper_types.c */
void type_reader_free(struct type_reader *types);

/* region.c */
void regions_free(pmc_caliper_t *caliper);

#endif /* __ASSEMBLER__ */
#endif
