/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calipers that read values, each the sum of counts of several core types. */
#ifndef LIBPMC_CALIPER_VALUES_H
#define LIBPMC_CALIPER_VALUES_H

#include "caliper.h"

/*
 * Do the values follow from the counts of the page alone, value i from count i and
 * caliper->before[i]? Not after the thread has changed core type.
 */
int caliper_values_direct(const pmc_caliper_t *caliper);

/*
 * Make the values follow from the page again, if they do for the core type that the thread is
 * on now. 0, or -1 with errno set.
 */
int caliper_values_update(pmc_caliper_t *caliper);

/* Read the values if that is not so. Their number, or -1 with errno set. */
int caliper_values_read(pmc_caliper_t *caliper, uint64_t *values);

void caliper_values_free(struct caliper_values *values);

#endif
