/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calipers that read values, each the sum of counts of several core types. */
#ifndef LIBPMC_CALIPER_SUMS_H
#define LIBPMC_CALIPER_SUMS_H

#include "caliper.h"

/* The end of a list of values */
#define NO_VALUE	PMC_MAX_COUNTS

/* The place of a value that has no term on a core type: this count is always 0. */
#define NO_TERM		PMC_MAX_COUNTS

/**
 * struct type_terms - the terms of one core type
 * @place: by value: the event, or NO_TERM
 * @value: if @is_direct: by event: the value that it is a term of
 * @is_direct: each event is the term of one value, in the order of values
 * @is_empty: there is no term
 * @is_spread: @is_direct, but some values have no term
 * @nr_events: number of events
 * @nr_in_place: number of the events whose value has the same number; these are the first ones
 * @constants: values that have no term, then NO_VALUE
 */
struct type_terms {
	uint8_t place[PMC_MAX_COUNTS];
	uint8_t value[PMC_MAX_COUNTS];
	uint8_t constants[PMC_MAX_COUNTS + 1];
	int is_direct;
	int is_empty;
	int is_spread;
	int nr_events;
	int nr_in_place;
};

/**
 * struct caliper_values - the values of a caliper
 * @counts: reads counts; NULL: no core type needs it
 * @nr: number of values
 * @generation: how often the following was made
 * @changes: the page's type_changes for which it was made; -1: none
 * @core_type: the core type of the thread
 * @terms: those of this core type
 * @base: what each value has beside the page's count of its term: terms of other core types,
 *	without what the page's count has of these core types
 * @zero: sums at the last pmc_caliper_restart()
 *
 * caliper->before[i] is zero[i] - base[i].
 */
struct caliper_values {
	pmc_caliper_t *counts;
	int nr;
	int nr_types;
	uint32_t generation;
	int64_t changes;
	int core_type;
	const struct type_terms *terms;
	uint64_t base[PMC_MAX_COUNTS];
	uint64_t zero[PMC_MAX_COUNTS];
	struct type_terms types[];
};

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

/* caliper_sums_open.c */
void caliper_values_free(struct caliper_values *values);

#endif
