/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Regions: named pieces of code, whose counts a caliper sums up
 */
#ifndef LIBPMCTRACK_REGIONS_H
#define LIBPMCTRACK_REGIONS_H

#include <stddef.h>

#include <pmctrack/calipers.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct pmc_region - the counts of a region
 * @name: its name
 * @calls: how many times it was left, also where it is nested in itself
 * @time: ns spent in it, in real time
 * @nr_counts: how many of @counts are valid, in the order of the event set
 * @counts: events in it, those of regions inside it included
 * @nr_virtual: how many of @virtual_counts are valid
 * @virtual_counts: virtual counters: counts likewise; levels and ratios as they
 *	were when the region was left last; PMC_NO_VALUE: not known
 */
struct pmc_region {
	const char *name;
	uint64_t calls;
	uint64_t time;
	int nr_counts;
	uint64_t counts[PMC_MAX_COUNTS];
	int nr_virtual;
	uint64_t virtual_counts[PMC_MAX_VIRTUALS];
};

#define PMC_REGION_DEPTH 64

/**
 * pmc_region_begin - enter a region
 * @name: any string; equal strings are the same region. The string is copied.
 *
 * Regions nest. A region may be nested in itself; then its time, events and virtual
 * counters are those from the outermost entry to the outermost exit, and each exit
 * is one of its calls. ENOMEM, or E2BIG beyond PMC_REGION_DEPTH levels.
 */
PMC_API int pmc_region_begin(pmc_caliper_t *caliper, const char *name);

/** pmc_region_end - leave a region; EINVAL if @name is not the innermost */
PMC_API int pmc_region_end(pmc_caliper_t *caliper, const char *name);

/**
 * pmc_region_read - the counts of a region so far
 * @region: out: its strings belong to the caliper
 *
 * A region's counts grow when it is left, so what was counted since it was
 * entered last is not included. ENOENT: there was no such region.
 */
PMC_API int pmc_region_read(pmc_caliper_t *caliper, const char *name,
			    struct pmc_region *region);

/** pmc_region_read_sized - the same, for a struct pmc_region of @size bytes */
PMC_API int pmc_region_read_sized(pmc_caliper_t *caliper, const char *name,
				  struct pmc_region *region, size_t size);

#define pmc_region_read(caliper, name, region) \
	pmc_region_read_sized(caliper, name, region, sizeof(*(region)))

/**
 * pmc_region_each - region number @n, in the order they were first entered
 *
 * Return: 1 and *@region is filled; 0 past the last.
 */
PMC_API int pmc_region_each(pmc_caliper_t *caliper, int n, struct pmc_region *region);

/** pmc_region_each_sized - the same, for a struct pmc_region of @size bytes */
PMC_API int pmc_region_each_sized(pmc_caliper_t *caliper, int n, struct pmc_region *region,
				  size_t size);

#define pmc_region_each(caliper, n, region) \
	pmc_region_each_sized(caliper, n, region, sizeof(*(region)))

#ifdef __cplusplus
}
#endif

#endif
