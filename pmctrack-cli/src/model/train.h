/* SPDX-License-Identifier: GPL-2.0 */
/* From runs of programs on both core types to what a model is fitted to. */
#ifndef PMC_MODEL_TRAIN_H
#define PMC_MODEL_TRAIN_H

#include "fit.h"
#include "shape.h"
#include "table.h"

/**
 * struct run - a program's windows on both core types
 * @program: its name
 * @on: of each core type of the shape; NULL: not there yet
 */
struct run {
	char program[64];
	struct table *on[2];
};

struct runs {
	size_t nr;
	struct run *run;
};

/*
 * Read a list of runs: lines "PROGRAM CORETYPE FILE", with several files where
 * the same program was counted with other events each time; # begins a comment.
 * Files are looked for beside the list. NULL: @error says why.
 */
struct runs *runs_read(FILE *f, const char *path, const struct shape *shape, char *error,
		       size_t len);
void runs_free(struct runs *runs);

/**
 * struct training - windows that are there on both core types
 * @nr_rows: how many
 * @metrics: those of each core type, row by row
 * @truth: what is to be estimated
 */
struct training {
	size_t nr_rows;
	double *metrics[2];
	double *truth;
};

/**
 * struct truth - what is to be estimated, and where it is
 * @fast: core type of the shape that the speedup is on
 * @time: column with the time that a window took
 * @energy: column with the energy that it took; NULL: it is not about energy
 * @skip: windows of each program that are not looked at: its start
 */
struct truth {
	int fast;
	const char *time;
	const char *energy;
	size_t skip;
};

struct training *train(const struct runs *runs, const struct shape *shape,
		       const struct truth *truth, char *error, size_t len);
void training_free(struct training *t);

#endif /* PMC_MODEL_TRAIN_H */
