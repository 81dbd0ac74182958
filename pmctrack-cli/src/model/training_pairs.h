/* SPDX-License-Identifier: GPL-2.0 */
/* Make the data that a model is fitted to, from runs of programs on both core types. */
#ifndef PMC_MODEL_TRAINING_PAIRS_H
#define PMC_MODEL_TRAINING_PAIRS_H

#include "fit.h"
#include "read_model.h"
#include "table.h"

/**
 * struct run - a program's windows on both core types
 * @program: its name
 * @on: windows on each core type of the shape; NULL: none yet
 */
struct run {
	char *program;
	struct table *on[2];
};

struct runs {
	size_t nr;
	struct run *run;
};

/*
 * Read a list of runs: lines "PROGRAM CORETYPE FILE", with several files if the program was
 * run several times with different events; # begins a comment. Relative names are in the
 * folder of the list. NULL: @error has the reason.
 */
struct runs *runs_read(FILE *f, const char *path, const struct shape *shape, char *error,
		       size_t len);
void runs_free(struct runs *runs);

/**
 * struct training - windows that exist on both core types
 * @nr_rows: number of windows
 * @program: the program of each window, by its number in the list of runs
 * @metrics: metrics of each core type, row by row
 * @truth: values to estimate
 */
struct training {
	size_t nr_rows;
	size_t *program;
	double *metrics[2];
	double *truth;
};

/**
 * struct truth - how the values to estimate are computed
 * @fast: core type of the shape for which the speedup is computed
 * @time: column with the time of a window
 * @energy: column with the energy of a window; NULL: compute the speedup factor
 * @skip: number of windows at the start of each program that are left out
 */
struct truth {
	int fast;
	const char *time;
	const char *energy;
	size_t skip;
};

/* Each program has a window. NULL: @error has the reason. */
struct training *train(const struct runs *runs, const struct shape *shape,
		       const struct truth *truth, char *error, size_t len);
void training_free(struct training *t);

#endif /* PMC_MODEL_TRAINING_PAIRS_H */
