// SPDX-License-Identifier: GPL-2.0
/* Figures of a run, each one number. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "node/stats.h"
#include "options.h"

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double stats_median(double *values, size_t nr)
{
	size_t i, n = 0;

	for (i = 0; i < nr; i++)
		if (!isnan(values[i]))
			values[n++] = values[i];
	if (!n)
		return NAN;
	qsort(values, n, sizeof(*values), by_value);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static void used_cpus(const struct run_data *run, cpu_set_t *cpus)
{
	const char *text = about_get(&run->about, "cpus");

	if (!text || cpus_parse(text, cpus))
		memset(cpus, 0xff, sizeof(*cpus));
}

int stats_cpus(const struct run_data *run, int type)
{
	cpu_set_t cpus;

	used_cpus(run, &cpus);
	CPU_AND(&cpus, &cpus, &run->types.cpus[type]);
	return CPU_COUNT(&cpus);
}

int stats_is_frequency(const struct run_data *run, int column, int type)
{
	char where[32];
	cpu_set_t cpus;
	int cpu;

	if (!record_is(&run->record, column, "frequency", where, sizeof(where)) ||
	    sscanf(where, "cpu%d", &cpu) != 1 || core_type_of(&run->types, cpu) != type)
		return 0;
	used_cpus(run, &cpus);
	return CPU_ISSET(cpu, &cpus);
}

static double frequency_of_rows(const struct run_data *run, int type, size_t first, size_t end)
{
	double *values = new_array((end - first) * run->record.nr_columns, sizeof(*values)), median;
	size_t row, n = 0;
	int i;

	for (i = 1; i < run->record.nr_columns; i++)
		for (row = first; row < end && stats_is_frequency(run, i, type); row++)
			values[n++] = record_row(&run->record, row)[i];
	median = stats_median(values, n);
	free(values);
	return median;
}

double stats_frequency_at(const struct run_data *run, int type, size_t row)
{
	return frequency_of_rows(run, type, row, row + 1);
}

double stats_frequency(const struct run_data *run, int type)
{
	return frequency_of_rows(run, type, 0, run->record.nr_rows);
}

double stats_temperature_at(const struct run_data *run, size_t row)
{
	const struct record *r = &run->record;
	double most = NAN;
	int i;

	for (i = 1; i < r->nr_columns; i++)
		if (record_is(r, i, "temperature", NULL, 0))
			most = fmax(most, record_row(r, row)[i]);
	return most;
}

double stats_temperature(const struct run_data *run)
{
	double most = NAN;
	size_t row;

	for (row = 0; row < run->record.nr_rows; row++)
		most = fmax(most, stats_temperature_at(run, row));
	return most;
}

double stats_joules(const struct run_data *run, int column)
{
	return record_sum(&run->record, column) / 1e6;
}

double stats_watts_at(const struct run_data *run, int column, size_t row)
{
	double seconds = record_seconds(&run->record, row);

	return seconds > 0 ? record_row(&run->record, row)[column] / 1e6 / seconds : NAN;
}

/* Counters of energy have steps: the power of a short last row may be anything. */
static int is_short(const struct run_data *run, size_t row)
{
	return row && record_seconds(&run->record, row) < about_number(&run->about, "period") / 2;
}

double stats_watts_most(const struct run_data *run, int column)
{
	double most = NAN;
	size_t row;

	for (row = 0; row < run->record.nr_rows; row++)
		if (!is_short(run, row))
			most = fmax(most, stats_watts_at(run, column, row));
	return most;
}

double stats_throttles(const struct run_data *run)
{
	double sum = NAN;
	int i;

	for (i = 1; i < run->record.nr_columns; i++)
		if (record_is(&run->record, i, "throttles", NULL, 0))
			sum = (isnan(sum) ? 0 : sum) + record_sum(&run->record, i);
	return sum;
}

double stats_events(const struct run_data *run, int type, const char *event)
{
	char name[160];
	int column;

	snprintf(name, sizeof(name), "events/%s/%s", run->types.names[type], event);
	column = record_find(&run->record, name);
	return column < 0 ? NAN : record_sum(&run->record, column);
}

double stats_share(const struct run_data *run, int type, const char *event)
{
	double all = 0, own = stats_events(run, type, event), n;
	int i;

	for (i = 0; i < run->types.nr; i++) {
		n = stats_events(run, i, event);
		all += isnan(n) ? 0 : n;
	}
	return all > 0 ? 100 * own / all : NAN;
}

double stats_miss_rate(const struct run_data *run, int type)
{
	double references = stats_events(run, type, "llc_references");

	return references > 0 ? 100 * stats_events(run, type, "llc_misses") / references : NAN;
}
