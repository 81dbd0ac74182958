/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calipers that read values, each the sum of counts of several core types. */
#ifndef LIBPMC_CALIPER_VALUES_H
#define LIBPMC_CALIPER_VALUES_H

#include "caliper.h"

/*
 * Do the values follow from the counts of the page alone, each count and caliper->before[i]
 * making value i = caliper_value_of(count), and other values being -caliper->before[i]? Not
 * after the thread has changed core type.
 */
int caliper_values_direct(const pmc_caliper_t *caliper);

/* If they do: are there values that are constants? */
int caliper_values_are_spread(const pmc_caliper_t *caliper);

/* The value that an event of this core type is a term of; the event if the caliper reads counts. */
int caliper_value_of(const pmc_caliper_t *caliper, int event);

/*
 * The end of a direct reading made for the page's @seq: from counts to values, in place. Their
 * number, or -1 with errno set. For the assembler.
 */
int caliper_values_spread(pmc_caliper_t *caliper, uint64_t *values, uint64_t seq);

/*
 * Make the values follow from the page again, if they do for the core type that the thread is
 * on now. 0, or -1 with errno set.
 */
int caliper_values_update(pmc_caliper_t *caliper);

/* Read the values if that is not so. Their number, or -1 with errno set. */
int caliper_values_read(pmc_caliper_t *caliper, uint64_t *values);

void caliper_values_free(struct caliper_values *values);

#endif
