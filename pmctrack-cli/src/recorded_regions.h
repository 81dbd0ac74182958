/* SPDX-License-Identifier: GPL-2.0 */
/* Regions of the program (pmc_region_begin(3)), which the library records in a file. */
#ifndef PMCTRACK_RECORDED_REGIONS_H
#define PMCTRACK_RECORDED_REGIONS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct region - a region that was left
 * @begin: ns by CLOCK_MONOTONIC, as the times of samples
 * @end: not before @begin, and at most INT64_MAX
 * @name: @len bytes, which may be anything
 */
struct region {
	uint64_t begin;
	uint64_t end;
	pid_t pid;
	pid_t tid;
	const char *name;
	uint32_t len;
};

/**
 * struct regions - all that were recorded
 * @all: in the order in which they were left, for each caliper
 * @left_out: regions that are not recorded because there was no room
 * @are_damaged: some could not be read
 */
struct regions {
	struct region *all;
	size_t nr;
	size_t room;
	uint64_t left_out;
	int are_damaged;
	void *memory;
};

/* Programs that are started from now on record their regions. -1 with errno set: they do not. */
int recorded_regions_start(void);

/*
 * The regions up to now; later ones are not recorded. Return: 1: here they are; 0: regions were
 * not recorded; -1 with errno set.
 */
int recorded_regions_read(struct regions *regions);
void recorded_regions_free(struct regions *regions);

#endif
