/* SPDX-License-Identifier: GPL-2.0 */
/* The verdicts on all events of a folder, as a table, CSV, JSON and a picture. */
#ifndef PMCTRACK_ADDITIVITY_VERDICTS_H
#define PMCTRACK_ADDITIVITY_VERDICTS_H

#include "additivity/judge.h"

/* Verdicts are counted at these tolerances, too. */
#define SWEEP 4
extern const double verdicts_sweep[SWEEP];

/**
 * struct verdicts - what has been judged of a folder
 * @tolerance: largest error and spread of an event that is potentially additive
 * @nr: number of @events, which come in the order of verdict and error
 * @events: of the phase PHASE_CORES
 * @memory: the same events in PHASE_MEMORY; NULL: not measured
 * @time: response variables, of the phase PHASE_CORES; NULL: not measured
 * @energy: likewise
 * @nr_aside: number of @aside, the events that each base program had less than COUNT_LEAST of
 * @nr_left_out: number of @left_out, the names of events that the machine does not count
 */
struct verdicts {
	const struct results *results;
	double tolerance;
	int nr;
	struct judgement **events;
	struct judgement **memory;
	struct judgement *time;
	struct judgement *energy;
	int nr_aside;
	int *aside;
	int nr_left_out;
	char **left_out;
};

void verdicts_find(struct verdicts *v, const struct results *r, double tolerance);
void verdicts_free(struct verdicts *v);

/* Number of events with a verdict at a tolerance */
int verdicts_count(const struct verdicts *v, enum verdict verdict, double tolerance);
/* Number of events whose verdict is another one if memory is bound, too */
int verdicts_changed(const struct verdicts *v);

/* @pairs: a line for each event and compound, too */
void verdicts_print_table(const struct verdicts *v, int pairs, FILE *f);
void verdicts_print_csv(const struct verdicts *v, int pairs, FILE *f);
void verdicts_print_json(const struct verdicts *v, int pairs, FILE *f);

/* Draw the largest error of each event to @path, as gnuplot_draw() does. */
void verdicts_draw(const struct verdicts *v, const char *path);

#endif
