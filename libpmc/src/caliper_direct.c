// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Readings by instruction: make the steps of pmc_caliper_read() for the current contents of
 * the kernel's page, and again when they are out of date.
 */
#include <stddef.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif

#include "caliper.h"
#include "caliper_sums.h"

static int read_without_steps(pmc_caliper_t *caliper, uint64_t *counts)
{
	return caliper->values ? caliper_values_read(caliper, counts) :
				 caliper_read_by_call(caliper, counts);
}

unsigned int pmc_caliper_losses(const pmc_caliper_t *caliper)
{
	return caliper->page ? *(const volatile __u16 *)&caliper_page(caliper)->losses : 0;
}

#ifdef CALIPER_DIRECT

/* Tries before a system call: more often the page does not change by chance. */
#define TRIES 3

/* The page belongs to this thread: the kernel changes it only while the thread is stopped. */
#define barrier() __asm__ volatile("" ::: "memory")

/* Are there values without a term on this core type? */
static int is_spread(const pmc_caliper_t *caliper)
{
	return caliper->values && caliper_values_are_spread(caliper);
}

#if defined(__aarch64__)

/*
 * The C library registers each thread with the kernel, from glibc 2.35 on and unless the user
 * does not want that. A caliper of a thread that is not registered is a little less safe: see
 * docs/security.md.
 */
#if defined(RSEQ_SIG)
_Static_assert(CALIPER_RSEQ_SIGNATURE == RSEQ_SIG, "signature of restartable sequences");

extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

static uint64_t *find_rseq_cs(void)
{
	char *thread = __builtin_thread_pointer();

	if (!&__rseq_offset || !__rseq_size)
		return NULL;
	return (uint64_t *)(thread + __rseq_offset + offsetof(struct rseq, rseq_cs));
}
#else
static uint64_t *find_rseq_cs(void)
{
	return NULL;
}
#endif

void caliper_find_rseq(pmc_caliper_t *caliper)
{
	uint64_t *rseq_cs = find_rseq_cs();

	caliper->rseq_cs = rseq_cs ? rseq_cs : &caliper->no_rseq;
	caliper->sequence = caliper_sequence;
}

/* The fragment of each counter; fragments compute differences of 32 bits. */
static int make_steps(pmc_caliper_t *caliper, const struct pmc_caliper_page *page, unsigned int nr)
{
	unsigned int i;

	if (page->mask != UINT32_MAX)
		return 0;
	for (i = 0; i < nr; i++) {
		if (page->hw[i] >= 32)
			return 0;
		caliper->steps[i] = caliper_step_code + page->hw[i] * STEP_SIZE;
	}
	caliper->steps[nr] = is_spread(caliper) ? caliper_spread_end_code : caliper_end_code;
	return 1;
}

#elif defined(__x86_64__)

/*
 * RDPMC counts general counters from 0 and fixed ones from bit 30 on (Intel
 * SDM volume 2, RDPMC).
 */
static int make_steps(pmc_caliper_t *caliper, const struct pmc_caliper_page *page, unsigned int nr)
{
	size_t step_size = (caliper_end_code - caliper_step_code) / PMC_MAX_COUNTS;
	const char *end = is_spread(caliper) ? caliper_spread_end_code : caliper_end_code;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		uint32_t hw = page->hw[i];

		if (hw >= 0x80)
			return 0;
		caliper->index[i] = (hw & 0x3f) | (hw & 0x40) << 24;
	}
	caliper->mask = page->mask;
	caliper->entry = end - nr * step_size;
	return 1;
}

#endif

/*
 * Make the steps for the current contents of the page. 1: done; 0: the counters cannot be
 * read by instruction now.
 */
static int update_steps(pmc_caliper_t *caliper)
{
	const struct pmc_caliper_page *page = caliper_page(caliper);
	unsigned int nr, i;
	uint32_t seq;

	do {
		seq = page->seq;
		barrier();
		caliper->seq = SEQ_NONE;
		if (caliper->values && !caliper_values_direct(caliper))
			return 0;
		nr = page->nr_counts;
		if (!page->direct || nr > PMC_MAX_COUNTS || !make_steps(caliper, page, nr))
			return 0;
		for (i = 0; i < nr; i++) {
			caliper->counts[i].start = page->start[i];
			caliper->counts[i].total =
				page->total[i] - caliper->before[caliper_value_of(caliper, i)];
		}
		caliper->nr = nr;
		barrier();
	} while (seq != *(const volatile __u32 *)&page->seq);
	caliper->seq = seq;
	return 1;
}

/*
 * A direct reading fails because its steps are out of date, or because user space may not
 * read counters. Only in the first case has seq changed, and new steps can help.
 */
static int out_of_date(const pmc_caliper_t *caliper)
{
	return caliper->seq != *(const volatile __u32 *)&caliper_page(caliper)->seq;
}

int caliper_read_slowly(pmc_caliper_t *caliper, uint64_t *counts)
{
	int rc;

	if (caliper->values && caliper_values_update(caliper))
		return -1;
	if (caliper->allowed && caliper->tries < TRIES && out_of_date(caliper) && update_steps(caliper)) {
		caliper->tries++;
		rc = pmc_caliper_read(caliper, counts);
		caliper->tries--;
		return rc;
	}
	return read_without_steps(caliper, counts);
}

#else

int caliper_read_slowly(pmc_caliper_t *caliper, uint64_t *counts)
{
	return read_without_steps(caliper, counts);
}

int pmc_caliper_read(pmc_caliper_t *caliper, uint64_t *counts)
{
	return caliper_read_slowly(caliper, counts);
}

#endif
