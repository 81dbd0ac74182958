/* SPDX-License-Identifier: GPL-2.0 */
/* The samples that all CPUs take at the end of a period, in the order of their CPUs. */
#ifndef PMCTRACK_SYSWIDE_SAMPLES_H
#define PMCTRACK_SYSWIDE_SAMPLES_H

#include "pmctrack.h"

/**
 * struct interval - samples of one period
 * @all: the samples, in the order in which they were added until they are sorted
 */
struct interval {
	int nr;
	int room;
	struct pmc_reading *all;
};

/* -1: no memory */
int interval_add(struct interval *interval, const struct pmc_reading *r);

/*
 * Is @r of a later period? Then its CPU has a sample already, or it was taken more than half of
 * @period_ns after the first.
 */
int interval_is_over(const struct interval *interval, const struct pmc_reading *r,
		     uint64_t period_ns);

void interval_sort(struct interval *interval);
void interval_free(struct interval *interval);

#endif
