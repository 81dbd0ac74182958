/* SPDX-License-Identifier: GPL-2.0 */
/* The layout of reports: which event of which set is in which column and counter. */
#ifndef PMCTRACK_LAYOUT_H
#define PMCTRACK_LAYOUT_H

#include "pmctrack.h"

/**
 * struct layout_set - an event set of a core type
 * @nr: number of events
 * @names: their names, as the user wrote them
 * @slots: their counters
 * @columns: their indexes in struct layout's @names
 */
struct layout_set {
	int nr;
	const char *names[PMC_MAX_COUNTS];
	unsigned char slots[PMC_MAX_COUNTS];
	int columns[PMC_MAX_COUNTS];
};

struct layout_core_type {
	const struct pmc_core_type_info *info;
	int nr_sets;
	struct layout_set *sets;
};

/**
 * struct layout - all event sets, and the virtual counters
 * @slots: bit N: some set uses pmcN
 * @names: all names of events, each once
 * @virtuals: the virtual counters, in the order of their values in samples
 * @virtual_numbers: the N of virtN of each
 */
struct layout {
	int nr_core_types;
	struct layout_core_type *core_types;
	uint64_t slots;
	int nr_names;
	const char **names;
	int nr_virtual;
	const struct pmc_virtual_info *virtuals[PMC_MAX_VIRTUALS];
	int virtual_numbers[PMC_MAX_VIRTUALS];
};

/* Longest heading of a virtual counter, with its terminating zero */
#define LABEL_MAX 80

/* If @session is NULL, event N of a set is on counter N. */
int layout_init(struct layout *layout, const pmc_machine_t *machine,
		const pmc_config_t *config, pmc_session_t *session);
void layout_free(struct layout *layout);

/* The event set, or NULL if there is none. */
const struct layout_set *layout_set(const struct layout *layout, int core_type, int set);

/* 1 if samples may have different event sets: multiplexed, or one for each core type. */
int layout_has_several_sets(const struct layout *layout);

/* 1 if some virtual counter cannot be summed up. */
int layout_has_means(const struct layout *layout);

/* Index of a name in @layout, or -1. */
int layout_name(const struct layout *layout, const char *name);

#endif
