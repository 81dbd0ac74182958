// SPDX-License-Identifier: GPL-2.0
/*
 * A model of dynamic energy. Rows are divided by the energy of the program, so that what is
 * made small is relative errors: programs may differ in size by orders.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "additivity/energy_model.h"
#include "common.h"

/* Of a hundred sets of numbers that have nothing to do with each other, one seems good. */
#define CHANCE_MOST 0.01

/* Counts as shares of the program's energy, without program @without; -1: with all */
static int weigh(const struct energy_data *data, int without, double *a, double *b)
{
	int i, k, rows = 0;

	for (i = 0; i < data->nr; i++) {
		if (i == without)
			continue;
		for (k = 0; k < data->nr_events; k++)
			a[rows * data->nr_events + k] = data->counts[i * data->nr_events + k] / data->joules[i];
		b[rows++] = 1;
	}
	return rows;
}

static double squares(const double *a, int rows, int width, const struct energy_model *m)
{
	double sum = 0, d;
	int row, i;

	for (row = 0; row < rows; row++, a += width) {
		d = -1;
		for (i = 0; i < m->nr; i++)
			d += m->joules[i] * a[m->events[i]];
		sum += d * d;
	}
	return sum;
}

static int has_event(const struct energy_model *m, int event)
{
	int i;

	for (i = 0; i < m->nr; i++)
		if (m->events[i] == event)
			return 1;
	return 0;
}

/* The model with the event that makes it best; 0: none makes it better */
static int add_best(struct energy_model *m, const double *a, const double *b, int rows, int width,
		    const char *may)
{
	struct energy_model with, best = *m;
	double sum, least = m->nr ? squares(a, rows, width, m) : rows;
	int event;

	for (event = 0; event < width; event++) {
		if (!may[event] || has_event(m, event))
			continue;
		with = *m;
		with.events[with.nr++] = event;
		nnls(a, rows, width, with.events, with.nr, b, with.joules);
		sum = squares(a, rows, width, &with);
		if (sum < least * (1 - 1e-9)) {
			least = sum;
			best = with;
		}
	}
	if (best.nr == m->nr)
		return 0;
	*m = best;
	return 1;
}

static void leave_out_zeros(struct energy_model *m, int first)
{
	int i, n = first;

	for (i = first; i < m->nr; i++)
		if (m->joules[i] > 0) {
			m->events[n] = m->events[i];
			m->joules[n++] = m->joules[i];
		}
	m->nr = n;
}

static void fit(struct energy_model *m, const struct energy_data *data, int without, const char *may,
		int first, int most)
{
	double *a = new_array((size_t)data->nr * data->nr_events, sizeof(*a));
	double *b = new_array(data->nr, sizeof(*b));
	int rows = weigh(data, without, a, b);

	m->nr = first;
	nnls(a, rows, data->nr_events, m->events, first, b, m->joules);
	while (m->nr < most && add_best(m, a, b, rows, data->nr_events, may))
		;
	leave_out_zeros(m, first);
	free(a);
	free(b);
}

void energy_fit(struct energy_model *model, const struct energy_data *data, const char *may,
		int first, int most)
{
	fit(model, data, -1, may, first, most);
}

void energy_data_free(struct energy_data *data)
{
	free(data->counts);
	free(data->joules);
}

double energy_of(const struct energy_model *model, const double *counts)
{
	double sum = 0;
	int i;

	for (i = 0; i < model->nr; i++)
		sum += model->joules[i] * counts[model->events[i]];
	return sum;
}

void energy_left_out(const struct energy_data *data, const char *may, int first, int most, double *errors)
{
	struct energy_model m = { .events = { first } };
	int i;

	for (i = 0; i < data->nr; i++) {
		fit(&m, data, i, may, first >= 0, most);
		errors[i] = fabs(energy_of(&m, data->counts + (size_t)i * data->nr_events) / data->joules[i] - 1);
	}
}

/* The energy with the least sum of squared relative errors of all programs but @without */
static double best_constant(const struct energy_data *data, int without)
{
	double sum = 0, sum_of_squares = 0;
	int i;

	for (i = 0; i < data->nr; i++) {
		if (i == without)
			continue;
		sum += 1 / data->joules[i];
		sum_of_squares += 1 / (data->joules[i] * data->joules[i]);
	}
	return sum / sum_of_squares;
}

double energy_constant_error(const struct energy_data *data)
{
	double error = 0;
	int i;

	for (i = 0; i < data->nr; i++)
		error += fabs(best_constant(data, i) / data->joules[i] - 1);
	return error / data->nr;
}

static double mean_error(const struct energy_data *data, const char *may, int most)
{
	double *errors = new_array(data->nr, sizeof(*errors)), sum = 0;
	int i;

	energy_left_out(data, may, -1, most, errors);
	for (i = 0; i < data->nr; i++)
		sum += errors[i];
	free(errors);
	return sum / data->nr;
}

/* A permutation that is the same each time (Fisher and Yates; xorshift) */
static void permute(double *values, int nr, uint64_t *state)
{
	double swap;
	int i, other;

	for (i = nr - 1; i > 0; i--) {
		*state ^= *state << 13;
		*state ^= *state >> 7;
		*state ^= *state << 17;
		other = *state % (i + 1);
		swap = values[i];
		values[i] = values[other];
		values[other] = swap;
	}
}

double energy_chance(const struct energy_data *data, const char *may, int most)
{
	struct energy_data other = *data;
	double error = mean_error(data, may, most);
	uint64_t state = 1;
	int i, as_small = 0;

	other.joules = new_array(data->nr, sizeof(*other.joules));
	memcpy(other.joules, data->joules, data->nr * sizeof(*other.joules));
	for (i = 0; i < PERMUTATIONS; i++) {
		permute(other.joules, data->nr, &state);
		as_small += mean_error(&other, may, most) <= error;
	}
	free(other.joules);
	return (as_small + 1.0) / (PERMUTATIONS + 1);
}

int energy_is_good(double error, double constant, double chance)
{
	return chance <= CHANCE_MOST && error < constant;
}
