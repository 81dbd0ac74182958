/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The sample type of PMCTrack's programs, under the header name they include.
 * New programs include <pmctrack.h>, which includes this.
 */
#ifndef PMC_USER_H
#define PMC_USER_H

#include <stdint.h>
#include <sys/types.h>

/* Most counts of a sample; the numbers of counters are below this, too. */
#if !defined(MAX_PERFORMANCE_COUNTERS)
#define MAX_PERFORMANCE_COUNTERS 32
#elif MAX_PERFORMANCE_COUNTERS != 32
#error "MAX_PERFORMANCE_COUNTERS is 32: the library fills arrays of that size"
#endif

/* Most values of monitoring modules ("virtual counters") in a sample */
#if !defined(MAX_VIRTUAL_COUNTERS)
#define MAX_VIRTUAL_COUNTERS 32
#elif MAX_VIRTUAL_COUNTERS != 32
#error "MAX_VIRTUAL_COUNTERS is 32: the library fills arrays of that size"
#endif

/* Why a sample was taken */
typedef enum {
	PMC_TICK_SAMPLE = 0,	/* the sampling period went by */
	PMC_EBS_SAMPLE,		/* a counter reached its period */
	PMC_EXIT_SAMPLE,	/* the thread ended */
	PMC_MIGRATION_SAMPLE,	/* the thread moved to another core type */
	PMC_SELF_SAMPLE,	/* the program asked for it, or monitoring stopped */
	PMC_NR_SAMPLE_TYPES
} sample_type_t;

/**
 * struct pmc_sample - one sample, as pmctrack_get_samples() returns it
 * @type: why it was taken
 * @coretype: core type that the counts belong to
 * @exp_idx: event set that was loaded, from 0
 * @pid: thread, by its kernel id; the CPU in system-wide mode
 * @elapsed_time: ns since the previous sample of this thread or CPU
 * @pmc_mask: bit N: counter pmcN was in use
 * @nr_counts: how many of @pmc_counts are valid, one a bit of @pmc_mask
 * @pmc_counts: events since the previous sample, lowest counter first
 * @virt_mask: bit N: virtual counter virtN was in use and has a value
 * @nr_virt_counts: how many of @virtual_counts are valid, one a bit of
 *	@virt_mask
 * @virtual_counts: values of the virtual counters, lowest first, multiplied by
 *	their scale: counts since the previous sample, current levels and ratios
 */
typedef struct pmc_sample {
	sample_type_t type;
	int coretype;
	int exp_idx;
	pid_t pid;
	uint64_t elapsed_time;
	unsigned int pmc_mask;
	unsigned int nr_counts;
	uint64_t pmc_counts[MAX_PERFORMANCE_COUNTERS];
	unsigned int virt_mask;
	unsigned int nr_virt_counts;
	uint64_t virtual_counts[MAX_VIRTUAL_COUNTERS];
} pmc_sample_t;

#endif /* PMC_USER_H */
