/* SPDX-License-Identifier: GPL-2.0 */
/* Regions of the program as slices of a trace for Perfetto. */
#ifndef PMCTRACK_PERFETTO_REGIONS_H
#define PMCTRACK_PERFETTO_REGIONS_H

#include "perfetto.h"
#include "recorded_regions.h"

/**
 * struct region_thread - a thread that has a track
 * @start: when it began to be counted. Regions before that are those of an earlier thread
 *	that had the same number
 * @id: its number in the trace
 */
struct region_thread {
	pid_t tid;
	unsigned int id;
	uint64_t start;
};

/*
 * Write a slice for each region, on tracks below that of its thread. @threads: they become
 * sorted; a thread that is not among them gets a track, with a number from @next_id on.
 * Return: regions that have no slice, as there would be too many tracks for the thread; -1: no
 * memory.
 */
int64_t perfetto_write_regions(struct perfetto *t, struct regions *regions,
			       struct region_thread *threads, size_t nr_threads,
			       unsigned int next_id);

#endif
