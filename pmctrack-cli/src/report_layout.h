/* SPDX-License-Identifier: GPL-2.0 */
/* The layout of reports: which event of which set is in which column and counter. */
#ifndef PMCTRACK_REPORT_LAYOUT_H
#define PMCTRACK_REPORT_LAYOUT_H

#include "pmctrack.h"

/**
 * struct layout_set - an event set of a core type
 * @nr: number of events
 * @names: their names, as the user wrote them
 * @slots: their counters
 * @columns: their indexes in struct layout's @names
 * @periods: their sampling periods, 0: none
 */
struct layout_set {
	int nr;
	const char *names[PMC_MAX_COUNTS];
	unsigned char slots[PMC_MAX_COUNTS];
	int columns[PMC_MAX_COUNTS];
	uint64_t periods[PMC_MAX_COUNTS];
};

struct layout_core_type {
	const struct pmc_core_type_info *info;
	int nr_sets;
	struct layout_set *sets;
};

/* A metric of a recorded run */
struct recorded_metric {
	const char *name;
	const char *unit;
};

/**
 * struct layout - all event sets, and the virtual counters
 * @slots: bit N: some set uses pmcN
 * @uses_ebs: some event has a sampling period
 * @without_module: the kernel module is not loaded
 * @names: all names of events, each once: as the user wrote them, without a sampling period.
 *	A name that a set has twice has #2 behind it the second time
 * @hidden: 1 for names that nobody asked for: they are counted for metrics
 * @plan: the metrics, or NULL
 * @recorded: the metrics of a recorded run, which has no plan; or NULL
 * @virtuals: the virtual counters, in the order of their values in samples
 * @virtual_numbers: the N of virtN of each
 */
struct layout {
	int nr_core_types;
	struct layout_core_type *core_types;
	uint64_t slots;
	int uses_ebs;
	int without_module;
	int nr_names;
	char **names;
	char *hidden;
	const pmc_plan_t *plan;
	int nr_recorded;
	struct recorded_metric *recorded;
	int nr_virtual;
	const struct pmc_virtual_info *virtuals[PMC_MAX_VIRTUALS];
	int virtual_numbers[PMC_MAX_VIRTUALS];
};

/* Longest heading of a virtual counter, with its terminating zero */
#define LABEL_MAX 80

/* If @session is NULL, event N of a set is on counter N. */
int layout_init(struct layout *layout, const pmc_machine_t *machine,
		const pmc_config_t *config, pmc_session_t *session);
/* Show the metrics of a plan, and hide events that are not in @asked. -1: no memory */
int layout_set_plan(struct layout *layout, const pmc_plan_t *plan, const pmc_config_t *asked);
void layout_free(struct layout *layout);

/* The event set, or NULL if there is none. */
const struct layout_set *layout_set(const struct layout *layout, int core_type, int set);

/* The number of event sets that the core type with the most has; with several they take turns. */
int layout_most_sets(const struct layout *layout);

/* The name of a core type, "?" if there is none */
const char *layout_core_type_name(const struct layout *layout, int id);

/* Number of names that are not hidden */
int layout_nr_visible(const struct layout *layout);

/* Position in a set, which may be NULL, of the event with this index; or -1 */
int layout_place(const struct layout_set *set, int name);

/* 1 if a set of the core type has the event with this index. */
int layout_has_event(const struct layout *layout, int id, int name);

/* 1 if the kernel itself counts the event with this index. */
int layout_is_software(const struct layout *layout, int name);

/*
 * How many samples by event count are missing before a sample: whole periods in its counts,
 * besides the one that ended. Periods pass without a sample while sampling is throttled, or
 * if they are shorter than an interrupt. With several sampling periods in a set, and thus
 * counts since the sample of another event, each may contribute one too few.
 */
uint64_t layout_left_out(const struct layout *layout, const struct pmc_reading *r);

/* 1 if some virtual counter cannot be summed up. */
int layout_has_means(const struct layout *layout);

/* Index of a name in @layout, or -1. */
int layout_name(const struct layout *layout, const char *name);
/*
 * The same; a name that @layout does not have yet is added. @name now belongs to @layout.
 * -1: no memory; @name may be NULL then
 */
int layout_add_name(struct layout *layout, char *name);

/* Indexes of instructions and of cycles in the same mode. Return: 1 if @layout has both. */
int layout_find_ipc(const struct layout *layout, int *instr, int *cycles);

#endif
