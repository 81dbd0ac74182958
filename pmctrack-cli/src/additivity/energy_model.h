/* SPDX-License-Identifier: GPL-2.0 */
/* A model of dynamic energy: a sum of counts, each with a coefficient that is not negative. */
#ifndef PMCTRACK_ADDITIVITY_ENERGY_MODEL_H
#define PMCTRACK_ADDITIVITY_ENERGY_MODEL_H

#include "additivity/nnls.h"

/* Chances are of so many permutations. */
#define PERMUTATIONS 199

/**
 * struct energy_data - mean counts and mean energies of programs
 * @nr: number of programs
 * @nr_events: number of counts of each
 * @counts: @nr rows of @nr_events
 * @joules: of each program
 */
struct energy_data {
	int nr;
	int nr_events;
	double *counts;
	double *joules;
};

/**
 * struct energy_model - a model
 * @events: numbers of the events
 * @joules: of each event
 */
struct energy_model {
	int nr;
	int events[NNLS_MOST];
	double joules[NNLS_MOST];
};

void energy_data_free(struct energy_data *data);

/*
 * Fit the model with the least sum of squared relative errors. @model has the first @first events.
 * Other events with @may[event] != 0 are added, one at a time, until there are @most. Added events with
 * a coefficient of 0 are left out.
 */
void energy_fit(struct energy_model *model, const struct energy_data *data, const char *may,
		int first, int most);

double energy_of(const struct energy_model *model, const double *counts);

/*
 * The error of each program, as a share of its energy, by a model of the other programs, which
 * choose their events anew. Each model has the event @first; -1: none.
 */
void energy_left_out(const struct energy_data *data, const char *may, int first, int most, double *errors);

/*
 * Mean error of the same programs if the energy of each were a constant: the one with the least sum of
 * squared relative errors of the other programs, as the model's.
 */
double energy_constant_error(const struct energy_data *data);

/*
 * The probability of such a small mean error if counts and energies had nothing to do with each
 * other: the share of PERMUTATIONS of the energies that have one.
 */
double energy_chance(const struct energy_data *data, const char *may, int most);

/* Do the events say something about energy? @error and @constant are mean errors, @chance is energy_chance()'s. */
int energy_is_good(double error, double constant, double chance);

#endif
