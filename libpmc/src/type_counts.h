/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread's counts on each core type. A caliper reads the sum over the core types. Only the
 * counts of the core type that the thread is on grow, so the kernel is asked for those of the
 * others once, and again after the thread has changed core type.
 */
#ifndef LIBPMC_TYPE_COUNTS_H
#define LIBPMC_TYPE_COUNTS_H

#include "caliper.h"

/**
 * struct type_counts - the counts of one reading
 * @nr_core_types: core types of the machine
 * @nr: number of counts of the current core type
 * @changes: how many times the thread had changed core type
 * @core_type: core type that the thread was on
 * @sum: count i of all core types together
 * @others: counts of each core type except @core_type, from the start of the session
 * @others_at: the value of @changes for which @others is valid; -1: none
 */
struct type_counts {
	int nr_core_types;
	int nr;
	uint32_t changes;
	int core_type;
	uint64_t sum[PMC_MAX_COUNTS];
	uint64_t (*others)[PMC_MAX_COUNTS];
	int64_t others_at;
};

/* 0, or -1 without memory. Free @others. */
int type_counts_init(struct type_counts *counts, int nr_core_types);

/* Read them. The caliper has a page. 0, or -1: error. */
int type_counts_read(pmc_caliper_t *caliper, struct type_counts *counts);

/* Copy the @nr first counts of a core type. */
void type_counts_get(const struct type_counts *counts, int core_type, int nr, uint64_t *to);

/* How often the thread has changed core type until now. */
static inline uint32_t type_changes(const pmc_caliper_t *caliper)
{
	return *(const volatile __u32 *)&caliper_page(caliper)->type_changes;
}

#endif
