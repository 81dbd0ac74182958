/* SPDX-License-Identifier: GPL-2.0 */
/* Values over time, computed from samples, in bins of equal length. */
#ifndef PMCTRACK_SERIES_H
#define PMCTRACK_SERIES_H

#include "report.h"

/**
 * struct series_group - samples that belong together
 * @id: thread, CPU or core type, as the caller of series_add() says
 * @nr_id: its number in the order of appearance: threads may have the same @id, one after the other
 * @core_type: their core type; -1: several
 * @name: name of the thread in the last sample
 * @nr: number of samples
 * @running: ns that the counters were loaded
 * @next: index of another group of @nr_id; -1: there is none
 */
struct series_group {
	int id;
	int nr_id;
	int core_type;
	char name[PMC_THREAD_NAME];
	int nr;
	uint64_t running;
	int next;
};

enum series_kind {
	SERIES_IPC,	/* instructions per cycle */
	SERIES_RATE,	/* an event, per second */
	SERIES_VIRTUAL,
	SERIES_METRIC,
};

/**
 * struct series_column - a quantity
 * @index: of the event, virtual counter or metric in the layout; SERIES_IPC: of instructions
 * @cycles: SERIES_IPC: index of cycles
 * @title: "instructions per cycle", "branches per second", ...
 */
struct series_column {
	enum series_kind kind;
	int index;
	int cycles;
	char title[LABEL_MAX + 16];
};

/**
 * struct series - the samples of a report, in groups
 * @first: ns, when the first sample began; likewise @last, when the last one ended
 */
struct series {
	struct series_group *groups;
	int nr_groups;
	size_t groups_room;
	void *ids;		/* a tree, see tsearch(3) */
	int nr_ids;
	uint64_t first;
	uint64_t last;
	struct series_point *points;
	int nr_points;
	size_t room;
	/* Counts of all points */
	uint64_t *values;
	size_t nr_values;
	size_t values_room;
	/* Virtual counters and metrics of all points; NAN: there is no value */
	double *numbers;
	size_t nr_numbers;
	size_t numbers_room;
};

/*
 * Add a sample of a report to the group with this id and core type. After the last sample of a thread, which
 * has this id, the id is that of another one. -1: no memory
 */
int series_add(struct series *series, int id, int core_type, const struct report *report,
	       const struct pmc_reading *r);
void series_free(struct series *series);

/*
 * The columns of a report: instructions per cycle, if both are counted, and every other event,
 * virtual counter and metric. Return: their number, in @columns, which the caller frees; -1: no
 * memory
 */
int series_columns(const struct layout *layout, struct series_column **columns);

/*
 * Values of a column of a group in @nr bins from @series->first to @series->last: rates, and
 * means over running time of levels and ratios. NAN in a bin without samples. With event sets that
 * take turns, an event is assumed to have had the same rate while a set without it was loaded.
 */
void series_values(const struct report *report, const struct series *series,
		   const struct series_group *group, const struct series_column *column,
		   double *bins, int nr);

#endif
