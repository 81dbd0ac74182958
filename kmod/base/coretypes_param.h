/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module parameter core_types=, which groups CPUs into core types by
 * hand: "0-1:big,2-3:little", "0+2:big,1+3:little".
 */
#ifndef PMC_CORETYPES_PARAM_H
#define PMC_CORETYPES_PARAM_H

#include <linux/types.h>

#include "base/err.h"

/* Name of a core type, with its terminating zero. */
#define PMC_CORE_NAME_LEN	16

/*
 * Most core types there may be: where sets and threads keep the number of
 * theirs there is room for so many, and for a number that says "none".
 */
#define PMC_CORE_TYPES_MAX	255

/**
 * struct pmc_core_range - CPUs that follow one another and are of one type
 * @first: first CPU
 * @last: last CPU, not below @first
 * @type: core type, numbered from 0 in the order of the text
 * @name: name of the core type, the same in all its ranges
 */
struct pmc_core_range {
	unsigned int first;
	unsigned int last;
	unsigned int type;
	char name[PMC_CORE_NAME_LEN];
};

unsigned int pmc_core_types_max_ranges(const char *text);
int pmc_parse_core_types(const char *text, struct pmc_core_range *range,
			 unsigned int max, struct pmc_err *err);

#endif /* PMC_CORETYPES_PARAM_H */
