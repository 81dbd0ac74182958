/* SPDX-License-Identifier: GPL-2.0 */
/* The average of runs, which is a run itself; and runs in groups that are to be averaged. */
#ifndef PMCTRACK_NODE_AVERAGE_H
#define PMCTRACK_NODE_AVERAGE_H

#include "node/folder.h"

/*
 * The average of @nr runs, row by row. Levels are means over the runs that have them at that
 * time. A run that has ended has counts of 0, so that the sums of counts are the means of the
 * sums. bad() if the runs have other columns. Free it with run_free().
 */
void average_runs(struct run_data *mean, struct run_data *const *runs, int nr);

/**
 * struct run_group - runs of the same program on the same cores
 * @name: of the program
 * @cores: as the user wrote them
 * @nr: number of runs
 * @mean: their average
 */
struct run_group {
	const char *name;
	const char *cores;
	int nr;
	struct run_data mean;
};

struct run_groups {
	int nr;
	struct run_group *all;
};

/* Groups in the order of their first runs; @list has to stay as long as they. */
void groups_make(struct run_groups *groups, const struct run_list *list);
void groups_free(struct run_groups *groups);

/* Write the average of all runs in the folders into the folder @output. */
void average_write(char **folders, const char *output);

#endif
